//go:build unix

package proc_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// The test binary plays the children: TEST_CHILD names the part.
func TestMain(m *testing.M) {
	switch os.Getenv("TEST_CHILD") {
	case "":
		os.Exit(m.Run())
	case "fail":
		fmt.Fprintln(os.Stderr, "cannot listen on port 80")
		os.Exit(3)
	case "sleep":
		fmt.Println("ready")
		time.Sleep(time.Minute)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("ready")
		time.Sleep(time.Minute)
	case "parent": // starts a grandchild in its own group and dies without ending it
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "TEST_CHILD=sleep")
		if err := c.Start(); err != nil {
			os.Exit(4)
		}
		fmt.Println(c.Process.Pid)
		time.Sleep(time.Minute)
	}
}

func child(t *testing.T, part string) proc.Command {
	t.Helper()
	return proc.Command{
		Name: part, Path: os.Args[0], Env: []string{"TEST_CHILD=" + part},
		Log: filepath.Join(t.TempDir(), part+".log"), Grace: 50 * time.Millisecond,
	}
}

// firstLine waits for the child's first line of output, which says that it is set up.
func firstLine(t *testing.T, log string) string {
	t.Helper()
	var line string
	require.Eventually(t, func() bool {
		f, err := os.Open(log)
		if err != nil {
			return false
		}
		defer func() { _ = f.Close() }()
		line, err = bufio.NewReader(f).ReadString('\n')
		return err == nil
	}, 20*time.Second, 5*time.Millisecond, "the child did not say that it is ready")
	return strings.TrimSpace(line)
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func TestRunReportsExitStatusAndLastLines(t *testing.T) {
	t.Parallel()
	c := child(t, "fail")
	err := proc.Run(t.Context(), c)
	var exit *proc.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.Code)
	require.Equal(t, []string{"cannot listen on port 80"}, exit.Tail)
	require.ErrorContains(t, err, "fail ended with exit status 3; the last lines of "+c.Log)
}

func TestTailShowsThisRunOnly(t *testing.T) {
	t.Parallel()
	c := child(t, "fail")
	require.NoError(t, os.WriteFile(c.Log, []byte("an older run\n"), 0o600))
	err := proc.Run(t.Context(), c)
	require.ErrorContains(t, err, "cannot listen")
	require.NotContains(t, err.Error(), "older run")
}

func TestCancelEndsTheChild(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"sleep", "stubborn"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			c := child(t, part)
			p, err := proc.Start(c)
			require.NoError(t, err)
			firstLine(t, c.Log)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			require.ErrorIs(t, p.Wait(ctx), context.Canceled)
			require.False(t, alive(p.PID()))
		})
	}
}

func TestStopEndsGrandchildren(t *testing.T) {
	t.Parallel()
	c := child(t, "parent")
	p, err := proc.Start(c)
	require.NoError(t, err)
	grandchild, err := strconv.Atoi(firstLine(t, c.Log))
	require.NoError(t, err)
	require.True(t, alive(grandchild))
	p.Stop()
	// The grandchild was adopted by init, which may take a moment to reap it.
	require.Eventually(t, func() bool { return !alive(grandchild) || zombie(grandchild) }, 20*time.Second, 10*time.Millisecond)
}

func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestSupervisorStopsInReverseOrder(t *testing.T) {
	t.Parallel()
	var s proc.Supervisor
	first, second := child(t, "sleep"), child(t, "sleep")
	a, err := s.Start(first)
	require.NoError(t, err)
	b, err := s.Start(second)
	require.NoError(t, err)
	firstLine(t, first.Log)
	firstLine(t, second.Log)

	order := make(chan string, 2)
	go func() { <-b.Done(); order <- "second"; <-a.Done(); order <- "first" }()
	s.Close()
	require.Equal(t, "second", <-order)
	require.Equal(t, "first", <-order)
	require.Error(t, a.Err())
	_, err = s.Start(first)
	require.Error(t, err, "a closed supervisor must not start anything")
	s.Close() // harmless
}

func TestStartNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	err := proc.Run(t.Context(), proc.Command{Name: "pricing", Path: filepath.Join(t.TempDir(), "absent")})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "start pricing")
}

func TestOutput(t *testing.T) {
	t.Parallel()
	c := child(t, "fail")
	c.Log = ""
	out, err := proc.Output(t.Context(), c)
	require.Error(t, err)
	require.Equal(t, "cannot listen on port 80", out)
}

func TestInterruptibleEndsWithItsParentContext(t *testing.T) {
	t.Parallel()
	parent, cancel := context.WithCancel(t.Context())
	ctx, stop := proc.Interruptible(parent)
	defer stop()
	cancel()
	<-ctx.Done()
	require.ErrorIs(t, ctx.Err(), context.Canceled)
}
