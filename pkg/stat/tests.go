package stat

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ChiSquareResult is the outcome of a chi-square test of homogeneity.
type ChiSquareResult struct {
	Statistic float64 `json:"statistic"`
	// DF is the degrees of freedom: cells after pooling, minus one.
	DF int `json:"df"`
	// P is the probability of a statistic at least as large when both samples have one distribution.
	P float64 `json:"p"`
	// V is Cramer's effect size sqrt(X2/n), 0..1.
	V float64 `json:"v"`
}

// minExpected is the usual rule of thumb: the chi-square approximation wants 5 expected per cell.
const minExpected = 5

// ChiSquare tests whether two samples counted in the same cells have one distribution. Neighbouring
// cells are pooled until every expected count is at least 5. It is detail, never a verdict: between
// runs of identical code, machine noise near a bucket edge makes it significant.
func ChiSquare(a, b []int64) (ChiSquareResult, error) {
	n, m, err := sameCells(a, b)
	if err != nil {
		return ChiSquareResult{}, err
	}
	total := float64(n + m)
	type cell struct{ a, b float64 }
	small := func(c cell) bool {
		return (c.a+c.b)*math.Min(float64(n), float64(m))/total < minExpected
	}
	var pooled []cell
	var open cell
	for i := range a {
		open.a += float64(a[i])
		open.b += float64(b[i])
		if !small(open) {
			pooled = append(pooled, open)
			open = cell{}
		}
	}
	if open.a+open.b > 0 {
		if len(pooled) == 0 {
			pooled = append(pooled, open)
		} else {
			pooled[len(pooled)-1].a += open.a
			pooled[len(pooled)-1].b += open.b
		}
	}
	if len(pooled) < 2 {
		return ChiSquareResult{}, errors.New("chi-square: all observations fall into one cell after pooling, there is nothing to compare")
	}
	var x2 float64
	for _, c := range pooled {
		ea := (c.a + c.b) * float64(n) / total
		eb := (c.a + c.b) * float64(m) / total
		x2 += (c.a-ea)*(c.a-ea)/ea + (c.b-eb)*(c.b-eb)/eb
	}
	df := len(pooled) - 1
	return ChiSquareResult{
		Statistic: x2,
		DF:        df,
		P:         distuv.ChiSquared{K: float64(df)}.Survival(x2),
		V:         math.Sqrt(x2 / total),
	}, nil
}

// KSResult is the outcome of a two-sample Kolmogorov-Smirnov comparison on bucket bounds.
type KSResult struct {
	// D is the largest distance of the two distribution functions at a bound. The true distance is at
	// least D, so P is conservative.
	D float64 `json:"d"`
	// At is the bound with that distance; nil when it is +Inf (D = 0).
	At *float64 `json:"at"`
	P  float64  `json:"p"`
}

// KS compares two histograms of one layout by the Kolmogorov-Smirnov distance on their bounds.
func KS(a, b Buckets) (KSResult, error) {
	if err := sameLayout(a, b); err != nil {
		return KSResult{}, err
	}
	n, m := float64(a.Total()), float64(b.Total())
	if n == 0 || m == 0 {
		return KSResult{}, fmt.Errorf("kolmogorov-smirnov: %w", ErrNoObservations)
	}
	var out KSResult
	for i, u := range a.Upper {
		d := math.Abs(float64(a.Cumulative[i])/n - float64(b.Cumulative[i])/m)
		if d > out.D {
			out.D, out.At = d, finite(u)
		}
	}
	out.P = kolmogorov(out.D * math.Sqrt(n*m/(n+m)))
	return out, nil
}

// kolmogorov is the survival function of the limiting Kolmogorov distribution,
// 2 sum_{k>=1} (-1)^(k-1) exp(-2 k^2 x^2).
func kolmogorov(x float64) float64 {
	if x < 0.2 {
		return 1
	}
	var p float64
	sign := 1.0
	for k := 1; k <= 100; k++ {
		term := math.Exp(-2 * float64(k*k) * x * x)
		p += sign * term
		if term < 1e-16 {
			break
		}
		sign = -sign
	}
	return math.Min(1, math.Max(0, 2*p))
}

// RankResult is the outcome of a Mann-Whitney comparison of grouped data.
type RankResult struct {
	// U counts pairs in which the candidate's observation is smaller, ties half.
	U float64 `json:"u"`
	// Z is the normal score of U with the tie correction; nil when every observation is tied.
	Z *float64 `json:"z"`
	// P is the two-sided probability; nil when every observation is tied.
	P *float64 `json:"p"`
	// A is the probability that a random candidate observation is smaller than a random baseline one
	// (Vargha and Delaney 2000), ties half.
	A float64 `json:"a"`
	// ALow and AHigh bound A: ties inside a bucket could all go one way or the other.
	ALow  float64 `json:"aLow"`
	AHigh float64 `json:"aHigh"`
	// Delta is Cliff's delta, 2A-1.
	Delta float64 `json:"delta"`
}

// MannWhitney compares two samples counted in the same ordered cells. Sources: W. J. Conover,
// Practical Nonparametric Statistics, chapter 5; Vargha and Delaney 2000 for A.
func MannWhitney(baseline, candidate []int64) (RankResult, error) {
	m, n, err := sameCells(baseline, candidate)
	if err != nil {
		return RankResult{}, err
	}
	var strict, ties, tieTerm float64 // strict: candidate in a lower cell than baseline
	var candidateBelow float64
	for j := range baseline {
		b, c := float64(baseline[j]), float64(candidate[j])
		strict += b * candidateBelow
		ties += b * c
		candidateBelow += c
		t := b + c
		tieTerm += t*t*t - t
	}
	pairs := float64(n) * float64(m)
	total := float64(n + m)
	out := RankResult{
		U:     strict + ties/2,
		A:     (strict + ties/2) / pairs,
		ALow:  strict / pairs,
		AHigh: (strict + ties) / pairs,
	}
	out.Delta = 2*out.A - 1
	variance := pairs / 12 * (total + 1 - tieTerm/(total*(total-1)))
	if variance > 1e-9 {
		z := (out.U - pairs/2) / math.Sqrt(variance)
		p := 2 * distuv.UnitNormal.Survival(math.Abs(z))
		out.Z, out.P = &z, &p
	}
	return out, nil
}

// sameCells checks two count lists and returns their totals.
func sameCells(a, b []int64) (n, m int64, err error) {
	if len(a) != len(b) {
		return 0, 0, fmt.Errorf("%d cells against %d: the layouts differ", len(a), len(b))
	}
	for i := range a {
		if a[i] < 0 || b[i] < 0 {
			return 0, 0, fmt.Errorf("cell %d has a negative count", i)
		}
		n += a[i]
		m += b[i]
	}
	if n == 0 || m == 0 {
		return 0, 0, ErrNoObservations
	}
	return n, m, nil
}

// sameLayout checks that two histograms have the same bounds.
func sameLayout(a, b Buckets) error {
	if len(a.Upper) != len(b.Upper) {
		return fmt.Errorf("%d bounds against %d: the layouts differ, rebin to the shared bounds first", len(a.Upper), len(b.Upper))
	}
	for i := range a.Upper {
		if a.Upper[i] != b.Upper[i] {
			return fmt.Errorf("bound %d is %v against %v: the layouts differ, rebin to the shared bounds first", i, a.Upper[i], b.Upper[i])
		}
	}
	return nil
}
