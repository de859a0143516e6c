// Package promtest is an in-memory Prometheus for tests: the real query engine over the real storage,
// behind as much of the HTTP API as this module uses. It compiles the engine, which takes a while, so
// it must be imported by tests only.
package promtest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/teststorage"

	"github.com/replaylab/replay-evidence/pkg/stat/sim"
)

// Point is one sample.
type Point struct {
	// T is milliseconds since 1970.
	T int64
	V float64
}

// Series is one series to store. Labels include __name__.
type Series struct {
	Labels map[string]string
	Points []Point
	// Histograms are native histogram samples; a series has points or histograms.
	Histograms []HistogramPoint
}

// HistogramPoint is one sample of a native histogram.
type HistogramPoint struct {
	T int64
	H *histogram.FloatHistogram
}

// Target is one entry of /api/v1/targets.
type Target struct {
	Labels         map[string]string `json:"labels"`
	ScrapePool     string            `json:"scrapePool"`
	ScrapeURL      string            `json:"scrapeUrl"`
	LastError      string            `json:"lastError"`
	LastScrape     time.Time         `json:"lastScrape"`
	Health         string            `json:"health"`
	ScrapeInterval string            `json:"scrapeInterval"`
	ScrapeTimeout  string            `json:"scrapeTimeout"`
}

// Server is an in-memory Prometheus. Its fields may be set before the first request.
type Server struct {
	// URL is the base address.
	URL string
	// Storage holds the samples.
	Storage storage.Storage
	// Engine evaluates queries.
	Engine *promql.Engine
	// Targets are listed by /api/v1/targets.
	Targets []Target
	// Version is what buildinfo says; "3.16.0" unless changed.
	Version string
	// Retention is what runtimeinfo says; empty means that the endpoint is missing.
	Retention string
	// Now is the server's clock; the real one unless changed.
	Now func() time.Time
	// Intercept, when set, may answer a request itself and then returns true: for faults.
	Intercept func(w http.ResponseWriter, r *http.Request) bool

	mu      sync.Mutex
	queries []string
}

// NewServer serves the series of a load script of Prometheus' own test language, whose first sample
// is at 1970-01-01T00:00:00Z. An empty script serves nothing.
func NewServer(t testing.TB, loadScript string) *Server {
	t.Helper()
	return serve(t, promqltest.LoadedStorage(t, loadScript))
}

// NewServerWith serves the given series.
func NewServerWith(t testing.TB, series []Series) *Server {
	t.Helper()
	st := teststorage.New(t)
	s := serve(t, st)
	s.Append(t, series)
	return s
}

// Append adds samples, which must be newer than those of the same series that are stored already.
func (s *Server) Append(t testing.TB, series []Series) {
	t.Helper()
	// Storage takes samples in the order of time over all series.
	type entry struct {
		t      int64
		labels labels.Labels
		v      float64
		h      *histogram.FloatHistogram
	}
	var all []entry
	for _, one := range series {
		ls := labels.FromMap(one.Labels)
		for _, p := range one.Points {
			all = append(all, entry{t: p.T, labels: ls, v: p.V})
		}
		for _, h := range one.Histograms {
			all = append(all, entry{t: h.T, labels: ls, h: h.H})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return int(a.t - b.t) })
	app := s.Storage.Appender(context.Background())
	for _, e := range all {
		var err error
		if e.h != nil {
			_, err = app.AppendHistogram(0, e.labels, e.t, nil, e.h)
		} else {
			_, err = app.Append(0, e.labels, e.t, e.v)
		}
		if err != nil {
			t.Fatalf("storing %s at %d: %v", e.labels, e.t, err)
		}
	}
	if err := app.Commit(); err != nil {
		t.Fatalf("storing samples: %v", err)
	}
}

func serve(t testing.TB, st storage.Storage) *Server {
	s := &Server{
		Storage: st,
		Engine:  promqltest.NewTestEngine(t, false, 5*time.Minute, 50_000_000),
		Version: "3.16.0",
		Now:     time.Now,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/query", s.query)
	mux.HandleFunc("/api/v1/label/__name__/values", s.names)
	mux.HandleFunc("GET /api/v1/targets", func(w http.ResponseWriter, _ *http.Request) {
		targets := s.Targets
		if targets == nil {
			targets = []Target{}
		}
		success(w, map[string]any{"activeTargets": targets, "droppedTargets": []any{}}, nil, nil)
	})
	mux.HandleFunc("GET /api/v1/status/buildinfo", func(w http.ResponseWriter, _ *http.Request) {
		success(w, map[string]string{"version": s.Version}, nil, nil)
	})
	mux.HandleFunc("GET /api/v1/status/runtimeinfo", func(w http.ResponseWriter, r *http.Request) {
		if s.Retention == "" {
			http.NotFound(w, r)
			return
		}
		success(w, map[string]any{"storageRetention": s.Retention, "startTime": s.Now()}, nil, nil)
	})
	hs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Intercept != nil && s.Intercept(w, r) {
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(hs.Close)
	s.URL = hs.URL
	return s
}

// Queries returns the texts of all queries so far.
func (s *Server) Queries() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.queries)
}

