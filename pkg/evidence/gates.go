package evidence

import (
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// sampleGates are the gates that raw samples decide, in their order.
var sampleGates = []string{promapi.GateBase, promapi.GateFinal, promapi.GateGaps, promapi.GateRestart, promapi.GateCount, promapi.GateLayout, promapi.GateNotes}

// gates lists G1 to G9 once each: those that raw samples decide, the size of the sample, and this side's
// own part of the workload.
func (m *measurement) gates() {
	if !m.side.Frozen {
		for _, code := range sampleGates {
			m.side.Gates = append(m.side.Gates, m.sampleGate(code))
		}
	}
	m.side.Gates = append(m.side.Gates, m.sizeGate(), m.workloadGate())
}

// sampleGate merges what was checked per histogram into one gate: the worst of them counts.
func (m *measurement) sampleGate(code string) Gate {
	out := Gate{Code: code, Name: promapi.GateName(code), State: GateNotEvaluated, Detail: reasonOr(m.side.Metrics.Message, "nothing was measured"), Next: m.side.Metrics.Next}
	var parts []promapi.Gate
	if m.exact != nil {
		for _, g := range m.exact.Gates {
			if g.Code == code {
				parts = append(parts, g)
			}
		}
	}
	if code == promapi.GateNotes && len(parts) > 0 {
		parts = append(append(parts, m.remarks()), m.faults...)
	}
	for _, state := range []promapi.GateState{promapi.GateFailed, promapi.GateNoted, promapi.GatePassed, promapi.GateNotEvaluated} {
		var details, nexts []string
		for _, g := range parts {
			if g.State != state {
				continue
			}
			detail := g.Detail
			if g.Subject != "" && state != promapi.GatePassed {
				detail = g.Subject + ": " + detail
			}
			if detail != "" && !slices.Contains(details, detail) {
				details = append(details, detail)
			}
			if g.Next != "" && !slices.Contains(nexts, g.Next) {
				nexts = append(nexts, g.Next)
			}
		}
		if len(details) > 0 {
			out.State, out.Detail, out.Next = string(state), strings.Join(details, "; "), strings.Join(nexts, " ")
			break
		}
	}
	if code == promapi.GateCount && m.exact != nil && m.side.Load != nil && m.expected.count == nil && out.State != GateFailed {
		out.State, out.Detail, out.Next = GateFailed, m.countUnknown(), "Repair or repeat the run: without the replay's own count nothing says that these are its requests."
	}
	if code == promapi.GateCount && m.explained != "" && out.State == GateFailed {
		out.State, out.Detail, out.Next = GateNoted, m.side.Metrics.Reconciliation.Text, ""
	}
	return out
}

// remarks are what the server said beside the answers to the guide's queries.
func (m *measurement) remarks() promapi.Gate {
	g := promapi.Gate{Code: promapi.GateNotes, State: promapi.GatePassed}
	var texts []string
	for _, q := range m.side.Queries {
		for _, text := range slices.Concat(q.Warnings, q.Infos) {
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
			if promapi.Breaking(text) {
				g.State = promapi.GateFailed
			} else if g.State == promapi.GatePassed {
				g.State = promapi.GateNoted
			}
		}
	}
	if g.State == promapi.GateFailed {
		g.Next = "The answer is not whole or was repaired: see the warning, then evaluate again."
	}
	g.Detail = strings.Join(texts, "; ")
	return g
}

// sizeGate is G8: enough observations for an interval with two limits at the profile's quantile.
func (m *measurement) sizeGate() Gate {
	g := Gate{Code: "G8", Name: "sample size", State: GateNotEvaluated, Detail: "the number of requests is not known"}
	q := m.quantile()
	needed := stat.MinObservations(q, stat.DefaultAlpha)
	n := m.side.Metrics.RequestDuration.Count
	if n == nil {
		n = m.expected.count
	}
	if n == nil {
		return g
	}
	level := "p" + significant(q*100, 4)
	g.State, g.Detail = GatePassed, sentence("%s, %s need %s", plural(*n, "request", "requests"), "bounds of the "+level, FormatCount(needed))
	if *n < needed {
		g.State = GateFailed
		g.Detail = sentence("too few requests for the %s: %s, bounds need %s", level, FormatCount(*n), FormatCount(needed))
		g.Next = "Replay more passes or users; minimum, maximum and counts can be read all the same."
	}
	return g
}

// workloadGate is this side's own part of G9: a side whose replays failed proves nothing about speed. That
// both sides did the same work is a matter of comparing them.
func (m *measurement) workloadGate() Gate {
	g := Gate{Code: "G9", Name: "workload", State: GatePassed}
	var wrong, unknown, right []string
	if f := m.side.Functional; f == nil {
		unknown = append(unknown, "there is no functional run")
	} else {
		switch {
		case f.Failed != nil && *f.Failed > 0:
			wrong = append(wrong, sentence("%s of the functional run failed", plural(*f.Failed, "request", "requests")))
		case f.Failed == nil:
			unknown = append(unknown, "the functional run states no failures")
		}
		switch {
		case f.MatchPct != nil && *f.MatchPct < 100:
			wrong = append(wrong, sentence("the functional run matched %s %% of its recording", significant(*f.MatchPct, 4)))
		case f.MatchPct == nil:
			unknown = append(unknown, "the functional run states no match rate")
		}
		if f.GateFailed && len(wrong) == 0 {
			wrong = append(wrong, "the functional run's own gate tripped")
		}
		if len(wrong) == 0 && f.Failed != nil && f.MatchPct != nil {
			right = append(right, "the functional run matched 100 % with 0 failed")
		}
	}
	if l := m.side.Load; l == nil {
		unknown = append(unknown, "there is no load run")
		if m.unfinished != "" {
			unknown = append(unknown, m.unfinished)
		}
	} else {
		switch {
		case l.Failed != nil && *l.Failed > 0:
			wrong = append(wrong, sentence("%s of the load run failed", plural(*l.Failed, "request", "requests")))
		case l.GateFailed:
			wrong = append(wrong, "the load run's own gate tripped")
		case l.Failed == nil:
			unknown = append(unknown, "the load run states no failures")
		default:
			right = append(right, "the load run has 0 failed")
		}
	}
	if m.unfinished != "" && m.side.Load != nil {
		unknown = append(unknown, m.unfinished)
	}
	switch {
	case m.notOneRun != "":
		g.State, g.Detail, g.Next = GateFailed, joinAnd(append(wrong, m.notOneRun)), m.oneRunNext()
	case len(wrong) > 0:
		g.State, g.Detail = GateFailed, joinAnd(wrong)
		g.Next = "Repair the side and replay it: it is no valid basis of a comparison."
	case len(unknown) > 0:
		g.State, g.Detail = GateNoted, joinAnd(append(right, unknown...))
	default:
		g.Detail = joinAnd(right)
	}
	return g
}
