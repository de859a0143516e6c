package promapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// get reads one endpoint of the HTTP API that the API client does not know well enough.
func (c *Client) get(ctx context.Context, path string, params url.Values, into any) error {
	ctx, status, cancel := c.withLimits(ctx)
	defer cancel()
	u := c.raw.URL(path, nil)
	if len(params) > 0 {
		u.RawQuery = params.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fmt.Errorf("making a request for %s: %w", path, err)
	}
	resp, body, err := c.raw.Do(ctx, req) //nolint:bodyclose // the API client has read and closed the body
	if err != nil {
		return c.classify(ctx, path, *status, err)
	}
	if resp.StatusCode/100 != 2 {
		return c.classify(ctx, path, *status, &v1.Error{Type: v1.ErrClient, Detail: string(body)})
	}
	var envelope struct {
		Status string          `json:"status"`
		Error  string          `json:"error"`
		Data   json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return c.classify(ctx, path, *status, &v1.Error{Type: v1.ErrBadResponse, Msg: err.Error()})
	}
	if envelope.Status != "success" {
		return c.classify(ctx, path, *status, &v1.Error{Type: v1.ErrBadResponse, Msg: envelope.Error})
	}
	if err := json.Unmarshal(envelope.Data, into); err != nil {
		return c.classify(ctx, path, *status, &v1.Error{Type: v1.ErrBadResponse, Msg: err.Error()})
	}
	return nil
}

// Build says what the server is.
type Build struct {
	// Product is Prometheus unless the server says otherwise (Mimir, Thanos and VictoriaMetrics do).
	Product string `json:"product"`
	Version string `json:"version"`
}

// Buildinfo asks what the server is. A server that does not say is reported with empty fields.
func (c *Client) Buildinfo(ctx context.Context) (Build, error) {
	var info struct {
		Version     string `json:"version"`
		Application string `json:"application"`
	}
	if err := c.get(ctx, "/api/v1/status/buildinfo", nil, &info); err != nil {
		if missing(err) {
			return Build{}, nil
		}
		return Build{}, err
	}
	b := Build{Product: info.Application, Version: info.Version}
	if b.Product == "" {
		b.Product = "Prometheus"
	}
	return b, nil
}

// missing says that the server answered but has no such endpoint.
func missing(err error) bool {
	var q *QueryError
	return errors.As(err, &q) && (q.Status == http.StatusNotFound || q.Status == http.StatusMethodNotAllowed || q.Status == http.StatusNotImplemented)
}

// isAnswered says that a server was there and answered, with an error.
func isAnswered(err error) bool {
	var q *QueryError
	return errors.As(err, &q) && q.Status != 0 && q.State != StateRefused
}

// Clock is the server's clock against ours.
type Clock struct {
	Server time.Time `json:"server"`
	// Skew is the server's time minus ours, seconds.
	Skew float64 `json:"skew"`
	// Uncertainty is half the round trip, seconds.
	Uncertainty float64 `json:"uncertainty"`
}

// ServerTime asks for the server's own time.
func (c *Client) ServerTime(ctx context.Context) (Clock, error) {
	qctx, status, cancel := c.withLimits(ctx)
	defer cancel()
	before := time.Now()
	value, _, _, err := c.api.Query(qctx, "time()", time.Time{})
	trip := time.Since(before)
	if err != nil {
		return Clock{}, c.classify(qctx, "time()", *status, err)
	}
	s, ok := value.(*model.Scalar)
	if !ok {
		return Clock{}, c.failure(KindBadResult, "time()", *status, "the answer is not a number", nil)
	}
	server := time.UnixMilli(int64(float64(s.Value) * 1000)).UTC()
	return Clock{
		Server:      server,
		Skew:        server.Sub(before.Add(trip / 2)).Seconds(),
		Uncertainty: trip.Seconds() / 2,
	}, nil
}

// Target is one scraped target as the server describes it.
type Target struct {
	Labels map[string]string `json:"labels"`
	// Health is up, down or unknown.
	Health     string    `json:"health"`
	LastScrape time.Time `json:"lastScrape"`
	LastError  string    `json:"lastError"`
	ScrapeURL  string    `json:"scrapeUrl"`
	// IntervalSeconds and TimeoutSeconds are nil when the server does not say.
	IntervalSeconds *float64 `json:"intervalSeconds"`
	TimeoutSeconds  *float64 `json:"timeoutSeconds"`
}

