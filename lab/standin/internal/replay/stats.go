package replay

import (
	"math"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// allName is the url and method of the aggregate row.
const allName = "-ALL-"

// maxLatencyMs bounds what a histogram holds; a request is given up before.
const maxLatencyMs = 120_000

// percentiles are the quantiles of a result row.
var percentiles = map[string]float64{
	"latency.p50": .50, "latency.p75": .75, "latency.p90": .90, "latency.p95": .95, "latency.p99": .99,
}

// outcome is one finished request.
type outcome struct {
	start, end time.Time
	failed     bool // no response: transport failure or time-out
	matched    bool // status and body equal the recording; unused under load
}

// row collects one endpoint. Latencies are whole milliseconds, truncated and at
// least 1, as proxymock reports them. Four significant figures keep every value
// up to 32 seconds exact, so ranks are exact, too, in constant memory.
type row struct {
	url, method                       string
	latencies                         *hdrhistogram.Histogram
	sum, total, failed, responded, ok int64
}

func newRow(url, method string) *row {
	return &row{url: url, method: method, latencies: hdrhistogram.New(1, maxLatencyMs, 4)}
}

func (r *row) add(o outcome) {
	r.total++
	if o.failed {
		r.failed++
		return
	}
	r.responded++
	if o.matched {
		r.ok++
	}
	ms := min(rrpair.Millis(o.end.Sub(o.start)), maxLatencyMs)
	r.sum += ms
	_ = r.latencies.RecordValue(ms) // in range by construction
}

// quantile is the sample at index floor(q(n-1)) of the sorted latencies: the
// rule that explains proxymock's published figures, in which the maximum of a
// small sample never is its p99. HDR's own percentile rounds the rank up, so it
// is asked for the percentile of the wanted rank. There must be samples.
func (r *row) quantile(q float64) int64 {
	n := r.latencies.TotalCount()
	index := math.Floor(q * float64(n-1))
	// Three quarters past the index is in the middle of what rounds to its rank.
	return r.latencies.ValueAtPercentile(100 * (index + .75) / float64(n))
}

// metrics are the figures of the row; active is the time from the run's first
// request to its last response, scored says whether responses were compared.
func (r *row) metrics(active time.Duration, scored bool) map[string]float64 {
	m := map[string]float64{
		"requests.total":     float64(r.total),
		"requests.failed":    float64(r.failed),
		"requests.succeeded": float64(r.total - r.failed),
	}
	// Without a response there is no latency to speak of, and 0 would be one.
	if r.responded > 0 {
		for name, q := range percentiles {
			m[name] = float64(r.quantile(q))
		}
		m["latency.avg"] = math.Round(float64(r.sum) / float64(r.responded))
		m["latency.min"] = float64(r.latencies.Min())
		m["latency.max"] = float64(r.latencies.Max())
	}
	m["requests.per-second"] = 0
	if active > 0 {
		m["requests.per-second"] = float64(r.total) / active.Seconds()
	}
	m["requests.per-minute"] = 60 * m["requests.per-second"]
	m["requests.response-pct"] = percent(r.responded, r.total)
	if scored {
		m["requests.result-match-pct"] = percent(r.ok, r.total)
	}
	return m
}

func percent(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// endpoint identifies a row.
type endpoint struct{ url, method string }

// collector gathers the rows of a run. It is safe for concurrent use.
type collector struct {
	mu          sync.Mutex
	all         *row
	rows        map[endpoint]*row
	order       []endpoint
	first, last time.Time
}

func newCollector() *collector {
	return &collector{all: newRow(allName, allName), rows: map[endpoint]*row{}}
}

func (c *collector) add(at endpoint, o outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.rows[at]
	if !ok {
		r = newRow(at.url, at.method)
		c.rows[at] = r
		c.order = append(c.order, at)
	}
	c.all.add(o)
	r.add(o)
	if c.first.IsZero() || o.start.Before(c.first) {
		c.first = o.start
	}
	if o.end.After(c.last) {
		c.last = o.end
	}
}

// done is the number of finished requests.
func (c *collector) done() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all.total
}

// result builds the rows, the aggregate first, then endpoints as they were met.
func (c *collector) result(scored bool) Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	active := c.last.Sub(c.first)
	out := Result{ProducedBy: producedBy}
	out.Endpoints = append(out.Endpoints, c.all.export(active, scored))
	for _, at := range c.order {
		out.Endpoints = append(out.Endpoints, c.rows[at].export(active, scored))
	}
	return out
}

func (r *row) export(active time.Duration, scored bool) Endpoint {
	return Endpoint{URL: r.url, Method: r.method, Metrics: r.metrics(active, scored)}
}
