package cli_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
	"github.com/replaylab/replay-evidence/pkg/stat/sim"
)

// The simulated lab: a replay of known truth, written as the files that a replay leaves and scraped into
// an in-memory Prometheus. All of it is synthetic.

var labStart = time.Date(2026, 8, 13, 14, 59, 55, 250e6, time.UTC)

const recordedUUID = "6f1c2a10-0000-4000-8000-000000000001"

type labSide struct {
	name string
	// pool is the number of connections, passes those of 8 users.
	pool, passes int
	start        time.Time
	price        int
	// gateFailed renames the functional summary as the lab does when a gate trips, and skips the load.
	gateFailed bool
}

// lab writes sides below a directory and returns the series that a scrape of all of them gives.
func lab(t *testing.T, dir string, sides ...labSide) []promtest.Series {
	t.Helper()
	merged := map[string]*promtest.Series{}
	var order []string
	for i, s := range sides {
		events := sim.Run(sim.Config{Users: 8, Passes: s.passes, Pool: s.pool, ServiceMin: .040, ServiceMax: .043, CPUPerRequest: .001, Seed: uint64(i + 1)})
		s.write(t, dir, events)
		series := promtest.FromSim(sim.Record(events, sim.Scrape{Job: "checkout-api", Instance: "127.0.0.1:8080", Start: s.start.UnixMilli(), Interval: 1000, Phase: 300,
			Before: 20_000, After: 20_000, Warm: events[:3], CPUPerRequest: .001, IdleCores: .002}))
		for _, x := range series {
			key := fmt.Sprint(x.Labels)
			if merged[key] == nil {
				merged[key], order = &x, append(order, key)
				continue
			}
			merged[key].Points = append(merged[key].Points, x.Points...)
		}
	}
	var out []promtest.Series
	for _, key := range order {
		out = append(out, *merged[key])
	}
	return out
}

func (s labSide) write(t *testing.T, dir string, events []sim.Event) {
	t.Helper()
	put := func(name string, v any) {
		file := filepath.Join(dir, s.name, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		data, err := json.MarshalIndent(v, "", " ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(data, '\n'), 0o644))
	}
	put("side.json", map[string]any{"label": s.name, "changed": fmt.Sprintf("%d connections", s.pool), "pools": map[string]int{"pricing": s.pool},
		"workload":   map[string]any{"users": 8, "passes": s.passes, "functionalPasses": 3, "mode": "load-test"},
		"harness":    map[string]any{"name": "simulated replay"},
		"dependency": map[string]any{"mocked": true, "timing": "40x"}})
	functional := s.start.Add(-15 * time.Second)
	put("functional/window.json", window(functional, functional.Add(140*time.Millisecond)))
	match := 100.0
	name := "functional/summary.json"
	if s.gateFailed {
		match, name = 0, "functional/failed-summary.json"
	}
	put(name, summary([]float64{.044, .044, .045}, .14, &match))
	for i := range 3 {
		put(fmt.Sprintf("functional/localhost/%s.json", functional.Add(time.Duration(i)*45*time.Millisecond).Format("2006-01-02_15-04-05.000Z")), s.pair(functional, i))
	}
	if s.gateFailed {
		return
	}
	var durations []float64
	for _, e := range events {
		durations = append(durations, e.Duration)
	}
	length := sim.Length(events)
	put("load/window.json", window(s.start, s.start.Add(time.Duration(length*float64(time.Second)))))
	put("load/summary.json", summary(durations, length, nil))
}

func window(start, end time.Time) map[string]any {
	from, to := start.Truncate(time.Second), end.Truncate(time.Second).Add(2*time.Second)
	return map[string]any{"start": start, "end": end, "query_start": from, "query_end": to, "window_seconds": int64(to.Sub(from).Seconds())}
}

// summary is the raw result of a replay: whole milliseconds, the aggregate and the one endpoint.
func summary(durations []float64, active float64, match *float64) map[string]any {
	sorted := append([]float64(nil), durations...)
	sort.Float64s(sorted)
	ms := func(v float64) int { return max(1, int(v*1000)) }
	at := func(q float64) int { return ms(sorted[max(0, int(math.Floor(q*float64(len(sorted))))-1)]) }
	var sum float64
	for _, d := range durations {
		sum += d
	}
	n := float64(len(durations))
	metrics := map[string]any{"latency.avg": ms(sum / n), "latency.max": ms(sorted[len(sorted)-1]), "latency.min": ms(sorted[0]),
		"latency.p50": at(.5), "latency.p75": at(.75), "latency.p90": at(.9), "latency.p95": at(.95), "latency.p99": at(.99),
		"requests.failed": 0, "requests.per-minute": 60 * n / active, "requests.per-second": n / active, "requests.response-pct": 100,
		"requests.succeeded": len(durations), "requests.total": len(durations)}
	if match != nil {
		metrics["requests.result-match-pct"] = *match
	}
	return map[string]any{"endpoints": []any{
		map[string]any{"url": "-ALL-", "method": "-ALL-", "metrics": metrics},
		map[string]any{"url": "/api/quote", "method": "GET", "metrics": metrics},
	}}
}

// pair is one replayed pair in the JSON form.
func (s labSide) pair(start time.Time, i int) map[string]any {
	id := fmt.Sprintf("7a000000-0000-4000-8000-%08d%04d", s.start.Unix()%1e8, i)
	raw, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil {
		panic(err)
	}
	match := "pass"
	if s.gateFailed {
		match = "fail"
	}
	body := fmt.Sprintf(`{"sku":"SSC-4110","quantity":3,"unit_price_cents":%d,"total_cents":%d,"currency":"USD"}`, s.price, 3*s.price)
	at := start.Add(time.Duration(i) * 45 * time.Millisecond)
	return map[string]any{"msgType": "rrpair", "resource": "checkout", "ts": at, "l7protocol": "http", "duration": 44, "direction": "IN",
		"uuid": base64.StdEncoding.EncodeToString(raw), "command": "GET", "location": "/api/quote", "status": "200 OK",
		"tags": map[string]string{"source": "generator", "match": match, "refUuid": recordedUUID, "msgNum": fmt.Sprint(i)},
		"http": map[string]any{
			"req": map[string]any{"url": "/api/quote", "uri": "/api/quote?sku=SSC-4110&qty=3", "version": "1.1", "method": "GET", "host": "localhost"},
			"res": map[string]any{"contentType": "application/json", "statusCode": 200, "statusMessage": "200 OK",
				"headers":    map[string][]string{"Content-Type": {"application/json"}, "Date": {at.Format(time.RFC1123)}},
				"bodyBase64": base64.StdEncoding.EncodeToString([]byte(body))}}}
}
