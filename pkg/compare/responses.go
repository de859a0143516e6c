package compare

import (
	"fmt"
	"sort"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// The states of the response comparison.
const (
	Compared       = "compared"
	PartlyCompared = "partly compared"
	NotCompared    = "not compared"
)

// responseDiff is the response comparison with what only this package needs of it.
type responseDiff struct {
	Responses
	// total counts all differing stable fields, the unlisted ones included.
	total int64
	// status and body differences apart, for the wording.
	unsteady []string
	// chaos pairs were left out.
	chaos int64
	// recorded is true when two recordings were paired by order, not two replays of one recording.
	recorded bool
	// repeats is the largest number of candidate responses of one recorded pair.
	repeats int
}

// answer is one response with its body decoded.
type answer struct {
	evidence.Response
	json   any
	isJSON bool
}

// group holds the responses of one recorded pair in both sides, in order.
type group struct {
	key        string
	endpoint   string
	base, cand []answer
}

// responses compares the functional responses pair by pair on their stable fields. Without functional
// runs on both sides, two recordings are paired by order and endpoint.
func (in *input) responses() responseDiff {
	d := responseDiff{Responses: Responses{Differences: []ResponseDifference{}, Ignored: []evidence.IgnoredField{}}}
	d.unscored(in)
	d.recorded = in.base.Functional == nil && in.cand.Functional == nil
	groups, unpaired, chaos := in.paired(d.recorded)
	d.chaos = chaos
	ig := newIgnores(in.profile.Ignore)
	c := comparison{in: in, ignores: ig, recorded: d.recorded, found: map[string]*ResponseDifference{}}
	for _, g := range groups {
		c.learn(g)
	}
	for _, g := range groups {
		c.compare(g)
		d.repeats = max(d.repeats, len(g.cand))
	}
	d.Pairs, d.Compared = int64(len(groups)), c.compared
	d.unsteady = c.unsteady
	d.Ignored = ig.fields()
	d.total = int64(len(c.found))
	d.Differences, d.Truncated = c.differences(in.opts.MaxDifferences)
	in.expect(&d, unpaired)
	d.describe()
	return d
}

// unscored counts the load requests, whose responses the replay does not keep.
func (d *responseDiff) unscored(in *input) {
	var n int64
	known := false
	for _, l := range []*evidence.Load{in.base.Load, in.cand.Load} {
		if l != nil && l.Requests != nil {
			n, known = n+*l.Requests, true
		}
	}
	if known {
		d.Unscored = &n
		return
	}
	d.Reasons = withReason(d.Reasons, "unscored", evidence.ReasonNoRun)
}

// expect works out how many recorded pairs should have been compared, and the state.
func (in *input) expect(d *responseDiff, unpaired int64) {
	switch b, c := in.base.Recording.InboundPairs, in.cand.Recording.InboundPairs; {
	case d.recorded:
		if d.Pairs > 0 {
			d.Expected = ptr(d.Pairs + unpaired)
		}
	case b != nil:
		d.Expected = ptr(*b)
	case c != nil:
		d.Expected = ptr(*c)
	}
	if d.Expected == nil {
		d.Reasons = withReason(d.Reasons, "expected", evidence.ReasonNotReported)
	}
	switch {
	case d.Pairs == 0:
		d.State = NotCompared
	case unpaired > 0 || (d.Expected != nil && d.Pairs < *d.Expected):
		d.State = PartlyCompared
	default:
		d.State = Compared
	}
}

// describe writes the coverage sentence: no zero without what it covers.
func (d *responseDiff) describe() {
	if d.State == NotCompared {
		d.Text = "no responses were compared"
		if d.Unscored != nil && *d.Unscored > 0 {
			d.Text += "; " + counted(*d.Unscored, "load request was", "load requests were") + " not scored"
		}
		return
	}
	text := counted(d.total, "difference", "differences") + " in " + pairsOf(d.Pairs, d.Expected)
	if d.recorded {
		text += ", paired by order and endpoint"
	}
	text += ", " + counted(int64(len(d.Ignored)), "field", "fields") + " ignored"
	if d.repeats > 1 {
		text += fmt.Sprintf(", up to %d repeats each", d.repeats)
	}
	if d.chaos > 0 {
		text += "; " + counted(d.chaos, "response was", "responses were") + " left out, because faults were injected"
	}
	if d.Unscored != nil && *d.Unscored > 0 {
		text += "; " + counted(*d.Unscored, "load request was", "load requests were") + " not scored"
	}
	d.Text = text
}

func pairsOf(n int64, of *int64) string {
	if of == nil {
		return counted(n, "pair", "pairs") + " (how many were recorded is not known)"
	}
	return evidence.FormatCount(n) + " of " + counted(*of, "pair", "pairs")
}

// differences returns the differences in a stable order, at most limit of them.
func (c *comparison) differences(limit int) ([]ResponseDifference, int64) {
	out := make([]ResponseDifference, 0, len(c.found))
	for _, d := range c.found {
		out = append(out, *d)
	}
	sort.Slice(out, func(i, j int) bool {
		x, y := out[i], out[j]
		switch {
		case x.Endpoint != y.Endpoint:
			return x.Endpoint < y.Endpoint
		case x.Field != y.Field:
			return fieldOrder(x.Field) < fieldOrder(y.Field)
		case x.RefUUID != y.RefUUID:
			return x.RefUUID < y.RefUUID
		case x.BaselinePath != y.BaselinePath:
			return x.BaselinePath < y.BaselinePath
		}
		return x.Kind < y.Kind
	})
	if len(out) <= limit {
		return out, 0
	}
	return out[:limit], int64(len(out) - limit)
}

// fieldOrder puts the status first, then headers, then the body.
func fieldOrder(f string) string {
	switch {
	case f == "status":
		return "0"
	case strings.HasPrefix(f, "header "):
		return "1" + f
	}
	return "2" + f
}
