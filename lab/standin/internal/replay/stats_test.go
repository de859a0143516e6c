package replay

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// base is when the sample runs of these tests start.
var base = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

func rowOf(latencies ...float64) *row {
	r := newRow("/x", "GET")
	for _, ms := range latencies {
		r.add(outcome{start: base, end: base.Add(time.Duration(ms * float64(time.Millisecond))), matched: true})
	}
	return r
}

// TestQuantilesOfPublishedRuns holds what proxymock printed for runs whose
// samples are known or follow from its own figures.
func TestQuantilesOfPublishedRuns(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		latencies []float64
		want      map[string]float64
	}{
		"eight samples, one outlier": {[]float64{1, 429, 1, 2, 3, 1, 2, 1},
			map[string]float64{"latency.avg": 55, "latency.max": 429, "latency.min": 1, "latency.p50": 1, "latency.p75": 2, "latency.p90": 3, "latency.p95": 3, "latency.p99": 3}},
		"three samples, p99 below the average": {[]float64{10, 9, 14},
			map[string]float64{"latency.avg": 11, "latency.p99": 10, "latency.max": 14}},
		"three slower samples": {[]float64{31, 30, 41},
			map[string]float64{"latency.avg": 34, "latency.p99": 31, "latency.max": 41}},
		"two samples": {[]float64{14, 93},
			map[string]float64{"latency.p50": 14, "latency.p99": 14, "latency.max": 93}},
		"below a millisecond is one": {[]float64{0.1, 0.9, 0.4},
			map[string]float64{"latency.avg": 1, "latency.min": 1, "latency.p50": 1, "latency.max": 1}},
		"truncated, not rounded": {[]float64{40.99},
			map[string]float64{"latency.avg": 40, "latency.p50": 40, "latency.p99": 40, "latency.max": 40}},
		"exact in the seconds, too": {[]float64{29_999, 29_998, 29_997},
			map[string]float64{"latency.p50": 29_998, "latency.min": 29_997, "latency.max": 29_999}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := rowOf(tc.latencies...).metrics(time.Second, true)
			for metric, want := range tc.want {
				assert.InDelta(t, want, got[metric], 0, metric)
			}
		})
	}
}

// TestQuantileIsTheRankOfTheSortedSample checks the histogram against sorting.
func TestQuantileIsTheRankOfTheSortedSample(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(rapid.IntRange(1, 30_000), 1, 400).Draw(t, "milliseconds")
		r := newRow("/x", "GET")
		for _, ms := range samples {
			r.add(outcome{start: base, end: base.Add(time.Duration(ms) * time.Millisecond)})
		}
		slices.Sort(samples)
		for name, q := range percentiles {
			want := samples[int(q*float64(len(samples)-1))]
			if got := r.quantile(q); got != int64(want) {
				t.Fatalf("%s of %d samples is %d, sorted sample says %d", name, len(samples), got, want)
			}
		}
	})
}

func TestCollectorRowsAndRates(t *testing.T) {
	t.Parallel()
	c := newCollector()
	at := func(start, end int, failed, matched bool) outcome {
		return outcome{start: base.Add(time.Duration(start) * time.Millisecond), end: base.Add(time.Duration(end) * time.Millisecond), failed: failed, matched: matched}
	}
	orders, health := endpoint{"/orders/{id}", "GET"}, endpoint{"/healthz", "GET"}
	c.add(orders, at(100, 110, false, true))
	c.add(health, at(0, 5, false, true))
	c.add(orders, at(200, 500, false, false))
	c.add(orders, at(200, 300, true, false))
	assert.Equal(t, int64(4), c.done())

	scored := c.result(true)
	assert.Equal(t, []string{"-ALL-", "/orders/{id}", "/healthz"}, []string{scored.Endpoints[0].URL, scored.Endpoints[1].URL, scored.Endpoints[2].URL})
	all := scored.Endpoints[0].Metrics
	assert.Equal(t, map[string]float64{
		"latency.avg": 105, "latency.min": 5, "latency.max": 300,
		"latency.p50": 10, "latency.p75": 10, "latency.p90": 10, "latency.p95": 10, "latency.p99": 10,
		"requests.total": 4, "requests.failed": 1, "requests.succeeded": 3,
		"requests.per-second": 8, "requests.per-minute": 480, // 4 in the half second from first request to last response
		"requests.response-pct": 75, "requests.result-match-pct": 50,
	}, all)
	load := c.result(false)
	assert.NotContains(t, load.Endpoints[0].Metrics, "requests.result-match-pct", "load is not scored")
}

func TestConditions(t *testing.T) {
	t.Parallel()
	metrics := map[string]float64{"requests.failed": 0, "requests.result-match-pct": 71.43, "latency.p95": 173}
	cases := map[string]struct {
		text   string
		failed bool
		line   string
	}{
		"no failures":  {"requests.failed!=0", false, `✔ passed eval "requests.failed!=0"`},
		"match":        {"requests.result-match-pct != 100", true, `✘ failed eval "requests.result-match-pct != 100" - observed requests.result-match-pct was 71.43`},
		"above":        {"latency.p95>200", false, `✔ passed eval "latency.p95>200"`},
		"at most":      {"latency.p95<=173", true, `✘ failed eval "latency.p95<=173" - observed latency.p95 was 173`},
		"at least":     {"latency.p95>=174", false, `✔ passed eval "latency.p95>=174"`},
		"below":        {"requests.result-match-pct < 100.00", true, `✘ failed eval "requests.result-match-pct < 100.00" - observed requests.result-match-pct was 71.43`},
		"equal":        {"requests.failed==0", true, `✘ failed eval "requests.failed==0" - observed requests.failed was 0`},
		"not measured": {"requests.nothing!=0", true, `✘ failed eval "requests.nothing!=0" - requests.nothing was not measured in this run`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			condition, err := ParseCondition(tc.text)
			require.NoError(t, err)
			failed, line := condition.check(metrics)
			assert.Equal(t, tc.failed, failed)
			assert.Equal(t, tc.line, line)
		})
	}
	for _, bad := range []string{"", "requests.failed", "requests.failed!=", "!=0", "a!=b", "a!=1;b!=2"} {
		_, err := ParseCondition(bad)
		assert.ErrorContains(t, err, "--fail-if", bad)
	}
}

func TestTemplate(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"/api/quote": "/api/quote",
		"/orders":    "/orders",
		"/orders/2cfa6a74-eace-5f52-8354-f048465c4cfe":        "/orders/{id}",
		"/orders/2cfa6a74-eace-5f52-8354-f048465c4cfe/status": "/orders/{id}/status",
		"/orders/not-an-id":       "/orders/not-an-id",
		"/v1/price/SSC-4110":      "/v1/price/{id}",
		"/users/42":               "/users/{id}",
		"/blobs/deadbeefdeadbeef": "/blobs/{id}",
		"/v2/beef":                "/v2/beef",
		"/":                       "/",
	}
	for path, want := range cases {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, want, template(path))
		})
	}
}

func TestProgressLine(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "replayed 300 of 1200 requests, 60.0/s, 15s left", progressLine(300, 1200, 5*time.Second, 0))
	assert.Equal(t, "replayed 0 of 1200 requests, 0.0/s, unknown time left", progressLine(0, 1200, 5*time.Second, 0))
	assert.Equal(t, "replayed 300 requests, 60.0/s, 25s left", progressLine(300, 0, 5*time.Second, 30*time.Second))
}
