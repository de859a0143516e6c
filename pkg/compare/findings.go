package compare

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// The kinds of finding.
const (
	KindMoved        = "moved"
	KindBehaviour    = "behaviour"
	KindIdentity     = "identity"
	KindCoverage     = "coverage"
	KindDisagreement = "disagreement"
	KindRuledOut     = "ruled out"
)

// Findings come in tiers: what invalidates the rest, what answers differently (with what invalidates the
// rest after it, when the behaviour changed), an endpoint that the aggregate hides, what moved, what
// disagrees, what the figures cover, what was ruled out. Inside a tier they are ranked by seconds per
// request moved, then by count (rule 14).
const (
	tierBroken = iota
	tierBehaviour
	tierBrokenAfter
	tierEndpoint
	tierMoved
	tierDisagreement
	tierCoverage
	tierRuledOut
)

type rankedFinding struct {
	Finding
	tier int
}

type findings struct{ list []rankedFinding }

func (f *findings) add(tier int, x Finding) {
	if x.Proof == nil {
		x.Proof = []string{}
	}
	if x.SecondsPerRequest == nil {
		x.Reasons = withReason(x.Reasons, "secondsPerRequest", ReasonNotApplicable)
	}
	if x.Count == nil {
		x.Reasons = withReason(x.Reasons, "count", ReasonNotApplicable)
	}
	f.list = append(f.list, rankedFinding{x, tier})
}

func (f *findings) ranked() []Finding {
	sort.SliceStable(f.list, func(i, j int) bool {
		a, b := f.list[i], f.list[j]
		if a.tier != b.tier {
			return a.tier < b.tier
		}
		x, _ := num(a.SecondsPerRequest)
		y, _ := num(b.SecondsPerRequest)
		if math.Abs(x) != math.Abs(y) {
			return math.Abs(x) > math.Abs(y)
		}
		return countOf(a.Finding) > countOf(b.Finding)
	})
	out := make([]Finding, 0, len(f.list))
	for i, x := range f.list {
		x.Rank = i + 1
		out = append(out, x.Finding)
	}
	return out
}

func countOf(f Finding) int64 {
	if f.Count == nil {
		return 0
	}
	return *f.Count
}

// findings lists what moved and what did not, ranked, each with what proves it.
func (in *input) findings(c Comparison, errs errorChange, q quantilePair) []Finding {
	f := &findings{}
	broken := tierBroken
	if c.Verdict.Behaviour.Answer == Changed {
		// Unequal work may only follow from the other answers: a gate that tripped over them skips the load run.
		broken = tierBrokenAfter
	}
	for _, it := range c.Identity {
		switch {
		case it.Breaks:
			f.add(broken, Finding{Code: it.Code, Kind: KindIdentity, Text: "not comparable: " + it.Text, Proof: []string{"identity:" + it.Code}})
		case it.State == Differs && it.Code == IdentityRuns:
			f.add(tierCoverage, Finding{Code: it.Code, Kind: KindCoverage, Text: it.Text, Proof: []string{"identity:" + it.Code}})
		case it.State == Differs && contains([]string{IdentityMock, IdentityTables, IdentityReconciliation, IdentityHarness}, it.Code):
			f.add(tierDisagreement, Finding{Code: it.Code, Kind: KindIdentity, Text: it.Text, Proof: []string{"identity:" + it.Code}})
		}
	}
	in.behaviourFindings(f, c, errs)
	in.contradictionFindings(f, c)
	in.endpointFindings(f, c)
	in.statementFindings(f, c)
	in.movedFindings(f, c)
	in.throughputFinding(f, c)
	in.consistencyFindings(f)
	in.basisFinding(f, c, q)
	in.witnessFinding(f)
	in.gateFindings(f)
	in.fileProblemFindings(f)
	in.ruledOutFindings(f, c)
	return f.ranked()
}

