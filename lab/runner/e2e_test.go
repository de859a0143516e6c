package runner

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/console"
)

// e2e returns options for a whole run in a temporary folder. The runs take from half a minute to
// two, so that they are asked for: `go tool mage check` does.
func e2e(t *testing.T, vars map[string]string) Options {
	t.Helper()
	if os.Getenv(e2eVariable) != "1" {
		t.Skipf("a whole run of the lab takes a minute or more; set %s=1, or run go tool mage check", e2eVariable)
	}
	root, err := build.Root()
	require.NoError(t, err)
	noteSources(t, root)
	env := map[string]string{"LAB_OUT": t.TempDir(), "PROXYMOCK": standInChoice, "PROMETHEUS_BIN": os.Getenv("PROMETHEUS_BIN")}
	for k, v := range vars {
		env[k] = v
	}
	o, err := OptionsFromEnv(root, getenv(env))
	require.NoError(t, err)
	return o
}

// noteSources looks at every file that the run depends on. The go command keeps the result of a
// test while the files it looked at stay the same; the programs that a run builds and starts are
// known to this test by nothing else.
func noteSources(t *testing.T, root string) {
	t.Helper()
	for _, part := range []string{"go.mod", "lab", "pkg", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, part), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && path == filepath.Join(root, "lab", "out") {
				return fs.SkipDir
			}
			_, err = os.Stat(path)
			return err
		})
		require.NoError(t, err)
	}
}

// logWriter passes lines to the test's log.
type logWriter struct{ t *testing.T }

