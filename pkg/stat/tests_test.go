package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestChiSquare(t *testing.T) {
	t.Parallel()
	// The whole layout of the example, the candidate's bucket (25, 50] folded into <= 50 ms.
	got, err := ChiSquare(waiting(t).Cells(), fixed(t).Cells())
	require.NoError(t, err)
	assert.InDelta(t, 1841, got.Statistic, 1)
	assert.Equal(t, 5, got.DF)
	assert.InDelta(t, .88, got.V, .005)
	assert.Less(t, got.P, 1e-6)

	same, err := ChiSquare([]int64{100, 200, 300}, []int64{100, 200, 300})
	require.NoError(t, err)
	assert.Zero(t, same.Statistic)
	assert.InDelta(t, 1, same.P, 1e-12)

	_, err = ChiSquare([]int64{0, 1200}, []int64{0, 1200})
	require.ErrorContains(t, err, "one cell")
	_, err = ChiSquare([]int64{1}, []int64{1, 2})
	require.ErrorContains(t, err, "layouts differ")
	_, err = ChiSquare([]int64{0, 0}, []int64{1, 2})
	require.ErrorIs(t, err, ErrNoObservations)
}

func TestKS(t *testing.T) {
	t.Parallel()
	got, err := KS(waiting(t), fixed(t))
	require.NoError(t, err)
	assert.InDelta(t, .869, got.D, .0005)
	require.NotNil(t, got.At)
	assert.InDelta(t, .05, *got.At, 1e-12)
	assert.Less(t, got.P, 1e-6)

	same, err := KS(fixed(t), fixed(t))
	require.NoError(t, err)
	assert.Zero(t, same.D)
	assert.InDelta(t, 1, same.P, 1e-12)

	// The textbook value of the limiting distribution: P(K > 1.358) = 0.05.
	assert.InDelta(t, .05, kolmogorov(1.358), .0002)
}

func TestMannWhitney(t *testing.T) {
	t.Parallel()
	got, err := MannWhitney(waiting(t).Cells(), fixed(t).Cells())
	require.NoError(t, err)
	// A layout that also splits at 25 ms would be finer; here both sit in one cell, so that the range
	// starts at the same lower limit and A is in between.
	assert.InDelta(t, .875, got.ALow, .005)
	assert.InDelta(t, .999, got.AHigh, .001)
	assert.InDelta(t, .94, got.A, .005)
	assert.InDelta(t, 2*got.A-1, got.Delta, 1e-12)

	// Two runs almost wholly in one bucket: nothing is known.
	one, err := MannWhitney([]int64{5, 1190, 5}, []int64{5, 1180, 15})
	require.NoError(t, err)
	assert.InDelta(t, .496, one.A, .001)
	assert.Less(t, one.ALow, .02)
	assert.Greater(t, one.AHigh, .98)

	tied, err := MannWhitney([]int64{0, 10}, []int64{0, 10})
	require.NoError(t, err)
	assert.InDelta(t, .5, tied.A, 1e-12)
	assert.Nil(t, tied.P, "all observations tied: there is no test")
}

// TestMannWhitneyAgainstPairs counts every pair one by one.
func TestMannWhitneyAgainstPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 6).Draw(t, "cells")
		a := rapid.SliceOfN(rapid.Int64Range(0, 6), k, k).Draw(t, "baseline")
		b := rapid.SliceOfN(rapid.Int64Range(0, 6), k, k).Draw(t, "candidate")
		a[0]++
		b[k-1]++
		var u, n, m float64
		for i := range a {
			n += float64(a[i])
			m += float64(b[i])
			for j := range b {
				pairs := float64(a[i] * b[j])
				switch {
				case j < i:
					u += pairs
				case j == i:
					u += pairs / 2
				}
			}
		}
		got, err := MannWhitney(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.U-u) > 1e-9 || math.Abs(got.A-u/(n*m)) > 1e-9 || got.ALow > got.A || got.A > got.AHigh {
			t.Fatalf("got %+v, want U=%v", got, u)
		}
	})
}