func (in *input) behaviourFindings(f *findings, c Comparison, errs errorChange) {
	total := int64(len(c.Responses.Differences)) + c.Responses.Truncated
	if total > 0 {
		var files []string
		for _, d := range c.Responses.Differences {
			if len(files) < 2 {
				files = append(files, ids(d.BaselinePath, d.CandidatePath)...)
			}
		}
		f.add(tierBehaviour, Finding{Code: CodeResponsesDiffer, Kind: KindBehaviour, Count: &total, Proof: append([]string{"table:responseDifferences"}, files...),
			Text: differenceWords(responseDiff{Responses: c.Responses}) + " (" + c.Responses.Text + ")"})
	}
	if g := functionalGate(in.cand.Functional); g.state == failed {
		f.add(tierBehaviour, Finding{Code: CodeGateFailed, Kind: KindBehaviour, Text: "the candidate's functional run did not pass: " + list(g.why, 0), Proof: []string{"run:" + in.cand.Functional.RunID}})
	}
	if l := in.cand.Load; l != nil && l.GateFailed {
		f.add(tierDisagreement, Finding{Code: CodeLoadGateFailed, Kind: KindCoverage, Text: "the candidate's load run tripped its own gate (--fail-if)", Proof: []string{"run:" + l.RunID}})
	}
	for _, r := range errs.worse {
		f.add(tierBehaviour, Finding{Code: r.Code, Kind: KindBehaviour, Text: r.Text, Proof: []string{"table:failedRequests", "table:errors"}})
	}
	for _, r := range errs.notes {
		f.add(tierDisagreement, Finding{Code: r.Code, Kind: KindBehaviour, Text: r.Text, Proof: []string{"table:failedRequests", "table:errors"}})
	}
}

// endpointFindings says which endpoint moved; with one endpoint the aggregate says it already.
func (in *input) endpointFindings(f *findings, c Comparison) {
	if withheld(c.Verdict.Speed) || len(in.base.Endpoints) == 0 || len(in.cand.Endpoints) == 0 {
		return
	}
	var moved []EndpointChange
	still := 0
	for _, e := range c.Endpoints {
		switch {
		case e.State == Added || e.State == Removed:
			f.add(tierCoverage, Finding{Code: "endpoint_" + e.State, Kind: KindCoverage, Text: e.Name + ": " + e.Text, Proof: []string{"endpoint:" + e.Name}})
		case e.Answer == Improved || e.Answer == Regressed:
			moved = append(moved, e)
		default:
			still++
		}
	}
	if len(c.Endpoints) < 2 {
		return
	}
	for _, e := range moved {
		text := fmt.Sprintf("%s: %s", e.Name, endpointWords(e))
		if len(moved) == 1 && still > 0 {
			text += ", no provable change elsewhere"
		}
		share, ok := shareOf(e)
		if hidden := in.aggregateStill(); ok && hidden {
			if share < 1-in.profile.Quantile {
				text += fmt.Sprintf("; the aggregate %s hides it because it is %s of requests", percentile(in.profile.Quantile), shareText(share))
			} else {
				text += fmt.Sprintf("; the aggregate %s does not show it", percentile(in.profile.Quantile))
			}
		} else if ok {
			text += fmt.Sprintf("; it is %s of requests", shareText(share))
		}
		x := Finding{Code: CodeEndpoint, Kind: KindMoved, Text: text, Proof: []string{"endpoint:" + e.Name}}
		if d, known := num(e.MovedSecondsPerRequest); known && ok {
			x.SecondsPerRequest = figure(d * share)
		}
		if n := requestsOf(e); n > 0 {
			x.Count = &n
		}
		f.add(tierEndpoint, x)
	}
}

// endpointWords reads "1 to 16 ms average, p95 2 to 17 ms".
func endpointWords(e EndpointChange) string {
	text := ""
	if b, c, ok := both(e.Baseline.AvgMs, e.Candidate.AvgMs); ok {
		text = fmt.Sprintf("%s to %s average", decimal(b, 0, 1), wholeMs(c))
	}
	for _, p := range []struct {
		name string
		b, c *float64
	}{{"p95", e.Baseline.P95Ms, e.Candidate.P95Ms}, {"p99", e.Baseline.P99Ms, e.Candidate.P99Ms}} {
		if b, c, ok := both(p.b, p.c); ok {
			if text != "" {
				text += ", "
			}
			return text + fmt.Sprintf("%s %s to %s", p.name, decimal(b, 0, 1), wholeMs(c))
		}
	}
	return text
}

