package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// Limits of a body that is compared field by field; beyond them it is compared as a whole.
const (
	maxDepth    = 100
	maxExponent = 1000
)

// parseJSON decodes exactly one JSON document and keeps its numbers as written.
func parseJSON(body []byte) (any, bool) {
	// JSON knows four blanks; a form feed is not one of them.
	trimmed := bytes.Trim(body, " \t\r\n")
	if len(trimmed) == 0 || !strings.ContainsRune("{[\"-0123456789tfn", rune(trimmed[0])) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(trimmed))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, false
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, false
	}
	if depth(v) > maxDepth {
		return nil, false
	}
	return v, true
}

func depth(v any) int {
	deepest := 0
	switch x := v.(type) {
	case map[string]any:
		for _, e := range x {
			deepest = max(deepest, depth(e))
		}
	case []any:
		for _, e := range x {
			deepest = max(deepest, depth(e))
		}
	default:
		return 0
	}
	return deepest + 1
}

// fieldPath is the address of a JSON field: as it is, and with array indices and generated keys left
// open, so that one field of every array element is one field.
type fieldPath struct{ exact, general string }

func (p fieldPath) key(k string) fieldPath {
	g := k
	if generatedKey.MatchString(k) {
		g = "*"
	}
	return fieldPath{p.exact + keyText(k), p.general + keyText(g)}
}

func (p fieldPath) index(i int) fieldPath {
	return fieldPath{p.exact + "[" + strconv.Itoa(i) + "]", p.general + "[]"}
}

var (
	plainKey = regexp.MustCompile(`^[A-Za-z_@$*][A-Za-z0-9_@$-]*$`)
	// generatedKey matches object keys that are ids made at run time.
	generatedKey = regexp.MustCompile(`^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-9]{6,}|[0-9a-f]{24,64})$`)
)

func keyText(k string) string {
	if plainKey.MatchString(k) {
		return "." + k
	}
	return "[" + strconv.Quote(k) + "]"
}

// delta is one place where two values differ.
type delta struct {
	path fieldPath
	// kind is value_changed, type_changed, field_added or field_removed.
	kind                string
	baseline, candidate any
}

// presence says whether the delta is about a field being there, not about its value.
func (d delta) presence() bool { return d.kind == kindAdded || d.kind == kindRemoved }

// The kinds of difference.
const (
	kindStatus  = "status_changed"
	kindValue   = "value_changed"
	kindType    = "type_changed"
	kindAdded   = "field_added"
	kindRemoved = "field_removed"
	kindBody    = "body_changed"
	kindHeader  = "header_changed"
	kindHAdded  = "header_added"
	kindHRemove = "header_removed"
)

// diffJSON calls report for every difference of two decoded values, in the order of their paths.
func diffJSON(p fieldPath, b, c any, report func(delta)) {
	switch x := b.(type) {
	case map[string]any:
		y, ok := c.(map[string]any)
		if !ok {
			break
		}
		for _, k := range unionKeys(x, y) {
			bv, inB := x[k]
			cv, inC := y[k]
			switch {
			case !inC:
				report(delta{p.key(k), kindRemoved, bv, nil})
			case !inB:
				report(delta{p.key(k), kindAdded, nil, cv})
			default:
				diffJSON(p.key(k), bv, cv, report)
			}
		}
		return
	case []any:
		y, ok := c.([]any)
		if !ok {
			break
		}
		for i := range max(len(x), len(y)) {
			switch {
			case i >= len(y):
				report(delta{p.index(i), kindRemoved, x[i], nil})
			case i >= len(x):
				report(delta{p.index(i), kindAdded, nil, y[i]})
			default:
				diffJSON(p.index(i), x[i], y[i], report)
			}
		}
		return
	}
	switch {
	case typeName(b) != typeName(c):
		report(delta{p, kindType, b, c})
	case !equalScalar(b, c):
		report(delta{p, kindValue, b, c})
	}
}

// walkJSON calls visit for every field of a decoded value, fields that hold others included.
func walkJSON(p fieldPath, v any, visit func(fieldPath)) {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			visit(p.key(k))
			walkJSON(p.key(k), e, visit)
		}
	case []any:
		for i, e := range x {
			walkJSON(p.index(i), e, visit)
		}
	}
}

func unionKeys(a, b map[string]any) []string {
	keys := make([]string, 0, len(a))
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	return keys
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return fmt.Sprintf("%T", v)
}

func equalScalar(b, c any) bool {
	x, ok := b.(json.Number)
	if !ok {
		return b == c
	}
	y, ok := c.(json.Number)
	return ok && equalNumber(string(x), string(y))
}

// equalNumber compares two JSON numbers by value: 1.0 is 1 and 1e2 is 100, whatever the size of the
// digits. Numbers with exponents so large that their value could not be held are compared as text.
func equalNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := ratOf(a)
	if !ok {
		return false
	}
	y, ok := ratOf(b)
	return ok && x.Cmp(y) == 0
}

func ratOf(s string) (*big.Rat, bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(strings.TrimPrefix(s[i+1:], "+"))
		if err != nil || e > maxExponent || e < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

// show writes a value for a reader; masked, it tells the type and the size only.
func show(v any, masked bool) string {
	const longest = 200
	if !masked {
		text, err := json.Marshal(v)
		if err != nil {
			return typeName(v)
		}
		return clip(string(text), longest)
	}
	switch x := v.(type) {
	case string:
		return "string of " + counted(int64(len([]rune(x))), "character", "characters")
	case []any:
		return "array of " + counted(int64(len(x)), "element", "elements")
	case map[string]any:
		return "object of " + counted(int64(len(x)), "field", "fields")
	}
	return typeName(v)
}
