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
	why        string
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

// speed answers whether the candidate is faster or slower, and how sure that is.
func (in *input) speed(broken []IdentityItem, behaviour Judgement, endpoints []EndpointChange, q quantilePair, rep *Repeats) SpeedJudgement {
	s := SpeedJudgement{Judgement: Judgement{Basis: BasisNone, Reasons: []Reason{}}}
	in.meanChange(&s)
	add := func(code, text string) { s.Reasons = append(s.Reasons, Reason{code, text}) }
	withhold := func(headline, next string) SpeedJudgement {
		s.Answer, s.Headline, s.Next = Inconclusive, headline, next
		s.unbounded(ReasonWithheld)
		return s
	}
	if len(broken) > 0 {
		code, headline := CodeWorkloadDiffers, "Inconclusive: the sides are not comparable"
		if find(broken, IdentityBaselineGate) != nil {
			code, headline = CodeNoValidBaseline, "Inconclusive: no valid baseline"
		}
		for _, it := range broken {
			add(code, it.Text)
		}
		return withhold(headline, broken[0].Next)
	}
	if behaviour.Answer == Changed {
		add(CodeBehaviourChanged, "the candidate does not answer as the baseline does, so their speed is not that of the same work")
		return withhold("Inconclusive: withheld, because the behaviour changed", behaviour.Next)
	}
	if in.base.Load == nil || in.cand.Load == nil {
		where := unknownOn(in.base.Load == nil, in.cand.Load == nil)
		add(CodeNoLoadRun, "there is no load run on "+where)
		return withhold("Inconclusive: no load run on "+where, "run the load replay on both sides")
	}
	move := in.replayMove(loadFigures(in.base.Load), loadFigures(in.cand.Load), rep)
	if q.usable {
		in.fromHistogram(&s, q, rep)
	} else {
		in.fromReplay(&s, move, q)
	}
	in.fromEndpoints(&s, endpoints, q.usable)
	if mb, mc, ok := in.means(); ok {
		add(CodeMean, fmt.Sprintf("mean %s, exact: %s per request", arrow(duration(mb), duration(mc)), signedDuration(mc-mb)))
	}
	in.sureness(&s, rep)
	if behaviour.Answer == Inconclusive {
		add(CodeBehaviourUnknown, "behaviour is inconclusive: faster or slower holds only if the answers are the same")
	}
	return s
}

// unbounded explains every bound that is null.
func (s *SpeedJudgement) unbounded(code string) {
	for name, p := range map[string]*float64{"atLeastSeconds": s.AtLeastSeconds, "atMostSeconds": s.AtMostSeconds,
		"ratioLower": s.RatioLower, "ratioUpper": s.RatioUpper} {
		if p == nil {
			s.NullReasons = withReason(s.NullReasons, name, code)
		}
	}
}

// means returns the exact means of both request histograms.
func (in *input) means() (float64, float64, bool) {
	if in.base.Metrics.State != evidence.StateOK || in.cand.Metrics.State != evidence.StateOK {
		return 0, 0, false
	}
	for _, s := range []evidence.Side{in.base, in.cand} {
		if failedGate(s, sumGates) != nil {
			return 0, 0, false
		}
	}
	return both(in.base.Metrics.RequestDuration.MeanSeconds, in.cand.Metrics.RequestDuration.MeanSeconds)
}

// sumGates are the gates that sums and counts depend on; bucket layout and sample size do not matter
// for them.
var sumGates = []string{"G1", "G2", "G4", "G5", "G7"}

func (in *input) meanChange(s *SpeedJudgement) {
	if b, c, ok := in.means(); ok {
		s.MeanChangeSeconds = figure(c - b)
		return
	}
	code := evidence.ReasonNoPrometheus
	switch st := in.base.Metrics.State; {
	case st == evidence.StateOK && in.cand.Metrics.State == evidence.StateOK:
		code = evidence.ReasonGateFailed
	case st == evidence.StateUnreachable || in.cand.Metrics.State == evidence.StateUnreachable:
		code = evidence.ReasonUnreachable
	}
	s.NullReasons = withReason(s.NullReasons, "meanChangeSeconds", code)
}

