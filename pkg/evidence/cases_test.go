package evidence_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// rewrite changes one file of the lab.
func rewrite(t *testing.T, file string, pairs ...string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i+1 < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%s does not hold %q", file, pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func gateOf(t *testing.T, side *evidence.Side, code string) evidence.Gate {
	t.Helper()
	for _, g := range side.Gates {
		if g.Code == code {
			return g
		}
	}
	t.Fatalf("no gate %s in %+v", code, side.Gates)
	return evidence.Gate{}
}

func near(v *float64, want, tolerance float64) bool {
	return v != nil && math.Abs(*v-want) <= tolerance
}

// C01: an error series that appears with the value 5 counts 5, although increase() says 0.
func TestErrorsBornInsideTheWindow(t *testing.T) {
	t.Parallel()
	c, _ := lab(t)
	load := baselineLoad()
	load.errors = 5
	side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, load.series("app:8080")))
	e := side.Metrics.Errors
	if e.Count == nil || *e.Count != 5 || e.ByCode["502"] != 5 || !strings.Contains(e.Note, "first seen inside the window, counted from zero") {
		t.Errorf("errors are %+v, want 5 counted from zero", e)
	}
	if e.PromQL == nil || *e.PromQL != 0 {
		t.Errorf("the guide's query says %v, want its 0 beside the exact 5", e.PromQL)
	}
	if e.UpperRate == nil || *e.UpperRate < 5.0/1200 || *e.UpperRate > 0.011 {
		t.Errorf("upper rate is %v", e.UpperRate)
	}
	if r := side.Metrics.Reconciliation; r.State != evidence.Reconciled {
		t.Errorf("reconciliation is %+v, want all 1,200 with the errors among them", r)
	}
}

// C10 and C11: nothing observed, no such series, and an error selector that never matched are three
// different things, and none of them is 0 ms or a crash.
func TestNothingIsNotZero(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		profile string
		load    func() workload
		check   func(t *testing.T, side *evidence.Side)
	}{
		"no observations": {checkout, func() workload {
			w := baselineLoad()
			w.total, w.durations, w.waits, w.durationSum, w.waitSum = 0, nil, nil, 0, 0
			return w
		}, func(t *testing.T, side *evidence.Side) {
			h := side.Metrics.RequestDuration
			if side.Metrics.State != evidence.StateNoTraffic || h.Count == nil || *h.Count != 0 || h.MeanSeconds != nil {
				t.Errorf("histogram is %+v in state %s", h, side.Metrics.State)
			}
			if q := h.P95Seconds; q.PromQL != nil || q.Reasons["promql"] != evidence.ReasonNoObservations || q.Text != "no observations" {
				t.Errorf("quantile is %+v", q)
			}
			if side.Metrics.Errors.Count != nil {
				t.Error("0 errors are stated although the requests were not seen")
			}
		}},
		"misspelt metric": {strings.Replace(checkout, "metric: checkout_request_duration_seconds", "metric: checkout_request_durations_seconds", 1), baselineLoad,
			func(t *testing.T, side *evidence.Side) {
				h := side.Metrics.RequestDuration
				if side.Metrics.State != evidence.StateAbsent || h.Count != nil || h.Reasons["count"] != evidence.ReasonAbsentSeries {
					t.Errorf("histogram is %+v in state %s", h, side.Metrics.State)
				}
				if !strings.Contains(side.Metrics.Message, "checkout_request_duration_seconds") {
					t.Errorf("message %q names no metric that exists", side.Metrics.Message)
				}
				if !strings.Contains(side.Metrics.Message, "target app:8080 of job checkout-api is up") {
					t.Errorf("message %q does not tell the target's health", side.Metrics.Message)
				}
				if side.Queries[0].Attempts != 3 {
					t.Errorf("the empty query was sent %d times, want 3", side.Queries[0].Attempts)
				}
				if w := side.Metrics.Waits[0]; w.Count == nil || *w.Count != 1200 || w.Share != nil {
					t.Errorf("wait is %+v, want its count without a share of an unknown whole", w)
				}
			}},
		"no cpu and no errors asked": {"name: x\ntarget: {job: checkout-api}\nrequest: {metric: checkout_request_duration_seconds}\n", baselineLoad,
			func(t *testing.T, side *evidence.Side) {
				if r := side.Metrics.CPU.Reasons["secondsPerRequest"]; r != evidence.ReasonNotInProfile {
					t.Errorf("CPU reason is %q", r)
				}
				if parts := side.Metrics.Breakdown.Parts; len(parts) != 1 || parts[0].Kind != evidence.PartUnexplained {
					t.Errorf("parts are %+v", parts)
				}
			}},
		"wrong job": {strings.Replace(checkout, "job: checkout-api", "job: chekout", 1), baselineLoad, func(t *testing.T, side *evidence.Side) {
			if side.Metrics.State != evidence.StateAbsent || !strings.Contains(side.Metrics.Message, `no target of job "chekout"`) {
				t.Errorf("state %s, message %q", side.Metrics.State, side.Metrics.Message)
			}
			if g := gateOf(t, side, "G1"); g.State == evidence.GatePassed {
				t.Errorf("G1 is %+v", g)
			}
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			server := promtest.NewServerWith(t, tc.load().series("app:8080"))
			server.Targets = []promtest.Target{{Labels: map[string]string{"job": "checkout-api", "instance": "app:8080"}, Health: "up", LastScrape: now}}
			side := measured(t, c, "baseline", tc.profile, server)
			tc.check(t, side)
			// C17: what goes to the browser is valid JSON whatever was asked.
			if _, err := json.Marshal(side); err != nil {
				t.Error(err)
			}
		})
	}
}