func success(w http.ResponseWriter, data any, warnings, infos []string) {
	write(w, http.StatusOK, struct {
		Status   string   `json:"status"`
		Data     any      `json:"data"`
		Warnings []string `json:"warnings,omitempty"`
		Infos    []string `json:"infos,omitempty"`
	}{"success", data, warnings, infos})
}

func failure(w http.ResponseWriter, status int, kind string, err error) {
	write(w, status, map[string]string{"status": "error", "errorType": kind, "error": err.Error()})
}

func write(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // the client went away: nothing is left to do
}

func (s *Server) query(w http.ResponseWriter, r *http.Request) {
	text := r.FormValue("query")
	s.mu.Lock()
	s.queries = append(s.queries, text)
	s.mu.Unlock()
	at := s.Now()
	if v := r.FormValue("time"); v != "" {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			failure(w, http.StatusBadRequest, "bad_data", err)
			return
		}
		whole, part := math.Modf(f)
		at = time.Unix(int64(whole), int64(math.Round(part*1000)/1000*float64(time.Second))).UTC()
	}
	q, err := s.Engine.NewInstantQuery(r.Context(), s.Storage, nil, text, at)
	if err != nil {
		failure(w, http.StatusBadRequest, "bad_data", err)
		return
	}
	defer q.Close()
	res := q.Exec(r.Context())
	if res.Err != nil {
		status, kind := http.StatusUnprocessableEntity, "execution"
		var timeout promql.ErrQueryTimeout
		if errors.As(res.Err, &timeout) {
			status, kind = http.StatusServiceUnavailable, "timeout"
		}
		failure(w, status, kind, res.Err)
		return
	}
	value, truncated := limited(res.Value, r.FormValue("limit"))
	warnings, infos := res.Warnings.AsStrings(text, 10, 10)
	if truncated {
		warnings = append(warnings, "results truncated due to limit")
	}
	success(w, map[string]any{"resultType": value.Type(), "result": result(value)}, warnings, infos)
}

// limited cuts a result as the limit parameter asks; 0 and nothing mean no limit.
func limited(v parser.Value, limit string) (parser.Value, bool) {
	n, err := strconv.Atoi(limit)
	if err != nil || n <= 0 {
		return v, false
	}
	switch t := v.(type) {
	case promql.Vector:
		if len(t) > n {
			return t[:n], true
		}
	case promql.Matrix:
		if len(t) > n {
			return t[:n], true
		}
	}
	return v, false
}

// result never is null, as the real API writes empty lists.
func result(v parser.Value) any {
	switch t := v.(type) {
	case promql.Vector:
		if len(t) == 0 {
			return []any{}
		}
	case promql.Matrix:
		if len(t) == 0 {
			return []any{}
		}
	}
	return v
}

// names answers the label values endpoint for metric names with one selector on __name__.
func (s *Server) names(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		failure(w, http.StatusBadRequest, "bad_data", err)
		return
	}
	querier, err := s.Storage.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		failure(w, http.StatusInternalServerError, "internal", err)
		return
	}
	defer querier.Close()
	values, _, err := querier.LabelValues(r.Context(), model.MetricNameLabel, nil)
	if err != nil {
		failure(w, http.StatusInternalServerError, "internal", err)
		return
	}
	if match := r.Form.Get("match[]"); match != "" {
		quoted := strings.TrimSuffix(strings.TrimPrefix(match, "{__name__=~"), "}")
		pattern, err := strconv.Unquote(quoted)
		if err != nil {
			failure(w, http.StatusBadRequest, "bad_data", err)
			return
		}
		re, err := regexp.Compile("^(?:" + pattern + ")$")
		if err != nil {
			failure(w, http.StatusBadRequest, "bad_data", err)
			return
		}
		values = slices.DeleteFunc(values, func(v string) bool { return !re.MatchString(v) })
	}
	if values == nil {
		values = []string{}
	}
	success(w, values, nil, nil)
}

// FromSim turns simulated and scraped series into series to store.
func FromSim(series []sim.Series) []Series {
	out := make([]Series, 0, len(series))
	for _, s := range series {
		one := Series{Labels: s.Labels}
		for _, p := range s.Samples {
			one.Points = append(one.Points, Point{T: p.T, V: p.V})
		}
		if len(one.Points) > 0 {
			out = append(out, one)
		}
	}
	return out
}
