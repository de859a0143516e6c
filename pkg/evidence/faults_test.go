package evidence_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// A query of the guide that fails, or is answered for another time, fails G7 by name: the raw samples came
// from the same server.
func TestFailedGuideQueryFailsTheGate(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		status             int
		body, says, reason string
		state, next        string
	}{
		"refused by the engine": {http.StatusUnprocessableEntity, `{"status":"error","errorType":"execution","error":"too many samples"}`, "too many samples", evidence.ReasonQueryFailed, evidence.GateFailed, "Narrow the profile's matchers"},
		"another time":          {http.StatusOK, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"0.1"]}]}}`, "another time", evidence.ReasonTimeMismatch, evidence.GateFailed, "Look at the query"},
		"no number":             {http.StatusOK, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1786633224,"NaN"]}]}}`, "1,200 requests", evidence.ReasonNoObservations, evidence.GateNoted, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			server := promtest.NewServerWith(t, loadsOf("baseline"))
			server.Intercept = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasPrefix(r.FormValue("query"), "histogram_quantile(0.95, sum by (le) (increase(checkout_request") {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tc.status)
				_, _ = w.Write([]byte(tc.body))
				return true
			}
			side := measured(t, c, "baseline", checkout, server)
			g := gateOf(t, side, "G7")
			if g.State != tc.state || !strings.Contains(g.Detail, tc.says) || !strings.Contains(g.Detail, side.Queries[0].Name) ||
				!strings.HasPrefix(g.Next, tc.next) {
				t.Errorf("G7 is %+v, want %s, naming %s and %q", g, tc.state, side.Queries[0].Name, tc.says)
			}
			if got := side.Metrics.RequestDuration.P95Seconds.Reasons["promql"]; got != tc.reason {
				t.Errorf("the reason beside the figure is %q, want %q", got, tc.reason)
			}
		})
	}
}

// A load run whose count cannot be used leaves nothing to hold the samples against: G5 fails and names the file.
func TestUnusableCountFailsTheGate(t *testing.T) {
	t.Parallel()
	cases := map[string]string{"fraction": "1200.5", "absent": "null", "huge": "1e300", "negative": "-1200", "text": `"many"`}
	for name, count := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir := lab(t)
			rewrite(t, filepath.Join(dir, "proxymock", "results", "baseline", "load", "summary.json"), `"requests.total": 1200`, `"requests.total": `+count)
			side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, loadsOf("baseline")))
			g := gateOf(t, side, "G5")
			if side.Load.Requests != nil || g.State != evidence.GateFailed || !strings.Contains(g.Detail, "own count is not known: proxymock/results/baseline/load/summary.json") {
				t.Errorf("requests are %v, G5 is %+v, want failed with the file", side.Load.Requests, g)
			}
		})
	}
}
