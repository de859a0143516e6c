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

// JSON writes a comparison as evidence.json: indented, lists never null, numbers never NaN. A figure that is
// missing without a reason, or is no number, is written as null with the reason "unknown".
func JSON(w io.Writer, c compare.Comparison) error {
	if err := encode(w, c); err != nil {
		return fmt.Errorf("write evidence of %s and %s: %w", c.Sides.Baseline.ID, c.Sides.Candidate.ID, err)
	}
	return nil
}

func encode(w io.Writer, v any) error {
	whole := onTheWire(reflect.ValueOf(v)).Interface()
	if err := evidence.CheckReasons(whole); err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(whole)
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
