package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/cmd/replay-evidence/internal/cli"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
	"github.com/replaylab/replay-evidence/pkg/report"
)

var update = flag.Bool("update", false, "write golden files anew")

const repository = "../../../../.."

// invoke runs the command in this process.
func invoke(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = cli.Run(ctx, args, cli.IO{Out: &out, Err: &errs, Now: func() time.Time { return labStart.Add(10 * time.Minute) }})
	return status, out.String(), errs.String()
}

// golden compares a stream with a file; what differs from run to run is replaced first.
func golden(t *testing.T, name, got string, replace ...string) {
	t.Helper()
	got = strings.NewReplacer(replace...).Replace(got)
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run go test with -update")
	assert.Equal(t, string(want), got)
}

// labDir writes the simulated lab: baseline and candidate, the fix left out, another price, half the requests.
func labDir(t *testing.T) (dir, prometheus string) {
	t.Helper()
	dir = t.TempDir()
	series := lab(t, dir,
		labSide{name: "baseline", pool: 2, passes: 150, start: labStart, price: 1899},
		labSide{name: "candidate", pool: 16, passes: 150, start: labStart.Add(90 * time.Second), price: 1899},
		labSide{name: "nofix", pool: 2, passes: 150, start: labStart.Add(180 * time.Second), price: 1899},
		labSide{name: "wrong", pool: 16, passes: 150, start: labStart.Add(270 * time.Second), price: 1900},
		labSide{name: "half", pool: 16, passes: 75, start: labStart.Add(360 * time.Second), price: 1899},
		labSide{name: "tripped", pool: 16, passes: 150, start: labStart.Add(450 * time.Second), price: 1900, gateFailed: true},
	)
	// The scrapes of each side stand for a process of its own, as after a restart. The server's clock is the
	// real one, so that no skew is seen.
	server := promtest.NewServerWith(t, series)
	return dir, server.URL
}

func profileFile() string { return filepath.Join(repository, "lab", "profiles", "checkout.yaml") }

func document(t *testing.T, text string) compare.Comparison {
	t.Helper()
	c, err := report.ReadJSON(strings.NewReader(text))
	require.NoError(t, err)
	return c
}

