package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// consistency is how the replay's own percentile lies to the server's bucket of the same quantile.
type consistency struct {
	side   string
	code   string
	text   string
	shifts float64
}

// consistent compares the replay's percentile (exact, at the client, network included) with the
// server's bucket. The two agree when the replay's value lies inside the bucket; above it, the rest of
// the time was spent outside the server; below it, one of them counted other requests.
func (in *input) consistent(name string, s evidence.Side) *consistency {
	if s.Load == nil || s.Metrics.State != evidence.StateOK || s.Metrics.RequestDuration.State != evidence.StateOK {
		return nil
	}
	p := percentile(in.profile.Quantile)
	ms, ok := num(loadFigures(s.Load).at[in.profile.Quantile])
	q := s.Metrics.RequestDuration.P95Seconds
	lower, okL := num(q.Lower)
	if !ok || !okL {
		return nil
	}
	seconds := ms / 1000
	bucket := evidence.FormatRange(&lower, finitePtr(q.Upper))
	c := &consistency{side: name}
	upper, closed := num(q.Upper)
	// The replay truncates to whole milliseconds: 46 stands for anything below 47.
	const resolution = wholeMsResolution / 1000.0
	switch {
	case seconds+resolution <= lower:
		c.code = CodeP95Inconsistent
		c.shifts = lower - seconds
		c.text = fmt.Sprintf("%s: the replay's %s (%s) lies below the server's bucket %s: the two did not count the same requests", name, p, wholeMs(ms), bucket)
	case !closed || seconds <= upper:
		c.code = CodeConsistent
		c.text = fmt.Sprintf("%s: the replay's %s (%s) is inside the server's bucket %s", name, p, wholeMs(ms), bucket)
	default:
		c.code = CodeOutsideServer
		c.shifts = seconds - upper
		c.text = fmt.Sprintf("%s: the replay's %s (%s) is above the server's bucket %s: at least %s outside the server", name, p, wholeMs(ms), bucket, duration(seconds-upper))
	}
	return c
}

func (in *input) consistencyFindings(f *findings) {
	proof := []string{"table:loadQuantile", "table:requestQuantile"}
	var agreeing []string
	for _, x := range []*consistency{in.consistent("baseline", in.base), in.consistent("candidate", in.cand)} {
		switch {
		case x == nil:
		case x.code == CodeConsistent:
			agreeing = append(agreeing, x.text)
		default:
			f.add(tierDisagreement, Finding{Code: x.code, Kind: KindDisagreement, Text: x.text, Proof: proof})
		}
	}
	if len(agreeing) > 0 {
		f.add(tierCoverage, Finding{Code: CodeConsistent, Kind: KindCoverage, Text: "consistent: " + strings.Join(agreeing, "; "), Proof: proof})
	}
}

// basisFinding says when the two bases of speed disagree; the better basis has answered all the same.
func (in *input) basisFinding(f *findings, c Comparison, q quantilePair) {
	if !q.usable || in.base.Load == nil || in.cand.Load == nil || withheld(c.Verdict.Speed) {
		return
	}
	hist := NoProvableChange
	switch q.change.Relation {
	case "below":
		hist = Improved
	case "above":
		hist = Regressed
	}
	m := in.replayMove(loadFigures(in.base.Load), loadFigures(in.cand.Load), c.Repeats)
	if m.answer == hist || m.answer == Inconclusive {
		return
	}
	text := fmt.Sprintf("the replay's own percentiles read %s (%s), the histogram reads %s (%s)", m.answer, m.text, hist, arrow(rangeText(q.base), rangeText(q.cand)))
	if hist == NoProvableChange {
		text += ": buckets are too coarse to prove a move of this size, or it is noise; repeated runs would tell"
	}
	f.add(tierDisagreement, Finding{Code: CodeBasesDisagree, Kind: KindDisagreement, Text: text, Proof: []string{"table:loadQuantile", "table:requestQuantile"}})
}

func (in *input) witnessFinding(f *findings) {
	h, q, agree, ok := in.witnesses()
	if !ok || agree {
		return
	}
	f.add(tierDisagreement, Finding{Code: CodeWitnessesDisagree, Kind: KindDisagreement, Proof: []string{"table:waitSeconds", "table:requestMean"},
		Text: in.witnessesDisagree(h, q)})
}

