package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// result writes the guides' result block.
func (m *markdown) result(c compare.Comparison) {
	m.title("Result")
	for _, x := range []struct {
		name string
		text string
	}{{"Ran", ran(c)}, {"Outcome", outcome(c)}, {"Numbers", numbers(c)}, {"Artifacts", artifacts(c)}, {"Next", next(c)}} {
		m.line("- **%s**: %s", x.name, x.text)
	}
}

// ran says what was replayed against what.
func ran(c compare.Comparison) string {
	b, k := c.Sides.Baseline, c.Sides.Candidate
	var words []string
	switch r := b.Recording; {
	case r.Path != "":
		words = append(words, "recording "+code(r.Path))
	case r.InboundPairs != nil:
		words = append(words, fmt.Sprintf("a recording of %s inbound pairs", evidence.FormatCount(*r.InboundPairs)))
	}
	for _, s := range []struct {
		name string
		side evidence.Side
	}{{"baseline", b}, {"candidate", k}} {
		var w []string
		if l := s.side.Load; l != nil && l.Requests != nil {
			w = append(w, evidence.FormatCount(*l.Requests)+" load requests")
		}
		if d := s.side.Declared; d != nil {
			if d.Workload != nil && d.Workload.Users > 0 && d.Workload.Passes > 0 {
				w = append(w, fmt.Sprintf("%d users × %d passes", d.Workload.Users, d.Workload.Passes))
			}
			if d.Harness != nil && d.Harness.Name != "" {
				w = append(w, escape(strings.TrimSpace(d.Harness.Name+" "+d.Harness.Version)))
			}
			if d.Dependency != nil && d.Dependency.Mocked {
				text := "dependency mocked"
				if d.Dependency.Timing != "" {
					text += ", timing " + d.Dependency.Timing
				}
				w = append(w, escape(text))
			}
			if t := tablesBefore(d.Tables); t != "" {
				w = append(w, escape(t))
			}
			if d.Changed != "" {
				w = append(w, escape(d.Changed))
			}
		}
		if f := s.side.Functional; f != nil && f.Requests != nil {
			w = append(w, evidence.FormatCount(*f.Requests)+" functional requests")
		}
		if mk := s.side.Mock; mk != nil && mk.Misses != nil {
			w = append(w, fmt.Sprintf("%s mock misses", evidence.FormatCount(*mk.Misses)))
		}
		words = append(words, fmt.Sprintf("%s %s (%s)", s.name, code(s.side.ID), strings.Join(w, ", ")))
	}
	return strings.Join(words, "; ")
}

// tablesBefore says what a load run found in the database, as it is declared.
func tablesBefore(tables map[string]int64) string {
	var words []string
	empty := true
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		empty = empty && tables[name] == 0
		words = append(words, fmt.Sprintf("%s %s rows", name, evidence.FormatCount(tables[name])))
	}
	switch {
	case len(words) == 0:
		return ""
	case empty:
		return "tables emptied before the run"
	}
	return "before the run: " + strings.Join(words, ", ")
}

