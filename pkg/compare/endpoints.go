package compare

import (
	"fmt"
	"math"
	"sort"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// The states of an endpoint or a statement.
const (
	InBoth          = "both"
	Added           = "added"
	Removed         = "removed"
	OnlyInBaseline  = "only in baseline"
	OnlyInCandidate = "only in candidate"
)

// joinedEndpoint is one endpoint of both sides by its normalised name.
type joinedEndpoint struct {
	name       string
	base, cand *evidence.Endpoint
}

// joined joins the endpoints of both sides: those of the baseline in their order, then the added ones.
func (in *input) joined() []joinedEndpoint {
	var out []joinedEndpoint
	at := map[string]int{}
	for i := range in.base.Endpoints {
		e := &in.base.Endpoints[i]
		if _, twice := at[e.Name]; twice {
			continue
		}
		at[e.Name] = len(out)
		out = append(out, joinedEndpoint{name: e.Name, base: e})
	}
	for i := range in.cand.Endpoints {
		e := &in.cand.Endpoints[i]
		if j, ok := at[e.Name]; ok {
			if out[j].cand == nil {
				out[j].cand = e
			}
			continue
		}
		at[e.Name] = len(out)
		out = append(out, joinedEndpoint{name: e.Name, cand: e})
	}
	return out
}

// endpoints compares the replay's own figures endpoint by endpoint, what cost most first.
func (in *input) endpoints(rep *Repeats) []EndpointChange {
	out := []EndpointChange{}
	for _, j := range in.joined() {
		out = append(out, in.endpoint(j, rep))
	}
	sort.SliceStable(out, func(i, k int) bool {
		a, b := moved(out[i]), moved(out[k])
		if a != b {
			return a > b
		}
		return requestsOf(out[i]) > requestsOf(out[k])
	})
	return out
}

// moved is how many seconds an endpoint moved over the whole run; moves that answers do not prove
// count only after proven ones.
func moved(e EndpointChange) float64 {
	v, _ := num(e.MovedSecondsTotal)
	v = math.Abs(v)
	if e.Answer == Improved || e.Answer == Regressed {
		v += 1e9
	}
	return v
}

func requestsOf(e EndpointChange) int64 {
	for _, x := range []*evidence.Endpoint{e.Baseline, e.Candidate} {
		if x != nil && x.Requests != nil {
			return *x.Requests
		}
	}
	return 0
}

func (in *input) endpoint(j joinedEndpoint, rep *Repeats) EndpointChange {
	e := EndpointChange{Name: j.name, State: InBoth, Baseline: j.base, Candidate: j.cand, Answer: Inconclusive}
	if j.base == nil || j.cand == nil {
		e.State, e.Text = Added, "only in the candidate: nothing to compare with"
		if j.cand == nil {
			e.State, e.Text = Removed, "only in the baseline: nothing to compare with"
		}
		e.Reasons = withReason(e.Reasons, "movedSecondsPerRequest", ReasonOneSideOnly)
		e.Reasons = withReason(e.Reasons, "movedSecondsTotal", ReasonOneSideOnly)
		return e
	}
	in.movedMean(&e)
	m := in.replayMove(endpointFigures(j.base), endpointFigures(j.cand), rep)
	e.Answer, e.Text = m.answer, m.text
	if e.Answer != Inconclusive {
		if avg := avgText(j.base, j.cand); avg != "" {
			e.Text = avg + " average, " + e.Text
		}
	}
	if j.base.Tiny || j.cand.Tiny {
		e.Text += " (tiny sample)"
	}
	return e
}

// withholdEndpoints takes the answers back where the speed of the sides cannot be compared at all: what the
// whole may not say, its parts may not say either. The figures stay.
func withholdEndpoints(endpoints []EndpointChange) {
	for i := range endpoints {
		if e := &endpoints[i]; e.State == InBoth && e.Answer != Inconclusive {
			e.Answer, e.Text = Inconclusive, "withheld, as the speed of the whole: "+e.Text
		}
	}
}

func avgText(b, c *evidence.Endpoint) string {
	x, y, ok := both(b.AvgMs, c.AvgMs)
	if !ok {
		return ""
	}
	return arrow(wholeMs(x), wholeMs(y))
}

// movedMean fills in how the mean of the endpoint's requests moved. Averages are whole milliseconds,
// so a move of at most one is rounding and stays null.
func (in *input) movedMean(e *EndpointChange) {
	why := func(code string) {
		e.Reasons = withReason(e.Reasons, "movedSecondsPerRequest", code)
		e.Reasons = withReason(e.Reasons, "movedSecondsTotal", code)
	}
	b, c, ok := both(e.Baseline.AvgMs, e.Candidate.AvgMs)
	switch {
	case !ok:
		why(evidence.ReasonNotReported)
	case b != c && math.Abs(c-b) <= wholeMsResolution:
		why(ReasonWithinRounding)
	default:
		d := (c - b) / 1000
		e.MovedSecondsPerRequest = &d
		if e.Candidate.Requests == nil {
			e.Reasons = withReason(e.Reasons, "movedSecondsTotal", evidence.ReasonNotReported)
			return
		}
		e.MovedSecondsTotal = figure(d * float64(*e.Candidate.Requests))
	}
}

// wholeMsResolution is the resolution of the replay's own latencies in milliseconds: they are truncated
// to whole milliseconds with a minimum of 1, so figures that differ by 1 may be equal.
const wholeMsResolution = 1

// replayFigures are the replay's own percentiles of a run or of one endpoint, milliseconds.
type replayFigures struct {
	requests *int64
	at       map[float64]*float64
	avg      *float64
}

func endpointFigures(e *evidence.Endpoint) replayFigures {
	return replayFigures{e.Requests, map[float64]*float64{0.5: e.P50Ms, 0.95: e.P95Ms, 0.99: e.P99Ms}, e.AvgMs}
}

func loadFigures(l *evidence.Load) replayFigures {
	return replayFigures{l.Requests, map[float64]*float64{0.5: l.P50Ms, 0.9: l.P90Ms, 0.95: l.P95Ms, 0.99: l.P99Ms}, l.AvgMs}
}

// replayMove is what the replay's own percentiles say.
type replayMove struct {
	answer Answer
	// q is the quantile that was used: the profile's, or p99 where a layout reports nothing else.
	q          float64
	base, cand float64
	text       string
	code       string
}

// replayMove compares one percentile of the replay's own on its tolerance: the move must exceed both
// the percentage and the milliseconds (rule 5). The percentage is of the larger value, so that swapping
// the sides mirrors the answer. With repeats the move must also exceed the measured noise floor.
func (in *input) replayMove(b, c replayFigures, rep *Repeats) replayMove {
	m := replayMove{answer: Inconclusive, q: in.profile.Quantile}
	x, y, ok := both(b.at[m.q], c.at[m.q])
	if !ok {
		// The flattened layout keeps p99 alone per endpoint.
		const fallback = 0.99
		if x, y, ok = both(b.at[fallback], c.at[fallback]); !ok {
			m.code, m.text = CodeQuantileMissing, percentile(m.q)+" is not reported by the replay"
			return m
		}
		m.q = fallback
	}
	m.base, m.cand = x, y
	needed := stat.MinObservations(m.q, stat.DefaultAlpha)
	if nb, nc, known := bothCounts(b.requests, c.requests); !known || nb < needed || nc < needed {
		m.code = CodeTooFewRequests
		m.text = fmt.Sprintf("too few requests for %s: it needs %d", percentile(m.q), needed)
		if known {
			m.text = fmt.Sprintf("too few requests for %s: %s, it needs %d", percentile(m.q), evidence.FormatCount(min(nb, nc)), needed)
		}
		return m
	}
	name := percentile(m.q) + " " + arrow(wholeMs(x), wholeMs(y))
	move := math.Abs(y - x)
	limit := max(in.profile.ToleranceMs, in.profile.TolerancePercent/100*max(x, y))
	switch {
	case move == 0:
		m.answer, m.text = NoProvableChange, name
	case move <= wholeMsResolution:
		m.answer, m.text = NoProvableChange, name+", within rounding to whole milliseconds"
	case move <= limit:
		m.answer, m.text = NoProvableChange, fmt.Sprintf("%s, within the tolerance of %s and %s", name, decimal(in.profile.TolerancePercent, 0, 1)+" %", wholeMs(in.profile.ToleranceMs))
	case rep != nil && move <= rep.NoiseFloor*max(x, y):
		m.answer, m.code = NoProvableChange, CodeWithinNoise
		m.text = fmt.Sprintf("%s, within the noise of repeated runs (%s)", name, percent(rep.NoiseFloor))
	case y < x:
		m.answer, m.text = Improved, name
	default:
		m.answer, m.text = Regressed, name
	}
	return m
}
