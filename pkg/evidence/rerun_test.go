package evidence_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// Copies, shorter runs and failed runs are no repeats, and a newer run that crashed is named.
func TestRunsThatAreNoRepeats(t *testing.T) {
	t.Parallel()
	result := func(total, failed int) string {
		return fmt.Sprintf(`{"endpoints":[{"url":"-ALL-","method":"-ALL-","metrics":{"latency.p95":180,"requests.total":%d,"requests.failed":%d,"requests.per-second":46}}]}`, total, failed)
	}
	window := func(minute int) string {
		return fmt.Sprintf(`{"start":"2026-08-13T14:%02d:00Z","end":"2026-08-13T14:%02d:29Z"}`, minute, minute)
	}
	c := openCatalog(t, "r", writeTree(t, map[string]string{
		"s/load-1/summary.json": result(1200, 0), "s/load-1/window.json": window(10),
		"s/load-2/summary.json": result(1200, 0), "s/load-2/window.json": window(20),
		"s/load-3/summary.json": result(1200, 0), "s/load-3/window.json": window(10),
		"s/load-4/summary.json": result(30, 0), "s/load-4/window.json": window(5),
		"s/load-5/summary.json": result(1200, 7), "s/load-5/window.json": window(6),
		"s/load-6/summary.json": "", "s/load-6/window.json": window(30),
	}))
	side := measured(t, c, "s", checkout, nil)
	if side.Load.RunID != "r/s/load-2" || len(side.Repeats) != 2 {
		t.Errorf("measured %s with %d repeats, want load-2 and one more", side.Load.RunID, len(side.Repeats))
	}
	for _, says := range []string{"its window overlaps that of", "30 requests instead of 1,200", "7 requests failed", "s/load-6 did not finish, s/load-2 was measured in its place"} {
		if !problemSays(side, says) {
			t.Errorf("problems are %v, want %q", side.Problems, says)
		}
	}
	if g := gateOf(t, side, "G9"); g.State != evidence.GateNoted || !strings.Contains(g.Detail, "load-6 did not finish") {
		t.Errorf("G9 is %+v, want noted with the run that crashed", g)
	}
}

// Without a load run the functional run's window is no measure of load.
func TestNoLoadRunIsNotMeasured(t *testing.T) {
	t.Parallel()
	c, dir := lab(t)
	if err := os.WriteFile(filepath.Join(dir, "proxymock", "results", "baseline", "load", "summary.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, loadsOf("baseline")))
	m := side.Metrics
	if side.Functional == nil || side.Load != nil || m.State != evidence.StateInsufficient || m.RequestDuration.Reasons["count"] != evidence.ReasonNoRun {
		t.Errorf("metrics are %s %q, reasons %v", m.State, m.Message, m.RequestDuration.Reasons)
	}
	if !strings.Contains(m.Message, "there is no load run") || !strings.Contains(m.Message, "load/summary.json") {
		t.Errorf("the message is %q, want the empty file named", m.Message)
	}
}
