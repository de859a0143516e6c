package stat

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// PermutationResult is the outcome of a permutation test over repeated runs.
type PermutationResult struct {
	// Difference is mean(candidate) - mean(baseline).
	Difference float64 `json:"difference"`
	// P is the two-sided probability of a difference at least as large when the labels mean nothing.
	P float64 `json:"p"`
	// Smallest is the smallest P that this number of runs can reach: 0.10 for 3 against 3.
	Smallest float64 `json:"smallest"`
	// Arrangements is how many label arrangements were counted.
	Arrangements int `json:"arrangements"`
	// Exact is false when arrangements were sampled because there are too many.
	Exact bool `json:"exact"`
}

const (
	// maxArrangements is the number up to which all arrangements are counted (10 against 10: 184,756).
	maxArrangements = 200_000
	// sampledArrangements is how many are drawn beyond that.
	sampledArrangements = 50_000
)

// Permutation tests the difference of means of two sets of runs, one figure per run. It counts every
// arrangement of the labels, or a fixed-seed sample of them beyond 200,000. Source: R. A. Fisher,
// The Design of Experiments, section 21.
func Permutation(baseline, candidate []float64) (PermutationResult, error) {
	if len(baseline) == 0 || len(candidate) == 0 {
		return PermutationResult{}, errors.New("a permutation test needs at least one run per side")
	}
	all := slices.Concat(baseline, candidate)
	var total float64
	for i, v := range all {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return PermutationResult{}, fmt.Errorf("run %d has no finite figure", i)
		}
		total += v
	}
	nb, nc := len(baseline), len(candidate)
	// difference of means, given the sum of the values labelled baseline
	difference := func(baselineSum float64) float64 {
		return (total-baselineSum)/float64(nc) - baselineSum/float64(nb)
	}
	var sum float64
	for _, v := range baseline {
		sum += v
	}
	observed := difference(sum)
	// Equal differences can come out apart in the last bits, as they are summed in another order.
	scale := 0.0
	for _, v := range all {
		scale = math.Max(scale, math.Abs(v))
	}
	limit := math.Abs(observed) - 1e-9*math.Max(scale, math.SmallestNonzeroFloat64)

	out := PermutationResult{Difference: observed}
	count := binomial(nb+nc, nb)
	out.Smallest = 1 / count
	if nb == nc {
		out.Smallest = 2 / count
	}
	out.Smallest = math.Min(1, out.Smallest)
	extreme := 0
	if count <= maxArrangements {
		out.Exact = true
		combinations(all, nb, func(s float64) {
			out.Arrangements++
			if math.Abs(difference(s)) >= limit {
				extreme++
			}
		})
		out.P = float64(extreme) / float64(out.Arrangements)
		return out, nil
	}
	rng := rand.New(rand.NewPCG(1, 2))
	shuffled := slices.Clone(all)
	for range sampledArrangements {
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		var s float64
		for _, v := range shuffled[:nb] {
			s += v
		}
		if math.Abs(difference(s)) >= limit {
			extreme++
		}
	}
	out.Arrangements = sampledArrangements
	// The observed arrangement is one of them, so that P is never 0.
	out.P = float64(extreme+1) / float64(sampledArrangements+1)
	return out, nil
}

// combinations calls visit with the sum of every choice of k of the values.
func combinations(values []float64, k int, visit func(sum float64)) {
	var walk func(from, left int, sum float64)
	walk = func(from, left int, sum float64) {
		if left == 0 {
			visit(sum)
			return
		}
		for i := from; i <= len(values)-left; i++ {
			walk(i+1, left-1, sum+values[i])
		}
	}
	walk(0, k, 0)
}

// binomial is n over k as a float, which is enough to compare with a limit.
func binomial(n, k int) float64 {
	r := 1.0
	for i := 1; i <= k; i++ {
		r = r * float64(n-k+i) / float64(i)
	}
	return math.Round(r)
}