func TestCompare(t *testing.T) {
	t.Parallel()
	dir, prometheus := labDir(t)
	common := []string{"compare", "--root", "lab=" + dir, "--baseline", "baseline"}
	measured := append(common[:len(common):len(common)], "--prometheus", prometheus, "--profile", profileFile())
	for name, test := range map[string]struct {
		args                    []string
		status                  int
		behaviour, speed, cause compare.Answer
		stderr                  string
	}{
		"fixed":           {append(measured, "--candidate", "candidate"), 0, compare.Unchanged, compare.Improved, compare.CauseWait, ""},
		"fix left out":    {append(measured, "--candidate", "nofix"), 0, compare.Unchanged, compare.NoProvableChange, compare.Inconclusive, ""},
		"another price":   {append(measured, "--candidate", "wrong"), 1, compare.Changed, compare.Inconclusive, compare.Inconclusive, "behaviour: Changed, 2 response differences in 1 of 1 pair"},
		"half the load":   {append(measured, "--candidate", "half"), 2, compare.Unchanged, compare.Inconclusive, compare.Inconclusive, "load requests: the baseline sent 1,200 load requests, the candidate 600"},
		"gate tripped":    {append(measured, "--candidate", "tripped"), 1, compare.Changed, compare.Inconclusive, compare.Inconclusive, "behaviour: Changed"},
		"without metrics": {append(common, "--candidate", "candidate"), 0, compare.Unchanged, compare.Improved, compare.Inconclusive, ""},
		"condition holds": {append(measured, "--candidate", "candidate", "--fail-if", `speed.answer == "improved"`), 1, compare.Unchanged, compare.Improved, compare.CauseWait, `--fail-if held: speed.answer == "improved"`},
		"condition does not hold": {append(measured, "--candidate", "candidate", "--fail-if", `speed.answer == "regressed"`, "--fail-if", "candidate.load.p95Ms > baseline.load.p95Ms"), 0,
			compare.Unchanged, compare.Improved, compare.CauseWait, ""},
		"condition over a missing figure": {append(common, "--candidate", "candidate", "--fail-if", "candidate.metrics.cpu.averageCores > 0.5"), 2, compare.Unchanged, compare.Improved, compare.Inconclusive,
			"could not be decided, a figure in it is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := invoke(t.Context(), append(test.args, "--format", "json")...)
			require.NotEmpty(t, out, errs)
			c := document(t, out)
			assert.Equal(t, test.status, status, errs)
			assert.Equal(t, test.behaviour, c.Verdict.Behaviour.Answer, c.Verdict.Behaviour.Headline)
			assert.Equal(t, test.speed, c.Verdict.Speed.Answer, c.Verdict.Speed.Headline)
			assert.Equal(t, test.cause, c.Verdict.Cause.Answer, c.Verdict.Cause.Headline)
			assert.Contains(t, errs, test.stderr)
			if test.stderr == "" {
				assert.Empty(t, errs)
			}
		})
	}
	t.Run("what the fixed one says", func(t *testing.T) {
		t.Parallel()
		_, out, _ := invoke(t.Context(), append(measured, "--candidate", "candidate", "--format", "json")...)
		c := document(t, out)
		for _, s := range []struct{ seen, expected *int64 }{
			{c.Sides.Baseline.Metrics.Reconciliation.Seen, c.Sides.Baseline.Metrics.Reconciliation.Expected},
			{c.Sides.Candidate.Metrics.Reconciliation.Seen, c.Sides.Candidate.Metrics.Reconciliation.Expected},
		} {
			assert.EqualValues(t, 1200, *s.seen)
			assert.EqualValues(t, 1200, *s.expected)
		}
		assert.Greater(t, *c.Sides.Baseline.Metrics.Waits[0].Share, 0.5)
		assert.Less(t, *c.Sides.Candidate.Metrics.Waits[0].Share, 0.05)
		assert.Equal(t, compare.MechanismPool, c.Verdict.Cause.Mechanism)
		assert.Contains(t, c.Verdict.Cause.Next, "8 calls at once, 2 before")
	})
	t.Run("text and files", func(t *testing.T) {
		t.Parallel()
		files := t.TempDir()
		jsonFile, mdFile := filepath.Join(files, "evidence.json"), filepath.Join(files, "evidence.md")
		status, out, errs := invoke(t.Context(), append(measured, "--candidate", "candidate", "--out", jsonFile, "--out", mdFile)...)
		assert.Equal(t, 0, status, errs)
		golden(t, "compare.txt", out)
		data, err := os.ReadFile(jsonFile)
		require.NoError(t, err)
		assert.Equal(t, compare.Improved, document(t, string(data)).Verdict.Speed.Answer)
		md, err := os.ReadFile(mdFile)
		require.NoError(t, err)
		assert.Contains(t, string(md), "### Result")
		left, err := os.ReadDir(files)
		require.NoError(t, err)
		assert.Len(t, left, 2, "no temporary files stay")
	})
}

// With Prometheus stopped: inconclusive for what needs it, status 2, and what to do.
func TestPrometheusStopped(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	stopped := httptest.NewServer(http.NotFoundHandler())
	url := stopped.URL
	stopped.Close()
	status, out, errs := invoke(t.Context(), "compare", "--root", "lab="+dir, "--baseline", "baseline", "--candidate", "candidate",
		"--prometheus", url, "--profile", profileFile(), "--format", "json", "--wait", "0s")
	assert.Equal(t, 2, status)
	c := document(t, out)
	assert.Equal(t, compare.Unchanged, c.Verdict.Behaviour.Answer)
	assert.Equal(t, compare.BasisReplay, c.Verdict.Speed.Basis)
	assert.Equal(t, compare.Inconclusive, c.Verdict.Cause.Answer)
	assert.Contains(t, errs, "Prometheus could not be asked about lab/baseline (unreachable)")
}

