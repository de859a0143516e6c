package compare

import (
	"fmt"
	"sort"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// errorChange is how failures moved between the sides, outside the scored responses.
type errorChange struct {
	// worse holds what makes the behaviour changed: failures that the baseline did not have.
	worse []Reason
	// notes hold moves that prove nothing, or that are better.
	notes []Reason
}

// errorChange compares failed load requests and the error counters. New failures count as changed
// behaviour, not as slow answers (rule 9; a duration of a failed request means nothing).
func (in *input) errorChange() errorChange {
	var e errorChange
	if l, m := in.base.Load, in.cand.Load; l != nil && m != nil {
		b, c, ok := bothCounts(l.Failed, m.Failed)
		switch {
		case !ok:
		case c > 0 && b == 0:
			e.worse = append(e.worse, Reason{CodeLoadFailures, failedOf(m) + "; none did in the baseline"})
		case c > b:
			e.rates(CodeLoadFailures, "load requests failed", b, c, l.Requests, m.Requests)
		case c < b:
			e.notes = append(e.notes, Reason{CodeErrorsMoved, fmt.Sprintf("failed load requests fell from %s to %s", evidence.FormatCount(b), evidence.FormatCount(c))})
		}
	} else if m != nil && m.Failed != nil && *m.Failed > 0 {
		e.worse = append(e.worse, Reason{CodeLoadFailures, failedOf(m) + "; the baseline has no load run to compare with"})
	}
	x, y := in.base.Metrics.Errors, in.cand.Metrics.Errors
	b, c, ok := bothCounts(x.Count, y.Count)
	switch {
	case !ok || in.countsUnusable():
	case c > 0 && b == 0:
		text := fmt.Sprintf("Prometheus counted %s in the candidate and none in the baseline", counted(c, "error", "errors"))
		if n := in.cand.Metrics.RequestDuration.Count; n != nil {
			text = fmt.Sprintf("Prometheus counted %s of %s requests as errors in the candidate and none in the baseline", evidence.FormatCount(c), evidence.FormatCount(*n))
		}
		if codes := byCode(y.ByCode); codes != "" {
			text += " (" + codes + ")"
		}
		if y.Note != "" {
			text += "; " + y.Note
		}
		e.worse = append(e.worse, Reason{CodeNewErrors, text})
	case newCodes(x.ByCode, y.ByCode) != "":
		e.worse = append(e.worse, Reason{CodeNewErrors, "the candidate answers with a status that the baseline never gave: " + newCodes(x.ByCode, y.ByCode)})
	case c > b:
		e.rates(CodeNewErrors, "errors counted by Prometheus", b, c, in.base.Metrics.RequestDuration.Count, in.cand.Metrics.RequestDuration.Count)
	case c < b:
		e.notes = append(e.notes, Reason{CodeErrorsMoved, fmt.Sprintf("errors counted by Prometheus fell from %s to %s", evidence.FormatCount(b), evidence.FormatCount(c))})
	}
	return e
}

// rates decides whether more failures than before are more than chance: the 95 % interval of the
// difference of the two rates (Newcombe 1998) must lie above 0.
func (e *errorChange) rates(code, what string, b, c int64, nb, nc *int64) {
	text := fmt.Sprintf("%s: %s in the baseline, %s in the candidate", what, evidence.FormatCount(b), evidence.FormatCount(c))
	if x, y, ok := bothCounts(nb, nc); ok {
		if iv, err := stat.Newcombe(b, x, c, y, stat.DefaultAlpha); err == nil && iv.Low > 0 {
			e.worse = append(e.worse, Reason{code, fmt.Sprintf("%s, %s to %s points more (95 %%)", text, decimal(iv.Low*100, 0, 2), decimal(iv.High*100, 0, 2))})
			return
		}
	}
	e.notes = append(e.notes, Reason{CodeErrorsMoved, text + ": too few to tell from chance"})
}

func byCode(codes map[string]int64) string {
	names := make([]string, 0, len(codes))
	for k, n := range codes {
		if n > 0 {
			names = append(names, fmt.Sprintf("%s × %s", evidence.FormatCount(n), k))
		}
	}
	sort.Strings(names)
	return list(names, 4)
}

func newCodes(b, c map[string]int64) string {
	fresh := map[string]int64{}
	for k, n := range c {
		if n > 0 && b[k] == 0 && len(b) > 0 {
			fresh[k] = n
		}
	}
	return byCode(fresh)
}

// countsUnusable says that the counts of a side cannot be trusted, so that neither can its errors:
// foreign traffic or a restart may have made them.
func (in *input) countsUnusable() bool {
	for _, s := range []evidence.Side{in.base, in.cand} {
		for _, g := range s.Gates {
			if g.State == evidence.GateFailed && contains([]string{"G4", "G5", "G7"}, g.Code) {
				return true
			}
		}
	}
	return false
}

// behaviour answers whether the candidate answered the same as the baseline.
func (in *input) behaviour(items []IdentityItem, d responseDiff, e errorChange) Judgement {
	j := Judgement{Basis: in.behaviourBasis(d), Reasons: []Reason{}}
	add := func(code, text string) { j.Reasons = append(j.Reasons, Reason{code, text}) }

	if it := find(items, IdentityBaselineGate); it != nil && it.Breaks {
		add(CodeNoValidBaseline, it.Text)
		j.Answer, j.Headline, j.Next = Inconclusive, "Inconclusive: no valid baseline", it.Next
		return j
	}
	if d.total > 0 {
		add(CodeResponsesDiffer, differenceWords(d)+" ("+d.Text+")")
	}
	if g := functionalGate(in.cand.Functional); g.state == failed {
		add(CodeGateFailed, "the candidate's functional run did not pass: "+list(g.why, 0))
	}
	j.Reasons = append(j.Reasons, e.worse...)
	if len(j.Reasons) > 0 {
		j.Answer, j.Headline = Changed, "Changed, "+in.changedHeadline(d, e)
		j.Next = "look at the differing fields: intended changes belong into the profile's ignore list, anything else is to be repaired first"
		if d.total == 0 {
			j.Next = "find out why requests fail in the candidate before its speed is judged"
		}
		j.Reasons = append(j.Reasons, e.notes...)
		return j
	}
	if u := in.unsettled(items, d); u.code != "" {
		add(u.code, u.text)
		if d.State != NotCompared {
			add(CodeResponsesEqual, upperFirst(d.Text))
		}
		j.Reasons = append(j.Reasons, e.notes...)
		j.Answer, j.Headline, j.Next = Inconclusive, "Inconclusive: "+u.short(), u.next
		return j
	}
	j.Answer, j.Headline = Unchanged, "Unchanged, "+counted(d.total, "difference", "differences")+" in "+pairsOf(d.Pairs, d.Expected)
	if d.State == NotCompared {
		j.Headline = "Unchanged, every answer as recorded on both sides"
		add(CodeNotAllCompared, "both functional runs match the same recording by the replay's own score; their responses were not kept, so they were not compared field by field")
	} else {
		add(CodeResponsesEqual, upperFirst(d.Text))
	}
	if d.State == PartlyCompared {
		add(CodeNotAllCompared, "the replay scored every pair as recorded on both sides; only the kept responses were compared field by field")
	}
	if t := in.loadFailuresText(); t != "" {
		add(CodeLoadFailures, t)
	}
	j.Reasons = append(j.Reasons, e.notes...)
	j.Next = "nothing to do for the recorded requests; record more kinds of request to cover more behaviour"
	return j
}

func (in *input) behaviourBasis(d responseDiff) string {
	switch {
	case d.State != NotCompared && d.recorded:
		return "responses of two recordings, paired by order and endpoint"
	case d.State != NotCompared:
		return "responses of the two functional runs, paired by recorded request"
	case in.base.Functional != nil || in.cand.Functional != nil:
		return "the replay's own score"
	}
	return BasisNone
}

// doubt is what keeps behaviour from being called unchanged, and what would settle it.
type doubt struct {
	code string
	// head is the doubt in a few words, for the headline; empty when text is short enough.
	head string
	text string
	next string
}

func (d doubt) short() string {
	if d.head != "" {
		return d.head
	}
	return d.text
}

// unsettled finds what keeps behaviour from being called unchanged; without a code nothing does.
func (in *input) unsettled(items []IdentityItem, d responseDiff) doubt {
	const settle = "run the functional replay of the %s against the same recording, and keep its result and its pairs"
	b, c := functionalGate(in.base.Functional), functionalGate(in.cand.Functional)
	if it := find(items, IdentityRecording); it != nil && it.Breaks {
		return doubt{CodeNotComparable, "different recordings were replayed", it.Text, it.Next}
	}
	if d.recorded {
		switch d.State {
		case NotCompared:
			return doubt{CodeNoFunctional, "", "neither side has a functional run", fmt.Sprintf(settle, "baseline and of the candidate")}
		case PartlyCompared:
			return doubt{CodeNotAllCompared, "the recordings hold different requests", "the two recordings do not hold the same requests", "send the same requests in the same order to both versions while recording"}
		}
		return doubt{}
	}
	missing := func(side string, f *evidence.Functional) doubt {
		if f == nil {
			return doubt{CodeNoFunctional, "", "the " + side + " has no functional run", fmt.Sprintf(settle, side)}
		}
		return doubt{CodeNoFunctional, "", "the " + side + "'s functional result is missing", fmt.Sprintf(settle, side)}
	}
	switch {
	case b.state == Unknown && c.state == Unknown:
		return doubt{CodeNoFunctional, "no functional result on either side", "the functional results of both sides are missing", fmt.Sprintf(settle, "baseline and of the candidate")}
	case b.state == Unknown:
		return missing("baseline", in.base.Functional)
	case c.state == Unknown:
		return missing("candidate", in.cand.Functional)
	case len(d.unsteady) > 0:
		return doubt{CodeBaselineUnsteady, "the baseline's own answers vary", "the baseline answers one and the same request with different statuses (" + list(d.unsteady, 3) + ")",
			"find out why the baseline is not steady, or leave that request out of the recording"}
	}
	if newIgnores(in.profile.Ignore).everyBody() {
		return doubt{CodeAllIgnored, "no field of a body was compared", "the profile's ignore list leaves out every field of the bodies, so no body was compared",
			"name the fields that may differ instead of all of them"}
	}
	if text := in.contradiction(); text != "" {
		return doubt{CodeSourcesDisagree, "two sources state different answers", text, "run the functional replay of that side again into an empty directory"}
	}
	if d.State == Compared {
		return doubt{}
	}
	if text := in.unreadResponses(); text != "" {
		return doubt{CodeResponsesUnread, "not all responses could be read", text, "repair the named files, or run the functional replay of that side again and keep its pairs"}
	}
	if scored(in.base.Functional) && scored(in.cand.Functional) && in.sameRecording(items) {
		return doubt{}
	}
	head, text := "", "only "+pairsOf(d.Pairs, d.Expected)+" could be compared"
	if d.Expected == nil {
		head = "only " + counted(d.Pairs, "pair was", "pairs were") + " compared"
	}
	return doubt{CodeNotAllCompared, head, text, "keep the pairs of both functional runs (replay with --out)"}
}

// scored says that the replay itself scored every response as recorded.
func scored(f *evidence.Functional) bool {
	if f == nil {
		return false
	}
	m, ok := num(f.MatchPct)
	return ok && m >= 100
}

func (in *input) sameRecording(items []IdentityItem) bool {
	it := find(items, IdentityRecording)
	return it != nil && it.State == Same
}

func (in *input) loadFailuresText() string {
	var failedN, total int64
	for _, l := range []*evidence.Load{in.base.Load, in.cand.Load} {
		if l == nil || l.Failed == nil || l.Requests == nil {
			return ""
		}
		failedN, total = failedN+*l.Failed, total+*l.Requests
	}
	return fmt.Sprintf("%s of %s load requests failed", evidence.FormatCount(failedN), evidence.FormatCount(total))
}

func (in *input) changedHeadline(d responseDiff, e errorChange) string {
	switch {
	case d.total > 0:
		return counted(d.total, "response difference", "response differences") + " in " + pairsOf(d.Pairs, d.Expected)
	case len(e.worse) > 0 && e.worse[0].Code == CodeLoadFailures:
		return "more load requests failed than before"
	case len(e.worse) > 0:
		return "errors that the baseline did not have"
	}
	why := functionalGate(in.cand.Functional).why
	if len(why) > 1 {
		return fmt.Sprintf("%s; see all %d reasons", why[0], len(why))
	}
	return list(why, 0)
}

// differenceWords sums the differences up by field: "GET /api/quote: body .total_cents, value changed".
func differenceWords(d responseDiff) string {
	var words []string
	for _, x := range d.Differences {
		w := fmt.Sprintf("%s: %s, %s", x.Endpoint, x.Field, kindWords[x.Kind])
		if x.Field == "status" {
			w = fmt.Sprintf("%s: status %s → %s", x.Endpoint, x.Baseline, x.Candidate)
		}
		if !contains(words, w) {
			words = append(words, w)
		}
	}
	return list(words, 4)
}

// kindWords say a kind of difference in a sentence.
var kindWords = map[string]string{
	kindStatus: "changed", kindValue: "value changed", kindType: "type changed", kindAdded: "added", kindRemoved: "removed",
	kindBody: "changed", kindHeader: "changed", kindHAdded: "added", kindHRemove: "removed",
}
