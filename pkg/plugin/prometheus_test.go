package plugin

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"github.com/grafana/grafana-plugin-sdk-go/config"
	"github.com/stretchr/testify/require"
)

// grafanaContext is a request's context as Grafana sends it.
func grafanaContext(cfg map[string]string) context.Context {
	ctx := config.WithGrafanaConfig(context.Background(), config.NewGrafanaCfg(cfg))
	return backend.WithUser(ctx, &backend.User{Login: "sre", Role: roleAdmin})
}

func TestProbeTellsWhoRefused(t *testing.T) {
	t.Parallel()
	const good = `{"status":"success","data":{"resultType":"vector","result":[]}}`
	for name, tc := range map[string]struct {
		settings string
		secrets  map[string]string
		managed  string
		status   int
		body     string
		want     string
	}{
		"nothing configured":        {settings: `{}`, want: "not_configured"},
		"no token":                  {settings: `{"prometheus":{"datasourceUid":"prom"}}`, want: "no_token"},
		"managed token":             {settings: `{"prometheus":{"datasourceUid":"prom"}}`, managed: "m", status: 200, body: good, want: "ok"},
		"configured token":          {settings: `{"prometheus":{"datasourceUid":"prom"}}`, secrets: map[string]string{secureToken: "c"}, status: 200, body: good, want: "ok"},
		"token refused":             {settings: `{"prometheus":{"datasourceUid":"prom"}}`, managed: "m", status: 401, want: "token_refused"},
		"data source not allowed":   {settings: `{"prometheus":{"datasourceUid":"prom"}}`, managed: "m", status: 403, want: "not_allowed"},
		"data source missing":       {settings: `{"prometheus":{"datasourceUid":"prom"}}`, managed: "m", status: 404, want: "datasource_missing"},
		"prometheus down":           {settings: `{"prometheus":{"datasourceUid":"prom"}}`, managed: "m", status: 502, want: "prometheus_down"},
		"not a prometheus":          {settings: `{"prometheus":{"datasourceUid":"prom"}}`, managed: "m", status: 200, body: "<html>", want: "not_prometheus"},
		"own URL":                   {settings: `{"prometheus":{"url":"SERVER"}}`, status: 200, body: good, want: "ok"},
		"own URL wants credentials": {settings: `{"prometheus":{"url":"SERVER"}}`, status: 401, want: "not_allowed"},
		"own URL not ready":         {settings: `{"prometheus":{"url":"SERVER"}}`, status: 503, want: "prometheus_down"},
		"own URL, nobody there":     {settings: `{"prometheus":{"url":"http://127.0.0.1:1"}}`, want: "prometheus_down"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen *http.Request
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen = r
				w.WriteHeader(tc.status)
				_, _ = w.Write([]byte(tc.body))
			}))
			defer srv.Close()
			settings := []byte(strings.Replace(tc.settings, "SERVER", srv.URL, 1))
			i := newInstance(context.Background(), Operator{}, settings, tc.secrets, httpclient.Options{}, nil)
			defer i.Dispose()
			cfg := map[string]string{config.AppURL: srv.URL + "/"}
			if tc.managed != "" {
				cfg[config.AppClientSecret] = tc.managed
			}
			code, text, next := i.probe(grafanaContext(cfg))
			require.Equal(t, tc.want, code, text)
			require.NotEmpty(t, text)
			if code != "ok" {
				require.NotEmpty(t, next, "each refusal has a next step")
			}
			if tc.managed != "" || tc.secrets != nil {
				require.Equal(t, "/api/datasources/proxy/uid/prom/api/v1/query", seen.URL.Path)
				token := tc.managed
				if token == "" {
					token = tc.secrets[secureToken]
				}
				require.Equal(t, "Bearer "+token, seen.Header.Get("Authorization"))
			}
		})
	}
}
