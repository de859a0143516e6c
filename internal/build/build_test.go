package build

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/console"
)

func TestCountEvents(t *testing.T) {
	t.Parallel()
	events := strings.Join([]string{
		`{"Action":"start","Package":"p"}`,
		`{"Action":"run","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"--- FAIL: TestB\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestA/sub"}`,
		`{"Action":"pass","Package":"p","Test":"TestA"}`,
		`{"Action":"fail","Package":"p","Test":"TestB"}`,
		`{"Action":"skip","Package":"p","Test":"TestC"}`,
		`{"Action":"fail","Package":"p"}`,
		`{"Action":"build-fail","ImportPath":"q"}`,
		`{"Action":"fail","Package":"q","FailedBuild":"q"}`,
	}, "\n")
	c, err := countEvents(strings.NewReader(events))
	require.NoError(t, err)
	require.Equal(t, Counts{Passed: 2, Failed: 2, Skipped: 1}, c, "a failed test, and a package that did not build")
	require.Equal(t, "2 passed, 2 failed, 1 skipped", c.String())
	_, err = countEvents(strings.NewReader(`{"Action":"pa`))
	require.Error(t, err)
}

func TestRunStepsGoesOnAndSumsUp(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	var ran []string
	step := func(name string, c Counts, err error) Step {
		return Step{Name: name, Run: func(_ context.Context, counts *Counts) error {
			ran = append(ran, name)
			*counts = c
			return err
		}}
	}
	err := RunSteps(t.Context(), console.Plain(&out, time.Hour), []Step{
		step("one", Counts{Passed: 3}, nil),
		step("two", Counts{Passed: 1, Failed: 2}, errors.New("two tests failed")),
		step("three", Counts{}, nil),
	})
	require.EqualError(t, err, "failed: two")
	require.Equal(t, []string{"one", "two", "three"}, ran)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Equal(t, "4 passed, 2 failed", lines[len(lines)-1])
	require.Contains(t, out.String(), "FAIL  two")
	require.Contains(t, out.String(), "two tests failed")
}

func TestRunStepsStopsWhenInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	err := RunSteps(ctx, console.Plain(&bytes.Buffer{}, time.Hour), []Step{
		{Name: "one", Run: func(context.Context, *Counts) error { cancel(); return nil }},
		{Name: "two", Run: func(context.Context, *Counts) error { t.Error("ran after Ctrl-C"); return nil }},
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestEnsureDoesNothingWhenAllIsThere(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, Ensure(t.Context(), console.Plain(&out, time.Hour), Need{Packages: []string{"x"}, Present: func() bool { return true }}))
	require.Empty(t, out.String())
}

func TestInstallUsesTheCache(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	tool := Tool{Name: "thing", Package: "example.invalid/thing", Version: "v1.2.3"}
	path := tool.Path(root)
	require.Contains(t, path, filepath.Join(CacheDir, "bin", "thing", "v1.2.3-"+runtime.Version()))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	got, err := Install(t.Context(), console.Plain(&bytes.Buffer{}, time.Hour), root, tool)
	require.NoError(t, err)
	require.Equal(t, path, got)
}

func TestRootIsTheModule(t *testing.T) {
	t.Parallel()
	root, err := Root()
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, "go.mod"))
	require.FileExists(t, filepath.Join(root, "Magefile.go"))
}
