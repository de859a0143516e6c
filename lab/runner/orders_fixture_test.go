package runner

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
	"github.com/replaylab/replay-evidence/pkg/store"
)

// takeFixture trims the run in lab/out/orders into lab/evidence/orders:
//
//	go tool mage lab:orders && go test ./lab/runner -run TestOrdersFixture -take-fixture
var takeFixture = flag.Bool("take-fixture", false, "trim the last run of lab:orders into lab/evidence/orders")

// TestOrdersFixture reads a run of the orders scenario that was measured and trimmed, without
// PostgreSQL, Prometheus or proxymock.
func TestOrdersFixture(t *testing.T) {
	t.Parallel()
	root, err := build.Root()
	require.NoError(t, err)
	fixture := filepath.Join(root, "lab", "evidence", "orders")
	if *takeFixture {
		trimRun(t, filepath.Join(root, "lab", "out", ordersFolder), fixture)
	}
	for name, dir := range map[string]string{
		"its own folder as root":       fixture,
		"a root that holds other runs": filepath.Dir(fixture),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := compareRun(t, dir, ordersVersions[0].side(), ordersVersions[1].side())
			requireNPlusOne(t, c, true)
			assert.EqualValues(t, 16320, *c.Sides.Baseline.Load.Requests)
			assert.EqualValues(t, 16320, *c.Sides.Candidate.Load.Requests)
			assert.EqualValues(t, 8400, *c.Sides.Baseline.Mock.Hits)
			assert.Equal(t, "recording", c.Sides.Baseline.Recording.Source)
			assert.EqualValues(t, 136, *c.Sides.Baseline.Recording.InboundPairs)
			for _, ch := range c.Statements.Changes {
				if ch.Endpoint == "GET /orders" {
					assert.NotNil(t, ch.MovedSecondsPerCall, "the spans survive the trimming")
				}
			}
			// Without metrics the statement recordings alone name the cause.
			assert.Equal(t, evidence.StateNotConfigured, c.Sides.Baseline.Metrics.State)

			back := compareRun(t, dir, ordersVersions[1].side(), ordersVersions[0].side())
			assert.Equal(t, compare.Improved, back.Verdict.Speed.Answer, "the repair, looked at the other way round")
			assert.Equal(t, compare.MechanismQueryCount, back.Verdict.Cause.Mechanism)
			same := compareRun(t, dir, ordersVersions[0].side(), ordersVersions[0].side())
			assert.Equal(t, compare.NoProvableChange, same.Verdict.Speed.Answer)
		})
	}
}

