package compare

import (
	"fmt"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// mockItem: a call that passed through reached the real dependency, so the run was not isolated; a
// miss was answered with an error or not at all.
func (in *input) mockItem() *IdentityItem {
	if in.base.Mock == nil && in.cand.Mock == nil {
		return nil
	}
	it := &IdentityItem{Code: IdentityMock, Name: "mock fidelity", Baseline: mockText(in.base.Mock), Candidate: mockText(in.cand.Mock)}
	pass := mockCount(in.base.Mock, passthroughs) + mockCount(in.cand.Mock, passthroughs)
	miss := mockCount(in.base.Mock, misses) + mockCount(in.cand.Mock, misses)
	switch {
	case pass > 0:
		it.State, it.Breaks = Differs, true
		it.Text = counted(pass, "call of the dependency was passed through to the real one", "calls of the dependency were passed through to the real one") +
			": the runs were not isolated" + mockDetails(in.base.Mock, in.cand.Mock)
		it.Next = "mock with --no-passthrough, from the whole recording and with its blueprints"
	case miss > 0:
		it.State = Differs
		it.Text = counted(miss, "mock miss", "mock misses") + mockDetails(in.base.Mock, in.cand.Mock)
		it.Next = "mask the differing parameter with a blueprint, and give the mock the whole recording"
	case !mockKnown(in.base.Mock) || !mockKnown(in.cand.Mock):
		it.State = Unknown
		it.Text = "mock hits and misses are not known on " + unknownOn(!mockKnown(in.base.Mock), !mockKnown(in.cand.Mock))
		it.Next = "keep the mock's pairs or its log"
	default:
		it.State, it.Text = Same, "0 mock misses"
	}
	return it
}

func misses(m *evidence.Mock) *int64       { return m.Misses }
func passthroughs(m *evidence.Mock) *int64 { return m.Passthroughs }

func mockCount(m *evidence.Mock, field func(*evidence.Mock) *int64) int64 {
	if m == nil || field(m) == nil {
		return 0
	}
	return *field(m)
}

func mockKnown(m *evidence.Mock) bool { return m != nil && m.Misses != nil }

func mockText(m *evidence.Mock) string {
	if !mockKnown(m) {
		return Unknown
	}
	parts := []string{}
	if m.Hits != nil {
		parts = append(parts, counted(*m.Hits, "hit", "hits"))
	}
	parts = append(parts, counted(*m.Misses, "miss", "misses"))
	if n := mockCount(m, passthroughs); n > 0 {
		parts = append(parts, counted(n, "passthrough", "passthroughs"))
	}
	return strings.Join(parts, ", ")
}

func mockDetails(sides ...*evidence.Mock) string {
	var words []string
	for _, m := range sides {
		if m == nil {
			continue
		}
		for _, d := range m.Details {
			if !contains(words, d) {
				words = append(words, d)
			}
		}
	}
	if len(words) == 0 {
		return ""
	}
	return ": " + list(words, 3)
}

// shortSQL names a statement in a sentence.
func shortSQL(s evidence.Statement) string {
	if len(s.Tables) > 0 {
		return strings.ToUpper(s.Verb) + " of " + strings.Join(s.Tables, ", ")
	}
	return clip(s.SQL, 60)
}

func clip(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-1]) + "…"
}

func (in *input) reconciliationItem() *IdentityItem {
	b, c := in.base.Metrics.Reconciliation, in.cand.Metrics.Reconciliation
	if (b.State == "" || b.State == Unknown) && (c.State == "" || c.State == Unknown) {
		return nil
	}
	ok := func(r evidence.Reconciliation) bool { return r.State == "reconciled" || r.State == "explained" }
	it := &IdentityItem{Code: IdentityReconciliation, Name: "requests seen by Prometheus", Baseline: reconciliationText(b), Candidate: reconciliationText(c)}
	switch {
	case ok(b) && ok(c):
		it.State = Same
		it.Text = "Prometheus saw every request of both sides: " + it.Baseline + " and " + it.Candidate
		if b.Seen != nil && c.Seen != nil && *b.Seen == *c.Seen && it.Baseline == it.Candidate {
			it.Text = "Prometheus saw " + it.Baseline + " requests on both sides"
		}
	case b.State == "more" || b.State == "fewer" || c.State == "more" || c.State == "fewer":
		it.State = Differs
		var parts []string
		for _, r := range []struct {
			name string
			rec  evidence.Reconciliation
		}{{"baseline", b}, {"candidate", c}} {
			if !ok(r.rec) && r.rec.Text != "" {
				parts = append(parts, r.name+": "+r.rec.Text)
			}
		}
		it.Text = strings.Join(parts, "; ")
		it.Next = "keep other traffic away from the service during a run, and the service up until a scrape after its end"
	default:
		it.State = Unknown
		it.Text = "whether Prometheus saw every request is not known on " + unknownOn(!ok(b), !ok(c))
	}
	return it
}