// C12: three requests have no p95 with bounds; the size is judged before anything is concluded.
func TestTooFewRequests(t *testing.T) {
	t.Parallel()
	c, dir := lab(t)
	if err := os.RemoveAll(filepath.Join(dir, "proxymock", "results", "baseline", "load")); err != nil {
		t.Fatal(err)
	}
	side := measured(t, c, "baseline", checkout, nil)
	g := gateOf(t, side, "G8")
	if g.State != evidence.GateFailed || g.Detail != "too few requests for the p95: 3, bounds need 72" {
		t.Errorf("G8 is %+v", g)
	}
	if side.Load != nil || side.Window == nil || side.Window.WindowSeconds != 3 || len(side.Endpoints) != 1 || !side.Endpoints[0].Tiny {
		t.Errorf("window %+v, endpoints %+v; want those of the functional run, marked as tiny", side.Window, side.Endpoints)
	}
}

// C13: a side whose own functional replay failed is no baseline.
func TestFailedRunIsNoBaseline(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(t *testing.T, dir string)
		says   string
	}{
		"functional failed": {func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, "functional", "summary.json"), `"requests.failed": 0`, `"requests.failed": 12`, `"requests.result-match-pct": 100`, `"requests.result-match-pct": 91`)
		}, "matched 91 %"},
		"load failed": {func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, "load", "summary.json"), `"requests.failed": 0`, `"requests.failed": 7`)
		}, "7 requests of the load run failed"},
		"gate tripped": {func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, "functional", "summary.json"), filepath.Join(dir, "functional", "failed-summary.json")); err != nil {
				t.Fatal(err)
			}
		}, "own gate tripped"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir := lab(t)
			tc.change(t, filepath.Join(dir, "proxymock", "results", "baseline"))
			side := measured(t, c, "baseline", checkout, nil)
			if g := gateOf(t, side, "G9"); g.State != evidence.GateFailed || !strings.Contains(g.Detail, tc.says) || g.Next == "" {
				t.Errorf("G9 is %+v, want failed with %q", g, tc.says)
			}
		})
	}
}

