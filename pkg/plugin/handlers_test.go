package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/evidence/evidencetest"
	"github.com/replaylab/replay-evidence/pkg/profile"
)

// labRoot is a synthetic side tree: baseline and candidate with functional and load runs.
const labRoot = "../evidence/testdata/lab"

var fixedNow = time.Date(2026, 8, 13, 15, 10, 0, 0, time.UTC)

func checkoutYAML(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../lab/profiles/checkout.yaml")
	require.NoError(t, err)
	return string(text)
}

type instanceOption func(*Operator, *Settings)

func testInstance(t *testing.T, opts ...instanceOption) *Instance {
	t.Helper()
	op := Operator{Roots: "lab=" + labRoot, Now: func() time.Time { return fixedNow }, Version: "1.2.3"}
	s := Settings{Profiles: []ProfileSetting{{YAML: checkoutYAML(t)}}}
	for _, o := range opts {
		o(&op, &s)
	}
	jsonData, err := json.Marshal(s)
	require.NoError(t, err)
	i := newInstance(context.Background(), op, jsonData, nil, httpclient.Options{}, nil)
	t.Cleanup(i.Dispose)
	return i
}

// call sends a request the way Grafana does, as a user of a role; an empty role is Grafana itself.
func call(t *testing.T, i *Instance, role, method, url, body string) *backend.CallResourceResponse {
	t.Helper()
	pc := backend.PluginContext{PluginID: "replaylab-evidence-app", Namespace: "default"}
	if role != "" {
		pc.User = &backend.User{Login: "sre", Role: role}
	}
	path, _, _ := strings.Cut(url, "?")
	var got *backend.CallResourceResponse
	err := i.CallResource(context.Background(), &backend.CallResourceRequest{PluginContext: pc, Method: method, Path: path, URL: url, Body: []byte(body)},
		backend.CallResourceResponseSenderFunc(func(r *backend.CallResourceResponse) error { got = r; return nil }))
	require.NoError(t, err)
	require.NotNil(t, got)
	return got
}

func document[T any](t *testing.T, r *backend.CallResourceResponse) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal(r.Body, &v), string(r.Body))
	return v
}

const bothSides = "baseline=baseline&candidate=candidate&profile=checkout"

func TestRoles(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	const (
		ok     = http.StatusOK
		denied = http.StatusForbidden
	)
	for url, want := range map[string]map[string]int{
		"v1/sides":                           {"None": denied, "Viewer": ok, "Editor": ok, "Admin": ok},
		"v1/evidence?side=baseline":          {"None": denied, "Viewer": ok, "Editor": ok, "Admin": ok},
		"v1/compare?" + bothSides:            {"None": denied, "Viewer": ok, "Editor": ok, "Admin": ok},
		"v1/export?format=json&" + bothSides: {"None": denied, "Viewer": ok, "Editor": ok, "Admin": ok},
		"v1/settings":                        {"None": denied, "Viewer": ok, "Editor": ok, "Admin": ok},
		// Without a Prometheus the admin gets past the door and is told what is missing.
		"v1/metric-names": {"None": denied, "Viewer": denied, "Editor": denied, "Admin": http.StatusFailedDependency},
		"v1/nowhere":      {"None": denied, "Viewer": http.StatusNotFound, "Editor": http.StatusNotFound, "Admin": http.StatusNotFound},
	} {
		for role, status := range want {
			t.Run(role+" "+url, func(t *testing.T) {
				t.Parallel()
				r := call(t, i, role, http.MethodGet, url, "")
				require.Equal(t, status, r.Status, string(r.Body))
				if status != ok {
					p := document[Problem](t, r)
					require.Equal(t, status, p.Status)
					require.NotEmpty(t, p.Next, "a problem says what to do")
					require.Equal(t, []string{"application/problem+json"}, r.Headers["Content-Type"])
				}
			})
		}
	}
}

func TestRevealingValuesNeedsAnEditor(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	c := document[compare.Comparison](t, call(t, i, "Viewer", http.MethodGet, "v1/compare?"+bothSides, ""))
	require.NotZero(t, c.Responses.Pairs)
	ref := ""
	side, err := i.measure(context.Background(), "baseline", profile.Profile{})
	require.NoError(t, err)
	for _, r := range side.side.Responses {
		ref = r.RefUUID
	}
	url := "v1/diff?" + bothSides + "&refUuid=" + ref
	masked := document[DiffResponse](t, call(t, i, "Viewer", http.MethodGet, url, ""))
	require.True(t, masked.Masked)
	require.NotNil(t, masked.Baseline)
	require.NotContains(t, masked.Baseline.Body, "SSC-4110", "a recorded value must not be shown unasked")
	require.Equal(t, http.StatusForbidden, call(t, i, "Viewer", http.MethodGet, url+"&show=values", "").Status)
	shown := document[DiffResponse](t, call(t, i, "Editor", http.MethodGet, url+"&show=values", ""))
	require.False(t, shown.Masked)
	require.Contains(t, shown.Baseline.Body, "SSC-4110")
}

