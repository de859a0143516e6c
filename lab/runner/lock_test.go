package runner

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/console"
)

func TestLockOut(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	con := console.Plain(logWriter{t}, time.Second)
	first, second := New(Options{Out: out}, con), New(Options{Out: out}, con)
	require.NoError(t, first.lockOut())
	err := second.lockOut()
	require.Equal(t, StatusUsage, Status(err))
	require.ErrorContains(t, err, "another lab (process "+strconv.Itoa(os.Getpid())+") writes into "+out)
	second.Close()
	require.FileExists(t, filepath.Join(out, lockFile), "a refused lab leaves the other's lock")
	first.Close()
	require.NoFileExists(t, filepath.Join(out, lockFile))
	require.NoError(t, second.lockOut())
	second.Close()
}

// A lock of a process that is gone, or without a number, is taken over.
func TestLockOutStale(t *testing.T) {
	t.Parallel()
	gone := exec.CommandContext(t.Context(), "go", "version")
	require.NoError(t, gone.Run())
	for name, text := range map[string]string{"gone": strconv.Itoa(gone.Process.Pid), "empty": "", "no number": "x"} {
		out := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(out, lockFile), []byte(text), 0o644))
		l := New(Options{Out: out}, console.Plain(logWriter{t}, time.Second))
		require.NoError(t, l.lockOut(), name)
		l.Close()
	}
}

// A condition that cannot be used is refused before anything runs.
func TestConditionIsCheckedFirst(t *testing.T) {
	t.Parallel()
	root, err := build.Root()
	require.NoError(t, err)
	o, err := OptionsFromEnv(root, getenv(map[string]string{"LAB_OUT": t.TempDir(), "LAB_FAIL_IF": "speed.answer =="}))
	require.NoError(t, err)
	l := New(o, console.Plain(logWriter{t}, time.Second))
	defer l.Close()
	err = l.All(t.Context())
	require.Equal(t, StatusUsage, Status(err))
	require.ErrorContains(t, err, "LAB_FAIL_IF")
	require.ErrorContains(t, err, "unexpected token")
	require.NoFileExists(t, filepath.Join(o.Out, "prometheus.json"))
}
