package compare

import (
	"fmt"
	"slices"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// repeats measures the noise floor from several load runs per side, and tests the difference of the
// sides over runs. It is nil unless both sides have at least two runs with the figure.
func (in *input) repeats() *Repeats {
	q := in.profile.Quantile
	measure := func(l evidence.Load) *float64 { return loadFigures(&l).at[q] }
	name := "load " + percentile(q) + ", ms"
	b, c := collect(in.base.Repeats, measure), collect(in.cand.Repeats, measure)
	if len(b) < 2 || len(c) < 2 {
		return nil
	}
	r := &Repeats{Baseline: b, Candidate: c, Measure: name, NoiseFloor: max(spread(b), spread(c))}
	res, err := stat.Permutation(b, c)
	if err != nil {
		r.SmallestP = 1
		r.Reasons = withReason(r.Reasons, "pValue", ReasonTooFewRuns)
		r.Text = fmt.Sprintf("repeated runs of one side differ by up to %s", percent(r.NoiseFloor))
		return r
	}
	r.SmallestP = res.Smallest
	r.PValue = figure(res.P)
	r.Text = fmt.Sprintf("%d and %d runs: runs of one side differ by up to %s; a permutation test over runs gives p = %s (no smaller than %s is possible with so many runs)",
		len(b), len(c), percent(r.NoiseFloor), decimal(res.P, 2, 3), decimal(res.Smallest, 2, 3))
	return r
}

func collect(runs []evidence.Load, measure func(evidence.Load) *float64) []float64 {
	out := []float64{}
	for _, l := range runs {
		if v, ok := num(measure(l)); ok {
			out = append(out, v)
		}
	}
	return out
}

// spread is (largest − smallest) / largest: the same relation that a move of the figure is held
// against, so that swapping the sides changes nothing.
func spread(v []float64) float64 {
	low, high := slices.Min(v), slices.Max(v)
	if high <= 0 {
		return 0
	}
	return (high - low) / high
}

// tests are the distribution tests over the request histograms: detail, never the verdict, because
// machine noise near a bucket edge makes them significant for identical code.
func (in *input) tests() []Test {
	out := []Test{}
	b, c := in.base.Metrics.RequestDuration.Buckets, in.cand.Metrics.RequestDuration.Buckets
	if in.base.Metrics.State != evidence.StateOK || in.cand.Metrics.State != evidence.StateOK || len(b) == 0 || !sameLayout(b, c) {
		return out
	}
	x, errX := histogramOf(b)
	y, errY := histogramOf(c)
	if errX != nil || errY != nil || x.Total() == 0 || y.Total() == 0 {
		return out
	}
	if t, err := stat.ChiSquare(x.Cells(), y.Cells()); err == nil {
		test := Test{Name: "chi-square over buckets", Statistic: figure(t.Statistic), PValue: figure(t.P), Effect: figure(t.V),
			Text: fmt.Sprintf("X² = %s with %d degrees of freedom, V = %s", significant(t.Statistic), t.DF, decimal(t.V, 2, 2))}
		out = append(out, explained(test))
	}
	if t, err := stat.KS(x, y); err == nil {
		text := fmt.Sprintf("D is at least %s", decimal(t.D, 2, 3))
		if t.At != nil {
			text += " at " + duration(*t.At)
		}
		out = append(out, explained(Test{Name: "Kolmogorov–Smirnov on bucket bounds", Statistic: figure(t.D), PValue: figure(t.P), Text: text}))
	}
	if t, err := stat.MannWhitney(x.Cells(), y.Cells()); err == nil {
		test := Test{Name: "Mann–Whitney over buckets", Statistic: figure(t.U), PValue: finitePtr(t.P), Effect: figure(t.A),
			EffectLow: figure(t.ALow), EffectHigh: figure(t.AHigh),
			Text: fmt.Sprintf("a random candidate request is the faster one with probability %s (between %s and %s, by how ties inside a bucket fall)",
				decimal(t.A, 2, 2), decimal(t.ALow, 2, 2), decimal(t.AHigh, 2, 2))}
		out = append(out, explained(test))
	}
	return out
}

func explained(t Test) Test {
	code := ReasonNotApplicable
	if t.Name == "Mann–Whitney over buckets" {
		code = ReasonAllTied
	}
	for name, p := range map[string]*float64{"statistic": t.Statistic, "pValue": t.PValue, "effect": t.Effect, "effectLow": t.EffectLow, "effectHigh": t.EffectHigh} {
		if p == nil {
			t.Reasons = withReason(t.Reasons, name, code)
		}
	}
	return t
}