func TestProportions(t *testing.T) {
	t.Parallel()
	d, err := Newcombe(1130, 1200, 1150, 1200, DefaultAlpha)
	require.NoError(t, err)
	assert.InDelta(t, .017, d.Point, .0005)
	assert.InDelta(t, -.001, d.Low, .0005)
	assert.InDelta(t, .034, d.High, .0006)

	rate, err := Newcombe(0, 1200, 5, 1200, DefaultAlpha)
	require.NoError(t, err)
	assert.InDelta(t, .0002, rate.Low, .0002)
	assert.InDelta(t, .0097, rate.High, .0001)
	assert.Positive(t, rate.Low, "five new errors are more than none")

	upper, err := ZeroEventsUpper(1200, DefaultAlpha)
	require.NoError(t, err)
	assert.InDelta(t, .0025, upper, .00001)

	_, err = Newcombe(1, 0, 1, 1, DefaultAlpha)
	require.ErrorIs(t, err, ErrNoObservations)
	_, err = Wilson(3, 2, DefaultAlpha)
	require.ErrorContains(t, err, "not possible")
	_, err = ZeroEventsUpper(0, DefaultAlpha)
	require.ErrorIs(t, err, ErrNoObservations)
}

func TestRatio(t *testing.T) {
	t.Parallel()
	// Two pods: 30 of 50 s and 4 of 40 s waited. The share is 34/90, not the mean of the shares.
	got, err := Ratio([]Batch{{30, 50}, {4, 40}}, DefaultAlpha)
	require.NoError(t, err)
	assert.InDelta(t, .3778, got.Ratio, .0001)
	assert.Nil(t, got.StdErr, "two batches carry no interval")

	steady := make([]Batch, 0, 30)
	for range 25 {
		steady = append(steady, Batch{3, 5})
	}
	steady = append(steady, Batch{}, Batch{})
	got, err = Ratio(steady, DefaultAlpha)
	require.NoError(t, err)
	assert.Equal(t, 25, got.Batches, "idle batches are left out")
	assert.InDelta(t, 0, *got.StdErr, 1e-12)
	assert.InDelta(t, .6, *got.Low, 1e-9)

	// By hand: W-rD alternates +0.5, -0.5 over 10 batches of D=5: se = sqrt(2.5/90)/5.
	var ten []Batch
	for i := range 10 {
		ten = append(ten, Batch{3 + .5 - float64(i%2), 5})
	}
	got, err = Ratio(ten, DefaultAlpha)
	require.NoError(t, err)
	assert.InDelta(t, math.Sqrt(2.5/90)/5, *got.StdErr, 1e-12)
	assert.InDelta(t, .6+2.2622*math.Sqrt(2.5/90)/5, *got.High, 1e-4)

	_, err = Ratio(nil, DefaultAlpha)
	require.ErrorIs(t, err, ErrZeroDenominator)
	_, err = Ratio([]Batch{{math.NaN(), 1}}, DefaultAlpha)
	require.ErrorContains(t, err, "not a number")
}

func TestPermutation(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		baseline, candidate []float64
		p, smallest         float64
	}{
		"3 against 3 cannot beat 0.10": {[]float64{10, 11, 12}, []float64{1, 2, 3}, .1, .1},
		"4 against 4":                  {[]float64{10, 11, 12, 13}, []float64{1, 2, 3, 4}, 2.0 / 70, 2.0 / 70},
		"5 against 5":                  {[]float64{10, 11, 12, 13, 14}, []float64{1, 2, 3, 4, 5}, 2.0 / 252, 2.0 / 252},
		"equal":                        {[]float64{5, 5, 5}, []float64{5, 5, 5}, 1, .1},
		"one against one":              {[]float64{5}, []float64{1}, 1, 1},
		"2 against 3":                  {[]float64{10, 11}, []float64{1, 2, 3}, .1, .1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Permutation(c.baseline, c.candidate)
			require.NoError(t, err)
			assert.True(t, got.Exact)
			assert.InDelta(t, c.p, got.P, 1e-12)
			assert.InDelta(t, c.smallest, got.Smallest, 1e-12)
		})
	}
	var a, b []float64
	for i := range 15 {
		a = append(a, float64(i))
		b = append(b, float64(i)+100)
	}
	many, err := Permutation(a, b)
	require.NoError(t, err)
	assert.False(t, many.Exact)
	assert.Positive(t, many.P)
	assert.Less(t, many.P, .001)
	_, err = Permutation(nil, b)
	require.Error(t, err)
	_, err = Permutation([]float64{math.Inf(1)}, b)
	require.ErrorContains(t, err, "no finite figure")
}
