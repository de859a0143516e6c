package compare

import (
	"fmt"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// Codes of the identity card.
const (
	IdentitySide              = "side"
	IdentityRuns              = "runs"
	IdentityRecording         = "recording"
	IdentityLoadRequests      = "load_requests"
	IdentityEndpointRequests  = "endpoint_requests"
	IdentityUsers             = "users"
	IdentityPasses            = "passes"
	IdentityMode              = "mode"
	IdentityBaselineGate      = "baseline_gate"
	IdentityFunctionalGate    = "functional_gate"
	IdentityFunctionalPasses  = "functional_requests"
	IdentityWindows           = "windows"
	IdentityHarness           = "harness"
	IdentityHarnessBound      = "harness_bound"
	IdentityDependency        = "dependency"
	IdentityMock              = "mock"
	IdentityTables            = "tables"
	IdentityReconciliation    = "reconciliation"
	IdentityGates             = "gates"
	IdentityPadding           = "padding"
	paddingWorthMention       = 0.05
	minUsersPassesForTimedRun = 2
)

// identity compares everything that must be equal for two sides to be comparable (rule 9).
func (in *input) identity() []IdentityItem {
	items := []IdentityItem{}
	add := func(its ...*IdentityItem) {
		for _, it := range its {
			if it != nil {
				items = append(items, *it)
			}
		}
	}
	rec := in.recordingItem()
	add(in.sideItem(), in.runsItem(), rec, in.loadRequestsItem())
	add(in.endpointRequestsItem(rec.State == Same))
	add(in.workloadItems()...)
	add(in.baselineGateItem(), in.functionalGateItem(), in.functionalRequestsItem())
	add(in.windowsItem(), in.harnessItem(), in.harnessBoundItem(), in.dependencyItem(), in.mockItem(), in.tablesItem())
	add(in.reconciliationItem(), in.gatesItem(), in.paddingItem())
	return items
}

// breaking returns the items that make the sides not comparable: what differs and must not, and what is unknown
// where both sides must be known, such as the number of requests of two load runs.
func breaking(items []IdentityItem) []IdentityItem {
	var out []IdentityItem
	for _, it := range items {
		if it.Breaks {
			out = append(out, it)
		}
	}
	return out
}

func find(items []IdentityItem, code string) *IdentityItem {
	for i := range items {
		if items[i].Code == code {
			return &items[i]
		}
	}
	return nil
}

// sameSide says that a side is compared with itself: useful to see what the tool calls noise, but its
// windows overlap by nature.
func (in *input) sameSide() bool { return in.base.ID != "" && in.base.ID == in.cand.ID }

func (in *input) sideItem() *IdentityItem {
	if !in.sameSide() {
		return nil
	}
	return &IdentityItem{Code: IdentitySide, Name: "side", State: Same, Baseline: in.base.ID, Candidate: in.cand.ID,
		Text: "both are the same side: this compares a side with itself"}
}

func kinds(s evidence.Side) []string {
	var out []string
	if s.Functional != nil {
		out = append(out, "functional")
	}
	if s.Load != nil {
		out = append(out, "load")
	}
	if s.Statements != nil || (s.Functional == nil && len(s.Responses) > 0) {
		out = append(out, "recording")
	}
	return out
}

func (in *input) runsItem() *IdentityItem {
	b, c := kinds(in.base), kinds(in.cand)
	it := &IdentityItem{Code: IdentityRuns, Name: "runs", Baseline: list(b, 0), Candidate: list(c, 0)}
	common, missingB, missingC := []string{}, []string{}, []string{}
	for _, k := range b {
		if contains(c, k) {
			common = append(common, k)
		} else {
			missingC = append(missingC, k)
		}
	}
	for _, k := range c {
		if !contains(b, k) {
			missingB = append(missingB, k)
		}
	}
	switch {
	case len(b) == 0 || len(c) == 0:
		it.State, it.Breaks = Unknown, true
		it.Text = "a side holds no run with figures"
		it.Next = "check the path of the side and its listed problems"
	case len(common) == 0:
		it.State, it.Breaks = Differs, true
		it.Text = fmt.Sprintf("the baseline holds %s, the candidate %s: different kinds of run say nothing about each other", list(b, 0), list(c, 0))
		it.Next = "choose sides that hold the same kinds of run"
	case len(missingB)+len(missingC) > 0:
		it.State = Differs
		var parts []string
		if len(missingB) > 0 {
			parts = append(parts, "the baseline has no "+list(missingB, 0)+" run")
		}
		if len(missingC) > 0 {
			parts = append(parts, "the candidate has no "+list(missingC, 0)+" run")
		}
		it.Text = strings.Join(parts, "; ")
	default:
		it.State, it.Text = Same, list(common, 0)+" on both sides"
	}
	return it
}

func (in *input) loadRequestsItem() *IdentityItem {
	if in.base.Load == nil && in.cand.Load == nil {
		return nil
	}
	it := &IdentityItem{Code: IdentityLoadRequests, Name: "load requests", Baseline: Unknown, Candidate: Unknown}
	var rb, rc *int64
	if in.base.Load != nil {
		rb = in.base.Load.Requests
	}
	if in.cand.Load != nil {
		rc = in.cand.Load.Requests
	}
	if rb != nil {
		it.Baseline = evidence.FormatCount(*rb)
	}
	if rc != nil {
		it.Candidate = evidence.FormatCount(*rc)
	}
	b, c, ok := bothCounts(rb, rc)
	switch {
	case in.base.Load == nil || in.cand.Load == nil:
		it.State = Unknown
		it.Text = "there is no load run on " + unknownOn(in.base.Load == nil, in.cand.Load == nil)
		it.Next = "run the load replay on both sides"
	case !ok:
		// Two load runs of which one does not say how much it did cannot be called the same work.
		it.State, it.Breaks = Unknown, true
		it.Text = "the number of load requests is not known on " + unknownOn(rb == nil, rc == nil) + ", so nothing says that both sides did the same work"
		it.Next = "look at the problems of the side's files, and repeat the load run so that its summary is whole"
	case b == c:
		it.State, it.Text = Same, evidence.FormatCount(b)+" load requests on both sides"
	default:
		it.State, it.Breaks = Differs, true
		it.Text = fmt.Sprintf("the baseline sent %s load requests, the candidate %s: these are two workloads", it.Baseline, it.Candidate)
		it.Next = "replay both sides with the same users and passes"
		if in.timed(b) || in.timed(c) {
			it.Text += "; at least one looks like a timed run (--for), which sends what it has time for, and grows the tables of an app that writes"
			it.Next = "replay with a fixed number of passes (--times), with equal tables before each run"
		}
	}
	return it
}

// timed says that a total is not a whole number of passes over the recording, as a timed run leaves it.
func (in *input) timed(total int64) bool {
	pairs := in.base.Recording.InboundPairs
	return pairs != nil && *pairs >= minUsersPassesForTimedRun && total%*pairs != 0
}

func (in *input) endpointRequestsItem(sameRecording bool) *IdentityItem {
	if len(in.base.Endpoints) == 0 && len(in.cand.Endpoints) == 0 {
		return nil
	}
	it := &IdentityItem{Code: IdentityEndpointRequests, Name: "requests per endpoint",
		Baseline:  counted(int64(len(in.base.Endpoints)), "endpoint", "endpoints"),
		Candidate: counted(int64(len(in.cand.Endpoints)), "endpoint", "endpoints")}
	var unequal, added, removed, unknown []string
	for _, j := range in.joined() {
		switch {
		case j.base == nil:
			added = append(added, j.name)
		case j.cand == nil:
			removed = append(removed, j.name)
		default:
			b, c, ok := bothCounts(j.base.Requests, j.cand.Requests)
			if !ok {
				unknown = append(unknown, j.name)
			} else if b != c {
				unequal = append(unequal, fmt.Sprintf("%s %s and %s", j.name, evidence.FormatCount(b), evidence.FormatCount(c)))
			}
		}
	}
	switch {
	case len(in.base.Endpoints) == 0 || len(in.cand.Endpoints) == 0:
		it.State = Unknown
		it.Text = "the requests per endpoint are not known on " + unknownOn(len(in.base.Endpoints) == 0, len(in.cand.Endpoints) == 0)
	case len(unequal) > 0:
		it.State, it.Breaks = Differs, true
		it.Text = "different numbers of requests: " + list(unequal, 4)
		it.Next = "replay the same recording with the same users and passes"
	case len(added)+len(removed) > 0:
		it.State, it.Breaks = Differs, !sameRecording
		var parts []string
		if len(added) > 0 {
			parts = append(parts, "only in the candidate: "+list(added, 4))
		}
		if len(removed) > 0 {
			parts = append(parts, "only in the baseline: "+list(removed, 4))
		}
		it.Text = strings.Join(parts, "; ")
		if sameRecording {
			it.Text += "; the recording is the same, so the replay named its endpoints differently"
		}
		it.Next = "check that both sides replayed the same recording with the same version of the replay program"
	case len(unknown) > 0:
		it.State, it.Text = Unknown, "requests are not known for "+list(unknown, 4)
	case len(in.base.Endpoints) == 1:
		e := in.base.Endpoints[0]
		it.State, it.Text = Same, fmt.Sprintf("%s %s = %s", e.Name, evidence.FormatCount(*e.Requests), evidence.FormatCount(*e.Requests))
	default:
		it.State, it.Text = Same, counted(int64(len(in.base.Endpoints)), "endpoint", "endpoints")+" with equal numbers of requests"
	}
	return it
}

// workloadItems compares what the replay was told to do; only side.json knows it.
func (in *input) workloadItems() []*IdentityItem {
	wb, wc := workload(in.base.Declared), workload(in.cand.Declared)
	if wb == nil && wc == nil {
		return nil
	}
	if wb == nil {
		wb = &catalog.Workload{}
	}
	if wc == nil {
		wc = &catalog.Workload{}
	}
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	return []*IdentityItem{
		declaredItem(IdentityUsers, "virtual users", number(wb.Users), number(wc.Users)),
		declaredItem(IdentityPasses, "passes", number(wb.Passes), number(wc.Passes)),
		declaredItem(IdentityMode, "mode", wb.Mode, wc.Mode),
	}
}

func workload(s *catalog.SideFile) *catalog.Workload {
	if s == nil {
		return nil
	}
	return s.Workload
}

// declaredItem compares one thing that side.json states. Nothing is said when neither side states it.
func declaredItem(code, name, b, c string) *IdentityItem {
	it := &IdentityItem{Code: code, Name: name, Baseline: b, Candidate: c}
	switch {
	case b == "" && c == "":
		return nil
	case b == "" || c == "":
		it.State = Unknown
		it.Text = name + " is stated by one side only"
		it.Next = "state it in both side.json files"
		for _, p := range []*string{&it.Baseline, &it.Candidate} {
			if *p == "" {
				*p = "not stated"
			}
		}
	case b == c:
		it.State, it.Text = Same, fmt.Sprintf("%s: %s", name, b)
	default:
		it.State, it.Breaks = Differs, true
		it.Text = fmt.Sprintf("%s: %s in the baseline, %s in the candidate", name, b, c)
		it.Next = "replay both sides with the same " + name
	}
	return it
}
