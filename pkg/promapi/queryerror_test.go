package promapi_test

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// transport answers every request in the same way.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// status answers with a status and a body.
func status(code int, body string) transport {
	return func(req *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: code, Status: http.StatusText(code), Body: io.NopCloser(strings.NewReader(body)), Header: http.Header{}, Request: req}, nil
	}
}

// fails does not connect.
func fails(err error) transport {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// dial is an error of the kind that a transport gives when no connection could be made.
func dial(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }

const (
	direct  = "http://prometheus.test:9090"
	grafana = "http://grafana.test:3000/api/datasources/proxy/uid/metrics"
)

// TestWhoDidNotAnswer: each way of getting no answer reads as itself, through Grafana as Grafana's, with one next
// step that the message does not repeat.
func TestWhoDidNotAnswer(t *testing.T) {
	t.Parallel()
	const (
		own      = `{"message":"Grafana's own words","traceID":""}`
		page     = "<html><head><title>502 Bad Gateway</title></head></html>"
		notFound = "404 page not found\n"
	)
	cases := map[string]struct {
		address string
		answer  transport
		kind    string
		state   promapi.State
		says    string
		next    string
	}{
		"401":                                 {direct, status(401, "who are you"), promapi.KindCredentials, promapi.StateRefused, "the server wants other credentials (HTTP 401): who are you", "Correct the user, password or headers"},
		"401 of Grafana":                      {grafana, status(401, own), promapi.KindCredentials, promapi.StateRefused, "Grafana refused the token (HTTP 401): Grafana's own words", "Renew the service account token"},
		"403":                                 {direct, status(403, page), promapi.KindPermission, promapi.StateRefused, "does not let these credentials query (HTTP 403): a web page", "permission"},
		"403 of Grafana":                      {grafana, status(403, own), promapi.KindPermission, promapi.StateRefused, "the service account may not query this data source (HTTP 403)", "datasources:query"},
		"403 of the server behind Grafana":    {grafana, status(403, "RBAC: access denied"), promapi.KindDataSourceCredentials, promapi.StateRefused, "the data source's server refused", "data source's settings"},
		"401 of the server behind Grafana":    {grafana, status(400, "Authentication to data source failed"), promapi.KindDataSourceCredentials, promapi.StateRefused, "the data source's server refused", "data source's settings"},
		"404":                                 {direct, status(404, notFound), promapi.KindNoAPI, promapi.StateUnreachable, "there is no Prometheus API at this address (HTTP 404): 404 page not found", "Correct the address"},
		"404 of Grafana":                      {grafana, status(404, own), promapi.KindNoDataSource, promapi.StateUnreachable, "Grafana knows no data source with this UID (HTTP 404)", "Choose the data source again"},
		"404 of the server behind Grafana":    {grafana, status(404, notFound), promapi.KindNoAPI, promapi.StateUnreachable, "no Prometheus API at the data source's URL", "URL in the data source's settings"},
		"502":                                 {direct, status(502, page), promapi.KindGateway, promapi.StateUnreachable, "a proxy at this address cannot reach the server behind it (HTTP 502): a web page", "server behind the proxy runs"},
		"502 of Grafana":                      {grafana, status(502, ""), promapi.KindGateway, promapi.StateUnreachable, "Grafana cannot reach the data source's server (HTTP 502)", "URL in the data source's settings"},
		"503":                                 {direct, status(503, "Service Unavailable"), promapi.KindNotReady, promapi.StateUnreachable, "the server is not ready (HTTP 503)", "Wait until it has started"},
		"503 about the query":                 {grafana, status(503, `{"status":"error","errorType":"timeout","error":"query timed out"}`), promapi.KindQueryTimeout, promapi.StateFailed, "longer than the server allows (HTTP 503): query timed out", "evaluate again"},
		"504":                                 {direct, status(504, ""), promapi.KindGatewayTimeout, promapi.StateUnreachable, "got no answer in time from the server behind it (HTTP 504)", "load of the server behind the proxy"},
		"504 of Grafana":                      {grafana, status(504, ""), promapi.KindGatewayTimeout, promapi.StateUnreachable, "Grafana got no answer in time", "load of the data source's server"},
		"418":                                 {direct, status(418, "a teapot"), promapi.KindBadResponse, promapi.StateFailed, "not that of a Prometheus API (HTTP 418): a teapot", "Point the address"},
		"no TLS at all":                       {direct, fails(tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}), promapi.KindNotHTTPS, promapi.StateUnreachable, "the server does not speak HTTPS", "Write http://"},
		"429":                                 {direct, status(429, "slow down"), promapi.KindRateLimited, promapi.StateFailed, "fewer queries (HTTP 429): slow down", "Wait a little"},
		"500":                                 {direct, status(500, "oops"), promapi.KindServerError, promapi.StateFailed, "the server failed (HTTP 500): oops", "server's log"},
		"connection refused":                  {direct, fails(dial(syscall.ECONNREFUSED)), promapi.KindConnection, promapi.StateUnreachable, "nothing answers at this address: dial tcp: connection refused", "Start the server"},
		"connection refused by Grafana":       {grafana, fails(dial(syscall.ECONNREFUSED)), promapi.KindConnection, promapi.StateUnreachable, "Grafana does not answer at this address", "prometheus.grafanaUrl"},
		"no such host":                        {direct, fails(dial(&net.DNSError{Err: "no such host", Name: "prometheus.test", IsNotFound: true})), promapi.KindHostName, promapi.StateUnreachable, "the host name cannot be resolved: dial tcp: lookup prometheus.test: no such host", "Correct the host name"},
		"a name service that does not answer": {direct, fails(dial(&net.DNSError{Err: "i/o timeout", Name: "prometheus.test", IsTimeout: true})), promapi.KindHostName, promapi.StateUnreachable, "the host name cannot be resolved", "Correct the host name"},
		"no way to connect in time":           {direct, fails(dial(context.DeadlineExceeded)), promapi.KindNoAnswer, promapi.StateUnreachable, "did not answer in time: waited 30s", "overloaded"},
		"a connection that breaks":            {direct, fails(io.ErrUnexpectedEOF), promapi.KindBroken, promapi.StateUnreachable, "the connection broke: unexpected EOF", "server's log"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := promapi.New(promapi.Config{Address: c.address, RoundTripper: c.answer})
			require.NoError(t, err)
			_, asked := client.Instant(t.Context(), "up", time.Unix(0, 0))
			_, read := client.Buildinfo(t.Context())
			for what, err := range map[string]error{"query": asked, "endpoint": read} {
				if err == nil && what == "endpoint" {
					continue // an endpoint that a server lacks is no fault
				}
				var q *promapi.QueryError
				require.ErrorAs(t, err, &q, what)
				assert.Equal(t, c.kind, q.Kind, what)
				assert.Equal(t, c.state, q.State, what)
				assert.Contains(t, q.Cause(), c.says, what)
				assert.Contains(t, q.Next, c.next, what)
				assert.NotContains(t, err.Error(), q.Next, "the next step is said once")
				assert.Contains(t, err.Error(), client.Address(), what)
			}
		})
	}
}

