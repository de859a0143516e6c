package compare

import (
	"fmt"
	"strings"
	"time"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// gate is the outcome of a run's own gates: passed, failed or unknown, with the reason in words.
type gate struct {
	state string
	why   []string
}

const (
	passed = "passed"
	failed = "failed"
)

// functionalGate says whether a functional run passed: no failed request, every answer as recorded.
func functionalGate(f *evidence.Functional) gate {
	if f == nil {
		return gate{Unknown, []string{"no functional run"}}
	}
	var why []string
	if f.Failed != nil && *f.Failed > 0 {
		why = append(why, counted(*f.Failed, "functional request failed", "functional requests failed"))
	}
	if m, ok := num(f.MatchPct); ok && m < 100 {
		why = append(why, "match is "+decimal(m, 0, 2)+" %, not 100 %")
	}
	if f.VerdictMismatches != nil && *f.VerdictMismatches > 0 {
		why = append(why, "the replay's verdict counts "+counted(*f.VerdictMismatches, "mismatch", "mismatches"))
	}
	if f.GateFailed && len(why) == 0 {
		why = append(why, "the run's own gate tripped")
	}
	switch {
	case len(why) > 0:
		return gate{failed, why}
	case f.Requests == nil:
		return gate{Unknown, []string{"the functional result is missing"}}
	}
	return gate{passed, nil}
}

// loadGate says whether a load run is one: no failed request, no tripped gate.
func loadGate(l *evidence.Load) gate {
	if l == nil {
		return gate{Unknown, []string{"no load run"}}
	}
	switch {
	case l.Failed != nil && *l.Failed > 0:
		return gate{failed, []string{failedOf(l)}}
	case l.GateFailed:
		return gate{failed, []string{"the load run's own gate tripped"}}
	case l.Requests == nil:
		return gate{Unknown, []string{"the load result is missing"}}
	}
	return gate{passed, nil}
}

func failedOf(l *evidence.Load) string {
	if l.Requests == nil {
		return counted(*l.Failed, "load request failed", "load requests failed")
	}
	return fmt.Sprintf("%s of %s load requests failed", evidence.FormatCount(*l.Failed), evidence.FormatCount(*l.Requests))
}

// baselineGateItem breaks the comparison when the baseline itself did not pass: a gate must not open
// on a bad value.
func (in *input) baselineGateItem() *IdentityItem {
	f, l := functionalGate(in.base.Functional), loadGate(in.base.Load)
	it := &IdentityItem{Code: IdentityBaselineGate, Name: "valid baseline", Baseline: "passed", Candidate: "–", State: Same}
	switch {
	case f.state == failed || l.state == failed:
		var why []string
		if f.state == failed {
			why = append(why, f.why...)
		}
		if l.state == failed {
			why = append(why, l.why...)
		}
		it.State, it.Breaks, it.Baseline = Differs, true, failed
		it.Text = "no valid baseline: " + list(why, 0)
		it.Next = "choose a baseline that passed its own gates, or repair it and replay it again"
	case f.state == passed:
		it.Text = "the baseline passed its own gates"
	default:
		it.State, it.Baseline = Unknown, Unknown
		it.Text = "whether the baseline answered as recorded is not known: " + list(f.why, 0)
		it.Next = "run the functional replay of the baseline and keep its result"
		if in.base.Functional == nil && len(in.base.Responses) > 0 {
			it.Text = "the baseline is a recording, which has no gate of its own"
			it.Next = ""
			if l.state == passed {
				it.State, it.Baseline = Same, passed
				it.Text = "the baseline's load run passed its own gate; its answers come from a recording, which has none"
			}
		}
	}
	return it
}

func (in *input) functionalGateItem() *IdentityItem {
	b, c := functionalGate(in.base.Functional), functionalGate(in.cand.Functional)
	if in.base.Functional == nil && in.cand.Functional == nil {
		return nil
	}
	it := &IdentityItem{Code: IdentityFunctionalGate, Name: "functional gate", Baseline: b.state, Candidate: c.state}
	switch {
	case b.state == passed && c.state == passed:
		it.State, it.Text = Same, "functional gate passed on both sides"
	case b.state == failed || c.state == failed:
		it.State = Differs
		if c.state == failed {
			it.Text = "the candidate's functional run did not pass: " + list(c.why, 0)
		} else {
			it.Text = "the baseline's functional run did not pass: " + list(b.why, 0)
		}
	default:
		it.State = Unknown
		var parts []string
		if b.state == Unknown {
			parts = append(parts, "baseline: "+list(b.why, 0))
		}
		if c.state == Unknown {
			parts = append(parts, "candidate: "+list(c.why, 0))
		}
		it.Text, it.Next = strings.Join(parts, "; "), "run the functional replay and keep its result"
	}
	return it
}

func (in *input) functionalRequestsItem() *IdentityItem {
	if in.base.Functional == nil || in.cand.Functional == nil {
		return nil
	}
	b, c, ok := bothCounts(in.base.Functional.Requests, in.cand.Functional.Requests)
	if !ok {
		return nil
	}
	it := &IdentityItem{Code: IdentityFunctionalPasses, Name: "functional requests", State: Same,
		Baseline: evidence.FormatCount(b), Candidate: evidence.FormatCount(c),
		Text: evidence.FormatCount(b) + " functional requests on both sides"}
	if b != c {
		it.State = Differs
		it.Text = fmt.Sprintf("%s functional requests in the baseline, %s in the candidate: responses are paired all the same", it.Baseline, it.Candidate)
	}
	return it
}

// windowsItem breaks the comparison when two runs of one host ran at the same time by their windows:
// one of the windows must be wrong, or the runs disturbed each other.
func (in *input) windowsItem() *IdentityItem {
	b, c := replayWindow(in.base), replayWindow(in.cand)
	if in.sameSide() || (b == nil && c == nil) {
		return nil
	}
	it := &IdentityItem{Code: IdentityWindows, Name: "windows", Baseline: windowText(b), Candidate: windowText(c)}
	if b == nil || c == nil {
		it.State, it.Text = Unknown, "the window is not known on "+unknownOn(b == nil, c == nil)
		it.Next = "keep window.json beside the result"
		return it
	}
	overlap := minTime(b.End, c.End).Sub(maxTime(b.Start, c.Start)).Seconds()
	switch slack := b.Uncertainty + c.Uncertainty; {
	case overlap <= 0:
		it.State, it.Text = Same, "the windows do not overlap"
	case overlap <= slack:
		it.State = Unknown
		it.Text = fmt.Sprintf("the windows seem to overlap by %s, which is within their uncertainty of %s", duration(overlap), duration(slack))
		it.Next = "keep window.json beside the result"
	default:
		it.State, it.Breaks = Differs, true
		it.Text = fmt.Sprintf("the two windows overlap by %s: one of them is wrong, or the runs disturbed each other", duration(overlap))
		it.Next = "check the two window.json files; replay one side after the other"
	}
	return it
}

// replayWindow is the window of a side's replay; recordings may well be made at the same time.
func replayWindow(s evidence.Side) *catalog.Window {
	if s.Load == nil && s.Functional == nil {
		return nil
	}
	return s.Window
}

func windowText(w *catalog.Window) string {
	if w == nil {
		return "unknown"
	}
	const clock = "2006-01-02 15:04:05Z"
	return w.Start.UTC().Format(clock) + " to " + w.End.UTC().Format("15:04:05Z")
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// harnessItem: two programs measure latency differently, two versions of one only a little.
func (in *input) harnessItem() *IdentityItem {
	b, c := harness(in.base.Declared), harness(in.cand.Declared)
	it := declaredItem(IdentityHarness, "replay program", harnessText(b), harnessText(c))
	if it != nil && it.State == Differs && b.Name == c.Name {
		it.Breaks = false
		it.Text = fmt.Sprintf("two versions of the replay program: %s and %s", it.Baseline, it.Candidate)
	}
	return it
}

func harness(s *catalog.SideFile) catalog.Harness {
	if s == nil || s.Harness == nil {
		return catalog.Harness{}
	}
	return *s.Harness
}

func harnessText(h catalog.Harness) string { return strings.TrimSpace(h.Name + " " + h.Version) }

func (in *input) harnessBoundItem() *IdentityItem {
	b, c := bound(in.base.Load), bound(in.cand.Load)
	if b == nil && c == nil {
		return nil
	}
	it := &IdentityItem{Code: IdentityHarnessBound, Name: "limit of the run", Baseline: boundText(b), Candidate: boundText(c)}
	switch {
	case b == nil || c == nil:
		it.State, it.Text = Unknown, "one side does not say whether the replay itself was the limit"
	case *b || *c:
		it.State = Differs
		it.Text = "the replay program marked " + unknownOn(*b, *c) + " as limited by the replay itself: throughput is a floor"
		it.Next = "give the replay more CPU, or fewer users"
	default:
		it.State, it.Text = Same, "the replay itself was not the limit"
	}
	return it
}

func bound(l *evidence.Load) *bool {
	if l == nil {
		return nil
	}
	return l.HarnessBound
}

func boundText(b *bool) string {
	switch {
	case b == nil:
		return Unknown
	case *b:
		return "the replay"
	}
	return "not the replay"
}

func (in *input) dependencyItem() *IdentityItem {
	text := func(s *catalog.SideFile) string {
		switch {
		case s == nil || s.Dependency == nil:
			return ""
		case !s.Dependency.Mocked:
			return "real"
		case s.Dependency.Timing != "":
			return "mocked, timing " + s.Dependency.Timing
		}
		return "mocked"
	}
	return declaredItem(IdentityDependency, "dependency", text(in.base.Declared), text(in.cand.Declared))
}
