package orderapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// buckets are seconds. Most answers take about a millisecond, a list with an N+1 some tens.
var buckets = []float64{
	.0005, .001, .0015, .002, .003, .004, .006, .008, .01, .0125, .015, .02, .025, .03, .04, .05, .075, .1, .15, .25, .5, 1, 2.5,
}

// metrics are the instruments of one orders service, on a registry of their own.
type metrics struct {
	registry *prometheus.Registry
	request  *prometheus.HistogramVec
	query    *prometheus.HistogramVec
	poolWait prometheus.Histogram
	poolHold prometheus.Histogram
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		request: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "orders_request_duration_seconds",
			Help:    "Time to answer a request, from its arrival to the end of the handler.",
			Buckets: buckets,
		}, []string{"route", "method", "code"}),
		query: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "orders_query_duration_seconds",
			Help:    "Time of one statement, from sending it to the end of its answer. Transaction control is left out.",
			Buckets: buckets,
		}, []string{"statement"}),
		poolWait: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "orders_pool_wait_seconds",
			Help:    "Time between wanting and obtaining a database connection; includes connecting when one is opened.",
			Buckets: append([]float64{.00001, .00005, .0001, .00025}, buckets...),
		}),
		poolHold: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "orders_pool_hold_seconds",
			Help:    "Time between obtaining and giving back a database connection.",
			Buckets: append([]float64{.00025}, buckets...),
		}),
	}
	m.registry.MustRegister(
		m.request, m.query, m.poolWait, m.poolHold,
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "app_cpu_seconds_total",
			Help: "User and system CPU time of this process.",
		}, func() float64 { return cpuTime().Seconds() }),
		collectors.NewGoCollector(),
		// It says when the process started, which tells a restart from a counter that stands still.
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// observe wraps next so that every request lands in the histogram below the route that served it.
func (m *metrics) observe(route string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		next(recorder, r)
		m.request.WithLabelValues(route, r.Method, strconv.Itoa(recorder.status)).Observe(time.Since(start).Seconds())
	}
}

// statusRecorder remembers the status of an answer.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the first status.
func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// tracer measures statements, the wait for a connection and how long it is held.
type tracer struct {
	m *metrics
	// held is since when each connection is out of the pool: *pgx.Conn to time.Time.
	held *sync.Map
}

var (
	_ pgx.QueryTracer       = tracer{}
	_ pgxpool.AcquireTracer = tracer{}
	_ pgxpool.ReleaseTracer = tracer{}
)

type (
	queryKey   struct{}
	acquireKey struct{}
	running    struct {
		name  string
		start time.Time
	}
)

// TraceQueryStart implements [pgx.QueryTracer].
func (t tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	name, ok := statementNames[data.SQL]
	if !ok {
		return ctx // begin, commit, rollback
	}
	return context.WithValue(ctx, queryKey{}, running{name: name, start: time.Now()})
}

// TraceQueryEnd implements [pgx.QueryTracer].
func (t tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if q, ok := ctx.Value(queryKey{}).(running); ok {
		t.m.query.WithLabelValues(q.name).Observe(time.Since(q.start).Seconds())
	}
}

// TraceAcquireStart implements [pgxpool.AcquireTracer].
func (t tracer) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	return context.WithValue(ctx, acquireKey{}, time.Now())
}

// TraceAcquireEnd implements [pgxpool.AcquireTracer].
func (t tracer) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, data pgxpool.TraceAcquireEndData) {
	now := time.Now()
	if start, ok := ctx.Value(acquireKey{}).(time.Time); ok {
		t.m.poolWait.Observe(now.Sub(start).Seconds())
	}
	if data.Conn != nil {
		t.held.Store(data.Conn, now)
	}
}

// TraceRelease implements [pgxpool.ReleaseTracer].
func (t tracer) TraceRelease(_ *pgxpool.Pool, data pgxpool.TraceReleaseData) {
	if since, ok := t.held.LoadAndDelete(data.Conn); ok {
		t.m.poolHold.Observe(time.Since(since.(time.Time)).Seconds())
	}
}
