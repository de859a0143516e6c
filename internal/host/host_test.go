package host_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/host"
)

// as names the user of a request.
type as struct {
	role string
	org  int64
}

func send(t *testing.T, method, url, body string, who as, header ...string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	if who.role != "" {
		req.Header.Set("X-Host-Role", who.role)
	}
	if who.org > 0 {
		req.Header.Set("X-Host-Org", fmt.Sprint(who.org))
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	if name := req.Header.Get("Host"); name != "" {
		req.Host = name
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(got), resp.Header
}

const resources = "/api/plugins/test-host-app/resources/"

func echo(t *testing.T, server *host.Server, who as) seen {
	t.Helper()
	code, body, _ := send(t, http.MethodGet, server.URL()+resources+"echo", "", who)
	require.Equal(t, http.StatusOK, code, body)
	var got seen
	require.NoError(t, json.Unmarshal([]byte(body), &got))
	return got
}

func TestResourceReachesThePluginAsGrafanaSendsIt(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{
		JSONData: json.RawMessage(`{"a":1}`), SecureJSONData: map[string]string{"password": "x"},
	})
	code, body, header := send(t, http.MethodPost, server.URL()+resources+"v1/sides/lab%2Fbase%20line?b=2&a=1&a=%2B", "asked",
		as{role: "Viewer", org: 7}, "Cookie", "grafana_session=secret", "Authorization", "Bearer mine", "X-Custom", "kept")
	require.Equal(t, http.StatusOK, code, body)
	require.Equal(t, "sandbox", header.Get("Content-Security-Policy"))

	var got seen
	require.NoError(t, json.Unmarshal([]byte(body), &got))
	require.Equal(t, "POST", got.Method)
	require.Equal(t, "/v1/sides/lab/base line", got.Path)
	require.Equal(t, "b=2&a=1&a=%2B", got.Query)
	require.Equal(t, "asked", got.Body)
	require.Equal(t, []string{"kept"}, got.Header["X-Custom"])
	require.NotContains(t, got.Header, "Cookie")
	require.NotContains(t, got.Header, "Authorization")
	require.Equal(t, "Viewer", got.Role)
	require.Equal(t, "viewer", got.Login)
	require.Equal(t, "org-7", got.Org)
	require.JSONEq(t, `{"a":1}`, string(got.Settings))
	require.Equal(t, map[string]string{"password": "x"}, got.Secrets)
	require.Equal(t, server.URL(), got.AppURL)
	require.NotEmpty(t, got.Token)
	require.Equal(t, "lab=/results", got.Roots)
	require.Empty(t, got.Home, "the plugin must not inherit the developer's environment")
}

func TestStatusAndTypeOfThePluginPassThrough(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{})
	code, body, header := send(t, http.MethodGet, server.URL()+resources+"status", "", as{})
	require.Equal(t, http.StatusFailedDependency, code)
	require.JSONEq(t, `{"title":"no"}`, body)
	require.Equal(t, "application/problem+json", header.Get("Content-Type"))
	require.Empty(t, header.Get("Set-Cookie"))
}

func TestRoleNoneReachesNoPlugin(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{})
	for _, path := range []string{resources + "echo", "/api/plugins/test-host-app/health"} {
		code, body, _ := send(t, http.MethodGet, server.URL()+path, "", as{role: "None"})
		require.Equal(t, http.StatusForbidden, code, path)
		require.Contains(t, body, "plugins.app:access", path)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{})
	for name, tc := range map[string]struct {
		org    int64
		code   int
		status string
	}{
		"well":     {1, http.StatusOK, "OK"},
		"not well": {sickOrg, http.StatusServiceUnavailable, "ERROR"},
	} {
		code, body, _ := send(t, http.MethodGet, server.URL()+"/api/plugins/test-host-app/health", "", as{org: tc.org})
		require.Equal(t, tc.code, code, name)
		require.JSONEq(t, fmt.Sprintf(`{"status":%q,"message":"said by the plugin","details":{"runs":4}}`, tc.status), body, name)
	}
}