func TestProblemsNameTheirCause(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	for name, tc := range map[string]struct {
		url, code string
		status    int
	}{
		"no side named":      {"v1/evidence", "bad_parameter", 400},
		"unknown side":       {"v1/evidence?side=nowhere", "side_unknown", 404},
		"unknown profile":    {"v1/evidence?side=baseline&profile=nope", "profile_unknown", 404},
		"one side missing":   {"v1/compare?baseline=baseline", "bad_parameter", 400},
		"unknown format":     {"v1/export?format=pdf&" + bothSides, "bad_parameter", 400},
		"unknown pair":       {"v1/diff?refUuid=0&" + bothSides, "pair_unknown", 404},
		"boundary, no root":  {"v1/boundary?run=nope", "bad_parameter", 400},
		"boundary elsewhere": {"v1/boundary?run=lab/nowhere", "vanished", 404},
		"boundary outside":   {"v1/boundary?run=lab/../../..", "outside_root", 400},
		"foreign root":       {"v1/boundary?run=etc/passwd", "root_unknown", 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := call(t, i, "Viewer", http.MethodGet, tc.url, "")
			p := document[Problem](t, r)
			require.Equal(t, tc.code, p.Code, p.Detail)
			require.Equal(t, tc.status, r.Status)
			require.NotContains(t, string(r.Body), "/work", "no path of the host reaches a user")
		})
	}
}

// Each bad setting is named; the rest of the plugin still works.
func TestBadSettings(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "gone")
	for name, tc := range map[string]struct {
		opt     instanceOption
		setting string
		sides   bool
	}{
		"root that does not exist": {func(op *Operator, _ *Settings) { op.Roots += ", old=" + missing }, "roots", true},
		"root the operator lacks":  {func(_ *Operator, s *Settings) { s.Roots = []RootSetting{{Name: "lab"}, {Name: "mine"}} }, "roots", true},
		"root narrowed outwards":   {func(_ *Operator, s *Settings) { s.Roots = []RootSetting{{Name: "lab", Path: "../.."}} }, "roots", false},
		"operator's text":          {func(op *Operator, _ *Settings) { op.Roots = "lab" }, "roots (operator)", false},
		"no root at all":           {func(op *Operator, _ *Settings) { op.Roots = "" }, "roots (operator)", false},
		"profile":                  {func(_ *Operator, s *Settings) { s.Profiles = append(s.Profiles, ProfileSetting{YAML: "surname: x"}) }, "profiles[1]", true},
		"two profiles of one name": {func(_ *Operator, s *Settings) { s.Profiles = append(s.Profiles, s.Profiles[0]) }, "profiles[1]", true},
		"quantile":                 {func(_ *Operator, s *Settings) { s.Quantile = 95 }, "quantile", true},
		"prometheus URL":           {func(_ *Operator, s *Settings) { s.Prometheus.URL = "prometheus:9090" }, "prometheus.url", true},
		"credentials in the URL":   {func(_ *Operator, s *Settings) { s.Prometheus.URL = "http://a:b@127.0.0.1:1" }, "prometheus.url", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := testInstance(t, tc.opt)
			s := document[SettingsResponse](t, call(t, i, "Admin", http.MethodGet, "v1/settings", ""))
			found := false
			for _, p := range s.Problems {
				require.NotEmpty(t, p.Next)
				found = found || p.Setting == tc.setting
			}
			require.True(t, found, "%+v", s.Problems)
			health, err := i.CheckHealth(context.Background(), &backend.CheckHealthRequest{})
			require.NoError(t, err)
			require.Equal(t, backend.HealthStatusError, health.Status, health.Message)
			require.NotContains(t, health.Message, missing, "the operator's paths are not for every reader")
			sides := document[SidesResponse](t, call(t, i, "Viewer", http.MethodGet, "v1/sides", ""))
			require.Equal(t, tc.sides, len(sides.Sides) > 0)
		})
	}
}

func TestHealthy(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	health, err := i.CheckHealth(context.Background(), &backend.CheckHealthRequest{})
	require.NoError(t, err)
	require.Equal(t, backend.HealthStatusOk, health.Status, health.Message)
	var d HealthDetails
	require.NoError(t, json.Unmarshal(health.JSONDetails, &d))
	require.Equal(t, "not_configured", d.Prometheus)
	require.Positive(t, d.Runs)
}