// TestConnectionsThatCannotBe meets the errors as a real transport gives them.
func TestConnectionsThatCannotBe(t *testing.T) {
	t.Parallel()
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	plain, secure := httptest.NewServer(nothing), httptest.NewUnstartedServer(nothing)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	cases := map[string]struct{ address, kind string }{
		"nobody listens":             {"http://127.0.0.1:1", promapi.KindConnection},
		"an unknown certificate":     {secure.URL, promapi.KindTLS},
		"HTTPS to an HTTP server":    {strings.Replace(plain.URL, "http:", "https:", 1), promapi.KindNotHTTPS},
		"HTTP to an HTTPS server":    {strings.Replace(secure.URL, "https:", "http:", 1), promapi.KindNotHTTP},
		"an answer that is no API's": {plain.URL, promapi.KindBadResponse},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := promapi.New(promapi.Config{Address: c.address})
			require.NoError(t, err)
			_, err = client.Instant(t.Context(), "up", time.Unix(0, 0))
			var q *promapi.QueryError
			require.ErrorAs(t, err, &q)
			assert.Equal(t, c.kind, q.Kind, q.Error())
			assert.NotEmpty(t, q.Next)
		})
	}
}

// TestCauseIsUnwrapped: a caller can still look for what lies beneath.
func TestCauseIsUnwrapped(t *testing.T) {
	t.Parallel()
	client, err := promapi.New(promapi.Config{Address: direct, RoundTripper: fails(dial(syscall.ECONNREFUSED))})
	require.NoError(t, err)
	_, err = client.Instant(t.Context(), "up", time.Unix(0, 0))
	assert.ErrorIs(t, err, syscall.ECONNREFUSED)
}
