package compare

import (
	"fmt"
	"mime"
	"net/http"
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
		text += "; " + counted(d.chaos, "response was", "responses were") + " left out because faults were injected into them"
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

// paired groups the responses of both sides by recorded pair. It returns the groups with responses on
// both sides, the number of recorded pairs with responses on one side only, and the responses left out
// because faults were injected.
func (in *input) paired(recorded bool) ([]group, int64, int64) {
	decode := decoder()
	byKey := map[string]*group{}
	var order []string
	var chaos int64
	count := map[string]int{}
	put := func(r evidence.Response, isBase bool) {
		if r.ChaosAffected {
			chaos++
			return
		}
		key := r.RefUUID
		if recorded {
			// The nth request of an endpoint in one recording answers to the nth in the other.
			slot := fmt.Sprint(isBase, r.Endpoint)
			count[slot]++
			key = fmt.Sprintf("%s #%d", r.Endpoint, count[slot])
		}
		if key == "" {
			return
		}
		g := byKey[key]
		if g == nil {
			g = &group{key: key, endpoint: r.Endpoint}
			byKey[key], order = g, append(order, key)
		}
		if isBase {
			g.base = append(g.base, decode(r))
		} else {
			g.cand = append(g.cand, decode(r))
		}
	}
	for _, r := range in.base.Responses {
		put(r, true)
	}
	for _, r := range in.cand.Responses {
		put(r, false)
	}
	var groups []group
	var unpaired int64
	for _, key := range order {
		g := byKey[key]
		if len(g.base) == 0 || len(g.cand) == 0 {
			unpaired++
			continue
		}
		byOrdinal(g.base)
		byOrdinal(g.cand)
		groups = append(groups, *g)
	}
	return groups, unpaired, chaos
}

func byOrdinal(a []answer) {
	sort.SliceStable(a, func(i, j int) bool { return a[i].Ordinal < a[j].Ordinal })
}

// decoder decodes bodies and keeps equal ones once: repeats of one request usually answer the same.
func decoder() func(evidence.Response) answer {
	type decoded struct {
		v  any
		ok bool
	}
	cache := map[string]decoded{}
	return func(r evidence.Response) answer {
		d, ok := cache[string(r.Body)]
		if !ok {
			d.v, d.ok = parseJSON(r.Body)
			cache[string(r.Body)] = d
		}
		return answer{Response: r, json: d.v, isJSON: d.ok}
	}
}

// comparison walks the groups and collects differences.
type comparison struct {
	in       *input
	ignores  *ignores
	recorded bool
	compared int64
	found    map[string]*ResponseDifference
	unsteady []string
}

// learn finds what varies among the baseline's own repeats of one request.
func (c *comparison) learn(g group) {
	first := g.base[0]
	steady := true
	for _, b := range g.base[1:] {
		if b.Status != first.Status {
			steady = false
		}
		diffHeaders(first, b, func(name, _ string, _, _ []string) { c.ignores.markVolatile(g.endpoint, "header "+name) })
		switch {
		case string(first.Body) == string(b.Body):
		case first.isJSON && b.isJSON:
			diffJSON(fieldPath{}, first.json, b.json, func(d delta) { c.ignores.markVolatile(g.endpoint, volatileKey(d)) })
		default:
			c.ignores.markVolatile(g.endpoint, "body")
		}
	}
	if !steady {
		c.unsteady = append(c.unsteady, g.endpoint)
	}
}

// compare compares every candidate response of a recorded pair with the baseline's response of the
// same ordinal, or with the last one when the baseline was repeated less often.
func (c *comparison) compare(g group) {
	for i, cand := range g.cand {
		base := g.base[min(i, len(g.base)-1)]
		c.compared++
		c.one(g, base, cand)
	}
}

func (c *comparison) one(g group, b, a answer) {
	if b.Status != a.Status && !sawStatus(g.base, a.Status) {
		c.note(g, b, a, "status", kindStatus, fmt.Sprint(b.Status), fmt.Sprint(a.Status), false)
	}
	for _, h := range [][]string{headerNames(b), headerNames(a)} {
		for _, name := range h {
			c.ignores.header(g.endpoint, name)
		}
	}
	diffHeaders(b, a, func(name, kind string, bv, av []string) {
		if c.ignores.header(g.endpoint, name) {
			return
		}
		bt, at := strings.Join(bv, ", "), strings.Join(av, ", ")
		if c.recorded && kind == kindHeader && generatedText(bt, at) {
			c.ignores.meet("header "+name, IgnoredGenerated)
			return
		}
		masked := name != "Content-Type" && (!c.in.opts.ShowValues || secretHeaders[name])
		if masked {
			bt, at = maskHeader(bv), maskHeader(av)
		}
		c.note(g, b, a, "header "+name, kind, bt, at, masked)
	})
	c.bodies(g, b, a)
}

func (c *comparison) bodies(g group, b, a answer) {
	masked := !c.in.opts.ShowValues
	if b.isJSON {
		walkJSON(fieldPath{}, b.json, c.ignores.seen)
	}
	if a.isJSON {
		walkJSON(fieldPath{}, a.json, c.ignores.seen)
	}
	switch {
	case string(b.Body) == string(a.Body):
	case b.isJSON && a.isJSON:
		diffJSON(fieldPath{}, b.json, a.json, func(d delta) {
			if c.ignores.body(g.endpoint, d) {
				return
			}
			if c.recorded && generatedValue(d) {
				c.ignores.meet("body "+d.path.general, IgnoredGenerated)
				return
			}
			path := d.path.exact
			if path == "" {
				path = "."
			}
			bt, at := show(d.baseline, masked), show(d.candidate, masked)
			switch d.kind {
			case kindAdded:
				bt = "absent"
			case kindRemoved:
				at = "absent"
			}
			c.note(g, b, a, "body "+path, d.kind, bt, at, masked)
		})
	case c.ignores.whole(g.endpoint):
	case c.recorded && generatedText(string(b.Body), string(a.Body)):
		c.ignores.meet("body", IgnoredGenerated)
	default:
		bt, at := wholeBody(b, masked), wholeBody(a, masked)
		c.note(g, b, a, "body", kindBody, bt, at, masked)
	}
}

// note records a difference once per recorded pair and field, and counts its repeats.
func (c *comparison) note(g group, b, a answer, field, kind, bt, at string, masked bool) {
	key := g.key + "\x00" + field + "\x00" + kind
	if d := c.found[key]; d != nil {
		d.Count++
		return
	}
	c.found[key] = &ResponseDifference{RefUUID: b.RefUUID, Endpoint: g.endpoint, Field: field, Kind: kind,
		Baseline: bt, Candidate: at, Masked: masked, Count: 1, BaselinePath: b.Path, CandidatePath: a.Path}
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

func sawStatus(answers []answer, status int) bool {
	for _, a := range answers {
		if a.Status == status {
			return true
		}
	}
	return false
}

func headerNames(a answer) []string {
	names := make([]string, 0, len(a.Headers))
	for n := range a.Headers {
		names = append(names, http.CanonicalHeaderKey(n))
	}
	sort.Strings(names)
	return names
}

func canonical(h map[string][]string) map[string][]string {
	out := make(map[string][]string, len(h))
	for n, v := range h {
		n = http.CanonicalHeaderKey(n)
		out[n] = append(out[n], v...)
	}
	return out
}

// diffHeaders calls report for every header that differs. The media type is compared as one, so that
// spacing and the case of its parameters do not matter.
func diffHeaders(b, c answer, report func(name, kind string, bv, cv []string)) {
	x, y := canonical(b.Headers), canonical(c.Headers)
	names := headerNames(b)
	for _, n := range headerNames(c) {
		if _, ok := x[n]; !ok {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	for _, n := range names {
		bv, inB := x[n]
		cv, inC := y[n]
		switch {
		case !inC:
			report(n, kindHRemove, bv, nil)
		case !inB:
			report(n, kindHAdded, nil, cv)
		case !sameHeader(n, bv, cv):
			report(n, kindHeader, bv, cv)
		}
	}
}

func sameHeader(name string, b, c []string) bool {
	x, y := strings.Join(b, ", "), strings.Join(c, ", ")
	if x == y {
		return true
	}
	if name != "Content-Type" {
		return false
	}
	mx, px, errX := mime.ParseMediaType(x)
	my, py, errY := mime.ParseMediaType(y)
	return errX == nil && errY == nil && mime.FormatMediaType(mx, px) == mime.FormatMediaType(my, py)
}

func maskHeader(v []string) string {
	if v == nil {
		return "absent"
	}
	return show(strings.Join(v, ", "), true)
}

func wholeBody(a answer, masked bool) string {
	if masked {
		return counted(int64(len(a.Body)), "byte", "bytes")
	}
	return show(string(a.Body), false)
}