// gateFindings names what could not be measured and what the server remarked.
func (in *input) gateFindings(f *findings) {
	in.failedGateFindings(f)
	for _, s := range []struct {
		name string
		side evidence.Side
	}{{"baseline", in.base}, {"candidate", in.cand}} {
		if m := s.side.Metrics; m.State != evidence.StateOK && m.State != evidence.StateNotConfigured && m.State != "" {
			text := fmt.Sprintf("%s: metrics %s", s.name, stateText(m.State, m.Message))
			if m.Next != "" {
				text += "; " + step(m.Next)
			}
			f.add(tierDisagreement, Finding{Code: "metrics_" + strings.ReplaceAll(string(m.State), " ", "_"), Kind: KindCoverage, Text: text, Proof: []string{"queries:" + s.name}})
		}
		for _, q := range s.side.Queries {
			for _, w := range append(append([]string{}, q.Warnings...), q.Infos...) {
				f.add(tierCoverage, Finding{Code: "query_note", Kind: KindCoverage, Text: fmt.Sprintf("%s: query %q answered with a note: %s", s.name, q.Name, w), Proof: []string{s.name + ":" + q.ID}})
			}
		}
	}
}

// failedGateFindings names every gate that failed.
func (in *input) failedGateFindings(f *findings) {
	for _, g := range in.gateRemarks(evidence.GateFailed) {
		text := fmt.Sprintf("%s: gate %s (%s) failed: %s", g.side, g.Code, g.Name, g.Detail)
		if g.Next != "" {
			text += "; " + step(g.Next)
		}
		f.add(tierDisagreement, Finding{Code: "gate_" + g.Code, Kind: KindCoverage, Text: text, Proof: []string{"gate:" + g.side + ":" + g.Code}})
	}
}

// ruledOutFindings names what did not move, in one line each.
func (in *input) ruledOutFindings(f *findings, c Comparison) {
	if !c.Comparable || c.Verdict.Behaviour.Answer == Changed {
		return
	}
	if c.Verdict.Cause.Answer != Inconclusive {
		for _, m := range c.Verdict.Cause.Moved {
			change, ok := num(m.Change)
			if !ok || !m.RuledOut {
				continue
			}
			f.add(tierRuledOut, Finding{Code: m.Kind + "_ruled_out", Kind: KindRuledOut, SecondsPerRequest: figure(change), Text: "ruled out: " + m.Text,
				Proof: []string{map[string]string{PartWait: "table:waitSeconds", PartCPU: "table:cpuPerRequest"}[m.Kind]}})
		}
	}
	if b, k, ok := bothCounts(in.base.Metrics.Errors.Count, in.cand.Metrics.Errors.Count); ok && b == k {
		f.add(tierRuledOut, Finding{Code: "errors_ruled_out", Kind: KindRuledOut, Count: &k, Text: fmt.Sprintf("ruled out: errors (%s on both sides)", evidence.FormatCount(k)), Proof: []string{"table:errors"}})
	}
	if c.Repeats != nil && c.Verdict.Speed.Answer != Inconclusive && c.Repeats.NoiseFloor > 0 {
		f.add(tierCoverage, Finding{Code: CodeNoiseFloor, Kind: KindCoverage, Text: c.Repeats.Text, Proof: []string{"repeats"}})
	}
	still := 0
	for _, e := range c.Endpoints { // with a withheld speed none of them has an answer
		if e.State == InBoth && e.Answer == NoProvableChange {
			still++
		}
	}
	if n := int64(still); still > 0 && len(c.Endpoints) > 1 {
		f.add(tierRuledOut, Finding{Code: "endpoints_ruled_out", Kind: KindRuledOut, Count: &n, Proof: []string{"endpoints"},
			Text: fmt.Sprintf("ruled out: %s without a provable change", counted(n, "endpoint", "endpoints"))})
	}
	if s := c.Statements; s != nil && s.State == evidence.StateOK && len(s.Changes) == 0 {
		f.add(tierRuledOut, Finding{Code: "statements_ruled_out", Kind: KindRuledOut, Text: "ruled out: statements (" + s.Text + ")", Proof: []string{"statements"}})
	}
	if b, k, ok := in.means(); ok && c.Verdict.Speed.Answer == NoProvableChange && math.Abs(k-b) < in.profile.ToleranceMs/1000 {
		f.add(tierRuledOut, Finding{Code: "mean_ruled_out", Kind: KindRuledOut, SecondsPerRequest: figure(k - b), Text: fmt.Sprintf("ruled out: a move of the mean (%s per request)", arrow(duration(b), duration(k))), Proof: []string{"table:requestMean"}})
	}
}