func TestResultsAreCachedByContent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(labRoot)))
	reg := prometheus.NewRegistry()
	tel, err := newTelemetry(reg)
	require.NoError(t, err)
	i := testInstance(t, func(op *Operator, _ *Settings) { op.Roots, op.telemetry = "lab="+dir, tel })
	ctx := context.Background()
	// Nobody but the files was asked: what is on disk decides.
	first, err := i.measure(ctx, "baseline", profile.Profile{})
	require.NoError(t, err)
	again, err := i.measure(ctx, "baseline", profile.Profile{})
	require.NoError(t, err)
	require.Same(t, first.side, again.side, "the same files give the same answer")
	file := filepath.Join(dir, "proxymock", "results", "baseline", "load", "summary.json")
	require.FileExists(t, file)
	require.NoError(t, os.WriteFile(file, []byte(`{"endpoints": [`), 0o644))
	second, err := i.measure(ctx, "baseline", profile.Profile{})
	require.NoError(t, err)
	require.NotEqual(t, first.key, second.key, "a changed file changes the key")
	require.NotEmpty(t, second.side.Problems, "the half-written summary is named")
	require.Positive(t, testutil.ToFloat64(tel.files))
}

// The contract: what the handlers answer is written to testdata/contract, and the front end's tests read
// the same files.
func TestContract(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	prof, err := profile.Parse(strings.NewReader(checkoutYAML(t)), "checkout.yaml")
	require.NoError(t, err)
	comparison := compare.Compare(*evidencetest.Baseline(), *evidencetest.Candidate(), *prof, compare.Options{
		Now: fixedNow, Generator: compare.Generator{Name: generatorName, Version: "1.2.3"},
	})
	require.NoError(t, evidence.CheckReasons(comparison))
	full, err := json.Marshal(comparison)
	require.NoError(t, err)
	bodies := map[string][]byte{
		"comparison":       full,
		"sides":            call(t, i, "Viewer", http.MethodGet, "v1/sides", "").Body,
		"evidence":         call(t, i, "Viewer", http.MethodGet, "v1/evidence?side=baseline", "").Body,
		"comparison-plain": call(t, i, "Viewer", http.MethodGet, "v1/compare?"+bothSides, "").Body,
		"settings":         call(t, i, "Admin", http.MethodGet, "v1/settings", "").Body,
		"problem":          call(t, i, "Viewer", http.MethodGet, "v1/evidence?side=nowhere", "").Body,
		"check":            call(t, i, "Admin", http.MethodPost, "v1/profile/check", "name: x\nrequest: {metric: a_bucket}\n").Body,
	}
	for name, body := range bodies {
		var pretty bytes.Buffer
		require.NoError(t, json.Indent(&pretty, body, "", " "), name)
		pretty.WriteByte('\n')
		file := filepath.Join("testdata", "contract", name+".json")
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, pretty.Bytes(), 0o644))
			continue
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), pretty.String(), "%s differs; go test ./pkg/plugin -update writes it anew", name)
	}
}

// The SDK's adapter leaves the body nil when nothing was sent.
func TestCheckOfNothing(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	r := call(t, i, "Admin", http.MethodPost, "v1/profile/check", "")
	require.Equal(t, http.StatusBadRequest, r.Status, string(r.Body))
	require.Equal(t, "bad_parameter", document[Problem](t, r).Code)
}

// A valid draft whose service was never scraped: the check says so, names the run it looked at, and does not
// wait for what cannot appear any more.
func TestCheckOfAnUnscrapedService(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"status":"success","data":{"resultType":"vector","result":[]}}`))
	}))
	t.Cleanup(srv.Close)
	i := testInstance(t, func(_ *Operator, s *Settings) { s.Prometheus.URL = srv.URL })
	r := call(t, i, "Admin", http.MethodPost, "v1/profile/check", checkoutYAML(t))
	got := document[CheckResponse](t, r)
	require.True(t, got.Valid, string(r.Body))
	require.Positive(t, asked.Load())
	require.NotEmpty(t, got.Lines)
	require.Equal(t, checkError, got.Lines[0].State)
	require.Contains(t, got.Lines[0].Text, "lab/proxymock/results/candidate/load", "the newest load run stands for all")
	require.NotEmpty(t, got.Lines[0].Next)
}

// Grafana lets everyone who is signed in ask for the health; what was found is for readers only.
func TestHealthIsForReaders(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	for role, tells := range map[string]bool{"None": false, "Viewer": true, "Admin": true} {
		req := &backend.CheckHealthRequest{PluginContext: backend.PluginContext{User: &backend.User{Login: "sre", Role: role}}}
		health, err := i.CheckHealth(context.Background(), req)
		require.NoError(t, err)
		require.Equal(t, tells, health.Status == backend.HealthStatusOk, role)
		require.Equal(t, tells, len(health.JSONDetails) > 0, role)
	}
}
