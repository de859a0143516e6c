package runner

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunningPrometheus(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	require.Empty(t, RunningPrometheus(context.Background(), out), "no run yet")

	ready := true
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/-/ready" || !ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	require.NoError(t, writeJSON(filepath.Join(out, "prometheus.json"), prometheusState{URL: srv.URL}))
	require.Equal(t, srv.URL, RunningPrometheus(context.Background(), out))
	ready = false
	require.Empty(t, RunningPrometheus(context.Background(), out), "not ready")
	srv.Close()
	require.Empty(t, RunningPrometheus(context.Background(), out), "ended")
}
