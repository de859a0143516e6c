package compare

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// The shares of the mean's change at which a part of the account is called its cause. They are
// conventions, not statistics; every part is listed with its figures all the same.
const (
	// mostOfTheChange: one part covers at least half of the change, so no other part covers more.
	mostOfTheChange = 0.50
	// someOfTheChange: below a quarter a part is ruled out as the explanation; two parts above it
	// that together cover most of the change share the cause.
	someOfTheChange = 0.25
	// witnessTolerance is how far the two witnesses for wait may differ, relative to the larger one;
	// the functional mean is whole milliseconds of a few requests, so witnessSeconds is always granted.
	witnessTolerance = 0.25
	witnessSeconds   = 0.003
	// sameMean: a mean that moved by less than this did not move.
	sameMeanSeconds = 0.0001
)

// The mechanisms of a cause.
const (
	MechanismPool       = "pool"
	MechanismDependency = "dependency"
	MechanismQueryCount = "query count"
	MechanismCPU        = "cpu"
)

// The kinds of a moved part.
const (
	PartWait        = "wait"
	PartCPU         = "cpu"
	PartUnexplained = "unexplained"
	PartQueryCount  = "query count"
)

// headlineRunes is how long the headline of a cause may be; names of endpoints and waits can be longer.
const headlineRunes = 60

// cause answers whether the time was work or wait, and whether that moved together with the latency.
func (in *input) cause(speed SpeedJudgement, endpoints []EndpointChange, st *Statements) CauseJudgement {
	c := in.causeInFull(speed, endpoints, st)
	c.Headline = clip(c.Headline, headlineRunes)
	return c
}

func (in *input) causeInFull(speed SpeedJudgement, endpoints []EndpointChange, st *Statements) CauseJudgement {
	c := CauseJudgement{Judgement: Judgement{Basis: BasisNone, Reasons: []Reason{}}, Moved: []Moved{}}
	if withheld(speed) {
		c.Answer, c.Headline = Inconclusive, "Inconclusive: no speed answer, so nothing to explain"
		c.Reasons = append(c.Reasons, speed.Reasons[0])
		c.Next = speed.Next
		return c
	}
	if len(speed.Reasons) > 0 && speed.Answer == Inconclusive && speed.Reasons[0].Code == CodeBasesDisagree {
		c.Answer, c.Headline = Inconclusive, "Inconclusive: what was measured contradicts the replay"
		c.Reasons, c.Next = append(c.Reasons, speed.Reasons[0]), speed.Next
		return c
	}
	a := in.account()
	c.Moved = a.parts
	q := in.queryCount(speed, endpoints, st)
	if q != nil {
		if a.ok {
			// The measured waits hold this time already; what the recording says of it is of another run.
			q.moved.Change = nil
			q.moved.Reasons = withReason(q.moved.Reasons, "change", ReasonNotApplicable)
		}
		c.Moved = append(c.Moved, q.moved)
		sortMoved(c.Moved)
	}
	switch {
	case !a.ok && q != nil:
		in.fromStatements(&c, *q, a)
	case !a.ok:
		c.Answer, c.Headline = Inconclusive, "Inconclusive: "+a.head
		c.Reasons = append(c.Reasons, Reason{CodeNoMetrics, a.why + "; the replay's own figures say how long requests took, not why"})
		c.Next = in.metricsNext()
	case !in.somethingMoved(speed, a):
		in.nothingMoved(&c, a)
	default:
		in.fromAccount(&c, speed, a, q)
	}
	in.contradictedMean(&c, a)
	return c
}

// metricsNext is what would bring the metrics that are missing, or that a failed gate made useless.
func (in *input) metricsNext() string {
	for _, m := range []evidence.Metrics{in.base.Metrics, in.cand.Metrics} {
		if m.State != evidence.StateOK && m.State != evidence.StateNotConfigured && m.Next != "" {
			return step(m.Next)
		}
	}
	if in.base.Metrics.State == evidence.StateNotConfigured || in.base.Metrics.State == "" {
		return "name a Prometheus server and a profile (--prometheus, --profile); for a service that is not instrumented, look at it with eBPF tooling"
	}
	for _, s := range in.both() {
		if g := failedGate(s.side, histogramGates); g != nil && g.Next != "" {
			return step(g.Next)
		}
	}
	return "repair what keeps the metrics from being used, and compare again"
}

