package compare

import (
	"fmt"
	"sort"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

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
		bt, at := headerText(bv), headerText(av)
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
