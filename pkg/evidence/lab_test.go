package evidence_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
	"github.com/replaylab/replay-evidence/pkg/store"
)

// checkout is the profile of the synthetic lab.
const checkout = `
name: checkout
target: {job: checkout-api}
request: {metric: checkout_request_duration_seconds, matchers: 'route="/api/quote"', route: route, code: code}
waits: [{name: pricing connection, metric: pricing_conn_wait_seconds, pool: pricing, hold: 40ms}]
cpu: app_cpu_seconds_total
errors: code!="200"
extra: [{name: goroutines, unit: goroutines, promql: 'max_over_time(go_goroutines[$window])'}]
`

func parseProfile(t testing.TB, text string) profile.Profile {
	t.Helper()
	p, err := profile.Parse(strings.NewReader(text), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return *p
}

// workload is one load run of the synthetic lab as the service saw it: exact bucket counts at the end, spread
// evenly over the active time.
type workload struct {
	first, last time.Time // the active time
	scrapeFrom  time.Time
	scrapeTo    time.Time
	before      int64 // requests of the functional run, before the base scrape
	total       int64
	durations   map[float64]int64 // cumulative
	durationSum float64
	waits       map[float64]int64
	waitSum     float64
	cpu         float64
	errors      int64 // of total, with code 502, born at the middle of the run
	// requestBounds and waitBounds multiply the bounds of the buckets; 0 means seconds.
	requestBounds, waitBounds float64
}

var requestBounds = []float64{.01, .025, .05, .075, .1, .15, .2, .25, .3, .4, .5, .75, 1, 2.5}
var waitBounds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .15, .2, .3, .5, 1, 2.5}

func at(clock string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, "2026-08-13T"+clock+"Z")
	if err != nil {
		panic(err)
	}
	return t
}

func baselineLoad() workload {
	return workload{
		first: at("14:59:55.9"), last: at("15:00:21.74"), scrapeFrom: at("14:58:00.3"), scrapeTo: at("15:00:40.3"), before: 3, total: 1200,
		durations:   map[float64]int64{.05: 150, .075: 240, .1: 500, .15: 840, .2: 1185, .25: 1200},
		durationSum: 128.4,
		waits:       map[float64]int64{.0005: 140, .01: 150, .025: 200, .05: 400, .1: 780, .15: 1190, .2: 1200}, waitSum: 79.2, cpu: 1.33,
	}
}

func candidateLoad() workload {
	return workload{
		first: at("15:01:23.8"), last: at("15:01:30.586"), scrapeFrom: at("15:01:00.3"), scrapeTo: at("15:01:50.3"), before: 3, total: 1200,
		durations:   map[float64]int64{.05: 1193, .075: 1200},
		durationSum: 52.8,
		waits:       map[float64]int64{.0005: 1190, .001: 1196, .05: 1200}, waitSum: 0.3, cpu: 0.92,
	}
}