func outcome(c compare.Comparison) string {
	v := c.Verdict
	text := fmt.Sprintf("behaviour **%s**, speed **%s**, cause **%s**", v.Behaviour.Answer, v.Speed.Answer, v.Cause.Answer)
	if v.Cause.Mechanism != "" {
		text += " (" + v.Cause.Mechanism + ")"
	}
	first := c.Findings
	if len(first) > 0 && first[0].Code == compare.CodeEndpoint && len(v.Speed.Reasons) > 0 && v.Speed.Reasons[0].Code == compare.CodeEndpoint {
		// The answer rests on an endpoint, so headline, reason and finding are the same figures: said once.
		text += ". " + escape(v.Speed.Reasons[0].Text) + "."
	} else {
		text += ". " + escape(v.Speed.Headline) + "."
		if len(first) > 0 {
			text += " " + escape(upperFirst(first[0].Text)) + "."
		}
	}
	for _, r := range v.Cause.Reasons {
		if r.Code == compare.CodeQueryCount {
			text += " " + escape(upperFirst(r.Text)) + "."
			break
		}
	}
	return text
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// movedEndpoints quotes the replay's figures of the endpoints that moved, of a few of them.
func movedEndpoints(c compare.Comparison) []string {
	const most = 3
	var words []string
	if len(c.Endpoints) < 2 {
		return nil // the aggregate is that endpoint
	}
	for _, e := range c.Endpoints {
		if len(words) == most || (e.Answer != compare.Improved && e.Answer != compare.Regressed) || e.Baseline == nil || e.Candidate == nil {
			continue
		}
		var figures []string
		for _, f := range []struct {
			name string
			b, k *float64
		}{{"average", e.Baseline.AvgMs, e.Candidate.AvgMs}, {"p95", e.Baseline.P95Ms, e.Candidate.P95Ms}, {"p99", e.Baseline.P99Ms, e.Candidate.P99Ms}} {
			if f.b != nil && f.k != nil {
				figures = append(figures, fmt.Sprintf("%s %s → %s ms", f.name, number(*f.b), number(*f.k)))
			}
		}
		words = append(words, escape(e.Name+" "+strings.Join(figures, ", ")))
	}
	return words
}

// numbers quotes the endpoints that moved and the rows of the evidence table.
func numbers(c compare.Comparison) string {
	words := movedEndpoints(c)
	for _, r := range c.Table {
		if !r.Guide && r.Key != "requestMean" && r.Key != "cpuPerRequest" && r.Key != "loadP99" {
			continue
		}
		if r.Baseline.Value == nil && r.Candidate.Value == nil {
			continue
		}
		words = append(words, fmt.Sprintf("%s %s / %s", escape(r.Label), escape(r.Baseline.Text), escape(r.Candidate.Text)))
	}
	if s := c.Statements; s != nil && s.BaselineExecutions != nil && s.CandidateExecutions != nil {
		words = append(words, fmt.Sprintf("statements executed %s / %s", evidence.FormatCount(*s.BaselineExecutions), evidence.FormatCount(*s.CandidateExecutions)))
	}
	if b, k := c.Sides.Baseline, c.Sides.Candidate; b.Load != nil && k.Load != nil && b.Functional == nil && k.Functional == nil {
		words = append(words, "match unknown (load runs are not scored)")
	}
	return strings.Join(words, "; ")
}

// artifacts names the runs that the figures come from.
func artifacts(c compare.Comparison) string {
	var words []string
	for _, s := range []evidence.Side{c.Sides.Baseline, c.Sides.Candidate} {
		var runs []string
		if s.Load != nil {
			runs = append(runs, s.Load.RunID)
		}
		if s.Functional != nil {
			runs = append(runs, s.Functional.RunID)
		}
		if s.Statements != nil {
			runs = append(runs, s.Statements.RunID)
		}
		for _, r := range runs {
			if r != "" && !strings.Contains(strings.Join(words, " "), code(r)) {
				words = append(words, code(r))
			}
		}
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// next lists the next steps, what is to be done first. Where the behaviour is unchanged that is the cause's step,
// and the behaviour has none of its own; else nothing matters before the answers are right.
func next(c compare.Comparison) string {
	v := c.Verdict
	order := []compare.Judgement{v.Behaviour, v.Speed.Judgement, v.Cause.Judgement}
	if v.Behaviour.Answer == compare.Unchanged {
		order = []compare.Judgement{v.Cause.Judgement, v.Speed.Judgement}
	}
	var words []string
	for _, j := range order {
		for _, n := range strings.Split(j.Next, "; ") {
			// The cause's own step is in this list.
			if n = escape(n); n != "" && n != "look at the cause below" && !slices.Contains(words, n) {
				words = append(words, n)
			}
		}
	}
	return strings.Join(words, "; ")
}
