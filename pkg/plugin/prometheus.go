package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
func (i *Instance) client(ctx context.Context, retryDelay time.Duration) (*promapi.Client, string, *problem) {
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

// probe asks the cheapest question and classifies the answer by who refused it.
func (e *endpoint) probe(ctx context.Context) (code, text, next string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.address+"/api/v1/query?query=vector(1)", nil)
	if err != nil {
		var named *url.Error // it repeats the address, which may hold a password
		if errors.As(err, &named) {
			err = named.Err
		}
		return "failed", fmt.Sprintf("the address cannot be used: %v", err), "Correct the URL in the configuration."
	}
	resp, err := e.transport.RoundTrip(req)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return "prometheus_down", "no answer in time", "Check that the server is up and reachable from Grafana's server."
		}
		return "prometheus_down", "could not connect: " + err.Error(), "Check that the server is up and reachable from Grafana's server."
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return "failed", "the answer broke off: " + err.Error(), "Try again."
	}
	if e.mode == modeDataSource {
		switch resp.StatusCode {
		case http.StatusUnauthorized:
			return "token_refused", fmt.Sprintf("Grafana refused the %s token (401)", e.token),
				"Renew the token, or disable and enable the plugin so that Grafana issues a new managed token."
		case http.StatusForbidden:
			return "not_allowed", "the service account may not query this data source (403)",
				"Grant it datasources:query on this data source."
		case http.StatusNotFound:
			return "datasource_missing", "Grafana knows no data source with this UID (404)",
				"Choose the data source again on the configuration page."
		case http.StatusBadGateway, http.StatusGatewayTimeout, http.StatusServiceUnavailable:
			return "prometheus_down", fmt.Sprintf("Grafana could not reach Prometheus (%d)", resp.StatusCode),
				"Check the data source's URL and that Prometheus is up."
		}
	} else {
		switch resp.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden:
			return "not_allowed", fmt.Sprintf("Prometheus refused the credentials (%d)", resp.StatusCode),
				"Correct the user, password or headers in the plugin's settings."
		case http.StatusBadGateway, http.StatusGatewayTimeout, http.StatusServiceUnavailable:
			return "prometheus_down", fmt.Sprintf("the server is not ready (%d)", resp.StatusCode), "Check that Prometheus is up."
		}
	}
	var answer struct {
		Status string `json:"status"`
	}
	if resp.StatusCode != http.StatusOK || json.Unmarshal(body, &answer) != nil || answer.Status != "success" {
		return "not_prometheus", fmt.Sprintf("the answer (%d) is not that of a Prometheus API", resp.StatusCode),
			"Point the setting at a Prometheus-compatible server."
	}
	return "ok", "Prometheus answers", ""
}