func TestSettingsArePerOrganisationAndForAdministrators(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{JSONData: json.RawMessage(`{"a":1}`)})
	before, other := echo(t, server, as{org: 2}), echo(t, server, as{org: 3})
	require.Equal(t, before.Updated, echo(t, server, as{org: 2}).Updated, "the same settings must keep the same instance")

	url := server.URL() + "/api/plugins/test-host-app/settings"
	saved := `{"enabled":true,"jsonData":{"a":2},"secureJsonData":{"token":"t"}}`
	code, _, _ := send(t, http.MethodPost, url, saved, as{role: "Editor", org: 2})
	require.Equal(t, http.StatusForbidden, code)
	require.JSONEq(t, `{"a":1}`, string(echo(t, server, as{org: 2}).Settings))

	code, _, _ = send(t, http.MethodPost, url, saved, as{org: 2})
	require.Equal(t, http.StatusOK, code)
	after := echo(t, server, as{org: 2})
	require.JSONEq(t, `{"a":2}`, string(after.Settings))
	require.Equal(t, map[string]string{"token": "t"}, after.Secrets)
	require.NotEqual(t, before.Updated, after.Updated, "new settings must make a new instance")
	require.Equal(t, other, echo(t, server, as{org: 3}))

	_, body, _ := send(t, http.MethodGet, url, "", as{org: 2})
	var meta struct {
		ID               string          `json:"id"`
		JSONData         json.RawMessage `json:"jsonData"`
		SecureJSONFields map[string]bool `json:"secureJsonFields"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &meta))
	require.Equal(t, "test-host-app", meta.ID)
	require.Equal(t, map[string]bool{"token": true}, meta.SecureJSONFields)
	require.NotContains(t, body, `"t"`, "secrets must not come back")

	code, _, _ = send(t, http.MethodPost, url, `{"secureJsonData":{"token":""}}`, as{org: 2})
	require.Equal(t, http.StatusOK, code)
	require.Empty(t, echo(t, server, as{org: 2}).Secrets)
}

func TestDataSourceProxyTellsItsRefusalsApart(t *testing.T) {
	t.Parallel()
	prometheus := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "%s %s auth=%q", r.URL.Path, r.URL.RawQuery, r.Header.Get("Authorization"))
	}))
	t.Cleanup(prometheus.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	server := startHost(t, host.Org{DataSources: []host.DataSource{
		{UID: "up", URL: prometheus.URL + "/base"}, {UID: "down", URL: gone.URL}, {UID: "closed", URL: prometheus.URL, Refuse: true},
	}})
	put := func(org int64, token string) {
		body := fmt.Sprintf(`{"token":%q,"dataSources":[{"uid":"up","url":%q}]}`, token, prometheus.URL)
		code, answer, _ := send(t, http.MethodPut, fmt.Sprintf("%s/host/orgs/%d", server.URL(), org), body, as{})
		require.Equal(t, http.StatusOK, code, answer)
	}
	put(20, host.TokenRefused)
	put(21, host.TokenNone)
	require.Empty(t, echo(t, server, as{org: 21}).Token)

	for name, tc := range map[string]struct {
		org  int64
		uid  string
		code int
		body string
	}{
		"answers":       {1, "up", http.StatusOK, `/base/api/v1/query query=up%5B5s%5D auth=""`},
		"unknown":       {1, "other", http.StatusNotFound, "Data source not found"},
		"not allowed":   {1, "closed", http.StatusForbidden, "datasources:query"},
		"down":          {1, "down", http.StatusBadGateway, "refused"},
		"token refused": {20, "up", http.StatusUnauthorized, "Invalid API key"},
	} {
		token := echo(t, server, as{org: tc.org}).Token
		url := server.URL() + "/api/datasources/proxy/uid/" + tc.uid + "/api/v1/query?query=up%5B5s%5D"
		code, body, _ := send(t, http.MethodGet, url, "", as{}, "Authorization", "Bearer "+token)
		require.Equal(t, tc.code, code, name)
		require.Contains(t, body, tc.body, name)
	}
}

func TestNestedDataSourceHasItsOwnProcess(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{DataSources: []host.DataSource{{UID: "runs", Name: "Runs", Type: "test-host-datasource"}}})
	query := `{"from":"1000","to":"2000","queries":[{"refId":"A","datasource":{"uid":"runs"}}]}`
	code, body, _ := send(t, http.MethodPost, server.URL()+"/api/ds/query", query, as{})
	require.Equal(t, http.StatusOK, code, body)
	require.Contains(t, body, `"values":[[1000]]`)

	_, nested, _ := send(t, http.MethodGet, server.URL()+"/api/datasources/uid/runs/resources/echo", "", as{})
	var got seen
	require.NoError(t, json.Unmarshal([]byte(nested), &got))
	require.NotEqual(t, echo(t, server, as{}).PID, got.PID)

	for name, tc := range map[string]struct {
		body string
		code int
	}{
		"unknown data source": {strings.ReplaceAll(query, "runs", "other"), http.StatusNotFound},
		"no queries":          {`{"from":"1","to":"2","queries":[]}`, http.StatusBadRequest},
		"times as dates":      {strings.ReplaceAll(query, `"1000"`, `"now-1h"`), http.StatusBadRequest},
	} {
		code, _, _ := send(t, http.MethodPost, server.URL()+"/api/ds/query", tc.body, as{})
		require.Equal(t, tc.code, code, name)
	}
}

func TestACrashedBackendIsStartedAgain(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{})
	first := echo(t, server, as{}).PID
	code, body, _ := send(t, http.MethodGet, server.URL()+resources+"exit", "", as{})
	require.Equal(t, http.StatusServiceUnavailable, code)
	require.Contains(t, body, "Plugin unavailable")
	require.Eventually(t, func() bool { return errors.Is(syscall.Kill(first, 0), syscall.ESRCH) }, waitFor, tick)
	require.NotEqual(t, first, echo(t, server, as{}).PID)
}

func TestCloseEndsThePluginProcess(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{})
	pid := echo(t, server, as{}).PID
	require.NoError(t, syscall.Kill(pid, 0))
	require.NoError(t, server.Close())
	require.Eventually(t, func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }, waitFor, tick)
}

func TestPages(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{})
	for name, tc := range map[string]struct {
		path string
		code int
		body string
	}{
		"page of the app":      {"/a/test-host-app/compare?baseline=x", http.StatusOK, "host page"},
		"configuration page":   {"/plugins/test-host-app", http.StatusOK, "host page"},
		"bundle":               {"/host/main.js", http.StatusOK, "the bundle"},
		"module":               {"/public/plugins/test-host-app/module.js", http.StatusOK, "define([], {})"},
		"nested module":        {"/public/plugins/test-host-datasource/module.js", http.StatusOK, "nested"},
		"who and what":         {"/host/boot.json", http.StatusOK, `"module":"/public/plugins/test-host-datasource/module.js"`},
		"unknown file":         {"/public/plugins/test-host-app/other.js", http.StatusNotFound, ""},
		"dashboards":           {"/api/search?dashboardUIDs=replay-evidence", http.StatusOK, "[]"},
		"unknown route":        {"/api/folders", http.StatusNotFound, "Not found"},
		"outside of the files": {"/public/plugins/test-host-app/../../../etc/passwd", http.StatusTemporaryRedirect, ""},
	} {
		code, body, header := send(t, http.MethodGet, server.URL()+tc.path, "", as{})
		require.Equal(t, tc.code, code, name)
		require.Contains(t, body, tc.body, name)
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'self'", name)
	}
}

func TestForeignNamesAndAddressesAreRefused(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{})
	for name, want := range map[string]int{
		"evil.example": http.StatusMisdirectedRequest, "10.0.0.1:80": http.StatusMisdirectedRequest,
		"localhost:1": http.StatusOK, "[::1]:80": http.StatusOK,
	} {
		code, _, _ := send(t, http.MethodGet, server.URL()+"/host/boot.json", "", as{}, "Host", name)
		require.Equal(t, want, code, name)
	}
	_, err := host.Start(host.Options{Dist: buildDist(t), Page: pageDir(t), Addr: "0.0.0.0:0"})
	require.ErrorContains(t, err, "loopback only")
}

func TestVisitStaysOnThisHost(t *testing.T) {
	t.Parallel()
	server := startHost(t, host.Org{})
	for to, want := range map[string]string{
		"/a/test-host-app/runs?x=1": "/a/test-host-app/runs?x=1", "https://evil.example/x": "/x", "//evil.example/x": "/x",
		"/%5Cevil.example": "/evil.example", "": "/",
	} {
		code, _, header := send(t, http.MethodGet, server.URL()+"/host/visit?role=Viewer&org=4&to="+strings.ReplaceAll(to, "&", "%26"), "", as{})
		require.Equal(t, http.StatusSeeOther, code)
		require.Equal(t, want, header.Get("Location"), to)
		require.Equal(t, []string{"host_org=4", "host_role=Viewer"}, cookies(header))
	}
}

func TestWhatIsNotBuiltSaysHowToBuildIt(t *testing.T) {
	t.Parallel()
	_, err := host.Start(host.Options{Dist: t.TempDir(), Page: t.TempDir(), Addr: "127.0.0.1:0"})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "go tool mage build")
	_, err = host.Start(host.Options{Dist: buildDist(t), Page: t.TempDir(), Addr: "127.0.0.1:0"})
	require.ErrorContains(t, err, "npm run build:host")
}
