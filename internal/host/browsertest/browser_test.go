package browsertest

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/host"
	"github.com/replaylab/replay-evidence/internal/proc"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

const repository = "../../.."

// TestBrowser runs the specs. They learn the host's address and what an organisation starts with from the environment,
// so that a spec can change one thing of it.
func TestBrowser(t *testing.T) {
	if os.Getenv("BROWSER_TEST") == "" {
		t.Skip("go tool mage check builds the plugin and runs this")
	}
	root, err := filepath.Abs(repository)
	require.NoError(t, err)

	prometheus := promtest.NewServerWith(t, labSeries())
	gone := httptest.NewServer(nil)
	gone.Close()
	jsonData := settings(t, filepath.Join(root, "lab", "profiles", "checkout.yaml"))
	org := host.Org{
		JSONData: jsonData,
		DataSources: []host.DataSource{
			{UID: "prometheus", Name: "Prometheus", Type: "prometheus", URL: prometheus.URL},
			{UID: "down", Name: "Prometheus that is down", Type: "prometheus", URL: gone.URL},
			{UID: "closed", Name: "Prometheus that is not granted", Type: "prometheus", URL: prometheus.URL, Refuse: true},
			{UID: "replay-evidence", Name: "Replay Evidence", Type: "replaylab-evidence-datasource", JSONData: jsonData},
		},
	}
	results := results(t, filepath.Join(root, "pkg", "evidence", "testdata", "lab"))
	log, err := os.Create(filepath.Join(t.TempDir(), "host.log"))
	require.NoError(t, err)
	server, err := host.Start(host.Options{
		Dist: filepath.Join(root, "dist"), Page: filepath.Join(root, ".cache", "host"),
		Images: filepath.Join(root, "node_modules", "@grafana", "ui", "dist", "public", "img"),
		Addr:   "127.0.0.1:0", Org: org, Log: log,
		Env: []string{"GF_PLUGIN_ROOTS=" + results},
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.NoError(t, log.Close())
	})

	start, err := json.Marshal(org)
	require.NoError(t, err)
	err = proc.Run(t.Context(), proc.Command{
		Name: "playwright", Path: filepath.Join(root, "node_modules", ".bin", "playwright"), Dir: root,
		Args: append([]string{"test"}, strings.Fields(os.Getenv("BROWSER_SPECS"))...), // a part of the specs while working
		Env:  []string{"HOST_URL=" + server.URL(), "HOST_ORG=" + string(start)}, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	if err != nil {
		if text, readErr := os.ReadFile(log.Name()); readErr == nil {
			t.Logf("what the plugin logged:\n%s", text)
		}
	}
	require.NoError(t, err, "the report of the specs is above")
}

func settings(t *testing.T, profile string) json.RawMessage {
	t.Helper()
	yaml, err := os.ReadFile(filepath.Clean(profile))
	require.NoError(t, err)
	raw, err := json.Marshal(map[string]any{
		"roots":      []map[string]string{{"name": "lab"}},
		"prometheus": map[string]string{"datasourceUid": "prometheus"},
		"profiles":   []map[string]string{{"yaml": string(yaml)}},
	})
	require.NoError(t, err)
	return raw
}

// results lays out the operator's roots: the synthetic lab, a root with a side whose summary was half written, and one
// that has vanished.
func results(t *testing.T, lab string) string {
	t.Helper()
	broken := t.TempDir()
	side := filepath.Join(broken, "half-written", "load")
	require.NoError(t, os.MkdirAll(side, 0o750))
	require.NoError(t, os.WriteFile(filepath.Join(side, "summary.json"), []byte(`{"requests": {"total": 12`), 0o600))
	return "lab=" + lab + ",broken=" + broken + ",gone=" + filepath.Join(broken, "vanished")
}