// aggregateStill says that the replay's own percentile over all requests did not move.
func (in *input) aggregateStill() bool {
	if in.base.Load == nil || in.cand.Load == nil {
		return false
	}
	return in.replayMove(loadFigures(in.base.Load), loadFigures(in.cand.Load), nil).answer == NoProvableChange
}

func (in *input) statementFindings(f *findings, c Comparison) {
	if c.Statements == nil {
		return
	}
	if c.Statements.State != evidence.StateOK {
		f.add(tierCoverage, Finding{Code: "statements", Kind: KindCoverage, Text: c.Statements.Text, Proof: []string{"statements"}})
		return
	}
	for _, side := range []string{"candidate", "baseline"} {
		for _, n := range newNPlusOne(c.Statements.NPlusOne, side) {
			text := n.Text
			if side == "baseline" {
				text = "gone in the candidate: " + text
			} else if c.Verdict.Cause.Mechanism == MechanismQueryCount {
				text = "likely cause: " + text
			} else {
				text = "may be the cause: " + text
			}
			x := Finding{Code: CodeQueryCount, Kind: KindMoved, Text: text, Proof: []string{"statement:" + n.ChildFingerprint, "statement:" + n.ParentFingerprint}}
			for _, ch := range c.Statements.Changes {
				if ch.Endpoint == n.Endpoint && ch.Fingerprint == n.ChildFingerprint {
					b, k := ch.counts()
					x.Count = ptr(max(k-b, b-k))
				}
			}
			f.add(tierMoved, x)
		}
	}
}

// movedFindings lists the parts of the mean that moved enough to matter.
func (in *input) movedFindings(f *findings, c Comparison) {
	if withheld(c.Verdict.Speed) || c.Verdict.Cause.Answer == Inconclusive {
		return
	}
	d, known := num(c.Verdict.Speed.MeanChangeSeconds)
	for _, m := range c.Verdict.Cause.Moved {
		change, ok := num(m.Change)
		if !ok || m.RuledOut || m.Kind == PartQueryCount {
			continue
		}
		text := fmt.Sprintf("%s: %s per request", m.Name, signedDuration(change))
		if m.Kind == PartWait {
			text = fmt.Sprintf("waiting (%s): %s per request", m.Name, signedDuration(change))
		}
		if known {
			s := share(change, d)
			if s < someOfTheChange {
				continue
			}
			text += fmt.Sprintf(", %s of the change of the mean", percent(s))
		}
		key := map[string]string{PartWait: "table:waitSeconds", PartCPU: "table:cpuPerRequest", PartUnexplained: "table:requestMean"}[m.Kind]
		f.add(tierMoved, Finding{Code: m.Kind + "_moved", Kind: KindMoved, Text: text, SecondsPerRequest: figure(change), Proof: []string{key}})
	}
}

// throughputFinding says what limits each side now: a higher throughput is not yet a capacity.
func (in *input) throughputFinding(f *findings, c Comparison) {
	if withheld(c.Verdict.Speed) || in.base.Load == nil || in.cand.Load == nil {
		return
	}
	b, k, ok := both(in.base.Load.RequestsPerSecond, in.cand.Load.RequestsPerSecond)
	if !ok || b <= 0 || math.Abs(k-b) <= in.profile.TolerancePercent/100*max(b, k) {
		return
	}
	text := fmt.Sprintf("throughput %s → %s requests per second", rate(b), rate(k))
	if x, y, known := both(in.base.Saturation.InFlight, in.cand.Saturation.InFlight); known {
		text += fmt.Sprintf("; in flight %s → %s", significantShort(x), significantShort(y))
		if u := in.cand.Saturation.Users; u != nil {
			text += fmt.Sprintf(" of %s", counted(*u, "user", "users"))
		}
	}
	if limitKnown(in.cand.Saturation) {
		limit, _, _ := strings.Cut(in.cand.Saturation.LimitedBy, "; ")
		text += "; what limits the candidate now: " + limit
	}
	f.add(tierMoved, Finding{Code: "throughput", Kind: KindMoved, Text: text, Proof: []string{"table:loadThroughput", "table:inFlight"}})
}
