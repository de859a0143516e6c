package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
)

// Two requests for each user are too few for bounds of the p95: G8 fails, and the command says so with its status.
func TestFailedGateEndsWithStatus1(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lab(t, dir, labSide{name: "baseline", pool: 2, passes: 1, start: labStart, price: 1899},
		labSide{name: "candidate", pool: 16, passes: 1, start: labStart.Add(90e9), price: 1899})
	status, out, errs := invoke(t.Context(), "compare", "--root", "lab="+dir, "--baseline", "baseline", "--candidate", "candidate", "--format", "json")
	assert.Equal(t, 1, status, errs)
	assert.Equal(t, compare.Unchanged, document(t, out).Verdict.Behaviour.Answer)
	assert.Contains(t, errs, "gate G8 (sample size) of the baseline failed: too few requests")
	assert.Contains(t, errs, "gate G8 (sample size) of the candidate failed: too few requests")
}

// A file that cannot be written costs neither the answers nor the other files.
func TestOutThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	good, bad := filepath.Join(t.TempDir(), "evidence.json"), filepath.Join(t.TempDir(), "missing", "evidence.md")
	for name, test := range map[string]struct {
		candidate string
		status    int
	}{"unchanged": {"candidate", 2}, "changed": {"wrong", 1}} {
		status, out, errs := invoke(t.Context(), "compare", "--root", "lab="+dir, "--baseline", "baseline", "--candidate", test.candidate,
			"--format", "json", "--out", bad, "--out", good)
		assert.Equal(t, test.status, status, name)
		assert.Contains(t, errs, "error: --out "+bad, name)
		assert.NotEmpty(t, document(t, out).Verdict.Behaviour.Answer, name)
		assert.FileExists(t, good, name)
	}
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	status, out, errs := invoke(t.Context(), "compare", "--dry-run", "--profile", profileFile(), "--fail-if", `speed.answer == "regressed"`)
	assert.Equal(t, 0, status, errs)
	assert.Contains(t, out, "nothing was compared")
}

// A window.json that cannot be used is named, and the window that stands in for it is marked.
func TestRejectedWindowFile(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "baseline", "load", "window.json"), []byte(`{"start":`), 0o644))
	status, out, errs := invoke(t.Context(), "window", "--root", "lab="+dir, "baseline")
	assert.Equal(t, 0, status, errs)
	assert.Contains(t, errs, "baseline/load/window.json: ")
	assert.Contains(t, out, "source         summary")
	assert.Contains(t, out, "window.json was rejected: ")
}

// Each condition that cannot be decided says why, and ends with status 2.
func TestConditionsThatCannotBeDecided(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	common := []string{"compare", "--root", "lab=" + dir, "--baseline", "baseline", "--candidate", "candidate", "--fail-if"}
	for name, test := range map[string]struct {
		condition, why string
		status         int
	}{
		"missing":           {"candidate.metrics.cpu.averageCores > 0.5", "a figure in it is missing", 2},
		"missing, divided":  {"candidate.metrics.cpu.averageCores / 2 > 0.5", "a figure in it is missing", 2},
		"missing, negated":  {"-candidate.metrics.cpu.averageCores > 0.5", "a figure in it is missing", 2},
		"missing, tested":   {"candidate.metrics.cpu.averageCores != nil && candidate.metrics.cpu.averageCores > 0.5", "", 0},
		"missing, replaced": {"(candidate.metrics.cpu.averageCores ?? 0.7) > 0.5", "--fail-if held", 1},
		"nothing":           {`fromJSON("null")`, "a figure in it is missing", 2},
		"only a figure":     {`fromJSON("3")`, "the result is not true or false: 3", 2},
		"key not there":     {`candidate.metrics.errors.byCode["200"] > 1`, "a figure in it is missing", 2},
		"element too far":   {"candidate.repeats[7].p95Ms > 1", "an element that a list does not have", 2},
		"list and text":     {`any(candidate.gates, .code == "load")`, "", 0},
		"division by zero":  {"candidate.load.p95Ms / candidate.load.failed > 1", "it divides by zero", 2},
		"zero by zero":      {"candidate.load.failed / baseline.load.failed > 1", "it divides by zero", 2},
		"infinite power":    {"candidate.load.failed ** -1 > 1", "it divides by zero", 2},
		"infinite caret":    {"candidate.load.failed ^ -1 > 1", "it divides by zero", 2},
		"infinite product":  {"candidate.load.p95Ms * 1e308 > 1", "a figure in it is too large", 2},
		"infinite sum":      {"candidate.load.requests * 1e305 + 1.7e308 > 1", "a figure in it is too large", 2},
		"infinite text":     {`float("+Inf") > candidate.load.p95Ms`, "a figure in it is too large", 2},
		"no number":         {`float("NaN") != candidate.load.p95Ms`, "a figure in it is too large", 2},
		"hidden in a whole": {"int(1 / candidate.load.failed) < 1", "it divides by zero", 2},
		"hidden in a list":  {"max(1, 1 / candidate.load.failed) > 1", "it divides by zero", 2},
		"rest of zero":      {"len(candidate.id) % int(candidate.load.failed) > 1", "it divides by zero", 2},
		"texts joined":      {`candidate.id + "x" == "lab/candidatex"`, "--fail-if held", 1},
		"memory":            {"len(map(1..100000000, # * 2)) > candidate.load.p95Ms", "too much memory", 2},
		"a proper division": {"candidate.load.p95Ms / baseline.load.p95Ms > 1.2", "", 0},
		"a held division":   {"baseline.load.p95Ms / candidate.load.p95Ms > 1.2", "--fail-if held", 1},
	} {
		status, _, errs := invoke(t.Context(), append(common[:len(common):len(common)], test.condition)...)
		assert.Equal(t, test.status, status, "%s: %s", name, errs)
		assert.Contains(t, errs, test.why, name)
	}
}
