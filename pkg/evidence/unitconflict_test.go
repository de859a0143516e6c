package evidence_test

import (
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// Milliseconds in a metric of seconds, and a holding time that no pool has, are named and never a figure.
func TestUnitConflicts(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change  func(*workload)
		profile string
		reason  func(*evidence.Side) string
		says    string
	}{
		"request sum":  {func(w *workload) { w.durationSum *= 1000 }, checkout, func(s *evidence.Side) string { return s.Metrics.RequestDuration.Reasons["meanSeconds"] }, "outside its own buckets"},
		"wait sum":     {func(w *workload) { w.waitSum *= 1000 }, checkout, func(s *evidence.Side) string { return s.Metrics.Waits[0].Reasons["secondsPerRequest"] }, "cannot be"},
		"holding time": {func(*workload) {}, strings.Replace(checkout, "hold: 40ms", "hold: 1h", 1), func(s *evidence.Side) string { return s.Saturation.Reasons["utilisation"] }, "holding time"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			load := baselineLoad()
			tc.change(&load)
			side := measured(t, c, "baseline", tc.profile, promtest.NewServerWith(t, load.series("app:8080")))
			if got := tc.reason(side); got != evidence.ReasonUnitConflict || !problemSays(side, tc.says) {
				t.Errorf("reason is %q, problems %v", got, side.Problems)
			}
		})
	}
}
