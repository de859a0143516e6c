package stat

import (
	"encoding/json"
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var inf = math.Inf(1)

// waiting is the illustrative baseline of the lab: 1,200 requests that interpolate near 190 ms.
func waiting(t testing.TB) Buckets {
	t.Helper()
	b, err := NewBuckets([]float64{.05, .075, .1, .15, .2, .25, inf}, []int64{150, 240, 500, 840, 1185, 1200, 1200})
	require.NoError(t, err)
	return b
}

// fixed is the candidate: 1,193 of 1,200 in (25, 50] ms, on the same bounds.
func fixed(t testing.TB) Buckets {
	t.Helper()
	b, err := NewBuckets([]float64{.05, .075, .1, .15, .2, .25, inf}, []int64{1193, 1200, 1200, 1200, 1200, 1200, 1200})
	require.NoError(t, err)
	return b
}

func TestOrderInterval(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		n         int64
		q         float64
		low, high int64
	}{
		"p95 of 1200":                   {1200, .95, 1125, 1155},
		"p99 of 1200":                   {1200, .99, 1181, 1195},
		"p95 first upper limit at 72":   {72, .95, 64, 72},
		"p95 of 71 has no upper limit":  {71, .95, 63, 0},
		"p99 of 367 has no upper limit": {367, .99, 359, 0},
		"three requests":                {3, .95, 2, 0},
		"nothing":                       {0, .95, 0, 0},
		"level outside":                 {100, 1, 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			low, high := OrderInterval(c.n, c.q, DefaultAlpha)
			assert.Equal(t, c.low, low, "low rank")
			assert.Equal(t, c.high, high, "high rank")
		})
	}
	assert.EqualValues(t, 72, MinObservations(.95, DefaultAlpha))
	assert.EqualValues(t, 368, MinObservations(.99, DefaultAlpha))
	assert.EqualValues(t, 0, MinObservations(1, DefaultAlpha))
}

// binomialTail sums the distribution term by term, as the definition of the ranks does.
func binomialTail(n int64, q float64, from, to int64) float64 {
	var p float64
	for k := from; k <= to; k++ {
		ln, _ := math.Lgamma(float64(n + 1))
		lk, _ := math.Lgamma(float64(k + 1))
		lr, _ := math.Lgamma(float64(n - k + 1))
		p += math.Exp(ln - lk - lr + float64(k)*math.Log(q) + float64(n-k)*math.Log(1-q))
	}
	return p
}

func TestOrderIntervalIsTheTightestWithItsPromise(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 400).Draw(t, "n")
		q := rapid.Float64Range(.05, .995).Draw(t, "q")
		low, high := OrderInterval(n, q, DefaultAlpha)
		const eps = 1e-9
		if low > 0 && binomialTail(n, q, 0, low-1) > DefaultAlpha/2+eps {
			t.Fatalf("low rank %d breaks the promise", low)
		}
		if low < n && binomialTail(n, q, 0, low) <= DefaultAlpha/2-eps {
			t.Fatalf("low rank %d is not the largest", low)
		}
		if high > 0 && binomialTail(n, q, high, n) > DefaultAlpha/2+eps {
			t.Fatalf("high rank %d breaks the promise", high)
		}
		if high > 1 && binomialTail(n, q, high-1, n) <= DefaultAlpha/2-eps {
			t.Fatalf("high rank %d is not the smallest", high)
		}
		if (low > 0 && high > 0) != (n >= MinObservations(q, DefaultAlpha)) {
			t.Fatalf("n=%d q=%v: ranks %d, %d but needed %d", n, q, low, high, MinObservations(q, DefaultAlpha))
		}
	})
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	top := Buckets{Upper: []float64{1, 2.5, inf}, Cumulative: []int64{10, 900, 1000}}
	cases := map[string]struct {
		b            Buckets
		sample       Range
		interval     *Range
		interpolated float64
	}{
		"waiting":           {waiting(t), Range{.15, .2}, &Range{.15, .2}, .19347826},
		"fixed":             {fixed(t), Range{0, .05}, &Range{0, .05}, .04777871},
		"above the highest": {top, Range{2.5, inf}, &Range{2.5, inf}, 2.5},
		"three requests":    {Buckets{[]float64{.05, inf}, []int64{3, 3}}, Range{0, .05}, nil, .0475},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q, err := c.b.Quantile(.95, DefaultAlpha)
			require.NoError(t, err)
			assert.Equal(t, c.sample, q.Sample)
			assert.Equal(t, c.interval, q.Interval)
			assert.InDelta(t, c.interpolated, q.Interpolated, 1e-6)
			_, err = json.Marshal(q)
			assert.NoError(t, err, "an open bucket must not break JSON")
		})
	}
	_, err := Buckets{Upper: []float64{inf}, Cumulative: []int64{0}}.Quantile(.95, DefaultAlpha)
	require.ErrorIs(t, err, ErrNoObservations)
	_, err = waiting(t).Quantile(95, DefaultAlpha)
	require.ErrorContains(t, err, "between 0 and 1")
}

