package evidence_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// A window of another run proves nothing of this one, even where its count happens to be the same: the gate
// fails, and none of its figures is read as the run's.
func TestWindowAndSummaryAreNotOfOneRun(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		side string
		says string
	}{
		"active longer than the window":           {"baseline", "longer than its window"},
		"quicker for the client than the service": {"candidate", "a client cannot see"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir := lab(t)
			results := filepath.Join(dir, "proxymock", "results")
			swap(t, filepath.Join(results, "baseline", "load", "window.json"), filepath.Join(results, "candidate", "load", "window.json"))
			// Baseline's window is now candidate's, so its server holds candidate's scrapes, and the other way about.
			other := map[string]string{"baseline": "candidate", "candidate": "baseline"}[tc.side]
			side := measured(t, c, tc.side, checkout, promtest.NewServerWith(t, loadsOf(other)))
			g := gateOf(t, side, "G9")
			if g.State != evidence.GateFailed || !strings.Contains(g.Detail, "window and summary are not of one run") || !strings.Contains(g.Detail, tc.says) || g.Next == "" {
				t.Errorf("G9 is %+v, want failed", g)
			}
			if g := gateOf(t, side, "G5"); g.State != evidence.GatePassed {
				t.Errorf("G5 is %+v: the counts are the same by chance", g)
			}
			m := side.Metrics
			if m.State != evidence.StateInsufficient || m.RequestDuration.Count != nil || m.RequestDuration.Reasons["meanSeconds"] != evidence.ReasonGateFailed ||
				m.Waits[0].Reasons["secondsPerRequest"] != evidence.ReasonGateFailed || m.CPU.SecondsPerRequest != nil || len(m.Elapsed) != 0 {
				t.Errorf("metrics are %s, %+v: they must be withheld", m.State, m.RequestDuration)
			}
			if len(side.Queries) == 0 || side.Load.P95Ms == nil || !problemSays(side, "not of one run") {
				t.Errorf("the questions, the replay's own figures or the problem were lost: %v", side.Problems)
			}
		})
	}
}

// A guessed window that holds another run with the same count is settled by stating the window.
func TestGuessedWindowHoldsAnotherRun(t *testing.T) {
	t.Parallel()
	c, dir := lab(t)
	load := filepath.Join(dir, "proxymock", "results", "candidate", "load")
	if err := os.Remove(filepath.Join(load, "window.json")); err != nil {
		t.Fatal(err)
	}
	// Candidate's summary carries the time at which baseline ended, as it does in a copy made just then.
	if end := at("15:00:22.9"); os.Chtimes(filepath.Join(load, "summary.json"), end, end) != nil {
		t.Fatal("the time of the file could not be set")
	}
	busy := baselineLoad()
	busy.first = at("15:00:14.5")
	side := measured(t, c, "candidate", checkout, promtest.NewServerWith(t, busy.series("app:8080")))
	if g := gateOf(t, side, "G9"); g.State != evidence.GateFailed || !strings.Contains(g.Detail, "a client cannot see") || !strings.Contains(g.Next, "Write a window.json") {
		t.Errorf("G9 is %+v, want failed, to be settled by a window.json", g)
	}
}

func swap(t *testing.T, a, b string) {
	t.Helper()
	for _, move := range [][2]string{{a, a + ".tmp"}, {b, a}, {a + ".tmp", b}} {
		if err := os.Rename(move[0], move[1]); err != nil {
			t.Fatal(err)
		}
	}
}
