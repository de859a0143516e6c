package plugin

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/replaylab/replay-evidence/pkg/catalog"
)

// telemetry is what the plugin tells of itself. Labels are bounded: routes and outcomes are constants
// of this package, never user input. A nil telemetry counts nothing.
type telemetry struct {
	requests   *prometheus.HistogramVec
	cache      *prometheus.CounterVec
	files      prometheus.Counter
	bytes      prometheus.Counter
	prometheus *prometheus.HistogramVec
}

// newTelemetry registers the plugin's metrics. Grafana exposes the process's default registry under
// /metrics/plugins/<id>.
func newTelemetry(reg prometheus.Registerer) (*telemetry, error) {
	const namespace = "replay_evidence"
	t := &telemetry{
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "request_duration_seconds",
			Help:    "Time to answer a resource or a query, by route and status class.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route", "status"}),
		cache: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "cache_requests_total",
			Help: "Look-ups in the cache of results, by result (hit, miss, shared, not_cacheable).",
		}, []string{"result"}),
		files: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "files_read_total", Help: "Files of runs that were opened.",
		}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "file_bytes_read_total", Help: "Bytes of runs that were read.",
		}),
		prometheus: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "prometheus_request_duration_seconds",
			Help:    "Time until the Prometheus API answered one request, by outcome (answered, failed).",
			Buckets: prometheus.DefBuckets,
		}, []string{"outcome"}),
	}
	for _, c := range []prometheus.Collector{t.requests, t.cache, t.files, t.bytes, t.prometheus} {
		if err := reg.Register(c); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *telemetry) cacheResult(result string) {
	if t != nil {
		t.cache.WithLabelValues(result).Inc()
	}
}

func (t *telemetry) request(route, status string, took time.Duration) {
	if t != nil {
		t.requests.WithLabelValues(route, status).Observe(took.Seconds())
	}
}

// fileRead counts one opened file and returns what counts its bytes.
func (t *telemetry) fileRead(rc io.ReadCloser) io.ReadCloser {
	if t == nil {
		return rc
	}
	t.files.Inc()
	return countingReader{rc, t.bytes}
}

type countingReader struct {
	io.ReadCloser
	bytes prometheus.Counter
}

func (c countingReader) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.bytes.Add(float64(n))
	return n, err
}

// countingRoot counts what the catalogue reads.
type countingRoot struct {
	catalog.Root
	files func(io.ReadCloser) io.ReadCloser
}

func (c countingRoot) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	rc, err := c.Root.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	return c.files(rc), nil
}

// timed measures the requests of a transport.
func (t *telemetry) timed(next http.RoundTripper) http.RoundTripper {
	if t == nil {
		return next
	}
	return timedTransport{next, t.prometheus}
}

type timedTransport struct {
	next http.RoundTripper
	took *prometheus.HistogramVec
}

func (t timedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	start := time.Now()
	resp, err := t.next.RoundTrip(req)
	outcome := "answered"
	if err != nil {
		outcome = "failed"
	}
	t.took.WithLabelValues(outcome).Observe(time.Since(start).Seconds())
	return resp, err
}