func (in *input) fromHistogram(s *SpeedJudgement, q quantilePair, rep *Repeats) {
	s.Basis = BasisHistogram
	name := percentile(in.profile.Quantile)
	intervals := arrow(rangeText(q.base), rangeText(q.cand))
	relation := q.change.Relation
	if rep != nil && (relation == stat.Below || relation == stat.Above) && withinNoise(q.change, rep.NoiseFloor) {
		s.Answer, s.Headline = NoProvableChange, "No provable change: within the noise of repeated runs"
		s.Reasons = append(s.Reasons, Reason{CodeWithinNoise, fmt.Sprintf("%s %s, but repeated runs of one side differ by %s", name, intervals, percent(rep.NoiseFloor))})
		s.Next = "repeat both sides more often on a quieter machine"
		s.unbounded(ReasonNoChange)
		return
	}
	switch relation {
	case stat.Below, stat.Above:
		word, sign := "lower", -1.0
		s.Answer = Improved
		if relation == stat.Above {
			word, sign, s.Answer = "higher", 1, Regressed
		}
		s.AtLeastSeconds = figure(sign * q.change.AtLeast)
		if q.change.AtMost != nil {
			s.AtMostSeconds = figure(sign * *q.change.AtMost)
		}
		s.RatioLower, s.RatioUpper = finitePtr(q.change.RatioLow), finitePtr(q.change.RatioHigh)
		s.unbounded(ReasonNotBounded)
		s.Headline = fmt.Sprintf("%s, %s %s by at least %s", upperFirst(string(s.Answer)), name, word, duration(q.change.AtLeast))
		text := fmt.Sprintf("%s is %s by at least %s (%s%s) in these two replays", name, word, duration(q.change.AtLeast), intervals, ratioText(q.change))
		s.Reasons = append(s.Reasons, Reason{CodeIntervals, text})
		s.Next = "repeat the load run at least four times per side to learn the noise"
		if s.Answer == Regressed {
			s.Next = "look at the cause below; repeat the load run at least four times per side to learn the noise"
		}
	default:
		s.Answer = NoProvableChange
		s.Headline = "No provable change, " + name + " " + intervals
		text := fmt.Sprintf("both %s lie in %s; the histogram cannot tell them apart", name, rangeText(q.base))
		if q.base != q.cand {
			text = fmt.Sprintf("the %s intervals %s have no bucket between them; the histogram cannot tell them apart", name, intervals)
		}
		if most, ok := possible(q); ok {
			text += "; a change of up to " + duration(most) + " is possible"
		} else {
			text += "; a change of any size above the highest bound is possible"
		}
		s.Reasons = append(s.Reasons, Reason{CodeIntervals, text})
		s.Next = "finer buckets around " + rangeText(q.base) + ", a native histogram, or repeated runs would settle it"
		s.unbounded(ReasonNoChange)
	}
}