// series turns a workload into scrapes, one a second.
func (w workload) series(instance string) []promtest.Series {
	target := func(name string, more ...string) map[string]string {
		l := map[string]string{"__name__": name, "job": "checkout-api", "instance": instance}
		for i := 0; i+1 < len(more); i += 2 {
			l[more[i]] = more[i+1]
		}
		return l
	}
	done := func(t time.Time, n int64) float64 {
		share := t.Sub(w.first).Seconds() / w.last.Sub(w.first).Seconds()
		return math.Round(float64(n) * min(1, max(0, share)))
	}
	var out []promtest.Series
	add := func(labels map[string]string, value func(time.Time) (float64, bool)) {
		s := promtest.Series{Labels: labels}
		for t := w.scrapeFrom; !t.After(w.scrapeTo); t = t.Add(time.Second) {
			if v, ok := value(t); ok {
				s.Points = append(s.Points, promtest.Point{T: t.UnixMilli(), V: v})
			}
		}
		out = append(out, s)
	}
	always := func(f func(time.Time) float64) func(time.Time) (float64, bool) {
		return func(t time.Time) (float64, bool) { return f(t), true }
	}
	cumulative := func(counts map[float64]int64, bound float64, total int64) int64 {
		var n int64
		for b, c := range counts {
			if b <= bound {
				n = max(n, c)
			}
		}
		return min(n, total)
	}
	add(target("up"), always(func(time.Time) float64 { return 1 }))
	add(target("process_start_time_seconds"), always(func(time.Time) float64 { return 1786633000 }))
	add(target("app_cpu_seconds_total"), always(func(t time.Time) float64 {
		return 0.2 + w.cpu*min(1, max(0, t.Sub(w.first).Seconds()/w.last.Sub(w.first).Seconds()))
	}))
	add(target("go_goroutines"), always(func(time.Time) float64 { return 21 }))
	histogram := func(metric string, bounds []float64, counts map[float64]int64, total, before int64, sum float64, labels ...string) {
		for _, b := range append(append([]float64(nil), bounds...), math.Inf(1)) {
			n := total
			if !math.IsInf(b, 1) {
				n = cumulative(counts, b, total)
			}
			old := before
			if b < .05 && metric == "checkout_request_duration_seconds" {
				old = 0
			}
			le := fmt.Sprint(b)
			if math.IsInf(b, 1) {
				le = "+Inf"
			}
			add(target(metric+"_bucket", append(labels, "le", le)...), always(func(t time.Time) float64 { return float64(old) + done(t, n) }))
		}
		add(target(metric+"_count", labels...), always(func(t time.Time) float64 { return float64(before) + done(t, total) }))
		add(target(metric+"_sum", labels...), always(func(t time.Time) float64 {
			return float64(before)*0.043 + sum*done(t, 1_000_000)/1_000_000
		}))
	}
	good := w.total - w.errors
	scaled := func(bounds []float64, by float64) []float64 {
		out := slices.Clone(bounds)
		for i := range out {
			out[i] *= max(by, 1)
		}
		return out
	}
	histogram("checkout_request_duration_seconds", scaled(requestBounds, w.requestBounds), w.durations, good, w.before, w.durationSum, "route", "/api/quote", "method", "GET", "code", "200")
	histogram("pricing_conn_wait_seconds", scaled(waitBounds, w.waitBounds), w.waits, w.total, w.before, w.waitSum)
	if w.errors > 0 {
		middle := w.first.Add(w.last.Sub(w.first) / 2)
		born := func(n int64) func(time.Time) (float64, bool) {
			return func(t time.Time) (float64, bool) { return float64(n), !t.Before(middle) }
		}
		labels := []string{"route", "/api/quote", "method", "GET", "code", "502"}
		for _, b := range append(append([]float64(nil), requestBounds...), math.Inf(1)) {
			le := fmt.Sprint(b)
			if math.IsInf(b, 1) {
				le = "+Inf"
			}
			add(target("checkout_request_duration_seconds_bucket", append(labels, "le", le)...), born(w.errors))
		}
		add(target("checkout_request_duration_seconds_count", labels...), born(w.errors))
		add(target("checkout_request_duration_seconds_sum", labels...), born(0))
	}
	return out
}

// lab returns a catalogue over a copy of the synthetic lab, so that a test may change files.
func lab(t testing.TB) (*catalog.Catalog, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "lab"))); err != nil {
		t.Fatal(err)
	}
	return openCatalog(t, "lab", dir), dir
}

func openCatalog(t testing.TB, name, dir string) *catalog.Catalog {
	t.Helper()
	root, err := store.Open(name, dir, store.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return catalog.New([]catalog.Root{root}, catalog.Options{})
}

func client(t testing.TB, url string) *promapi.Client {
	t.Helper()
	c, err := promapi.New(promapi.Config{Address: url, RetryDelay: time.Millisecond, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// now is long after every window of the fixtures, so that nothing is waited for.
var now = at("16:00:00")

// measured measures one side of a catalogue. A nil server means that none is configured.
func measured(t testing.TB, c *catalog.Catalog, ref, profileText string, server *promtest.Server) *evidence.Side {
	t.Helper()
	side, err := c.Side(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	in := evidence.Input{Side: side, Files: c, Profile: parseProfile(t, profileText), Now: now}
	if server != nil {
		in.Prometheus = client(t, server.URL)
	}
	got, err := evidence.Measure(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if err := evidence.CheckReasons(got); err != nil {
		t.Errorf("side %s: %v", ref, err)
	}
	return got
}
