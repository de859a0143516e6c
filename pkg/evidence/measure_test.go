package evidence_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/evidence/evidencetest"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func loadsOf(side string) []promtest.Series {
	if side == "candidate" {
		return candidateLoad().series("app:8080")
	}
	return baselineLoad().series("app:8080")
}

// The whole side, figure by figure. The golden files are what evidencetest hands to the rooms below.
func TestMeasuredSides(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"baseline", "candidate"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			side := measured(t, c, name, checkout, promtest.NewServerWith(t, loadsOf(name)))
			if side.Metrics.Coverage.ClockSkewSeconds == nil {
				t.Error("the clock skew is missing")
			}
			side.Metrics.Server = "http://prometheus.test:9090 (Prometheus 3.16.0)"
			skew := 0.001
			side.Metrics.Coverage.ClockSkewSeconds = &skew
			got, err := json.MarshalIndent(side, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("evidencetest", name+".json")
			if *update {
				if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
				t.Errorf("side differs from %s (-want +got); -update rewrites it:\n%s", file, diff)
			}
			sample := evidencetest.Baseline()
			if name == "candidate" {
				sample = evidencetest.Candidate()
			}
			if diff := cmp.Diff(side.Recording.RefUUIDs, sample.Recording.RefUUIDs); diff != "" {
				t.Error(diff)
			}
			if len(sample.Responses) != len(side.Responses) || sample.Responses[2].Endpoint != side.Responses[2].Endpoint ||
				sample.Responses[2].Ordinal != side.Responses[2].Ordinal || sample.Responses[2].RefUUID != side.Responses[2].RefUUID {
				t.Errorf("responses are %+v", side.Responses)
			}
			if err := evidence.CheckReasons(sample); err != nil {
				t.Error(err)
			}
		})
	}
}

// The guide's four queries go out as the guide writes them, at query_end, and come first.
func TestGuideQueriesAreSentUnchanged(t *testing.T) {
	t.Parallel()
	c, _ := lab(t)
	server := promtest.NewServerWith(t, loadsOf("baseline"))
	side := measured(t, c, "baseline", checkout, server)
	wants := []string{
		`histogram_quantile(0.95, sum by (le) (increase(checkout_request_duration_seconds_bucket{route="/api/quote"}[29s])))`,
		`histogram_quantile(0.95, sum by (le) (increase(pricing_conn_wait_seconds_bucket[29s])))`,
		`increase(app_cpu_seconds_total[29s]) / 29`,
		`sum(increase(checkout_request_duration_seconds_count{route="/api/quote",code!="200"}[29s]))`,
	}
	sent := strings.Join(server.Queries(), "\n")
	for i, want := range wants {
		q := side.Queries[i]
		if q.PromQL != want || !q.Time.Equal(at("15:00:24")) || q.RangeSeconds != 29 || q.ID != "q"+string(rune('1'+i)) {
			t.Errorf("query %d is %+v, want %s at 15:00:24", i, q, want)
		}
		if !strings.Contains(sent, want) {
			t.Errorf("the server was not asked %s", want)
		}
	}
}

// Every way in which a server may not answer keeps the replay's own figures and says what to do.
func TestServersThatDoNotAnswer(t *testing.T) {
	t.Parallel()
	answering := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	cases := map[string]struct {
		handler http.HandlerFunc // nil: nobody listens
		state   evidence.State
		reason  string
		says    string // after the server's address
	}{
		"unreachable": {nil, evidence.StateUnreachable, evidence.ReasonUnreachable, "nothing answers at this address: "},
		"refused": {answering(http.StatusUnauthorized, `{"status":"error","error":"who are you"}`), evidence.StateRefused, evidence.ReasonRefused,
			"the server wants other credentials (HTTP 401): who are you"},
		"failed": {answering(http.StatusUnprocessableEntity, `{"status":"error","errorType":"execution","error":"too many samples"}`), evidence.StateFailed, evidence.ReasonQueryFailed,
			"the server could not carry out the query (HTTP 422): too many samples"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			url := "http://127.0.0.1:1"
			if tc.handler != nil {
				hs := httptest.NewServer(tc.handler)
				t.Cleanup(hs.Close)
				url = hs.URL
			}
			side := measured(t, c, "baseline", checkout, &promtest.Server{URL: url})
			m := side.Metrics
			if m.State != tc.state || m.Message == "" || m.Next == "" {
				t.Errorf("state %s, message %q, next %q; want %s with both", m.State, m.Message, m.Next, tc.state)
			}
			if !strings.HasPrefix(m.Message, url+": "+tc.says) || strings.Contains(m.Message, m.Next) {
				t.Errorf("message is %q, want the server's address and %q, without the next step %q", m.Message, tc.says, m.Next)
			}
			if m.RequestDuration.Reasons["count"] != tc.reason || m.CPU.Reasons["secondsPerRequest"] != tc.reason || m.Errors.Reasons["count"] != tc.reason {
				t.Errorf("reasons are %v, %v, %v; want %s", m.RequestDuration.Reasons, m.CPU.Reasons, m.Errors.Reasons, tc.reason)
			}
			if side.Load == nil || *side.Load.P95Ms != 173 || len(side.Responses) != 3 {
				t.Errorf("the replay's own figures were lost: %+v", side.Load)
			}
			if len(side.Queries) == 0 || side.Queries[0].State != tc.state || side.Queries[0].Error == "" {
				t.Errorf("queries are %+v, want the unanswered ones with the error", side.Queries)
			}
			for _, g := range side.Gates {
				if g.Code <= "G7" && g.State != evidence.GateNotEvaluated {
					t.Errorf("gate %s is %s, want not evaluated", g.Code, g.State)
				}
			}
		})
	}
}