// step writes a next step of the rooms above as this one writes them: a clause, not a sentence.
func step(s string) string {
	r := []rune(strings.TrimSuffix(s, "."))
	if len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1]) && !strings.HasPrefix(s, "Prometheus") {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

// somethingMoved says whether there is a change to explain: the speed answer, or an exact mean that
// moved by more than the tolerance although the quantile's buckets cannot prove it.
func (in *input) somethingMoved(speed SpeedJudgement, a account) bool {
	if speed.Answer == Improved || speed.Answer == Regressed {
		return true
	}
	d := math.Abs(a.cand - a.base)
	return d > in.profile.ToleranceMs/1000 && d > in.profile.TolerancePercent/100*max(a.base, a.cand)
}

// nothingMoved says where the time goes instead of why it changed.
func (in *input) nothingMoved(c *CauseJudgement, a account) {
	c.Answer, c.Headline, c.Basis = Inconclusive, "Inconclusive: nothing moved that could be explained", "where one request's time goes"
	c.Reasons = append(c.Reasons, Reason{CodeNothingMoved, fmt.Sprintf("mean %s per request: no provable change, so no cause moved with it", arrow(duration(a.base), duration(a.cand)))})
	if t := whereTimeGoes(in.cand); t != "" {
		c.Reasons = append(c.Reasons, Reason{CodeWhereTimeGoes, t})
	}
	if limitKnown(in.cand.Saturation) {
		c.Reasons = append(c.Reasons, Reason{CodeLimit, "what limits you now: " + in.cand.Saturation.LimitedBy})
	}
	c.Next = "change what the time is spent on (see where one request's time goes) and compare again"
}

// whereTimeGoes is one sentence on the parts of a side's mean.
func whereTimeGoes(s evidence.Side) string {
	if s.Metrics.Breakdown.State != evidence.StateOK || len(s.Metrics.Breakdown.Parts) == 0 {
		return ""
	}
	missing, _ := unmeasuredParts(s.Metrics)
	var words []string
	for _, p := range s.Metrics.Breakdown.Parts {
		name := p.Name
		if p.Kind == PartUnexplained {
			name = "not explained"
			if len(missing) > 0 {
				name += ", " + list(missing, 0) + " included, which could not be measured:"
			}
		}
		words = append(words, fmt.Sprintf("%s %s (%s)", name, duration(p.Seconds), percent(p.Share)))
	}
	return "one request of the candidate spends: " + list(words, 0)
}

// fromAccount decides from the additive account; statements refine the mechanism.
func (in *input) fromAccount(c *CauseJudgement, speed SpeedJudgement, a account, q *queryCount) {
	c.Basis = "additive account of the mean request duration, exact sums"
	d := a.cand - a.base
	opposed := (speed.Answer == Improved && d > sameMeanSeconds) || (speed.Answer == Regressed && d < -sameMeanSeconds)
	if opposed && q != nil {
		// One endpoint moved and the mean over all did not follow: its statements speak for it.
		in.fromStatements(c, *q, a)
		return
	}
	if opposed {
		c.Answer, c.Headline = Unexplained, "Unexplained: the mean moved against the "+percentile(in.profile.Quantile)
		c.Reasons = append(c.Reasons, Reason{CodeMeanOpposes, fmt.Sprintf("mean %s while the %s %s: the account explains the mean only", arrow(duration(a.base), duration(a.cand)), percentile(in.profile.Quantile), speed.Answer)})
		c.Next = "look at the distribution and at the endpoints: a few requests moved against the rest"
		return
	}
	if h, w, _, ok := in.witnesses(); ok && h*w < 0 && min(math.Abs(h), math.Abs(w)) > witnessSeconds {
		c.Answer, c.Headline = Inconclusive, "Inconclusive: the witnesses for wait contradict each other"
		c.Reasons = append(c.Reasons, Reason{CodeWitnessesDisagree, fmt.Sprintf("the wait histogram moved by %s per request, loaded minus unloaded mean by %s", signedDuration(h), signedDuration(w))})
		c.Next = "check that each side's window holds its own run alone, then replay both sides again, the functional run included"
		return
	}
	wait, work := share(a.waits, d), share(a.cpu, d)
	switch {
	case wait >= mostOfTheChange && work < someOfTheChange,
		// More statements cost waiting and some work each; the waiting is what they are for.
		q != nil && wait >= someOfTheChange && wait >= work:
		c.Answer = CauseWait
	case work >= mostOfTheChange && wait < someOfTheChange:
		c.Answer = CauseWork
	case wait >= someOfTheChange && work >= someOfTheChange && wait+work >= mostOfTheChange:
		c.Answer = CauseWaitAndWork
	case q != nil && q.covers:
		in.fromStatements(c, *q, a)
		return
	case len(a.unmeasured) > 0:
		in.notMeasured(c, a)
		return
	default:
		c.Answer = Unexplained
	}
	word := "saved"
	if d > 0 {
		word = "added"
	}
	of := fmt.Sprintf("of the %s %s per request", duration(math.Abs(d)), word)
	switch c.Answer {
	case CauseWait, CauseWaitAndWork:
		c.Mechanism = MechanismDependency
		name := "a dependency"
		if a.topWait != nil {
			name = a.topWait.Name
			if a.topWait.Pool != "" {
				c.Mechanism = MechanismPool
			}
		}
		c.Headline = upperFirst(string(c.Answer)) + ": " + name
		if c.Mechanism == MechanismPool && !strings.Contains(strings.ToLower(name), "pool") {
			c.Headline += " pool"
		}
		text := fmt.Sprintf("%s %s were waiting (%s)", duration(math.Abs(a.waits)), of, name)
		if math.Abs(a.waits) > math.Abs(d) {
			text = fmt.Sprintf("waiting (%s) moved by %s per request, the mean by %s: all of it", name, signedDuration(a.waits), signedDuration(d))
		}
		c.Reasons = append(c.Reasons, Reason{CodeWaitMoved, text})
		if q != nil {
			c.Mechanism = MechanismQueryCount
			c.Headline = upperFirst(string(c.Answer)) + ": query count of " + q.endpoint
			c.Reasons = append(c.Reasons, Reason{CodeQueryCount, q.text})
		}
	case CauseWork:
		c.Mechanism = MechanismCPU
		c.Headline = "Work: CPU time per request"
		if q != nil {
			c.Reasons = append(c.Reasons, Reason{CodeQueryCount, q.text})
		}
	default:
		c.Headline = "Unexplained: neither waiting nor CPU moved enough"
		c.Reasons = append(c.Reasons, Reason{CodeUnexplainedMoved, fmt.Sprintf("the mean moved %s; the waits of the profile cover %s of that and CPU %s", arrow(duration(a.base), duration(a.cand)), percent(wait), percent(work))})
	}
	in.cpuReason(c, a, d, of)
	for _, t := range a.unmeasured {
		if !strings.HasPrefix(t, "CPU") {
			c.Reasons = append(c.Reasons, Reason{CodeNoMetrics, t})
		}
	}
	if c.Answer == CauseWork && a.waitsKnown && len(a.unmeasured) == 0 {
		c.Reasons = append(c.Reasons, Reason{CodeWaitRuledOut, fmt.Sprintf("waiting is ruled out: it moved by %s per request", signedDuration(a.waits))})
	}
	in.witnessReason(c, a)
	in.limitReasons(c)
	c.Next = in.causeNext(c, a)
}

// notMeasured says that what was measured does not cover the change, and what was not measured might.
func (in *input) notMeasured(c *CauseJudgement, a account) {
	what := list(a.unmeasured, 0)
	c.Answer, c.Headline = Inconclusive, "Inconclusive: "+unmeasuredHead(a)
	var covered []string
	if d := a.cand - a.base; a.waitsKnown {
		covered = append(covered, "the measured waits cover "+percent(share(a.waits, d)))
	}
	if a.cpuKnown {
		covered = append(covered, "CPU covers "+percent(share(a.cpu, a.cand-a.base)))
	}
	text := fmt.Sprintf("the mean moved %s; %s", arrow(duration(a.base), duration(a.cand)), what)
	if len(covered) > 0 {
		text += "; of that change " + list(covered, 0)
	}
	c.Reasons = append(c.Reasons, Reason{CodeNoMetrics, text})
	in.limitReasons(c)
	c.Next = "check the names and units of these metrics in the profile against what the service exposes, and compare again"
}

func unmeasuredHead(a account) string {
	switch {
	case a.cpuKnown:
		return "waiting was not measured"
	case len(a.unmeasured) == 1:
		return "CPU time was not measured"
	}
	return "neither waiting nor CPU time was measured in full"
}
