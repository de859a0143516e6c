package report_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/report"
)

// comparisons are the situations that every format is tested with.
func comparisons() map[string]compare.Comparison {
	opts := compare.Options{Now: comparetest.Now, Generator: compare.Generator{Name: "replay-evidence", Version: "test"}}
	judge := func(b, c evidence.Side) compare.Comparison {
		return compare.Compare(b, c, comparetest.Profile(), opts)
	}
	wrong := comparetest.Candidate()
	for i := range wrong.Responses {
		wrong.Responses[i] = comparetest.QuoteResponse(wrong.ID, i, 5700)
	}
	short := comparetest.Candidate()
	short.Load.Requests, short.Endpoints[0].Requests = comparetest.Ptr(int64(600)), comparetest.Ptr(int64(600))
	quiet := func(s evidence.Side) evidence.Side {
		return comparetest.Unmeasured(s, evidence.StateUnreachable, "connection refused", "start Prometheus or correct --prometheus")
	}
	bare := compare.Compare(comparetest.Unmeasured(comparetest.Baseline(), evidence.StateNotConfigured, "", ""),
		comparetest.Unmeasured(comparetest.Candidate(), evidence.StateNotConfigured, "", ""), profile.Profile{}, opts)
	return map[string]compare.Comparison{
		"checkout":       judge(comparetest.Baseline(), comparetest.Candidate()),
		"same":           judge(comparetest.Baseline(), comparetest.Baseline()),
		"wrong-price":    judge(comparetest.Baseline(), wrong),
		"not-comparable": judge(comparetest.Baseline(), short),
		"unreachable":    judge(quiet(comparetest.Baseline()), quiet(comparetest.Candidate())),
		"no-profile":     bare,
		"orders":         judge(comparetest.Orders(false), comparetest.Orders(true)),
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run go test ./pkg/report -update")
	assert.Equal(t, string(want), string(got))
}

func TestGolden(t *testing.T) {
	for name, c := range comparisons() {
		var buf bytes.Buffer
		require.NoError(t, report.Table(&buf, c, report.TextOptions{Width: 120}))
		golden(t, name+".txt", buf.Bytes())
		buf.Reset()
		require.NoError(t, report.Markdown(&buf, c))
		golden(t, name+".md", buf.Bytes())
	}
	var buf bytes.Buffer
	require.NoError(t, report.JSON(&buf, comparisons()["orders"]))
	golden(t, "orders.json", buf.Bytes())
}

// No line is wider than the terminal, down to 30 columns, and without colour nothing steers it.
func TestTableFitsItsWidth(t *testing.T) {
	t.Parallel()
	for name, c := range comparisons() {
		for _, width := range []int{30, 40, 60, 80, 100, 120, 200} {
			var buf bytes.Buffer
			require.NoError(t, report.Table(&buf, c, report.TextOptions{Width: width}))
			require.NoError(t, report.Side(&buf, c.Sides.Candidate, false, report.TextOptions{Width: width}))
			assert.NotContains(t, buf.String(), "\x1b")
			for _, l := range strings.Split(buf.String(), "\n") {
				assert.LessOrEqual(t, text.StringWidth(l), width, "%s at %d: %s", name, width, l)
			}
		}
	}
}

func TestColourAddsNothingButColour(t *testing.T) {
	t.Parallel()
	c := comparisons()["checkout"]
	var plain, coloured bytes.Buffer
	require.NoError(t, report.Table(&plain, c, report.TextOptions{Width: 120}))
	require.NoError(t, report.Table(&coloured, c, report.TextOptions{Width: 120, Colour: true}))
	assert.Contains(t, coloured.String(), "\x1b[")
	assert.Equal(t, plain.String(), text.StripEscape(coloured.String()))
}

// Recorded names and values are not ours: they must neither steer a terminal nor become markup.
func TestHostileText(t *testing.T) {
	t.Parallel()
	c := comparisons()["wrong-price"]
	c.Responses.Differences[0].Endpoint = "GET /\x1b[2J<script>alert(1)</script>|`x`"
	var buf bytes.Buffer
	require.NoError(t, report.Table(&buf, c, report.TextOptions{}))
	assert.NotContains(t, buf.String(), "\x1b")
	buf.Reset()
	require.NoError(t, report.Markdown(&buf, c))
	assert.NotContains(t, buf.String(), "<script>")
	assert.NotContains(t, buf.String(), "\x1b")
}

// Every document validates against the schema, keeps the rule of null figures, and reads back the same.
func TestJSON(t *testing.T) {
	t.Parallel()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema()))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("evidence.schema.json", doc))
	schema, err := compiler.Compile("evidence.schema.json")
	require.NoError(t, err)
	for name, c := range comparisons() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var buf bytes.Buffer
			require.NoError(t, report.JSON(&buf, c))
			inst, err := jsonschema.UnmarshalJSON(bytes.NewReader(buf.Bytes()))
			require.NoError(t, err)
			require.NoError(t, schema.Validate(inst))

			back, err := report.ReadJSON(bytes.NewReader(buf.Bytes()))
			require.NoError(t, err)
			var again bytes.Buffer
			require.NoError(t, report.JSON(&again, back))
			assert.Equal(t, buf.String(), again.String())

			// The schema is no empty promise: it refuses what it must.
			broken := inst.(map[string]any)
			broken["schemaVersion"] = "2.0"
			require.Error(t, schema.Validate(broken))
			broken["schemaVersion"] = "1.0"
			delete(broken, "verdict")
			require.Error(t, schema.Validate(broken))
		})
	}
}

