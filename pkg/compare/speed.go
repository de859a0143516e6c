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
		if noBaseline {
			code, headline = CodeNoValidBaseline, "Inconclusive: no valid baseline"
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
	if _, _, known := bothCounts(in.base.Load.Requests, in.cand.Load.Requests); !known {
		where := unknownOn(in.base.Load.Requests == nil, in.cand.Load.Requests == nil)
		add(CodeWorkloadDiffers, "the number of load requests is not known on "+where+", so nothing says that both sides did the same work")
		return withhold("Inconclusive: load requests not known on "+where, "look at the problems of the side's files, and repeat the load run so that its summary is whole")
	}
	move := in.replayMove(loadFigures(in.base.Load), loadFigures(in.cand.Load), rep)
	if q.usable {
		in.fromHistogram(&s, q, rep)
	} else {
		in.fromReplay(&s, move, q)
	}
	if q.usable && opposite(s.Answer, move.answer) {
		in.basesDisagree(&s, move, q)
	} else {
		in.fromEndpoints(&s, endpoints, q.usable)
	}
	if mb, mc, ok := in.means(); ok {
		add(CodeMean, fmt.Sprintf("mean %s, exact: %s per request", arrow(duration(mb), duration(mc)), signedDuration(mc-mb)))
	}
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

func (in *input) fromReplay(s *SpeedJudgement, m replayMove, q quantilePair) {
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
	name := func(moved []EndpointChange) string {
		var words []string
		for _, e := range moved {
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
		s.Reasons = append(in.endpointReasons(moved, aggregate == NoProvableChange), s.Reasons...)
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
	case len(up) > 0:
		s.Headline += fmt.Sprintf("; on %s: %s", name(up), up[0].Text)
		s.Reasons = append(s.Reasons, in.endpointReasons(up, false)...)
	case len(down) > 0 && s.Answer == Improved:
		s.Headline += fmt.Sprintf("; on %s: %s", name(down), down[0].Text)
		s.Reasons = append(s.Reasons, in.endpointReasons(down, false)...)
	}
}

// endpointReasons says what each moved endpoint did; still says that the aggregate did not show it.
func (in *input) endpointReasons(moved []EndpointChange, still bool) []Reason {
	reasons := []Reason{}
	for _, e := range moved {
		text := e.Name + ": " + e.Text + ", by the replay's own percentiles"
		if share, ok := shareOf(e); ok && still && share < 1-in.profile.Quantile {
			text += fmt.Sprintf("; the %s over all requests hides it, because it is %s of them", percentile(in.profile.Quantile), shareText(share))
		}
		reasons = append(reasons, Reason{CodeEndpoint, text})
	}
	return reasons
}

// shareText says in a sentence how much of all requests an endpoint has; a tenth of a percent is enough.
func shareText(share float64) string {
	if share < 0.001 {
		return evidence.FormatPercent(share)
	}
	return decimal(share*100, 0, 1) + " %"
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

// opposite says that one answer is improved and the other regressed.
func opposite(a, b Answer) bool {
	return (a == Improved && b == Regressed) || (a == Regressed && b == Improved)
}

// basesDisagree takes a strong answer back: the service's histogram and the replay's own percentiles of
// the same requests point in opposite directions, so at least one of them is of other requests.
func (in *input) basesDisagree(s *SpeedJudgement, m replayMove, q quantilePair) {
	text := fmt.Sprintf("the histogram reads %s (%s), the replay's own percentiles read %s (%s): they cannot both be of these runs",
		s.Answer, arrow(rangeText(q.base), rangeText(q.cand)), m.answer, m.text)
	s.Answer, s.Basis = Inconclusive, BasisNone
	s.Headline = "Inconclusive: the histogram and the replay point in opposite directions"
	s.AtLeastSeconds, s.AtMostSeconds, s.RatioLower, s.RatioUpper = nil, nil, nil, nil
	s.NullReasons = withoutReasons(s.NullReasons, "atLeastSeconds", "atMostSeconds", "ratioLower", "ratioUpper")
	s.unbounded(ReasonBasesDisagree)
	s.Reasons = []Reason{{CodeBasesDisagree, text}}
	s.Next = "check that each side's window and summary are of one run and that no other traffic reached the service, then replay both sides again"
}
