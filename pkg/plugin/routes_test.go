package plugin

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"

	"github.com/replaylab/replay-evidence/pkg/profile"
)

// captured is a logger that keeps what was told.
type captured struct {
	log.Logger
	mu    sync.Mutex
	warns []string
}

func (c *captured) With(...any) log.Logger { return c }

func (c *captured) Warn(msg string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := msg
	for _, a := range args {
		if s, ok := a.(string); ok {
			text += " " + s
		}
	}
	c.warns = append(c.warns, text)
}

func newCaptured() *captured { return &captured{Logger: log.NewNullLogger()} }

// Each kind of mistake has its own status and a document that says what to do.
func TestStatusOfMistakes(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	for name, tc := range map[string]struct {
		method, url, body string
		status            int
		code              string
		allow             string
	}{
		"no side named":        {url: "v1/evidence", status: http.StatusBadRequest, code: "bad_parameter"},
		"unknown side":         {url: "v1/evidence?side=nowhere", status: http.StatusNotFound, code: "side_unknown"},
		"unknown root":         {url: "v1/evidence?side=elsewhere/baseline", status: http.StatusNotFound, code: "side_unknown"},
		"unknown profile":      {url: "v1/evidence?side=baseline&profile=x", status: http.StatusNotFound, code: "profile_unknown"},
		"unknown candidate":    {url: "v1/compare?baseline=baseline&candidate=nowhere", status: http.StatusNotFound, code: "side_unknown"},
		"unknown format":       {url: "v1/export?format=pdf&" + bothSides, status: http.StatusBadRequest, code: "bad_parameter"},
		"format before sides":  {url: "v1/export?format=pdf&baseline=a&candidate=b", status: http.StatusBadRequest, code: "bad_parameter"},
		"unknown resource":     {url: "v1/runs", status: http.StatusNotFound, code: "no_such_resource"},
		"read by another way":  {method: http.MethodPost, url: "v1/sides", status: http.StatusMethodNotAllowed, code: "method_not_allowed", allow: "GET, HEAD"},
		"check by another way": {method: http.MethodGet, url: "v1/profile/check", status: http.StatusMethodNotAllowed, code: "method_not_allowed", allow: "POST"},
		"draft too large":      {method: http.MethodPost, url: "v1/profile/check", body: strings.Repeat("#", maxDraftBytes+1), status: http.StatusRequestEntityTooLarge, code: "draft_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			method := tc.method
			if method == "" {
				method = http.MethodGet
			}
			got := call(t, i, "Admin", method, tc.url, tc.body)
			p := document[Problem](t, got)
			require.Equal(t, tc.status, got.Status, p.Detail)
			require.Equal(t, tc.code, p.Code)
			require.NotEmpty(t, p.Next)
			if tc.allow != "" {
				require.Equal(t, []string{tc.allow}, got.Headers["Allow"])
			}
		})
	}
}

// Both sides meet the same silent server: it is told once for a request, without what opens the server.
func TestASilentPrometheusIsToldOnceARequest(t *testing.T) {
	t.Parallel()
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	defer down.Close()
	told := newCaptured()
	i := testInstance(t, func(op *Operator, s *Settings) {
		op.logger = told
		s.Prometheus.URL = strings.Replace(down.URL, "http://", "http://someone:hunter2@", 1)
	})
	for n := range 2 {
		got := call(t, i, "Viewer", http.MethodGet, "v1/compare?"+bothSides, "")
		require.Equal(t, http.StatusOK, got.Status, "the files still answer: %s", got.Body)
		require.NotContains(t, string(got.Body), "hunter2")
		require.Len(t, told.warns, n+1, "%q", told.warns)
		require.Contains(t, told.warns[n], "Prometheus could not be asked")
		require.NotContains(t, told.warns[n], "hunter2")
	}
	settings := call(t, i, "Viewer", http.MethodGet, "v1/settings", "")
	require.NotContains(t, string(settings.Body), "hunter2")
	require.Contains(t, string(settings.Body), strings.TrimPrefix(down.URL, "http://"))
}

// Whoever leaves while waiting for a turn is let go, and takes none.
func TestMeasurementsTakeTurns(t *testing.T) {
	t.Parallel()
	i := testInstance(t, func(op *Operator, _ *Settings) { op.turns = semaphore.NewWeighted(1) })
	require.NoError(t, i.op.turns.Acquire(context.Background(), 1))
	ctx, leave := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := i.measure(ctx, "baseline", profile.Profile{})
		ended <- err
	}()
	leave()
	require.ErrorIs(t, <-ended, context.Canceled)
	i.op.turns.Release(1)
	_, err := i.measure(context.Background(), "baseline", profile.Profile{})
	require.NoError(t, err)
	require.NoError(t, i.op.turns.Acquire(context.Background(), 1), "every turn is given back")
}

// A request that is given up stops asking Prometheus.
func TestACancelledRequestStopsTheQuestions(t *testing.T) {
	t.Parallel()
	asked, gone := make(chan struct{}, 64), make(chan struct{}, 64)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server watch the connection
		asked <- struct{}{}
		<-r.Context().Done()
		gone <- struct{}{}
	}))
	defer slow.Close()
	i := testInstance(t, func(_ *Operator, s *Settings) { s.Prometheus.URL = slow.URL })
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	ended := make(chan int, 1)
	go func() {
		status := 0
		_ = i.CallResource(ctx, &backend.CallResourceRequest{
			PluginContext: backend.PluginContext{PluginID: "replaylab-evidence-app", Namespace: "default", User: &backend.User{Login: "sre", Role: roleViewer}},
			Method:        http.MethodGet, Path: "v1/compare", URL: "v1/compare?" + bothSides,
		}, backend.CallResourceResponseSenderFunc(func(r *backend.CallResourceResponse) error { status = r.Status; return nil }))
		ended <- status
	}()
	<-asked
	leave()
	<-gone
	require.Equal(t, 499, <-ended)
	// The measurement ends on its own soon after; every turn is given back, or this waits for ever.
	require.NoError(t, i.op.turns.Acquire(context.Background(), maxMeasurements))
}
