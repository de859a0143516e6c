package stat

import (
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// DefaultAlpha is the error probability of every interval of this module: intervals are 95 %.
const DefaultAlpha = 0.05

// Range is the half-open interval (Lower, Upper] of a bucket or of several neighbouring ones.
type Range struct {
	// Lower is the exclusive lower edge: 0 for the lowest bucket of a histogram of durations.
	Lower float64
	// Upper is the inclusive upper edge, +Inf for the highest bucket.
	Upper float64
}

// OpenAbove says that no upper limit is known: the range reaches into the +Inf bucket.
func (r Range) OpenAbove() bool { return math.IsInf(r.Upper, 1) }

// OpenBelow says that the range starts at the lowest bucket, so that only "at most Upper" is known.
func (r Range) OpenBelow() bool { return r.Lower <= 0 }

// LowerPtr is Lower, or nil when no lower limit is known at all.
func (r Range) LowerPtr() *float64 { return finite(r.Lower) }

// UpperPtr is Upper, or nil when the range is open above.
func (r Range) UpperPtr() *float64 { return finite(r.Upper) }

// MarshalJSON writes {"lower":...,"upper":...} with null for an edge that is not known.
func (r Range) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Lower *float64 `json:"lower"`
		Upper *float64 `json:"upper"`
	}{r.LowerPtr(), r.UpperPtr()})
}