func TestUsage(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	sides := []string{"compare", "--root", "lab=" + dir, "--baseline", "baseline", "--candidate", "candidate"}
	broken := filepath.Join(t.TempDir(), "broken.yaml")
	require.NoError(t, os.WriteFile(broken, []byte("name: x\nrequst: {}\n"), 0o644))
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"unknown command":            {[]string{"compair"}, `unknown command "compair"`},
		"unknown flag":               {[]string{"compare", "--basline", "x"}, "unknown flag: --basline (see replay-evidence compare --help)"},
		"no baseline":                {[]string{"compare", "--root", "lab=" + dir}, "--baseline is needed"},
		"unknown side":               {[]string{"compare", "--root", "lab=" + dir, "--baseline", "nope", "--candidate", "candidate"}, `no side "nope"; known are lab/baseline, lab/candidate`},
		"root that is not there":     {[]string{"runs", "--root", "lab=/does/not/exist"}, "root directory does not exist"},
		"bare root that is a file":   {[]string{"runs", "--root", profileFile()}, `open root "checkout.yaml" at ` + filepath.Clean(profileFile()) + ": not a directory"},
		"bare root that is missing":  {[]string{"runs", "--root", "/does/not/exist"}, `open root "exist" at /does/not/exist`},
		"root without a path":        {[]string{"runs", "--root", "lab="}, "write it as name=path"},
		"root that is empty":         {[]string{"runs", "--root", ""}, "--root needs a directory"},
		"bare roots of one name":     {[]string{"runs", "--root", dir, "--root", filepath.Join(dir, "..", filepath.Base(dir))}, "used twice; give each root its own name, as name=path"},
		"root name twice":            {[]string{"runs", "--root", "a=" + dir, "--root", "a=" + dir}, "used twice"},
		"format":                     {append(sides, "--format", "xml"), "use table, json or markdown"},
		"out":                        {append(sides, "--out", "evidence.xls"), "must end in .json, .md or .txt"},
		"Prometheus, no profile":     {append(sides, "--prometheus", "http://127.0.0.1:1"), "--prometheus needs --profile"},
		"Prometheus is no URL":       {append(sides, "--prometheus", "localhost", "--profile", profileFile()), "is not a URL"},
		"profile is not there":       {append(sides, "--profile", "nope.yaml"), "nope.yaml"},
		"profile is wrong":           {append(sides, "--profile", broken), "broken.yaml:2"},
		"condition: syntax":          {append(sides, "--fail-if", "speed.answer =="), "unexpected token"},
		"condition: field":           {append(sides, "--fail-if", "candidate.load.p95ms > 3"), "unknown field p95ms"},
		"condition: name":            {append(sides, "--fail-if", "p95 > 3"), "unknown name p95"},
		"condition: word":            {append(sides, "--fail-if", `speed.answer == "regresed"`), `no answer reads "regresed"`},
		"condition: not a question":  {append(sides, "--fail-if", "candidate.id"), "expected bool"},
		"condition: only a figure":   {append(sides, "--fail-if", "candidate.load.p95Ms"), "the result must be true or false: compare the figure with a limit"},
		"condition: only a count":    {append(sides, "--fail-if", `candidate.metrics.errors.byCode["200"]`), "expected bool, but got number"},
		"condition: number, text":    {append(sides, "--fail-if", `candidate.load.p95Ms > "a"`), "mismatched types number and text"},
		"condition: text, number":    {append(sides, "--fail-if", `speed.answer == 1`), "mismatched types text and number"},
		"condition: text divided":    {append(sides, "--fail-if", `candidate.load.p95Ms / candidate.id > 1`), "mismatched types number and text"},
		"condition: text of texts":   {append(sides, "--fail-if", `all(candidate.gates, .code > 1)`), "mismatched types text and number"},
		"condition: dry run, kinds":  {append(sides, "--dry-run", "--fail-if", `candidate.load.p95Ms > "a"`), "mismatched types number and text"},
		"condition: rest of zero":    {append(sides, "--fail-if", "5 % 0 > 1"), "divide by zero"},
		"run that is not there":      {[]string{"pairs", "--root", "lab=" + dir, "--in", "nope"}, `no run "nope"; known are`},
		"direction":                  {[]string{"pairs", "--root", "lab=" + dir, "--in", "lab/baseline/functional", "--direction", "up"}, "--direction"},
		"limit":                      {[]string{"pairs", "--root", "lab=" + dir, "--in", "lab/baseline/functional", "--limit", "0"}, "use at least 1"},
		"kind of window":             {[]string{"window", "--root", "lab=" + dir, "tripped", "--kind", "load"}, "has no load run"},
		"kind of window: word":       {[]string{"window", "--root", "lab=" + dir, "baseline", "--kind", "x"}, "use load, functional, recording or mock"},
		"side twice":                 {[]string{"evidence", "--root", "lab=" + dir, "baseline", "--side", "candidate"}, "name one side"},
		"side twice, window":         {[]string{"window", "--root", "lab=" + dir, "baseline", "--side", "candidate"}, "name one side"},
		"side unknown, part known":   {append(sides[:3:3], "--baseline", "base", "--candidate", "candidate"), `known are lab/baseline, lab/candidate`},
		"condition, dry run":         {append(sides, "--dry-run", "--fail-if", "speed =="), "unexpected token"},
		"profile, a slip of the pen": {[]string{"profile", "chek", profileFile()}, `unknown command "chek"`},
		"profile check of nothing":   {[]string{"profile", "check"}, "name the files to check"},
		"profile check":              {[]string{"profile", "check", broken}, "broken.yaml:2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := invoke(t.Context(), test.args...)
			assert.Equal(t, cli.StatusUsage, status, errs)
			assert.Contains(t, errs, test.want)
			assert.Empty(t, out)
		})
	}
}