func finitePtr(p *float64) *float64 {
	v, ok := num(p)
	if !ok {
		return nil
	}
	return &v
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

func (in *input) fromReplay(s *SpeedJudgement, m replayMove, q quantilePair) {
	if q.why != "" {
		s.Reasons = append(s.Reasons, Reason{CodeHistogramNotUsed, "the histogram is not used: " + q.why})
	}
	s.Answer = m.answer
	if m.answer == Inconclusive {
		s.Headline = "Inconclusive: " + m.text
		s.Reasons = append(s.Reasons, Reason{m.code, m.text})
		s.Next = "send more requests: more passes or more users on both sides"
		if m.code == CodeQuantileMissing {
			s.Next = "choose a quantile that the replay reports (p50, p90, p95, p99), or measure the service with Prometheus"
		}
		s.unbounded(evidence.ReasonInsufficient)
		return
	}
	s.Basis = BasisReplay
	word := map[Answer]string{Improved: "Improved", Regressed: "Regressed", NoProvableChange: "No provable change"}[m.answer]
	s.Headline = word + ", " + m.text
	text := m.text + ", by the replay's own percentiles: exact at the client, in whole milliseconds"
	if m.answer != NoProvableChange {
		text += fmt.Sprintf(" (%s; tolerance %s %% and %s, both)", percentChange(m.base, m.cand), decimal(in.profile.TolerancePercent, 0, 1), wholeMs(in.profile.ToleranceMs))
	}
	code := CodeReplayPercentile
	if m.code != "" {
		code = m.code
	}
	s.Reasons = append(s.Reasons, Reason{code, text})
	s.Next = "measure the service with Prometheus (--prometheus, --profile) to see bounds and the cause; repeat the load run to learn the noise"
	if m.answer == NoProvableChange {
		s.unbounded(ReasonNoChange)
	} else {
		s.unbounded(ReasonNotBounded)
	}
}

// fromEndpoints lets one endpoint speak where the aggregate hides it. With a single endpoint the
// aggregate is that endpoint, and the better basis has already answered.
func (in *input) fromEndpoints(s *SpeedJudgement, endpoints []EndpointChange, histogram bool) {
	if len(endpoints) < 2 {
		return
	}
	var up, down []EndpointChange
	for _, e := range endpoints {
		switch e.Answer {
		case Regressed:
			up = append(up, e)
		case Improved:
			down = append(down, e)
		}
	}
	name := func(list_ []EndpointChange) string {
		var words []string
		for _, e := range list_ {
			words = append(words, e.Name)
		}
		return list(words, 2)
	}
	take := func(answer Answer, moved []EndpointChange) {
		aggregate := s.Answer
		s.Answer, s.Basis = answer, BasisReplay
		s.AtLeastSeconds, s.AtMostSeconds, s.RatioLower, s.RatioUpper = nil, nil, nil, nil
		s.NullReasons = withoutReasons(s.NullReasons, "atLeastSeconds", "atMostSeconds", "ratioLower", "ratioUpper")
		s.unbounded(ReasonNotBounded)
		s.Headline = fmt.Sprintf("%s on %s: %s", upperFirst(string(answer)), name(moved), moved[0].Text)
		if aggregate == Improved || aggregate == Regressed {
			s.Headline += fmt.Sprintf("; over all requests %s %s", percentile(in.profile.Quantile), string(aggregate))
		}
		reasons := []Reason{}
		for _, e := range moved {
			text := e.Name + ": " + e.Text + ", by the replay's own percentiles"
			if share, ok := shareOf(e); ok && share < 1-in.profile.Quantile {
				text += fmt.Sprintf("; the %s over all requests hides it, because it is %s of them", percentile(in.profile.Quantile), evidence.FormatPercent(share))
			}
			reasons = append(reasons, Reason{CodeEndpoint, text})
		}
		s.Reasons = append(reasons, s.Reasons...)
		s.Next = "look at what this endpoint does more of: statements and waits below"
		if answer == Improved {
			s.Next = "repeat the load run at least four times per side to learn the noise"
		}
	}
	switch {
	case len(up) > 0 && s.Answer != Regressed:
		take(Regressed, up)
	case len(down) > 0 && len(up) == 0 && (s.Answer == NoProvableChange || s.Answer == Inconclusive):
		take(Improved, down)
	}
}

func shareOf(e EndpointChange) (float64, bool) {
	for _, x := range []*evidence.Endpoint{e.Candidate, e.Baseline} {
		if x != nil {
			if v, ok := num(x.Share); ok {
				return v, true
			}
		}
	}
	return 0, false
}

// sureness says how far the answer reaches: one pair of runs speaks of these two replays only.
func (in *input) sureness(s *SpeedJudgement, rep *Repeats) {
	if rep == nil {
		s.Reasons = append(s.Reasons, Reason{CodeOneRunPerSide, "one run per side: no noise estimate; four runs per side would allow a test"})
		return
	}
	s.Reasons = append(s.Reasons, Reason{CodeNoiseFloor, rep.Text})
}