func TestNoServerConfigured(t *testing.T) {
	t.Parallel()
	c, _ := lab(t)
	side := measured(t, c, "candidate", checkout, nil)
	if side.Metrics.State != evidence.StateNotConfigured || side.Metrics.RequestDuration.Reasons["count"] != evidence.ReasonNotConfigured {
		t.Errorf("metrics are %+v", side.Metrics)
	}
	if s := side.Saturation; s.InFlight == nil || *s.InFlight < 7.7 || *s.InFlight > 7.9 || s.LimitedBy != "unknown without metrics" {
		t.Errorf("saturation is %+v, want 176.839/s x 44 ms in flight and no limit", s)
	}
	if q := side.Metrics.Breakdown.QueueingSeconds; q == nil || *q < 0.0009 || *q > 0.0011 {
		t.Errorf("queueing is %v, want 44 ms less 43 ms: the replay's own means need no server", q)
	}
}

// A window older than what the server keeps reads expired; an evidence.json beside the runs is then read
// as frozen, if it is of the very same run.
func TestExpiredWindow(t *testing.T) {
	t.Parallel()
	fresh := func(t *testing.T) *promtest.Server {
		s := promtest.NewServerWith(t, nil)
		s.Retention = "1h"
		return s
	}
	frozen := func(t *testing.T, change func(map[string]any)) []byte {
		t.Helper()
		file := map[string]any{"schemaVersion": "1.0", "sides": map[string]any{"baseline": evidencetest.Baseline(), "candidate": evidencetest.Candidate()}}
		change(file)
		data, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	cases := map[string]struct {
		change func(map[string]any)
		none   bool
		frozen bool
		says   string
	}{
		"frozen":       {change: func(map[string]any) {}, frozen: true},
		"no file":      {none: true},
		"newer schema": {change: func(f map[string]any) { f["schemaVersion"] = "2.0" }, says: "schema version"},
		"another run": {change: func(f map[string]any) {
			s := evidencetest.Baseline()
			s.Window.Start = s.Window.Start.Add(time.Hour)
			f["sides"] = map[string]any{"baseline": s}
		}, says: "another run"},
		"another side": {change: func(f map[string]any) { f["sides"] = map[string]any{"candidate": evidencetest.Candidate()} }, says: "no side"},
		"never measured": {change: func(f map[string]any) {
			s := evidencetest.Baseline()
			s.Metrics.State = evidence.StateUnreachable
			f["sides"] = map[string]any{"baseline": s}
		}, says: "unreachable"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir := lab(t)
			if !tc.none {
				if err := os.WriteFile(filepath.Join(dir, "proxymock", "evidence.json"), frozen(t, tc.change), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			side := measured(t, c, "baseline", checkout, fresh(t))
			if side.Frozen != tc.frozen {
				t.Fatalf("frozen is %v, problems %v", side.Frozen, side.Problems)
			}
			if tc.frozen {
				if side.FrozenFrom != "proxymock/evidence.json" || *side.Metrics.RequestDuration.Count != 1200 || side.Saturation.Limit != evidence.LimitPool {
					t.Errorf("frozen from %q: %+v", side.FrozenFrom, side.Metrics.RequestDuration)
				}
				if len(side.Gates) != 9 || side.Gates[4].Code != "G5" || side.Gates[4].State != evidence.GatePassed {
					t.Errorf("gates are %+v", side.Gates)
				}
				return
			}
			if side.Metrics.State != evidence.StateExpired || side.Metrics.RequestDuration.Reasons["count"] != evidence.ReasonExpired || side.Metrics.Next == "" {
				t.Errorf("metrics are %+v, want expired", side.Metrics)
			}
			if tc.says != "" && !problemSays(side, tc.says) {
				t.Errorf("problems are %v, want one that says %q", side.Problems, tc.says)
			}
		})
	}
}

func problemSays(side *evidence.Side, text string) bool {
	for _, p := range side.Problems {
		if strings.Contains(p.Message, text) {
			return true
		}
	}
	return false
}

// Without window.json the window is inferred; its uncertainty widens what is asked, and the count still
// reconciles.
func TestInferredWindowStillReconciles(t *testing.T) {
	t.Parallel()
	c, dir := lab(t)
	load := filepath.Join(dir, "proxymock", "results", "baseline", "load")
	if err := os.Remove(filepath.Join(load, "window.json")); err != nil {
		t.Fatal(err)
	}
	end := at("15:00:22.9")
	if err := os.Chtimes(filepath.Join(load, "summary.json"), end, end); err != nil {
		t.Fatal(err)
	}
	side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, loadsOf("baseline")))
	if w := side.Window; w.Source != "summary" || w.Uncertainty != 6 {
		t.Errorf("window is %+v, want one inferred from the summary", w)
	}
	if r := side.Metrics.Reconciliation; r.State != evidence.Reconciled {
		t.Errorf("reconciliation is %+v", r)
	}
}
