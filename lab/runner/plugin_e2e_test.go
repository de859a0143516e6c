package runner

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/host"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/plugin"
)

// pluginHost serves the plugin's real binary over the plugin protocol, on the results of a run, with the
// run's Prometheus as a Grafana data source behind the host's data source proxy.
func pluginHost(t *testing.T, o Options, prometheus string) *host.Server {
	t.Helper()
	root, err := build.Root()
	require.NoError(t, err)
	dist, page := t.TempDir(), t.TempDir()
	manifest, err := os.ReadFile(filepath.Join(root, "src", "plugin.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dist, "plugin.json"), manifest, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dist, "module.js"), []byte("define([], {});"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(page, "index.html"), []byte("<!doctype html>"), 0o600))
	binary := filepath.Join(dist, fmt.Sprintf("gpx_replay_evidence_%s_%s", runtime.GOOS, runtime.GOARCH))
	// The flags of the other builds, whose compiled packages this shares.
	cmd := exec.CommandContext(t.Context(), "go", "build", "-tags", build.Tags, "-o", binary, "./pkg")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))

	profile, err := os.ReadFile(filepath.Join(root, "lab", "profiles", "checkout.yaml"))
	require.NoError(t, err)
	settings, err := json.Marshal(map[string]any{
		"prometheus": map[string]string{"datasourceUid": "prometheus"},
		"profiles":   []map[string]string{{"yaml": string(profile)}},
	})
	require.NoError(t, err)
	srv, err := host.Start(host.Options{
		Dist: dist, Page: page, Images: page, Addr: "127.0.0.1:0", Log: logWriter{t},
		Env: []string{"GF_PLUGIN_ROOTS=lab=" + o.Out},
		Org: host.Org{JSONData: settings, DataSources: []host.DataSource{{UID: "prometheus", Name: "Prometheus", Type: "prometheus", URL: prometheus}}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, srv.Close()) })
	return srv
}

// resource reads one resource of the app as a Viewer.
func resource[T any](t *testing.T, srv *host.Server, path string, query url.Values) T {
	t.Helper()
	address := srv.URL() + "/api/plugins/replaylab-evidence-app/" + path + "?" + query.Encode()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	req.Header.Set("X-Host-Role", "Viewer")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, string(body))
	var v T
	require.NoError(t, json.Unmarshal(body, &v), string(body))
	return v
}

// sameInThePlugin asks the plugin's binary what the command line has just answered: the real protocol, the
// real Prometheus, the same figures.
func sameInThePlugin(t *testing.T, o Options, prometheus string, want compare.Comparison) {
	t.Helper()
	srv := pluginHost(t, o, prometheus)

	sides := resource[plugin.SidesResponse](t, srv, "resources/v1/sides", nil)
	var ids []string
	for _, s := range sides.Sides {
		ids = append(ids, s.ID)
	}
	require.Equal(t, []string{"lab/proxymock/recording", "lab/proxymock/results/baseline", "lab/proxymock/results/candidate"}, ids)

	q := url.Values{"baseline": {"lab/proxymock/results/baseline"}, "candidate": {"lab/proxymock/results/candidate"}, "profile": {"checkout"}}
	got := resource[compare.Comparison](t, srv, "resources/v1/compare", q)
	reconciled(t, got.Sides.Baseline, 1200)
	reconciled(t, got.Sides.Candidate, 1200)
	require.Equal(t, want.Verdict, got.Verdict, "the adapter has no logic of its own")
	require.Equal(t, want.Table, got.Table)

	boundary := resource[plugin.BoundaryResponse](t, srv, "resources/v1/boundary", url.Values{"run": {"lab/proxymock/recording"}})
	require.Len(t, boundary.Inbound, 1)
	require.Len(t, boundary.Outbound, 1)
	require.Equal(t, "GET /api/quote?sku=SSC-4110&qty=3", boundary.Inbound[0].Operation)
	require.Nil(t, boundary.Outbound[0].DurationMs, "a recorded outbound call of 1 ms is unknown")

	health := resource[struct {
		Status  string               `json:"status"`
		Message string               `json:"message"`
		Details plugin.HealthDetails `json:"details"`
	}](t, srv, "health", nil)
	require.Equal(t, "OK", health.Status, health.Message)
	require.Equal(t, "ok", health.Details.Prometheus)
	require.Equal(t, 5, health.Details.Runs)
}
