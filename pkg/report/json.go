package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// MaxEvidenceBytes is the largest evidence.json that ReadJSON takes. A comparison of a thousand
// endpoints with full statement inventories stays below a tenth of it.
const MaxEvidenceBytes = 64 << 20

//go:embed evidence.schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of evidence.json. It is generated from the Go types.
func Schema() []byte { return bytes.Clone(schema) }

// JSON writes a comparison as evidence.json: indented, lists never null, numbers never NaN. It refuses a
// comparison in which a figure is missing without a reason, because a reader could not tell it from a
// fault.
func JSON(w io.Writer, c compare.Comparison) error {
	whole := withLists(reflect.ValueOf(c)).Interface()
	if err := evidence.CheckReasons(whole); err != nil {
		return fmt.Errorf("write evidence of %s and %s: %w", c.Sides.Baseline.ID, c.Sides.Candidate.ID, err)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(whole); err != nil {
		return fmt.Errorf("write evidence of %s and %s: %w", c.Sides.Baseline.ID, c.Sides.Candidate.ID, err)
	}
	return nil
}

// ReadJSON reads an evidence.json that JSON wrote. It fails on another major version of the schema,
// which it could misread.
func ReadJSON(r io.Reader) (compare.Comparison, error) {
	var c compare.Comparison
	data, err := io.ReadAll(io.LimitReader(r, MaxEvidenceBytes+1))
	if err != nil {
		return c, fmt.Errorf("read evidence: %w", err)
	}
	if len(data) > MaxEvidenceBytes {
		return c, fmt.Errorf("read evidence: larger than %d bytes, which no comparison is", MaxEvidenceBytes)
	}
	var head struct {
		SchemaVersion string `json:"schemaVersion"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return c, fmt.Errorf("read evidence: not an evidence.json: %w", err)
	}
	want, _, _ := strings.Cut(compare.SchemaVersion, ".")
	if got, _, _ := strings.Cut(head.SchemaVersion, "."); got != want {
		return c, fmt.Errorf("read evidence: schema version %q, this program reads version %s.x; use the program that wrote it", head.SchemaVersion, want)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("read evidence: %w", err)
	}
	return c, nil
}

// withLists returns a copy of v in which every nil list and every nil map that would be written as null
// is an empty one.
func withLists(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(withLists(v.Elem()))
			out.Set(p)
		}
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			list.Index(i).Set(withLists(v.Index(i)))
		}
		out.Set(list)
	case reflect.Map:
		if v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
		}
	case reflect.Struct:
		t := v.Type()
		for i := range t.NumField() {
			f := t.Field(i)
			omitted := strings.Contains(f.Tag.Get("json"), ",omitempty") || f.Tag.Get("json") == "-"
			if !f.IsExported() || omitted {
				continue
			}
			out.Field(i).Set(withLists(v.Field(i)))
		}
	}
	return out
}