// C16: later traffic is not counted; what is more or fewer than the replay's own count is said.
func TestReconciliation(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		load  func() workload
		state string
		text  string
		gate  string
	}{
		"all seen": {baselineLoad, evidence.Reconciled, "Prometheus saw 1,200 of 1,200 requests", evidence.GatePassed},
		"foreign traffic": {func() workload {
			w := baselineLoad()
			w.total, w.durations[.25], w.waits[.2] = 1250, 1250, 1250
			return w
		}, evidence.SeenMore, "Prometheus saw 1,250 of 1,200 requests: 50 more than the replay sent, so there was foreign traffic", evidence.GateFailed},
		"functional replay in the same scrape step": {func() workload {
			w := baselineLoad()
			w.total, w.durations[.25], w.waits[.2] = 1203, 1203, 1203
			return w
		}, evidence.SeenExplained, "Prometheus saw 1,203 of 1,200 requests: the 3 more are the functional replay's, which fell into the same scrape step", evidence.GateNoted},
		"lost": {func() workload {
			w := baselineLoad()
			w.total, w.durations[.25], w.durations[.2] = 1025, 1025, 1020
			return w
		}, evidence.SeenFewer, "Prometheus saw 1,025 of 1,200 requests: 175 are missing", evidence.GateFailed},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, tc.load().series("app:8080")))
			if r := side.Metrics.Reconciliation; r.State != tc.state || r.Text != tc.text {
				t.Errorf("reconciliation is %s, %q; want %s, %q", r.State, r.Text, tc.state, tc.text)
			}
			if g := gateOf(t, side, "G5"); g.State != tc.gate {
				t.Errorf("G5 is %+v, want %s", g, tc.gate)
			}
			if tc.state == evidence.SeenFewer && side.Metrics.Errors.Reasons["count"] != evidence.ReasonTotalNotAccounted {
				t.Errorf("errors are %+v: 0 must not be stated while requests are missing", side.Metrics.Errors)
			}
		})
	}
}

// C16: asked before the scrape after the end, the figures are not there yet, and the gate says so.
func TestNoFinalScrape(t *testing.T) {
	t.Parallel()
	c, _ := lab(t)
	load := baselineLoad()
	load.scrapeTo = at("15:00:21.3")
	side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, load.series("app:8080")))
	if g := gateOf(t, side, "G2"); g.State != evidence.GateFailed || g.Next == "" {
		t.Errorf("G2 is %+v", g)
	}
	if side.Metrics.State != evidence.StateInsufficient || side.Metrics.Next == "" {
		t.Errorf("metrics are in state %s: %s", side.Metrics.State, side.Metrics.Message)
	}
	if target := side.Metrics.Coverage.Targets[0]; target.Final != nil || target.Reasons["final"] == "" {
		t.Errorf("target is %+v", target)
	}
}

// C22: waiting for the pool and a slow dependency are told apart by share, queue length and utilisation.
func TestPoolExhaustion(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"s/side.json":         `{"pools": {"db": 2}, "workload": {"users": 5}}`,
		"s/load/summary.json": `{"endpoints":[{"url":"-ALL-","method":"-ALL-","metrics":{"requests.total":230,"requests.failed":0,"requests.per-second":46}}]}`,
		"s/load/window.json":  `{"start":"1970-01-01T00:00:00Z","end":"1970-01-01T00:00:05Z"}`,
	}
	c := openCatalog(t, "r", writeTree(t, files))
	server := promtest.NewServer(t, `
load 1s
  up{job="j",instance="a"} 1x60
  wait_bucket{job="j",instance="a",le="0.1"} 0 46 92 138 184 230 230
  wait_bucket{job="j",instance="a",le="+Inf"} 0 46 92 138 184 230 230
  wait_count{job="j",instance="a"} 0 46 92 138 184 230 230
  wait_sum{job="j",instance="a"} 0 3 6 9 12 15 15
  dur_bucket{job="j",instance="a",le="0.25"} 0 46 92 138 184 230 230
  dur_bucket{job="j",instance="a",le="+Inf"} 0 46 92 138 184 230 230
  dur_count{job="j",instance="a"} 0 46 92 138 184 230 230
  dur_sum{job="j",instance="a"} 0 5 10 15 20 25 25
`)
	side := measured(t, c, "s", "name: x\ntarget: {job: j}\nrequest: {metric: dur}\nwaits: [{name: db, metric: wait, pool: db, hold: 40ms}]\n", server)
	w := side.Metrics.Waits[0]
	if !near(w.Share, 0.6, 1e-9) || !near(w.MeanWaiting, 3, 1e-9) {
		t.Errorf("share %v and mean waiting %v, want 0.60 and 3.0", *w.Share, *w.MeanWaiting)
	}
	s := side.Saturation
	if !near(s.Utilisation, 0.92, 1e-9) || s.Limit != evidence.LimitPool || !strings.HasPrefix(s.LimitedBy, "the pool db: 1.84 of 2 in use (92 %), and 60 % of a request is waiting for it") {
		t.Errorf("saturation is %+v", s)
	}
}

// writeTree writes files into a temporary directory.
func writeTree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