func TestOtherCommands(t *testing.T) {
	t.Parallel()
	dir, prometheus := labDir(t)
	for name, args := range map[string][]string{
		"runs":     {"runs", "--root", "lab=" + dir},
		"runs.md":  {"runs", "--root", "lab=" + dir, "--format", "markdown"},
		"window":   {"window", "--root", "lab=" + dir, "lab/baseline"},
		"pairs":    {"pairs", "--root", "lab=" + dir, "--in", "lab/baseline/functional", "--limit", "1"},
		"bodies":   {"pairs", "--root", "lab=" + dir, "--in", "lab/baseline/functional", "--limit", "1", "--offset", "2", "--show-bodies", "--direction", "in", "--method", "get", "--query", "sku=ssc"},
		"evidence": {"evidence", "--root", "lab=" + dir, "--baseline", "baseline", "--prometheus", prometheus, "--profile", profileFile()},
		"profile":  {"profile", "check", profileFile()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := invoke(t.Context(), args...)
			assert.Equal(t, 0, status, errs)
			golden(t, name+".txt", out, prometheus, "PROMETHEUS", dir, "DIR")
		})
	}
	t.Run("window as JSON", func(t *testing.T) {
		t.Parallel()
		_, out, _ := invoke(t.Context(), "window", "--root", "lab="+dir, "baseline", "--format", "json")
		var got, want map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		data, err := os.ReadFile(filepath.Join(dir, "baseline", "load", "window.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &want))
		for _, k := range []string{"query_end", "window_seconds", "query_start"} {
			assert.Equal(t, want[k], got[k], k)
		}
	})
	t.Run("evidence as JSON", func(t *testing.T) {
		t.Parallel()
		status, out, errs := invoke(t.Context(), "evidence", "--root", "lab="+dir, "candidate", "--prometheus", prometheus, "--profile", profileFile(), "--format", "json")
		assert.Equal(t, 0, status, errs)
		assert.Contains(t, out, `"state": "reconciled"`)
	})
	t.Run("runs as JSON", func(t *testing.T) {
		t.Parallel()
		status, out, errs := invoke(t.Context(), "runs", "--root", "lab="+dir, "--format", "json")
		assert.Equal(t, 0, status, errs)
		assert.Contains(t, out, `"id": "lab/baseline"`)
		assert.NotContains(t, out, `"problems": null`)
	})
	t.Run("version", func(t *testing.T) {
		t.Parallel()
		status, out, _ := invoke(t.Context(), "version")
		assert.Equal(t, 0, status)
		assert.True(t, strings.HasPrefix(out, "replay-evidence "))
	})
	t.Run("help", func(t *testing.T) {
		t.Parallel()
		status, out, _ := invoke(t.Context())
		assert.Equal(t, 0, status)
		assert.Contains(t, out, "compare")
	})
}

// A path alone is a root: it is named after its last element, in the letters that a name may have.
func TestRootWithoutAName(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	for base, want := range map[string]string{"results": "results/baseline", "my lab (1), old": "my-lab-1-old/baseline", "...": "results/baseline"} {
		parent := t.TempDir()
		at := filepath.Join(parent, base)
		require.NoError(t, os.Symlink(dir, at))
		for _, given := range []string{at, at + "/", parent + "/./" + base} {
			status, out, errs := invoke(t.Context(), "runs", "--root", given)
			assert.Equal(t, 0, status, errs)
			assert.Contains(t, out, " "+want+" ", given)
		}
	}
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, _, errs := invoke(ctx, "compare", "--root", "lab="+dir, "--baseline", "baseline", "--candidate", "candidate")
	assert.Equal(t, cli.StatusInterrupted, status)
	assert.Contains(t, errs, "interrupted")
}

// The public Loki runs: improved on the replay's own percentiles; the candidate's functional result is missing.
func TestPublicLokiRuns(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(repository, "..", "shared", "corpus", "mock-lab", "labs", "loki", "proxymock")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("../shared/corpus is not here: the public Loki runs cannot be compared")
	}
	status, out, errs := invoke(t.Context(), "compare", "--root", "loki="+dir, "--baseline", "baseline", "--candidate", "candidate", "--format", "json")
	assert.Equal(t, 0, status, errs)
	assert.Empty(t, errs)
	c := document(t, out)
	assert.Equal(t, compare.Improved, c.Verdict.Speed.Answer)
	assert.Equal(t, compare.BasisReplay, c.Verdict.Speed.Basis)
	assert.Equal(t, "Improved, p95 431 → 1 ms", c.Verdict.Speed.Headline)
	assert.EqualValues(t, 800, *c.Sides.Baseline.Load.Requests)
	assert.EqualValues(t, 800, *c.Sides.Candidate.Load.Requests)
	assert.Equal(t, compare.Inconclusive, c.Verdict.Behaviour.Answer)
	assert.Equal(t, "Inconclusive: the candidate's functional result is missing", c.Verdict.Behaviour.Headline)
	assert.Equal(t, compare.Inconclusive, c.Verdict.Cause.Answer)

	_, text, _ := invoke(t.Context(), "compare", "--root", "loki="+dir, "--baseline", "baseline", "--candidate", "candidate")
	golden(t, "loki.txt", text)
	_, text, _ = invoke(t.Context(), "pairs", "--root", "loki="+dir, "--in", "loki/recording")
	assert.Contains(t, text, "OUT GET /v1/price/SSC-4111 → 200, duration unknown")
	golden(t, "loki-pairs.txt", text)
}