// UnmarshalJSON reads what MarshalJSON wrote; null becomes the infinity of its side.
func (r *Range) UnmarshalJSON(data []byte) error {
	var wire struct {
		Lower *float64 `json:"lower"`
		Upper *float64 `json:"upper"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("reading a range: %w", err)
	}
	*r = Range{Lower: math.Inf(-1), Upper: math.Inf(1)}
	if wire.Lower != nil {
		r.Lower = *wire.Lower
	}
	if wire.Upper != nil {
		r.Upper = *wire.Upper
	}
	return nil
}

// Rank is the rank of the sample quantile: the smallest whole number that is at least q*n, and at
// least 1. The tolerance keeps 0.95*1200 at 1140 in spite of binary fractions.
func Rank(n int64, q float64) int64 {
	r := int64(math.Ceil(q*float64(n) - 1e-9*math.Max(1, float64(n))))
	return min(max(r, 1), max(n, 1))
}

// OrderInterval returns the ranks low and high of the order statistics between which the quantile q
// of the distribution lies with probability at least 1-alpha, for any distribution:
//
//	low  = largest rank with P(Bin(n,q) <= low-1) <= alpha/2
//	high = smallest rank with P(Bin(n,q) >= high) <= alpha/2
//
// A limit that does not exist at this n is 0. Source: W. J. Conover, Practical Nonparametric
// Statistics, chapter 3. The interval takes the observations as independent draws.
func OrderInterval(n int64, q, alpha float64) (low, high int64) {
	if n < 1 || q <= 0 || q >= 1 || alpha <= 0 || alpha >= 1 {
		return 0, 0
	}
	bin := distuv.Binomial{N: float64(n), P: q}
	// atMost is P(Bin <= k); the distribution's own CDF wants k in 0..n.
	atMost := func(k int64) float64 {
		switch {
		case k < 0:
			return 0
		case k >= n:
			return 1
		}
		return bin.CDF(float64(k))
	}
	low = lastWhere(1, n, func(l int64) bool { return atMost(l-1) <= alpha/2 })
	if h := lastWhere(1, n, func(h int64) bool { return 1-atMost(h-1) > alpha/2 }); h < n {
		high = h + 1
	}
	return low, high
}

// lastWhere returns the largest i in from..to for which ok holds, given that ok holds for a leading
// stretch only; 0 when it holds for none.
func lastWhere(from, to int64, ok func(int64) bool) int64 {
	if !ok(from) {
		return 0
	}
	for from < to {
		mid := from + (to-from+1)/2
		if ok(mid) {
			from = mid
		} else {
			to = mid - 1
		}
	}
	return from
}

// MinObservations is the smallest n at which both limits of OrderInterval exist: 72 for q = 0.95 and
// 368 for q = 0.99 at alpha = 0.05. It is 0 when q is not inside (0, 1).
func MinObservations(q, alpha float64) int64 {
	if q <= 0 || q >= 1 || alpha <= 0 || alpha >= 1 {
		return 0
	}
	extreme := math.Max(q, 1-q)
	return int64(math.Ceil(math.Log(alpha/2) / math.Log(extreme)))
}

// Quantile is what a histogram proves about one quantile.
type Quantile struct {
	// Q is the level, for instance 0.95.
	Q float64 `json:"q"`
	// N is the number of observations.
	N int64 `json:"n"`
	// Rank is the rank of the sample quantile, ceil(Q*N).
	Rank int64 `json:"rank"`
	// Sample is the bucket that holds the sample quantile. It needs no assumption.
	Sample Range `json:"sample"`
	// LowRank and HighRank are the ranks of the order-statistic interval; 0 when it has no such limit.
	LowRank  int64 `json:"lowRank"`
	HighRank int64 `json:"highRank"`
	// Interval is the order-statistic interval in buckets; nil when N is below Needed.
	Interval *Range `json:"interval"`
	// Needed is the number of observations from which Interval exists.
	Needed int64 `json:"needed"`
	// Interpolated is the estimate that PromQL's histogram_quantile makes from the same counts. It
	// takes observations as evenly spread inside a bucket and is never to be shown without Sample.
	Interpolated float64 `json:"interpolated"`
}

// Quantile returns the bounds of quantile q and its order-statistic interval at error probability
// alpha. It fails with ErrNoObservations for an empty histogram.
func (b Buckets) Quantile(q, alpha float64) (Quantile, error) {
	if q <= 0 || q >= 1 {
		return Quantile{}, fmt.Errorf("quantile %v is not between 0 and 1", q)
	}
	n := b.Total()
	if n == 0 {
		return Quantile{}, fmt.Errorf("quantile %v: %w", q, ErrNoObservations)
	}
	out := Quantile{Q: q, N: n, Rank: Rank(n, q), Needed: MinObservations(q, alpha), Interpolated: b.interpolate(q)}
	var err error
	if out.Sample, err = b.RangeOf(out.Rank); err != nil {
		return Quantile{}, err
	}
	out.LowRank, out.HighRank = OrderInterval(n, q, alpha)
	if out.LowRank == 0 || out.HighRank == 0 {
		return out, nil
	}
	low, err := b.RangeOf(out.LowRank)
	if err != nil {
		return Quantile{}, err
	}
	high, err := b.RangeOf(out.HighRank)
	if err != nil {
		return Quantile{}, err
	}
	out.Interval = &Range{Lower: low.Lower, Upper: high.Upper}
	return out, nil
}

// interpolate is PromQL's histogram_quantile for classic histograms: linear inside the bucket, the
// highest finite bound for the +Inf bucket, the bound itself for a lowest bucket at or below 0.
func (b Buckets) interpolate(q float64) float64 {
	rank := q * float64(b.Total())
	i := 0
	for i < len(b.Cumulative)-1 && float64(b.Cumulative[i]) < rank {
		i++
	}
	last := len(b.Upper) - 1
	switch {
	case i == last && last == 0:
		return 0
	case i == last:
		return b.Upper[last-1]
	case i == 0 && b.Upper[0] <= 0:
		return b.Upper[0]
	}
	start, before := 0.0, int64(0)
	if i > 0 {
		start, before = b.Upper[i-1], b.Cumulative[i-1]
	}
	in := b.Cumulative[i] - before
	if in == 0 {
		return start
	}
	return start + (b.Upper[i]-start)*(rank-float64(before))/float64(in)
}

// Relation says how the interval of a candidate lies to that of a baseline.
type Relation string

// The relations of two intervals of buckets.
const (
	// Below: the candidate's interval ends under the baseline's, with at least one bucket between.
	Below Relation = "below"
	// Above: the candidate's interval starts over the baseline's, with at least one bucket between.
	Above Relation = "above"
	// Touching: the intervals meet in a bound, so that one step of machine noise explains the move.
	Touching Relation = "touching"
	// Overlapping: the intervals share at least a bucket.
	Overlapping Relation = "overlapping"
)

// Change is the difference of one quantile between a baseline and a candidate, as far as buckets
// can tell. All differences are absolute amounts in the direction of Relation.
type Change struct {
	Relation Relation `json:"relation"`
	// AtLeast is the smallest possible move; 0 unless the intervals are apart.
	AtLeast float64 `json:"atLeast"`
	// AtMost is the largest possible move; nil when an interval is open above.
	AtMost *float64 `json:"atMost"`
	// RatioLow and RatioHigh bound candidate divided by baseline; nil when not bounded.
	RatioLow  *float64 `json:"ratioLow"`
	RatioHigh *float64 `json:"ratioHigh"`
}

// Compare relates the interval of a candidate to that of a baseline. Both must come from the same
// layout, so that two intervals with different edges in between have at least one bucket between.
func Compare(baseline, candidate Range) Change {
	c := Change{
		RatioLow:  finite(candidate.Lower / baseline.Upper),
		RatioHigh: finite(candidate.Upper / baseline.Lower),
	}
	down := baseline.Upper - candidate.Lower // the largest possible fall
	up := candidate.Upper - baseline.Lower   // the largest possible rise
	switch {
	case candidate.Upper < baseline.Lower:
		c.Relation, c.AtLeast, c.AtMost = Below, baseline.Lower-candidate.Upper, finite(down)
	case baseline.Upper < candidate.Lower:
		c.Relation, c.AtLeast, c.AtMost = Above, candidate.Lower-baseline.Upper, finite(up)
	case candidate.Upper == baseline.Lower || baseline.Upper == candidate.Lower:
		c.Relation, c.AtMost = Touching, finite(math.Max(down, up))
	default:
		c.Relation, c.AtMost = Overlapping, finite(math.Max(down, up))
	}
	return c
}
