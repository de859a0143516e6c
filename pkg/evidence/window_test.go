package evidence_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// A window that the server's clock has not reached has a state and a next step of its own, and no query of the
// guide is sent for it.
func TestWindowInTheFuture(t *testing.T) {
	t.Parallel()
	c, dir := lab(t)
	start := time.Now().UTC().Add(time.Hour).Truncate(time.Second)
	end := start.Add(27 * time.Second)
	text := fmt.Sprintf(`{"start":%q,"end":%q}`, start.Format(time.RFC3339), end.Format(time.RFC3339))
	if err := os.WriteFile(filepath.Join(dir, "proxymock", "results", "baseline", "load", "window.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	up := promtest.Series{Labels: map[string]string{"__name__": "up", "job": "checkout-api", "instance": "app:8080"}}
	for i := range 30 {
		up.Points = append(up.Points, promtest.Point{T: start.Add(-time.Hour - time.Duration(30-i)*time.Second).UnixMilli(), V: 1})
	}
	server := promtest.NewServerWith(t, []promtest.Series{up})
	side := measured(t, c, "baseline", checkout, server)
	m := side.Metrics
	if m.State != evidence.StateFuture || m.RequestDuration.Reasons["count"] != evidence.ReasonFuture ||
		!strings.Contains(m.Message, end.Format(time.RFC3339)) || !strings.Contains(m.Next, "Check the clock") {
		t.Errorf("metrics are %s: %q, next %q; reasons %v", m.State, m.Message, m.Next, m.RequestDuration.Reasons)
	}
	if sent := strings.Join(server.Queries(), "\n"); strings.Contains(sent, "histogram_quantile") {
		t.Errorf("the guide's queries were sent for a time that has not come: %s", sent)
	}
	if *side.Load.P95Ms != 173 || len(side.Queries) == 0 {
		t.Errorf("load is %+v, queries are %+v", side.Load, side.Queries)
	}
}

// A window that was guessed from the time of a file may lie beside the run: whatever is missing in it, that is
// said first, with how far off it may be and what settles it. A stated window is never doubted.
func TestGuessedWindowBesideTheRun(t *testing.T) {
	t.Parallel()
	down := func(t *testing.T) []promtest.Series {
		load := baselineLoad()
		load.scrapeTo = at("15:30:00")
		series := load.series("app:8080")
		for i, s := range series {
			if s.Labels["__name__"] != "up" {
				continue
			}
			for j, p := range s.Points {
				if p.T > at("15:01:00").UnixMilli() {
					series[i].Points[j].V = 0
				}
			}
		}
		return series
	}
	idle := func(t *testing.T) []promtest.Series {
		load := baselineLoad()
		load.scrapeTo = at("15:30:00")
		return load.series("app:8080")
	}
	gone := func(t *testing.T) []promtest.Series { return baselineLoad().series("app:8080") }
	cases := map[string]struct {
		series func(*testing.T) []promtest.Series
		state  evidence.State
		says   string
		gate   string
	}{
		"the target was down by then":  {down, evidence.StateInsufficient, "app:8080 was down for the whole window", "G1"},
		"the service was idle by then": {idle, evidence.StateNoTraffic, "no observations", "G5"},
		"nothing is scraped any more":  {gone, evidence.StateAbsent, "no scrape of up", "G1"},
	}
	for name, tc := range cases {
		for _, guessed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, guessed %v", name, guessed), func(t *testing.T) {
				t.Parallel()
				c, dir := lab(t)
				load := filepath.Join(dir, "proxymock", "results", "baseline", "load")
				later := at("15:20:30") // the time of a copy
				if guessed {
					if err := os.Remove(filepath.Join(load, "window.json")); err != nil {
						t.Fatal(err)
					}
					if err := os.Chtimes(filepath.Join(load, "summary.json"), later, later); err != nil {
						t.Fatal(err)
					}
				} else if err := os.WriteFile(filepath.Join(load, "window.json"), []byte(`{"start":"2026-08-13T15:20:00Z","end":"2026-08-13T15:20:30Z"}`), 0o644); err != nil {
					t.Fatal(err)
				}
				side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, tc.series(t)))
				m, g := side.Metrics, gateOf(t, side, tc.gate)
				if m.State != tc.state || !strings.Contains(m.Message, tc.says) {
					t.Errorf("metrics are %s: %q, want %s with %q", m.State, m.Message, tc.state, tc.says)
				}
				for what, text := range map[string][2]string{"metrics": {m.Message, m.Next}, "gate": {g.Detail, g.Next}} {
					if got := strings.Contains(text[0], "±6 s") && strings.Contains(text[0], "is a guess") && strings.Contains(text[0], "may lie beside the run") &&
						strings.Contains(text[1], "Write a window.json"); got != guessed {
						t.Errorf("%s say %q, next %q: guessed %v", what, text[0], text[1], guessed)
					}
				}
				if strings.Contains(m.Message+g.Detail, "down for the whole run") {
					t.Errorf("the window is said to be the run: %q, %q", m.Message, g.Detail)
				}
				if r := m.Reconciliation; r.State == evidence.SeenFewer && strings.Contains(r.Text, "is a guess") != guessed {
					t.Errorf("reconciliation says %q", r.Text)
				}
			})
		}
	}
}