func reconciliationText(r evidence.Reconciliation) string {
	if r.Seen == nil || r.Expected == nil {
		return Unknown
	}
	return evidence.FormatCount(*r.Seen) + " of " + evidence.FormatCount(*r.Expected)
}

// gatesItem sums up the gates of both sides; the workload gate G9 is this card itself.
func (in *input) gatesItem() *IdentityItem {
	if len(in.base.Gates) == 0 && len(in.cand.Gates) == 0 {
		return nil
	}
	it := &IdentityItem{Code: IdentityGates, Name: "gates"}
	var skipped []string
	text := func(gates []evidence.Gate) string {
		ok, evaluated := 0, 0
		for _, g := range gates {
			switch g.State {
			case evidence.GatePassed:
				ok++
				evaluated++
			case evidence.GateFailed, evidence.GateNoted:
				evaluated++
			default:
				if !contains(skipped, g.Code) {
					skipped = append(skipped, g.Code)
				}
			}
		}
		return fmt.Sprintf("%d of %d passed", ok, evaluated)
	}
	say := func(remarks []gateRemark) []string {
		var words []string
		for _, g := range remarks {
			words = append(words, fmt.Sprintf("%s %s (%s): %s", g.side, g.Code, g.Name, g.Detail))
			if it.Next == "" {
				it.Next = g.Next
			}
		}
		return words
	}
	bad, noted := say(in.gateRemarks(evidence.GateFailed)), say(in.gateRemarks(evidence.GateNoted))
	it.Baseline, it.Candidate = text(in.base.Gates), text(in.cand.Gates)
	switch {
	case len(bad) > 0:
		it.State, it.Text = Differs, "failed: "+list(bad, 3)
	case len(noted) > 0:
		it.State, it.Text = Differs, "passed, with notes: "+list(noted, 3)
	case strings.HasPrefix(it.Baseline, "0 of 0") || strings.HasPrefix(it.Candidate, "0 of 0"):
		it.State, it.Text = Unknown, "no gate could be evaluated on "+unknownOn(strings.HasPrefix(it.Baseline, "0 of 0"), strings.HasPrefix(it.Candidate, "0 of 0"))
	case len(skipped) > 0:
		it.State, it.Text = Unknown, list(skipped, 0)+" not evaluated; the others passed on both sides"
	default:
		it.State, it.Text = Same, "gates passed on both sides"
	}
	if len(bad)+len(noted) > 0 && len(skipped) > 0 {
		it.Text += "; not evaluated: " + list(skipped, 0)
	}
	return it
}

// paddingItem mentions idle time inside the windows, which dilutes every figure per window second, and
// dilutes the two sides differently.
func (in *input) paddingItem() *IdentityItem {
	b, okB := padding(in.base)
	c, okC := padding(in.cand)
	if !okB || !okC || (b < paddingWorthMention && c < paddingWorthMention) {
		return nil
	}
	return &IdentityItem{Code: IdentityPadding, Name: "idle time inside the window", State: Differs,
		Baseline: percent(b), Candidate: percent(c),
		Text: fmt.Sprintf("%s of the baseline's window and %s of the candidate's is idle", percent(b), percent(c))}
}

// padding is the idle share of a side's window.
func padding(s evidence.Side) (float64, bool) {
	if s.Load == nil || s.Window == nil || s.Window.WindowSeconds <= 0 {
		return 0, false
	}
	p, ok := num(s.Load.PaddingSeconds)
	if !ok || p < 0 {
		return 0, false
	}
	return p / float64(s.Window.WindowSeconds), true
}
