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