// compareRun compares two sides of a directory by the files alone.
func compareRun(t *testing.T, dir, baseline, candidate string) compare.Comparison {
	t.Helper()
	root, err := store.Open("lab", dir, store.DefaultLimits())
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	cat := catalog.New([]catalog.Root{root}, catalog.Options{})
	file, err := os.Open(filepath.Join("..", "profiles", "orders.yaml"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	p, err := profile.Parse(file, "orders.yaml")
	require.NoError(t, err)
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	measure := func(ref string) evidence.Side {
		side, err := cat.Side(t.Context(), ref)
		require.NoError(t, err)
		measured, err := evidence.Measure(t.Context(), evidence.Input{Side: side, Files: cat, Profile: *p, Now: now})
		require.NoError(t, err)
		for _, problem := range measured.Problems {
			t.Errorf("%s: %s: %s", ref, problem.Path, problem.Message)
		}
		return *measured
	}
	return compare.Compare(measure(baseline), measure(candidate), *p, compare.Options{Now: now})
}

// trimRun copies what a comparison reads of a run. Pairs become one line each, without what repeats the
// message or names the machine; the mock's log keeps the answer of each call.
func trimRun(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(filepath.Join(to, "proxymock")))
	results := filepath.Join("proxymock", "results")
	trimPairs(t, filepath.Join(from, "proxymock", ordersBaseline), filepath.Join(to, "proxymock", ordersBaseline), false)
	copyFile(t, filepath.Join(from, "evidence.json"), filepath.Join(to, "evidence.json"))
	for _, v := range ordersVersions {
		load := filepath.Join(results, v.load())
		for _, name := range []string{"side.json", summaryFile, resultFile, windowFileName} {
			copyFile(t, filepath.Join(from, load, name), filepath.Join(to, load, name))
		}
		log, err := os.ReadFile(filepath.Join(from, load, mockLogFile))
		require.NoError(t, err)
		var short bytes.Buffer
		for line := range strings.Lines(string(log)) {
			if strings.Contains(line, " HIT  (") {
				short.WriteString("HIT\n")
			} else if strings.Contains(line, "MATCH  (") || strings.Contains(line, "PASSTHROUGH  (") {
				short.WriteString(line)
			}
		}
		require.NoError(t, os.WriteFile(filepath.Join(to, load, mockLogFile), short.Bytes(), 0o644))
		statements := filepath.Join(results, v.statements())
		copyFile(t, filepath.Join(from, statements, "side.json"), filepath.Join(to, statements, "side.json"))
		trimPairs(t, filepath.Join(from, statements), filepath.Join(to, statements), true)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	require.NoError(t, os.WriteFile(to, data, 0o644))
}

func trimPairs(t *testing.T, from, to string, database bool) {
	t.Helper()
	type line struct {
		ts   time.Time
		text []byte
	}
	var lines []line
	require.NoError(t, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		pair, err := readPair(path)
		if errors.Is(err, proxymock.ErrNotPair) {
			return nil
		}
		if err != nil {
			return err
		}
		if pair.Postgres != nil && !database {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := json.Marshal(trimPair(t, data, pair))
		lines = append(lines, line{pair.TS, text})
		return err
	}))
	slices.SortStableFunc(lines, func(a, b line) int { return a.ts.Compare(b.ts) })
	require.NoError(t, os.MkdirAll(to, 0o755))
	file, err := os.Create(filepath.Join(to, "pairs.jsonl"))
	require.NoError(t, err)
	w := bufio.NewWriter(file)
	for _, l := range lines {
		_, _ = w.Write(append(l.text, '\n'))
	}
	require.NoError(t, errors.Join(w.Flush(), file.Close()))
}

// trimPair is a pair in its JSON form with fewer fields.
func trimPair(t *testing.T, data []byte, pair *proxymock.Pair) map[string]any {
	t.Helper()
	if at := bytes.LastIndex(data, []byte("\njson: {")); at >= 0 {
		data = data[at+len("\njson: "):]
		data, _, _ = bytes.Cut(data, []byte("\n"))
	}
	var full map[string]any
	require.NoError(t, json.Unmarshal(data, &full))
	kept := map[string]any{}
	for _, name := range []string{"msgType", "ts", "l7protocol", "duration", "elapsed", "uuid", "direction", "command", "location", "status"} {
		if v, ok := full[name]; ok {
			kept[name] = v
		}
	}
	tags := map[string]any{}
	for _, name := range []string{"sequence", "source", "proxyType", "proxyVersion", "proxyLocation", "dbTransaction"} {
		if v, ok := full["tags"].(map[string]any)[name]; ok {
			tags[name] = v
		}
	}
	kept["tags"] = tags
	if net, ok := full["netinfo"].(map[string]any); ok {
		kept["netinfo"] = map[string]any{"id": net["id"], "startTime": net["startTime"]}
	}
	if pg, ok := full["postgres"].(map[string]any); ok {
		kept["postgres"] = trimMessages(pg)
	}
	if h := pair.HTTP; h != nil {
		req, res := full["http"].(map[string]any)["req"].(map[string]any), full["http"].(map[string]any)["res"].(map[string]any)
		req["bodyBase64"], res["bodyBase64"] = encoded(h.RequestBody), encoded(h.ResponseBody)
		res["headers"] = h.ResponseHeaders
		kept["http"] = map[string]any{"req": req, "res": res}
	}
	return kept
}

func encoded(body []byte) string {
	var compact bytes.Buffer
	if json.Compact(&compact, body) == nil {
		body = compact.Bytes()
	}
	return base64.StdEncoding.EncodeToString(body)
}

// untold are the parts of a message that a statement inventory does not read: rows, whose number is in
// the completion tag, their descriptions, parameters, and what the server says of itself.
var untold = []string{
	"dataRow", "rowDescription", "parameterDescription", "parameterStatus", "describedRow", "describedParameterOids",
	"parameters", "parameterFormatCodes", "resultFormatCodes",
}

// trimMessages leaves out what is untold, and the statement, which the pair's location repeats.
func trimMessages(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range v {
			switch {
			case slices.Contains(untold, name):
			case name == "parse" || name == "bind" || name == "describe" || name == "bindRequest":
				out[name] = map[string]any{}
			default:
				out[name] = trimMessages(inner)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, inner := range v {
			m, ok := inner.(map[string]any)
			if !ok || !slices.ContainsFunc(untold, func(name string) bool { return m[name] != nil }) {
				out = append(out, trimMessages(inner))
			}
		}
		return out
	}
	return v
}
