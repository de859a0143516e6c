package stat

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNoObservations says that a histogram counted nothing, so that no quantile or share of it exists.
var ErrNoObservations = errors.New("no observations")

// Buckets is a cumulative histogram: Cumulative[i] observations were at or below Upper[i]. The last
// bound is +Inf and its count is the number of all observations.
type Buckets struct {
	// Upper holds the bounds in ascending order, ending in +Inf. Bounds are inclusive: a bucket is
	// (lower bound, upper bound].
	Upper []float64
	// Cumulative holds one count per bound; it never falls.
	Cumulative []int64
}

// NotCumulativeError says between which two bounds the counts of a histogram fall, which a
// cumulative histogram cannot do.
type NotCumulativeError struct {
	// From and To are the two neighbouring bounds.
	From, To float64
	// FromCount and ToCount are the counts at these bounds; ToCount is the smaller.
	FromCount, ToCount int64
}

func (e *NotCumulativeError) Error() string {
	return fmt.Sprintf("bucket counts fall from le=%v (%d) to le=%v (%d): this is not a cumulative histogram",
		FormatBound(e.From), e.FromCount, FormatBound(e.To), e.ToCount)
}

// NewBuckets checks the bounds and counts of a cumulative histogram and returns it. The slices are
// kept, not copied. Counts that fall are reported as *NotCumulativeError.
func NewBuckets(upper []float64, cumulative []int64) (Buckets, error) {
	switch {
	case len(upper) == 0:
		return Buckets{}, errors.New("a histogram needs at least the +Inf bucket")
	case len(upper) != len(cumulative):
		return Buckets{}, fmt.Errorf("%d bounds but %d counts", len(upper), len(cumulative))
	case !math.IsInf(upper[len(upper)-1], 1):
		return Buckets{}, fmt.Errorf("the +Inf bucket is missing (the highest bound is %v): an incomplete histogram has no quantiles", upper[len(upper)-1])
	}
	for i, u := range upper {
		if math.IsNaN(u) {
			return Buckets{}, fmt.Errorf("bound %d is not a number", i)
		}
		if i > 0 && u <= upper[i-1] {
			return Buckets{}, fmt.Errorf("bounds are not ascending: %v after %v", u, upper[i-1])
		}
		if cumulative[i] < 0 {
			return Buckets{}, fmt.Errorf("count at le=%v is negative: %d", FormatBound(u), cumulative[i])
		}
		if i > 0 && cumulative[i] < cumulative[i-1] {
			return Buckets{}, &NotCumulativeError{
				From: upper[i-1], To: u, FromCount: cumulative[i-1], ToCount: cumulative[i],
			}
		}
	}
	return Buckets{Upper: upper, Cumulative: cumulative}, nil
}

// FormatBound writes a bucket bound as Prometheus does in a label: +Inf, or the shortest decimal.
func FormatBound(u float64) string {
	if math.IsInf(u, 1) {
		return "+Inf"
	}
	return fmt.Sprintf("%v", u)
}

// Total is the number of observations.
func (b Buckets) Total() int64 {
	if len(b.Cumulative) == 0 {
		return 0
	}
	return b.Cumulative[len(b.Cumulative)-1]
}

// Cells returns the count of each bucket on its own, in the order of the bounds.
func (b Buckets) Cells() []int64 {
	cells := make([]int64, len(b.Cumulative))
	var before int64
	for i, c := range b.Cumulative {
		cells[i] = c - before
		before = c
	}
	return cells
}

// AtOrBelow returns how many observations were at or below bound, which must be one of the bounds:
// between bounds a histogram knows nothing.
func (b Buckets) AtOrBelow(bound float64) (int64, error) {
	i, ok := slices.BinarySearch(b.Upper, bound)
	if !ok {
		return 0, fmt.Errorf("%v is not a bound of this histogram (bounds: %v)", bound, b.Upper)
	}
	return b.Cumulative[i], nil
}

// Rebin keeps only the given bounds, which is exact for cumulative counts. Every bound must be one
// of b's; +Inf is kept in any case.
func (b Buckets) Rebin(bounds []float64) (Buckets, error) {
	out := Buckets{}
	for _, u := range bounds {
		if math.IsInf(u, 1) {
			continue
		}
		c, err := b.AtOrBelow(u)
		if err != nil {
			return Buckets{}, err
		}
		out.Upper = append(out.Upper, u)
		out.Cumulative = append(out.Cumulative, c)
	}
	out.Upper = append(out.Upper, math.Inf(1))
	out.Cumulative = append(out.Cumulative, b.Total())
	return NewBuckets(out.Upper, out.Cumulative)
}

// SharedBounds returns the bounds that every list has, ascending. Bounds are compared as numbers.
func SharedBounds(lists ...[]float64) []float64 {
	if len(lists) == 0 {
		return nil
	}
	var shared []float64
	for _, u := range lists[0] {
		inAll := true
		for _, other := range lists[1:] {
			if !slices.Contains(other, u) {
				inAll = false
				break
			}
		}
		if inAll && !slices.Contains(shared, u) {
			shared = append(shared, u)
		}
	}
	slices.Sort(shared)
	return shared
}

// RangeOf returns the bucket (lower, upper] that holds the observation of the given rank, 1 being
// the smallest. The rank must lie in 1..Total.
func (b Buckets) RangeOf(rank int64) (Range, error) {
	if rank < 1 || rank > b.Total() {
		return Range{}, fmt.Errorf("rank %d is not in 1..%d", rank, b.Total())
	}
	i, _ := slices.BinarySearch(b.Cumulative, rank)
	return b.bucket(i), nil
}

// bucket returns the edges of bucket i. The lowest bucket starts at 0 when its bound is positive, as
// durations and sizes do; otherwise nothing is known and it starts at -Inf.
func (b Buckets) bucket(i int) Range {
	r := Range{Lower: 0, Upper: b.Upper[i]}
	switch {
	case i > 0:
		r.Lower = b.Upper[i-1]
	case b.Upper[0] <= 0:
		r.Lower = math.Inf(-1)
	}
	return r
}

// MarshalJSON writes {"upper":[...,null],"cumulative":[...]}: JSON has no infinity, so the last
// bound is null.
func (b Buckets) MarshalJSON() ([]byte, error) {
	upper := make([]*float64, len(b.Upper))
	for i, u := range b.Upper {
		upper[i] = finite(u)
	}
	return json.Marshal(struct {
		Upper      []*float64 `json:"upper"`
		Cumulative []int64    `json:"cumulative"`
	}{upper, b.Cumulative})
}

// UnmarshalJSON reads what MarshalJSON wrote and checks it as NewBuckets does.
func (b *Buckets) UnmarshalJSON(data []byte) error {
	var wire struct {
		Upper      []*float64 `json:"upper"`
		Cumulative []int64    `json:"cumulative"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("reading a histogram: %w", err)
	}
	upper := make([]float64, len(wire.Upper))
	for i, u := range wire.Upper {
		upper[i] = math.Inf(1)
		if u != nil {
			upper[i] = *u
		}
	}
	checked, err := NewBuckets(upper, wire.Cumulative)
	if err != nil {
		return fmt.Errorf("reading a histogram: %w", err)
	}
	*b = checked
	return nil
}

// finite returns a pointer to v, or nil when v is NaN or infinite.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
