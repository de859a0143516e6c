// Package stat holds the arithmetic of evidence: what a bucketed histogram proves about a quantile,
// how two bucketed distributions differ, how a ratio of sums is estimated from batches, and what a
// handful of repeated runs can say. It is pure: no input or output, no clock, no global state, and
// it imports nothing else of this module.
//
// Durations are seconds unless a name says otherwise; counts are whole numbers. No function returns
// NaN or an infinity as a result: what cannot be computed is an error or a nil pointer. The one
// exception is the upper bound of the last bucket of a histogram, which is +Inf by definition and
// which MarshalJSON writes as null.
package stat
