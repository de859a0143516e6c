package plugin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"github.com/grafana/grafana-plugin-sdk-go/config"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// Where the token for Grafana's data source proxy comes from.
const (
	tokenManaged    = "managed"
	tokenConfigured = "configured"
	tokenNone       = "none"
)

// secureToken is the secureJsonData key of a service account token for installations where managed
// service accounts are off.
const secureToken = "grafanaToken"

// endpoint is one way to a Prometheus-compatible server: a base address and the transport that reaches
// it. Both ways carry the same v1 API, so one client serves them.
type endpoint struct {
	mode      string
	address   string
	transport http.RoundTripper
	token     string // managed, configured or none
	// credential is the token's text; it never leaves this package.
	credential string
}

// endpointFor resolves the way to Prometheus for one request. The managed token rotates, so it is read
// from the request's context each time, never stored.
func (i *Instance) endpointFor(ctx context.Context) (*endpoint, *problem) {
	p := i.settings.Prometheus
	switch p.Mode() {
	case modeURL:
		return &endpoint{mode: modeURL, address: strings.TrimRight(p.URL, "/"), transport: i.directTransport, token: tokenNone}, nil
	case modeDataSource:
		cfg := config.GrafanaConfigFromContext(ctx)
		base := i.grafanaURL(cfg)
		if base == "" {
			return nil, &problem{
				status: http.StatusFailedDependency, code: "no_grafana_url", title: "Grafana's own address is not known",
				detail: "Grafana did not tell the plugin its address (root_url).",
				next:   "Set prometheus.grafanaUrl in the plugin's settings, for example http://localhost:3000.",
			}
		}
		ep := &endpoint{
			mode: modeDataSource, token: tokenNone,
			address: base + "/api/datasources/proxy/uid/" + url.PathEscape(p.DataSourceUID),
		}
		if cfg != nil {
			if t, err := cfg.PluginAppClientSecret(); err == nil && t != "" {
				ep.credential, ep.token = t, tokenManaged
			}
		}
		if ep.credential == "" {
			if t := i.secrets[secureToken]; t != "" {
				ep.credential, ep.token = t, tokenConfigured
			}
		}
		if ep.credential == "" {
			return nil, &problem{
				status: http.StatusFailedDependency, code: "no_token", title: "No token for Grafana's data source proxy",
				detail: "Managed service accounts are off, and no token is configured.",
				next: "Set [auth] managed_service_accounts_enabled = true together with the externalServiceAccounts toggle, " +
					"or store a service account token in the plugin's configuration, or use a Prometheus URL.",
			}
		}
		ep.transport = bearer{token: ep.credential, next: i.proxyTransport}
		return ep, nil
	default:
		return nil, &problem{
			status: http.StatusFailedDependency, code: codeNotConfigured, title: "Prometheus is not configured",
			detail: "Neither a data source nor a URL is set.",
			next:   "Choose a Prometheus data source on the configuration page.",
		}
	}
}

// The codes of problems that other code asks for.
const (
	codeNotConfigured = "prometheus_not_configured"
	codeAddress       = "prometheus_address"
)

// retryDelay is the pause before an empty answer is asked again. It is short, because waiting for the final
// scrape is a step of its own, and a person is waiting for the page.
const retryDelay = 200 * time.Millisecond

// client returns a client for one request, with the words that tell its server from any other; or nil and why there is
// none.
func (i *Instance) client(ctx context.Context) (*promapi.Client, string, *problem) {
	ep, prob := i.endpointFor(ctx)
	if prob != nil {
		return nil, "", prob
	}
	client, err := promapi.New(promapi.Config{Address: ep.address, RoundTripper: ep.transport, RetryDelay: retryDelay})
	if err != nil {
		return nil, "", &problem{status: http.StatusFailedDependency, code: codeAddress, title: "Prometheus cannot be asked",
			detail: err.Error(), next: "Correct the address on the configuration page."}
	}
	return client, ep.mode + " " + ep.address, nil
}

// unaskedState is the state of everything that Prometheus was to answer while there is no way to it.
func unaskedState(p *problem) evidence.State {
	if p.code == codeAddress {
		return evidence.StateFailed
	}
	return evidence.StateRefused
}

// grafanaURL is Grafana's own address as this process reaches it, without a trailing slash; empty when
// neither the settings nor Grafana say it.
func (i *Instance) grafanaURL(cfg *config.GrafanaCfg) string {
	base := i.settings.Prometheus.GrafanaURL
	if base == "" && cfg != nil {
		if u, err := cfg.AppURL(); err == nil {
			base = u
		}
	}
	return strings.TrimRight(base, "/")
}

// bearer adds the token to each request. RoundTrippers must not change the request they are given.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	clone := req.Clone(req.Context())
	clone.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(clone)
}

// newProxyTransport builds the transport towards Grafana itself: the SDK's middlewares, without the
// credentials that belong to a Prometheus URL.
func newProxyTransport(opts httpclient.Options) (http.RoundTripper, error) {
	opts.BasicAuth, opts.SigV4 = nil, nil
	opts.Header = nil
	rt, err := httpclient.GetTransport(opts)
	if err != nil {
		return nil, fmt.Errorf("building the HTTP transport to Grafana: %w", err)
	}
	return rt, nil
}

// healthCode is the word of the health check for a question without an answer: who refused, or who is down.
func healthCode(q *promapi.QueryError, mode string) string {
	switch q.Kind {
	case promapi.KindCredentials:
		if mode == modeDataSource {
			return "token_refused"
		}
		return "not_allowed"
	case promapi.KindPermission, promapi.KindDataSourceCredentials:
		return "not_allowed"
	case promapi.KindNoDataSource:
		return "datasource_missing"
	case promapi.KindNoAPI, promapi.KindBadResponse, promapi.KindBadResult, promapi.KindBadData:
		return "not_prometheus"
	}
	if q.State == promapi.StateUnreachable {
		return "prometheus_down"
	}
	return "failed"
}
