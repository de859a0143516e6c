package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// bodyLocation is how a verdict addresses the response body.
const bodyLocation = "http.res.bodyBase64"

// maxChanges bounds what a verdict lists of one response.
const maxChanges = 100

// bodyChange is one difference between the recorded and the observed body.
type bodyChange struct {
	Severity  string `json:"severity"`
	Kind      string `json:"kind"`
	Endpoint  string `json:"endpoint"`
	Location  string `json:"location"`
	Baseline  any    `json:"baseline"`
	Candidate any    `json:"candidate"`
}

// differ collects changes of one response.
type differ struct {
	endpoint string
	changes  []bodyChange
}

// compareBodies lists the differences between two bodies: field by field when
// both are JSON, else as a whole. Blanks and the order of keys do not count.
func compareBodies(endpoint string, recorded, observed []byte) []bodyChange {
	d := &differ{endpoint: endpoint}
	before, ok1 := decodeJSON(recorded)
	after, ok2 := decodeJSON(observed)
	switch {
	case ok1 && ok2:
		d.compare(bodyLocation, before, after)
	case !bytes.Equal(bytes.TrimRight(recorded, "\r\n"), bytes.TrimRight(observed, "\r\n")):
		d.add("value_changed", bodyLocation, excerpt(recorded), excerpt(observed))
	}
	return d.changes
}

func decodeJSON(body []byte) (any, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	return value, !decoder.More()
}

func (d *differ) add(kind, location string, before, after any) {
	if len(d.changes) >= maxChanges {
		return
	}
	severity := map[string]string{"type_changed": "high", "field_removed": "high", "value_changed": "medium", "field_added": "low"}[kind]
	d.changes = append(d.changes, bodyChange{Severity: severity, Kind: kind, Endpoint: d.endpoint, Location: location, Baseline: before, Candidate: after})
}

func (d *differ) compare(location string, before, after any) {
	if fmt.Sprintf("%T", before) != fmt.Sprintf("%T", after) {
		d.add("type_changed", location, before, after)
		return
	}
	switch old := before.(type) {
	case map[string]any:
		d.compareObjects(location, old, after.(map[string]any))
	case []any:
		d.compareArrays(location, old, after.([]any))
	case json.Number:
		if !sameNumber(old, after.(json.Number)) {
			d.add("value_changed", location, before, after)
		}
	default:
		if before != after {
			d.add("value_changed", location, before, after)
		}
	}
}

func (d *differ) compareObjects(location string, before, after map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if value, ok := after[name]; ok {
			d.compare(location+"."+name, before[name], value)
		} else {
			d.add("field_removed", location+"."+name, before[name], nil)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[name]; !ok {
			d.add("field_added", location+"."+name, nil, after[name])
		}
	}
}

func (d *differ) compareArrays(location string, before, after []any) {
	for i := range max(len(before), len(after)) {
		at := location + "[" + strconv.Itoa(i) + "]"
		switch {
		case i >= len(after):
			d.add("field_removed", at, before[i], nil)
		case i >= len(before):
			d.add("field_added", at, nil, after[i])
		default:
			d.compare(at, before[i], after[i])
		}
	}
}

// sameNumber takes 1 and 1.0 as one value.
func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	x, err1 := a.Float64()
	y, err2 := b.Float64()
	return err1 == nil && err2 == nil && x == y
}

func excerpt(body []byte) string {
	const limit = 200
	if len(body) > limit {
		body = body[:limit]
	}
	if !utf8.Valid(body) {
		return fmt.Sprintf("%x", body)
	}
	return string(body)
}
