package compare

import (
	"fmt"
	"math"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// quantilePair is the request quantile of both sides as intervals of one bucket layout, or why there
// is none.
type quantilePair struct {
	usable bool
	// why says in words what keeps the histogram from being used; empty when nothing was measured.
	why string
	// code is the reason's code; empty means histogram_not_used.
	code       string
	base, cand stat.Range
	change     stat.Change
	// rebinned is true when the layouts differ and only the shared bounds were used.
	rebinned bool
}

// quantiles finds out whether the request histograms can carry the speed answer.
func (in *input) quantiles() quantilePair {
	var q quantilePair
	if in.base.Metrics.State == evidence.StateNotConfigured && in.cand.Metrics.State == evidence.StateNotConfigured {
		return q
	}
	for _, s := range []struct {
		name string
		side evidence.Side
	}{{"baseline", in.base}, {"candidate", in.cand}} {
		m := s.side.Metrics
		switch {
		case m.State != evidence.StateOK:
			q.why = fmt.Sprintf("the %s's metrics are not there (%s)", s.name, stateText(m.State, m.Message))
		case m.RequestDuration.State != evidence.StateOK:
			q.why = fmt.Sprintf("the %s's request histogram is not there (%s)", s.name, stateText(m.RequestDuration.State, ""))
		case failedGate(s.side, histogramGates) != nil:
			g := failedGate(s.side, histogramGates)
			q.why = fmt.Sprintf("the %s's gate %s (%s) failed: %s", s.name, g.Code, g.Name, g.Detail)
		}
		if q.why != "" {
			return q
		}
	}
	b, c := in.base.Metrics.RequestDuration, in.cand.Metrics.RequestDuration
	if sameLayout(b.Buckets, c.Buckets) {
		var okB, okC bool
		q.base, okB = interval(b.P95Seconds)
		q.cand, okC = interval(c.P95Seconds)
		if !okB || !okC {
			q.why = "the interval of the " + percentile(in.profile.Quantile) + " is not known on " + unknownOn(!okB, !okC)
			return q
		}
	} else if !in.rebin(&q, b.Buckets, c.Buckets) {
		q.why = "the two histograms have different buckets and too few bounds in common"
		return q
	}
	for _, s := range in.both() {
		if x := in.consistent(s.name, s.side); x != nil && x.code == CodeP95Inconsistent {
			q.why, q.code = x.text, x.code
			return q
		}
	}
	q.usable, q.change = true, stat.Compare(q.base, q.cand)
	return q
}

// histogramGates are the gates that the histogram's figures depend on; G3 alone is a note and G9 is
// the identity card.
var histogramGates = []string{"G1", "G2", "G4", "G5", "G6", "G7", "G8"}

func failedGate(s evidence.Side, codes []string) *evidence.Gate {
	for i, g := range s.Gates {
		if g.State == evidence.GateFailed && contains(codes, g.Code) {
			return &s.Gates[i]
		}
	}
	return nil
}

func stateText(s evidence.State, message string) string {
	if s == "" {
		s = "not measured"
	}
	if message == "" {
		return string(s)
	}
	return string(s) + ": " + message
}

// sameLayout compares bucket bounds as numbers: 1 and 1.0 are one bound.
func sameLayout(b, c []evidence.Bucket) bool {
	if len(b) != len(c) {
		return false
	}
	for i := range b {
		x, y := upperOf(b[i]), upperOf(c[i])
		if x != y {
			return false
		}
	}
	return true
}

func upperOf(b evidence.Bucket) float64 {
	if b.Upper == nil {
		return math.Inf(1)
	}
	return *b.Upper
}

// interval is the order-statistic interval of a quantile as a range of seconds.
func interval(q evidence.Quantile) (stat.Range, bool) {
	lower, ok := num(q.CILower)
	if !ok {
		return stat.Range{}, false
	}
	upper, ok := num(q.CIUpper)
	if !ok {
		if q.Reasons["ciUpper"] != evidence.ReasonOpenBucket {
			return stat.Range{}, false
		}
		upper = math.Inf(1)
	}
	return stat.Range{Lower: lower, Upper: upper}, true
}

// histogramOf turns exact bucket counts into the cumulative form.
func histogramOf(buckets []evidence.Bucket) (stat.Buckets, error) {
	var upper []float64
	var cumulative []int64
	var sum int64
	for _, b := range buckets {
		sum += b.Count
		upper, cumulative = append(upper, upperOf(b)), append(cumulative, sum)
	}
	return stat.NewBuckets(upper, cumulative)
}

// rebin keeps the bounds that both histograms have, which is exact for cumulative counts, and takes
// the intervals from there.
func (in *input) rebin(q *quantilePair, b, c []evidence.Bucket) bool {
	const fewestBounds = 3 // two finite bounds and +Inf: below that, nothing can lie between
	x, errX := histogramOf(b)
	y, errY := histogramOf(c)
	if errX != nil || errY != nil {
		return false
	}
	shared := stat.SharedBounds(x.Upper, y.Upper)
	if len(shared) < fewestBounds {
		return false
	}
	out := [2]stat.Range{}
	for i, h := range []stat.Buckets{x, y} {
		r, err := h.Rebin(shared)
		if err != nil {
			return false
		}
		qu, err := r.Quantile(in.profile.Quantile, stat.DefaultAlpha)
		if err != nil || qu.Interval == nil {
			return false
		}
		out[i] = *qu.Interval
	}
	q.base, q.cand, q.rebinned = out[0], out[1], true
	return true
}

func rangeText(r stat.Range) string { return evidence.FormatRange(&r.Lower, r.UpperPtr()) }

// ratioText says the factor in the direction of the change: ", 3.0× to 8.0× lower" reads as speed-up.
func ratioText(c stat.Change) string {
	low, high, ok := both(c.RatioLow, c.RatioHigh)
	if c.Relation == stat.Below {
		switch {
		case ok && low > 0:
			return fmt.Sprintf(", %s to %s", times(1/high), times(1/low))
		case c.RatioHigh != nil && *c.RatioHigh > 0:
			return ", at least " + times(1 / *c.RatioHigh)
		}
		return ""
	}
	switch {
	case ok:
		return fmt.Sprintf(", %s to %s", times(low), times(high))
	case c.RatioLow != nil:
		return ", at least " + times(*c.RatioLow)
	}
	return ""
}

// possible is the largest change that the two intervals allow, either way.
func possible(q quantilePair) (float64, bool) {
	if q.base.OpenAbove() || q.cand.OpenAbove() {
		return 0, false
	}
	return max(q.base.Upper-q.cand.Lower, q.cand.Upper-q.base.Lower), true
}

// withinNoise says that the smallest possible relative change does not exceed the noise floor.
func withinNoise(c stat.Change, floor float64) bool {
	low, okLow := num(c.RatioLow)
	high, okHigh := num(c.RatioHigh)
	switch {
	case c.Relation == stat.Below && okHigh:
		return 1-high <= floor
	case c.Relation == stat.Above && okLow && low > 0:
		return 1-1/low <= floor
	}
	return false
}
