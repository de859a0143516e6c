// Package promapi asks one Prometheus-compatible server: instant queries at an exact time with every
// warning kept, raw samples, and exact counter deltas over the real interval of a run with gates that
// say whether they can be trusted. It does not know who made the load.
package promapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
)

// The limits of a client, each with its default.
const (
	// DefaultTimeout bounds one request.
	DefaultTimeout = 30 * time.Second
	// DefaultMaxResponseBytes bounds the body of one answer.
	DefaultMaxResponseBytes = 64 << 20
	// DefaultMaxSeries is the limit parameter of raw queries; a truncated answer carries a warning.
	DefaultMaxSeries = 20_000
	// DefaultConcurrency is how many queries of one measurement run at once.
	DefaultConcurrency = 4
)

// Config describes a server. Only Address is needed.
type Config struct {
	// Address is the base URL, such as http://127.0.0.1:9090 or the proxy URL of a data source.
	Address string
	// RoundTripper carries credentials, TLS and tenant headers; nil means the client's default.
	RoundTripper http.RoundTripper
	// Timeout bounds one request; 0 means DefaultTimeout.
	Timeout time.Duration
	// MaxResponseBytes bounds one answer; 0 means DefaultMaxResponseBytes.
	MaxResponseBytes int64
	// MaxSeries bounds the series of a raw query; 0 means DefaultMaxSeries.
	MaxSeries uint64
	// Concurrency bounds the queries of one measurement; 0 means DefaultConcurrency.
	Concurrency int
	// RetryDelay is the pause before an empty answer about the last minutes is asked for again; 0 means one
	// second. Answers about earlier times are asked for again at once.
	RetryDelay time.Duration
}

// Client asks one server. It is safe for concurrent use.
type Client struct {
	cfg Config
	api v1.API
	raw api.Client
	// viaGrafana: the address is that of Grafana's data source proxy, so Grafana may be who refuses.
	viaGrafana bool
}

// New returns a client for the server of cfg. It does not contact the server.
func New(cfg Config) (*Client, error) {
	u, err := url.Parse(cfg.Address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("the Prometheus address %q is not a URL such as http://127.0.0.1:9090", redact(cfg.Address))
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.MaxResponseBytes <= 0 {
		cfg.MaxResponseBytes = DefaultMaxResponseBytes
	}
	if cfg.MaxSeries == 0 {
		cfg.MaxSeries = DefaultMaxSeries
	}
	if cfg.Concurrency <= 0 {
		cfg.Concurrency = DefaultConcurrency
	}
	if cfg.RetryDelay <= 0 {
		cfg.RetryDelay = time.Second
	}
	next := cfg.RoundTripper
	if next == nil {
		next = api.DefaultRoundTripper
	}
	c, err := api.NewClient(api.Config{
		Address:      cfg.Address,
		RoundTripper: &limiter{next: next, maxBytes: cfg.MaxResponseBytes},
	})
	if err != nil {
		return nil, fmt.Errorf("making a client for %s: %w", redact(cfg.Address), err)
	}
	return &Client{cfg: cfg, api: v1.NewAPI(c), raw: c, viaGrafana: strings.Contains(u.Path, "/api/datasources/proxy/")}, nil
}

// Address is the server's base URL without credentials.
func (c *Client) Address() string { return redact(c.cfg.Address) }

// redact removes user name, password and query from an address, for messages.
func redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(not a URL)"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// statusKey carries a *int through a request's context, so that the status of an answer is known
// even when the API client folds it into a text.
type statusKey struct{}

// limiter notes the status of each answer and bounds its size.
type limiter struct {
	next     http.RoundTripper
	maxBytes int64
}

func (l *limiter) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if status, ok := req.Context().Value(statusKey{}).(*int); ok {
		*status = resp.StatusCode
	}
	resp.Body = &limitedBody{ReadCloser: resp.Body, left: l.maxBytes, limit: l.maxBytes}
	return resp, nil
}

// ErrTooLarge says that an answer was larger than the client's limit.
var ErrTooLarge = errors.New("the answer is too large")

// limitedBody fails with ErrTooLarge instead of ending early, so that a cut answer is never read as
// a whole one.
type limitedBody struct {
	io.ReadCloser
	left, limit int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.limit)
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.limit)
	}
	return n, err
}

// withLimits returns a context with the client's timeout and a place for the status.
func (c *Client) withLimits(ctx context.Context) (context.Context, *int, context.CancelFunc) {
	status := new(int)
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, statusKey{}, status), c.cfg.Timeout)
	return ctx, status, cancel
}