// One forgotten reason or one figure that is no number does not cost a user the whole document.
func TestJSONExplainsEveryNull(t *testing.T) {
	t.Parallel()
	c := comparisons()["checkout"]
	nan := math.NaN()
	c.Verdict.Speed.MeanChangeSeconds = nil
	c.Sides.Baseline.Metrics.Waits[0].Share = &nan
	c.Sides.Baseline.Metrics.Waits[0].MeanSeconds = nil
	c.Findings, c.Sides.Baseline.Gates = nil, nil
	var buf bytes.Buffer
	require.NoError(t, report.JSON(&buf, c))
	back, err := report.ReadJSON(bytes.NewReader(buf.Bytes()))
	require.NoError(t, err)
	assert.Nil(t, back.Verdict.Speed.MeanChangeSeconds)
	assert.Equal(t, evidence.ReasonUnknown, back.Verdict.Speed.NullReasons["meanChangeSeconds"])
	assert.Equal(t, evidence.Reasons{"share": evidence.ReasonUnknown, "meanSeconds": evidence.ReasonUnknown}, back.Sides.Baseline.Metrics.Waits[0].Reasons)
	assert.Contains(t, buf.String(), `"findings": []`)
	require.NoError(t, evidence.CheckReasons(back))
	assert.True(t, math.IsNaN(*c.Sides.Baseline.Metrics.Waits[0].Share), "the comparison itself is not changed")
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ in, want string }{
		"not JSON":      {"BANNER", "not an evidence.json"},
		"other version": {`{"schemaVersion":"2.1"}`, `schema version "2.1", this program reads version 1.x`},
		"no version":    {`{}`, `schema version ""`},
		"wrong types":   {`{"schemaVersion":"1.3","table":7}`, "read evidence"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := report.ReadJSON(strings.NewReader(test.in))
			require.ErrorContains(t, err, test.want)
		})
	}
	// A later minor version may add fields.
	c, err := report.ReadJSON(strings.NewReader(`{"schemaVersion":"1.7","new":{"a":1}}`))
	require.NoError(t, err)
	assert.Equal(t, "1.7", c.SchemaVersion)
}

func FuzzReadJSON(f *testing.F) {
	for _, c := range comparisons() {
		var buf bytes.Buffer
		if err := report.JSON(&buf, c); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Add([]byte(`{"schemaVersion":"1.0","sides":{"baseline":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := report.ReadJSON(bytes.NewReader(data))
		if err != nil {
			return
		}
		if _, err := json.Marshal(c); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if err := report.Table(&bytes.Buffer{}, c, report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := report.Markdown(&bytes.Buffer{}, c); err != nil {
			t.Fatal(err)
		}
	})
}
