package evidence_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// waiting is a server that notes how long its final scrape was waited for.
type waiting struct {
	*promapi.Client
	waited []time.Duration
}

func (w *waiting) WaitForFinalScrape(_ context.Context, _ string, _ time.Time, bound time.Duration, observe func(promapi.WaitProgress)) ([]string, error) {
	w.waited = append(w.waited, bound)
	observe(promapi.WaitProgress{Missing: []string{"app:8080"}, Left: bound})
	return nil, errors.New("the scrape never came")
}

// The scrape after the end is waited for as long as it may still land, and never for an old run.
func TestFinalScrapeIsWaitedForOnlyWhileItMayLand(t *testing.T) {
	t.Parallel()
	end := at("15:00:22.301")
	cases := map[string]struct {
		now    time.Time
		wait   time.Duration
		waited time.Duration // 0: not at all
	}{
		"just ended":      {end.Add(time.Second), 0, 34 * time.Second},
		"clock behind":    {end.Add(-time.Hour), 0, 35 * time.Second},
		"an old run":      {end.Add(time.Hour), 0, 0},
		"not wanted":      {end.Add(time.Second), -1, 0},
		"a shorter bound": {end.Add(time.Second), 3 * time.Second, 2 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			side, err := c.Side(t.Context(), "baseline")
			if err != nil {
				t.Fatal(err)
			}
			server := &waiting{Client: client(t, promtest.NewServerWith(t, loadsOf("baseline")).URL)}
			var said []string
			got, err := evidence.Measure(t.Context(), evidence.Input{Side: side, Files: c, Profile: parseProfile(t, checkout), Prometheus: server, Now: tc.now,
				Options: evidence.Options{FinalScrapeWait: tc.wait, Progress: func(text string) { said = append(said, text) }}})
			if err != nil {
				t.Fatal(err)
			}
			if tc.waited == 0 {
				if len(server.waited) != 0 || len(said) != 0 {
					t.Errorf("waited %v and said %q", server.waited, said)
				}
			} else if !slices.Equal(server.waited, []time.Duration{tc.waited}) || len(said) != 2 || !strings.Contains(said[0], "app:8080") {
				t.Errorf("waited %v, want %v; said %q", server.waited, tc.waited, said)
			}
			if got.Metrics.Reconciliation.State != evidence.Reconciled {
				t.Errorf("reconciliation is %+v: a wait that fails must not lose the figures", got.Metrics.Reconciliation)
			}
		})
	}
}

func TestUnusableInput(t *testing.T) {
	t.Parallel()
	if _, err := evidence.Measure(t.Context(), evidence.Input{}); err == nil {
		t.Error("nothing was measured without an error")
	}
	c, _ := lab(t)
	side, err := c.Side(t.Context(), "baseline")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := evidence.Measure(ctx, evidence.Input{Side: side, Files: c, Profile: parseProfile(t, checkout), Now: now}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want cancelled", err)
	}
	got, err := evidence.Measure(t.Context(), evidence.Input{Side: side, Files: c, Profile: profile.Profile{}, Now: now,
		Prometheus: client(t, promtest.NewServer(t, "").URL)})
	if err != nil {
		t.Fatal(err)
	}
	if got.Metrics.State != evidence.StateNotConfigured || !strings.Contains(got.Metrics.Message, "no profile") || *got.Load.Requests != 1200 {
		t.Errorf("metrics are %+v", got.Metrics)
	}
	if err := evidence.CheckReasons(got); err != nil {
		t.Error(err)
	}
}

// The server's remarks stand beside the figure they belong to, and breaking ones fail gate G7.
func TestRemarksOfTheServer(t *testing.T) {
	t.Parallel()
	const gauge = "name: x\ntarget: {job: checkout-api}\nrequest: {metric: checkout_request_duration_seconds}\nextra: [{name: g, promql: 'rate(go_goroutines[$window])'}]\n"
	c, _ := lab(t)
	side := measured(t, c, "baseline", gauge, promtest.NewServerWith(t, loadsOf("baseline")))
	at := slices.IndexFunc(side.Queries, func(q evidence.Query) bool { return q.Name == "g" })
	if at < 0 || len(side.Queries[at].Infos) == 0 || !strings.Contains(side.Queries[at].Infos[0], "might not be a counter") {
		t.Fatalf("queries are %+v", side.Queries)
	}
	if g := gateOf(t, side, "G7"); g.State != evidence.GateNoted || !strings.Contains(g.Detail, "might not be a counter") {
		t.Errorf("G7 is %+v, want noted", g)
	}
}

// Two instances: each has its own scrapes, and the whole is their sum.
func TestSeveralInstances(t *testing.T) {
	t.Parallel()
	half := baselineLoad()
	half.total, half.durationSum, half.waitSum, half.cpu = 600, 64.2, 39.6, 0.6
	half.durations = map[float64]int64{.05: 75, .1: 250, .15: 420, .2: 592, .25: 600}
	half.waits = map[float64]int64{.0005: 70, .05: 200, .1: 390, .15: 595, .2: 600}
	c, _ := lab(t)
	side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, append(half.series("a:8080"), half.series("b:8080")...)))
	m := side.Metrics
	if len(m.Coverage.Targets) != 2 || *m.Coverage.Targets[0].Requests != 600 || m.Reconciliation.State != evidence.Reconciled {
		t.Errorf("targets %+v, reconciliation %+v", m.Coverage.Targets, m.Reconciliation)
	}
	if !near(m.Waits[0].Share, 39.6/64.2, 1e-9) || !near(m.CPU.DeltaSeconds, 1.2, 1e-9) {
		t.Errorf("share %v, CPU %v", *m.Waits[0].Share, *m.CPU.DeltaSeconds)
	}
	// The guide's query returns one series per instance; the figure shown is their sum.
	if m.CPU.AverageCores == nil || *m.CPU.AverageCores < 0.04 || side.Queries[2].Reasons["result"] != evidence.ReasonSeveralSeries || side.Queries[2].Series != 2 {
		t.Errorf("average cores %v, query %+v", m.CPU.AverageCores, side.Queries[2])
	}
}

// BenchmarkMeasure measures one side against an in-memory Prometheus, near and 20 ms away, beside the slowest
// single query.
func BenchmarkMeasure(b *testing.B) {
	c, _ := lab(b)
	near, far := promtest.NewServerWith(b, loadsOf("baseline")), promtest.NewServerWith(b, loadsOf("baseline"))
	far.Intercept = func(http.ResponseWriter, *http.Request) bool {
		time.Sleep(20 * time.Millisecond)
		return false
	}
	side, err := c.Side(b.Context(), "baseline")
	if err != nil {
		b.Fatal(err)
	}
	p := parseProfile(b, checkout)
	for name, server := range map[string]*promtest.Server{"measure": near, "measure-20ms-away": far} {
		prometheus := client(b, server.URL)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := evidence.Measure(b.Context(), evidence.Input{Side: side, Files: c, Profile: p, Prometheus: prometheus, Now: now}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	queries, err := p.Queries(side.Runs[1].Window.WindowSeconds)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("one-query", func(b *testing.B) {
		prometheus := client(b, near.URL)
		for b.Loop() {
			if _, err := prometheus.Instant(b.Context(), queries[0].PromQL, side.Runs[1].Window.QueryEnd); err != nil {
				b.Fatal(err)
			}
		}
	})
}
