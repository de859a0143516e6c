package compare

import (
	"fmt"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

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
	noBaseline := find(broken, IdentityBaselineGate) != nil
	// A changed behaviour comes first: a gate that tripped over it skips the load run, and the unequal
	// workload is then only its consequence.
	if behaviour.Answer == Changed && !noBaseline {
		add(CodeBehaviourChanged, "the candidate does not answer as the baseline does, so their speed is not that of the same work")
		for _, it := range broken {
			add(CodeWorkloadDiffers, it.Text)
		}
		return withhold("Inconclusive: withheld, because the behaviour changed", behaviour.Next)
	}
	if len(broken) > 0 {
		code, headline := CodeWorkloadDiffers, "Inconclusive: the sides are not comparable"
		switch it := broken[0]; {
		case noBaseline:
			code, headline = CodeNoValidBaseline, "Inconclusive: no valid baseline"
		case it.Code == IdentityLoadRequests && it.State == Unknown:
			headline = "Inconclusive: load requests not known on " + unknownOn(in.base.Load.Requests == nil, in.cand.Load.Requests == nil)
		}
		for _, it := range broken {
			add(code, it.Text)
		}
		return withhold(headline, broken[0].Next)
	}
	if in.base.Load == nil || in.cand.Load == nil {
		where := unknownOn(in.base.Load == nil, in.cand.Load == nil)
		add(CodeNoLoadRun, "there is no load run on "+where)
		return withhold("Inconclusive: no load run on "+where, "run the load replay on both sides")
	}
	if gates := in.notOneRun(); len(gates) > 0 {
		for _, g := range gates {
			add(CodeNotOneRun, fmt.Sprintf("the %s's gate %s (%s) failed: %s", g.side, g.Code, g.Name, g.Detail))
		}
		return withhold("Inconclusive: window and figures are not of one run", step(gates[0].Next))
	}
	move := in.replayMove(loadFigures(in.base.Load), loadFigures(in.cand.Load), rep)
	if q.usable {
		in.fromHistogram(&s, q, rep)
	} else {
		in.fromReplay(&s, move, q, rep)
	}
	if q.usable && opposite(s.Answer, move.answer) {
		in.basesDisagree(&s, move, q)
	} else {
		in.fromEndpoints(&s, endpoints, rep)
	}
	if mb, mc, ok := in.means(); ok {
		text := fmt.Sprintf("mean %s, exact: %s per request", arrow(duration(mb), duration(mc)), signedDuration(mc-mb))
		if q.code == CodeP95Inconsistent {
			text += ", of the histogram that the replay contradicts"
		}
		add(CodeMean, text)
	}
	in.foreignTraffic(&s)
	in.sureness(&s, rep)
	if in.cand.Load.GateFailed {
		add(CodeLoadGateFailed, "the candidate's load run tripped its own gate (--fail-if): its figures are those of a run that its owner calls failed")
	}
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
		text := fmt.Sprintf("%s is %s by at least %s (%s%s) in %s", name, word, duration(q.change.AtLeast), intervals, ratioText(q.change), thisPair(rep))
		s.Reasons = append(s.Reasons, Reason{CodeIntervals, text})
		s.Next = surer(s.Answer, rep)
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
		s.Next = "finer buckets around " + rangeText(q.base) + " or a native histogram would settle it"
		if rep == nil {
			s.Next = "finer buckets around " + rangeText(q.base) + ", a native histogram, or repeated runs would settle it"
		}
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

func (in *input) fromReplay(s *SpeedJudgement, m replayMove, q quantilePair, rep *Repeats) {
	if q.why != "" {
		code := q.code
		if code == "" {
			code = CodeHistogramNotUsed
		}
		s.Reasons = append(s.Reasons, Reason{code, "the histogram is not used: " + q.why})
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
	s.Next = in.metricsNext()
	if q.code == CodeP95Inconsistent {
		s.Next = "check that each side's window holds its own run alone"
	}
	if rep == nil {
		s.Next += "; repeat the load run to learn the noise"
	}
	if m.answer == NoProvableChange {
		s.unbounded(ReasonNoChange)
	} else {
		s.unbounded(ReasonNotBounded)
	}
}
