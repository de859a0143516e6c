package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/resource/httpadapter"
	"github.com/grafana/grafana-plugin-sdk-go/config"
	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/replaylab/replay-evidence/internal/host"
)

// servePlugin makes the test binary the backend under test, so that the real protocol is spoken to a real process without
// building another binary.
const servePlugin = "HOST_TEST_SERVES_PLUGIN"

func TestMain(m *testing.M) {
	if os.Getenv(servePlugin) == "" {
		os.Exit(m.Run())
	}
	err := backend.Manage("test-host-app", backend.ServeOpts{
		CallResourceHandler: httpadapter.New(echoRoutes()),
		CheckHealthHandler: backend.CheckHealthHandlerFunc(
			func(_ context.Context, req *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
				status := backend.HealthStatusOk
				if req.PluginContext.Namespace == fmt.Sprintf("org-%d", sickOrg) {
					status = backend.HealthStatusError
				}
				return &backend.CheckHealthResult{Status: status, Message: "said by the plugin", JSONDetails: []byte(`{"runs":4}`)}, nil
			}),
		QueryDataHandler: backend.QueryDataHandlerFunc(
			func(_ context.Context, req *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
				out := backend.NewQueryDataResponse()
				for _, q := range req.Queries {
					uid := req.PluginContext.DataSourceInstanceSettings.UID
					out.Responses[q.RefID] = backend.DataResponse{Frames: data.Frames{
						data.NewFrame(uid, data.NewField("from", nil, []int64{q.TimeRange.From.UnixMilli()})),
					}}
				}
				return out, nil
			}),
	})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sickOrg is the organisation in which the echo plugin is not well.
const sickOrg = 13

// seen is what the echo plugin saw of a request.
type seen struct {
	Method, Path, Query, Body string
	Header                    map[string][]string
	Role, Login               string
	Org                       string
	Settings                  json.RawMessage
	Secrets                   map[string]string
	Updated                   int64
	AppURL, Token             string
	Roots, Home               string
	PID                       int
}

func echoRoutes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/exit", func(http.ResponseWriter, *http.Request) { os.Exit(3) })
	mux.HandleFunc("/status", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.Header().Set("Set-Cookie", "stolen=1")
		w.WriteHeader(http.StatusFailedDependency)
		_, _ = w.Write([]byte(`{"title":"no"}`))
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		pc := backend.PluginConfigFromContext(r.Context())
		var body []byte
		if r.Body != nil { // the SDK's adapter leaves it nil when nothing was sent
			body, _ = io.ReadAll(r.Body)
		}
		got := seen{
			Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: string(body), Header: r.Header,
			Role: pc.User.Role, Login: pc.User.Login, Org: pc.Namespace, PID: os.Getpid(),
			Roots: os.Getenv("GF_PLUGIN_ROOTS"), Home: os.Getenv("HOME"),
		}
		if s := pc.AppInstanceSettings; s != nil {
			got.Settings, got.Secrets, got.Updated = s.JSONData, s.DecryptedSecureJSONData, s.Updated.UnixMilli()
		}
		cfg := config.GrafanaConfigFromContext(r.Context())
		got.AppURL, _ = cfg.AppURL()
		got.Token, _ = cfg.PluginAppClientSecret()
		_ = json.NewEncoder(w).Encode(got)
	})
	return mux
}

// buildDist lays out an app with a nested data source whose backends are this test binary.
func buildDist(t *testing.T) string {
	t.Helper()
	dist := t.TempDir()
	write(t, filepath.Join(dist, "plugin.json"),
		`{"type":"app","id":"test-host-app","name":"Test","backend":true,"executable":"gpx_test","info":{"version":"1.2.3"}}`)
	write(t, filepath.Join(dist, "module.js"), "define([], {});")
	write(t, filepath.Join(dist, "source", "plugin.json"),
		`{"type":"datasource","id":"test-host-datasource","name":"Nested","backend":true,"executable":"../gpx_test"}`)
	write(t, filepath.Join(dist, "source", "module.js"), "define([], {nested: true});")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("gpx_test_%s_%s", runtime.GOOS, runtime.GOARCH)
	if err := os.Symlink(self, filepath.Join(dist, name)); err != nil {
		t.Fatal(err)
	}
	return dist
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func startHost(t *testing.T, org host.Org) *host.Server {
	t.Helper()
	page := t.TempDir()
	write(t, filepath.Join(page, "index.html"), "<!doctype html><title>host page</title>")
	write(t, filepath.Join(page, "main.js"), "// the bundle")
	server, err := host.Start(host.Options{
		Dist: buildDist(t), Page: page, Images: t.TempDir(), Addr: "127.0.0.1:0", Org: org, Log: t.Output(),
		Env: []string{servePlugin + "=1", "GF_PLUGIN_ROOTS=lab=/results"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("close the host: %v", err)
		}
	})
	return server
}