func TestSampleQuantileLiesInItsBucket(t *testing.T) {
	t.Parallel()
	bounds := []float64{.01, .025, .05, .1, .25, .5, 1, inf}
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 2), 1, 300).Draw(t, "values")
		q := rapid.Float64Range(.01, .99).Draw(t, "q")
		cumulative := make([]int64, len(bounds))
		for _, v := range values {
			for i, u := range bounds {
				if v <= u {
					cumulative[i]++
				}
			}
		}
		b, err := NewBuckets(bounds, cumulative)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Quantile(q, DefaultAlpha)
		if err != nil {
			t.Fatal(err)
		}
		sort.Float64s(values)
		v := values[got.Rank-1]
		if got.Sample.Lower > 0 && v <= got.Sample.Lower || v > got.Sample.Upper {
			t.Fatalf("value %v of rank %d is not in (%v, %v]", v, got.Rank, got.Sample.Lower, got.Sample.Upper)
		}
		if i := got.Interval; i != nil && (i.Lower > got.Sample.Lower || i.Upper < got.Sample.Upper) {
			t.Fatalf("interval %v does not hold the sample bucket %v", *i, got.Sample)
		}
	})
}

func TestNewBuckets(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		upper      []float64
		cumulative []int64
		want       string
	}{
		"no +Inf":      {[]float64{1, 2}, []int64{1, 2}, "+Inf bucket is missing"},
		"empty":        {nil, nil, "at least the +Inf bucket"},
		"unequal":      {[]float64{inf}, []int64{1, 2}, "1 bounds but 2 counts"},
		"falling":      {[]float64{.2, .3, inf}, []int64{180, 36, 36}, "bucket counts fall from le=0.2 (180) to le=0.3 (36): this is not a cumulative histogram"},
		"unsorted":     {[]float64{2, 1, inf}, []int64{1, 1, 1}, "not ascending"},
		"negative":     {[]float64{1, inf}, []int64{-1, 1}, "negative"},
		"not a number": {[]float64{math.NaN(), inf}, []int64{1, 1}, "not a number"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := NewBuckets(c.upper, c.cumulative)
			assert.ErrorContains(t, err, c.want)
		})
	}
	var not *NotCumulativeError
	_, err := NewBuckets([]float64{.2, .3, inf}, []int64{180, 36, 36})
	require.ErrorAs(t, err, &not)
	assert.EqualValues(t, 36, not.ToCount)
}

func TestCompare(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		baseline, candidate Range
		relation            Relation
		atLeast             float64
		atMost              *float64
	}{
		"150-200 to 25-50":   {Range{.15, .2}, Range{.025, .05}, Below, .1, new(.175)},
		"25-50 to 150-200":   {Range{.025, .05}, Range{.15, .2}, Above, .1, new(.175)},
		"neighbours":         {Range{.05, .075}, Range{.025, .05}, Touching, 0, new(.05)},
		"equal":              {Range{.025, .05}, Range{.025, .05}, Overlapping, 0, new(.025)},
		"share a bucket":     {Range{.025, .075}, Range{.05, .1}, Overlapping, 0, new(.075)},
		"open above":         {Range{2.5, inf}, Range{.1, .15}, Below, 2.35, nil},
		"both open above":    {Range{2.5, inf}, Range{2.5, inf}, Overlapping, 0, nil},
		"lowest and touches": {Range{.01, .025}, Range{0, .01}, Touching, 0, new(.025)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Compare(c.baseline, c.candidate)
			assert.Equal(t, c.relation, got.Relation)
			assert.InDelta(t, c.atLeast, got.AtLeast, 1e-12)
			if c.atMost == nil {
				assert.Nil(t, got.AtMost)
			} else {
				require.NotNil(t, got.AtMost)
				assert.InDelta(t, *c.atMost, *got.AtMost, 1e-12)
			}
			_, err := json.Marshal(got)
			assert.NoError(t, err)
		})
	}
	got := Compare(Range{.15, .2}, Range{.025, .05})
	assert.InDelta(t, .125, *got.RatioLow, 1e-12)
	assert.InDelta(t, 1.0/3, *got.RatioHigh, 1e-12)
	assert.Nil(t, Compare(Range{0, .01}, Range{.1, .2}).RatioHigh, "nothing bounds a ratio to at most 10 ms")
}

func TestBucketsRoundTripAndRebin(t *testing.T) {
	t.Parallel()
	b := waiting(t)
	data, err := json.Marshal(b)
	require.NoError(t, err)
	assert.Contains(t, string(data), `null]`)
	var back Buckets
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, b, back)

	small, err := b.Rebin([]float64{.1, .2})
	require.NoError(t, err)
	assert.Equal(t, []int64{500, 1185, 1200}, small.Cumulative)
	_, err = b.Rebin([]float64{.11})
	require.ErrorContains(t, err, "not a bound")
	assert.Equal(t, []float64{.1, inf}, SharedBounds([]float64{.05, .1, inf}, []float64{.1, .2, inf}))
	assert.Equal(t, []int64{150, 90, 260, 340, 345, 15, 0}, b.Cells())
	assert.True(t, slices.IsSorted(b.Upper))

	var r Range
	require.NoError(t, json.Unmarshal([]byte(`{"lower":2.5,"upper":null}`), &r))
	assert.True(t, r.OpenAbove())
}