// Sentence describes the target's health in words.
func (t Target) Sentence(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "target %s of job %s is %s", t.Labels["instance"], t.Labels["job"], t.Health)
	if t.LastScrape.IsZero() || t.LastScrape.Year() < 1971 {
		b.WriteString(", it was never scraped")
	} else {
		fmt.Fprintf(&b, ", last scraped %s ago", max(0, now.Sub(t.LastScrape).Round(100*time.Millisecond)))
	}
	if t.LastError != "" {
		b.WriteString(", last error: " + t.LastError)
	}
	return b.String()
}

// TargetHealth lists the active targets of a job; instance narrows it when not empty. An empty list
// means that the server does not scrape this job at all.
func (c *Client) TargetHealth(ctx context.Context, job, instance string) ([]Target, error) {
	var data struct {
		ActiveTargets []struct {
			Labels         map[string]string `json:"labels"`
			ScrapePool     string            `json:"scrapePool"`
			ScrapeURL      string            `json:"scrapeUrl"`
			LastError      string            `json:"lastError"`
			LastScrape     time.Time         `json:"lastScrape"`
			Health         string            `json:"health"`
			ScrapeInterval string            `json:"scrapeInterval"`
			ScrapeTimeout  string            `json:"scrapeTimeout"`
		} `json:"activeTargets"`
	}
	if err := c.get(ctx, "/api/v1/targets", url.Values{"state": {"active"}}, &data); err != nil {
		return nil, err
	}
	out := []Target{}
	for _, t := range data.ActiveTargets {
		if t.Labels["job"] != job || (instance != "" && t.Labels["instance"] != instance) {
			continue
		}
		out = append(out, Target{
			Labels: t.Labels, Health: t.Health, LastScrape: t.LastScrape, LastError: t.LastError, ScrapeURL: redact(t.ScrapeURL),
			IntervalSeconds: durationSeconds(t.ScrapeInterval), TimeoutSeconds: durationSeconds(t.ScrapeTimeout),
		})
	}
	return out, nil
}

// durationSeconds reads a Prometheus duration such as 1m30s.
func durationSeconds(s string) *float64 {
	d, err := model.ParseDuration(s)
	if err != nil || d == 0 {
		return nil
	}
	v := time.Duration(d).Seconds()
	return &v
}

// MetricNames lists names of metrics that match an anchored regular expression, at most limit.
func (c *Client) MetricNames(ctx context.Context, regex string, limit int) ([]string, error) {
	return c.metricNames(ctx, fmt.Sprintf("{__name__=~%q}", regex), limit)
}

func (c *Client) metricNames(ctx context.Context, selector string, limit int) ([]string, error) {
	qctx, status, cancel := c.withLimits(ctx)
	defer cancel()
	// The limit is ours as well: older servers do not know the parameter.
	values, _, _, err := c.api.LabelValues(qctx, model.MetricNameLabel, []string{selector}, time.Time{}, time.Time{}, v1.WithLimit(uint64(max(limit, 1))))
	if err != nil {
		return nil, c.classify(qctx, selector, *status, err)
	}
	out := make([]string, 0, len(values))
	for _, v := range values {
		out = append(out, string(v))
	}
	slices.Sort(out)
	return out[:min(len(out), max(limit, 0))], nil
}

// Suggest lists metrics that exist and resemble one that does not: those of the same first name
// parts, longest common start first. Histogram suffixes are folded into the base name.
func (c *Client) Suggest(ctx context.Context, metric string, limit int) ([]string, error) {
	parts := strings.Split(metric, "_")
	for n := min(len(parts), 3); n >= 1; n-- {
		prefix := strings.Join(parts[:n], "_")
		if prefix == "" {
			continue
		}
		names, err := c.MetricNames(ctx, regexp.QuoteMeta(prefix)+".*", 500)
		if err != nil {
			return nil, err
		}
		seen := map[string]bool{}
		var out []string
		for _, name := range names {
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				name = strings.TrimSuffix(name, suffix)
			}
			if name != metric && !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
		if len(out) > 0 {
			slices.SortStableFunc(out, func(a, b string) int {
				return cmp.Compare(commonStart(b, metric), commonStart(a, metric))
			})
			return out[:min(len(out), limit)], nil
		}
	}
	return []string{}, nil
}

func commonStart(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