func (w logWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// picker keeps labs that run at the same time from picking the same free port before one binds it.
var picker portPicker

type portPicker struct {
	mu    sync.Mutex
	taken map[int]bool
}

func (p *portPicker) take(n int) ([]int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ports []int
	for len(ports) < n {
		more, err := freePorts(n)
		if err != nil {
			return nil, err
		}
		for _, port := range more {
			if !p.taken[port] && len(ports) < n {
				ports = append(ports, port)
			}
		}
		if p.taken == nil {
			p.taken = map[int]bool{}
		}
		for _, port := range ports {
			p.taken[port] = true
		}
	}
	return ports, nil
}

func newLab(t *testing.T, o Options) *Lab {
	t.Helper()
	l := New(o, console.Plain(logWriter{t}, 5*time.Second))
	l.pick = picker.take
	t.Cleanup(l.Close)
	return l
}

// TestWholeLabMeasure plays a small scenario and reads what it left, as the evidence engine will.
func TestWholeLabMeasure(t *testing.T) {
	t.Parallel()
	o := e2e(t, map[string]string{"LAB_PASSES": "10"})
	l := newLab(t, o)
	out, err := l.Measure(t.Context())
	require.NoError(t, err)
	require.Empty(t, out.Gates)

	rec, err := readRecording(filepath.Join(o.Out, "proxymock", "recording"))
	require.NoError(t, err)
	require.Equal(t, 1, rec.inbound)
	require.Equal(t, 1, rec.outbound)

	var last time.Time
	for label, budget := range map[string]int{"baseline": 2, "candidate": 16} {
		dir := o.side(label)
		require.NoError(t, verify(dir, 3, 80, 1), label)
		var side Side
		require.NoError(t, readJSON(filepath.Join(dir, "side.json"), &side))
		require.Equal(t, map[string]int{"pricing": budget}, side.Pools)
		require.Equal(t, "40x", side.Dependency.Timing)
		require.Equal(t, standInName, side.Harness.Name)
		require.Equal(t, Workload{Users: 8, Passes: 10, Mode: "load-test", Recording: "proxymock/recording", FunctionalPasses: 3}, *side.Workload)
		require.FileExists(t, filepath.Join(dir, "functional", "replay-verdict.json"))
		pairs, err := filepath.Glob(filepath.Join(dir, "functional", "*", "*.md"))
		require.NoError(t, err)
		require.Len(t, pairs, 3, "one pair for each functional pass")
		w, err := readWindow(filepath.Join(dir, "load", windowFileName))
		require.NoError(t, err)
		if w.QueryEnd().After(last) {
			last = w.QueryEnd()
		}
	}
	// Prometheus still answers, and holds a scrape at or after the end of the last window.
	n, err := l.watch.scrapesSince(t.Context(), last)
	require.NoError(t, err)
	require.Positive(t, n)

	baseline, err := readSummary(filepath.Join(o.side("baseline"), "load", summaryFile))
	require.NoError(t, err)
	candidate, err := readSummary(filepath.Join(o.side("candidate"), "load", summaryFile))
	require.NoError(t, err)
	require.Greater(t, candidate.PerSecond, 2*baseline.PerSecond, "16 connections must carry much more than 2")
}

// TestWholeLabTrippedGate lets the candidate answer another price.
func TestWholeLabTrippedGate(t *testing.T) {
	t.Parallel()
	o := e2e(t, map[string]string{"LAB_PASSES": "10", "LAB_CANDIDATE_PRICE_OFFSET_CENTS": "1"})
	out, err := newLab(t, o).Measure(t.Context())
	require.NoError(t, err)
	require.Len(t, out.Gates, 1)
	require.Equal(t, "candidate", out.Gates[0].Side)
	require.Contains(t, out.Gates[0].Trip, "0 % of the answers match")

	functional := filepath.Join(o.side("candidate"), "functional")
	require.FileExists(t, filepath.Join(functional, failedSummaryFile))
	require.NoFileExists(t, filepath.Join(functional, summaryFile))
	require.FileExists(t, filepath.Join(functional, windowFileName))
	require.FileExists(t, filepath.Join(functional, "replay-verdict.json"), "the verdict is what explains the trip")
	pairs, err := filepath.Glob(filepath.Join(functional, "*", "*.md"))
	require.NoError(t, err)
	require.Len(t, pairs, 3, "the pairs are kept")
	require.NoDirExists(t, filepath.Join(o.side("candidate"), "load"), "the load replay is skipped")
	require.FileExists(t, filepath.Join(o.side("baseline"), "load", summaryFile))
}

// TestWholeLabInterrupted ends a run in the middle of its load replay: nothing may be left running.
func TestWholeLabInterrupted(t *testing.T) {
	t.Parallel()
	o := e2e(t, map[string]string{"LAB_PASSES": "2000"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l := newLab(t, o)
	done := make(chan error, 1)
	go func() {
		_, err := l.Measure(ctx)
		done <- err
	}()
	require.Eventually(t, func() bool {
		return len(done) > 0 || exists(filepath.Join(o.side("baseline"), ".load-summary.json.tmp"))
	}, 3*time.Minute, 50*time.Millisecond, "the load replay did not start")
	cancel()
	err := <-done
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, StatusInterrupted, Status(err))
	l.Close()
	for _, port := range []int{l.ports.appPort, l.ports.pricing, l.ports.proxyOut, l.ports.health, l.ports.prometheus} {
		require.NoError(t, portFree(port), "something still listens")
	}
	require.NoFileExists(t, filepath.Join(o.side("baseline"), "load", summaryFile), "half a result must not look like one")
}

// TestWholeLabForeignPrometheus refuses a server that cannot be asked, before anything is measured.
func TestWholeLabForeignPrometheus(t *testing.T) {
	t.Parallel()
	ports, err := picker.take(2)
	require.NoError(t, err)
	o := e2e(t, map[string]string{
		"LAB_PROMETHEUS": fmt.Sprintf("http://127.0.0.1:%d", ports[0]), "LAB_APP_ADDR": fmt.Sprintf("127.0.0.1:%d", ports[1]),
	})
	_, err = newLab(t, o).Measure(t.Context())
	require.ErrorContains(t, err, "LAB_PROMETHEUS")
	require.Equal(t, StatusNotComparable, Status(err))
}

// TestPollSaysWhatIsMissing needs no lab.
func TestPollSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	ports, err := freePorts(1)
	require.NoError(t, err)
	url := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	err = poll(t.Context(), "the checkout API", 60*time.Millisecond, nil, func(ctx context.Context) error {
		return answers(ctx, url, http.StatusNoContent)
	})
	require.ErrorContains(t, err, "wait for the checkout API: not ready after 60ms")
	require.ErrorContains(t, err, "connection refused")
}
