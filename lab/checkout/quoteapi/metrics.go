package quoteapi

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// quoteRoute is the constant route label of the request histogram.
const quoteRoute = "/api/quote"

// metrics are the instruments of one checkout API, on a registry of their own.
type metrics struct {
	registry *prometheus.Registry
	duration *prometheus.HistogramVec
	connWait prometheus.Histogram
}

// newMetrics registers the request histogram, the connection-wait histogram,
// the CPU counter and the Go runtime metrics. There is no process collector:
// CPU time has its own, explicit counter.
func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "checkout_request_duration_seconds",
			Help:    "Time to answer a quote, from the request's arrival to the end of the handler.",
			Buckets: []float64{.01, .025, .05, .075, .1, .15, .2, .25, .3, .4, .5, .75, 1, 2.5},
		}, []string{"route", "method", "code"}),
		connWait: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "pricing_conn_wait_seconds",
			Help:    "Time between wanting and obtaining a connection to pricing; includes dialling when one is opened.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .15, .2, .3, .5, 1, 2.5},
		}),
	}
	m.registry.MustRegister(
		m.duration,
		m.connWait,
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "app_cpu_seconds_total",
			Help: "User and system CPU time of this process.",
		}, func() float64 { return cpuTime().Seconds() }),
		collectors.NewGoCollector(),
	)
	return m
}

// handler exposes the registry.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// observe wraps next so that every request lands in the duration histogram
// under the status it was answered with.
func (m *metrics) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(recorder, r)
		m.duration.WithLabelValues(quoteRoute, r.Method, statusLabel(recorder.status)).Observe(time.Since(start).Seconds())
	})
}
