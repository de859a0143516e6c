package quoteapi

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// waitLong and tick bound waiting for something that happens at once unless the
// machine stalls; nothing is measured with them.
const (
	waitLong = 30 * time.Second
	tick     = 2 * time.Millisecond
)

// env turns a map into a getenv function.
func env(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestConfigFromEnv(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		env  map[string]string
		want string // of the error; empty when the settings are good
	}{
		"defaults":             {nil, ""},
		"all set":              {map[string]string{"APP_ADDR": ":1", "PRICING_URL": "http://p:1", "HTTP_PROXY": "http://x:2", "LAB_BUDGET": "16", "LAB_PRICE_OFFSET_CENTS": "-5"}, ""},
		"budget zero":          {map[string]string{"LAB_BUDGET": "0"}, "LAB_BUDGET"},
		"budget not a number":  {map[string]string{"LAB_BUDGET": "two"}, "LAB_BUDGET"},
		"offset":               {map[string]string{"LAB_PRICE_OFFSET_CENTS": "1.5"}, "LAB_PRICE_OFFSET_CENTS"},
		"pricing without host": {map[string]string{"PRICING_URL": "localhost:8090"}, "PRICING_URL"},
		"proxy without scheme": {map[string]string{"HTTP_PROXY": "127.0.0.1:4140"}, "HTTP_PROXY"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ConfigFromEnv(env(tc.env))
			if tc.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.want)
		})
	}
	cfg, err := ConfigFromEnv(env(map[string]string{"http_proxy": "http://127.0.0.1:4140"}))
	require.NoError(t, err)
	assert.Equal(t, 2, cfg.Budget)
	assert.Equal(t, ":8080", cfg.Addr)
	assert.Equal(t, "http://localhost:8090", cfg.PricingURL.String())
	assert.Equal(t, "http://127.0.0.1:4140", cfg.ProxyURL.String())
}

// pricingFake answers every price look-up with one text and counts the calls.
type pricingFake struct {
	status int
	body   string
	calls  atomic.Int64
}

func (p *pricingFake) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	p.calls.Add(1)
	w.WriteHeader(p.status)
	_, _ = io.WriteString(w, p.body)
}

func quietLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

// startAPI serves the checkout API in front of dependency.
func startAPI(t *testing.T, dependency http.Handler, change func(*Config)) *httptest.Server {
	t.Helper()
	pricing := httptest.NewServer(dependency)
	t.Cleanup(pricing.Close)
	base, err := url.Parse(pricing.URL)
	require.NoError(t, err)
	cfg := Config{PricingURL: base, Budget: 2}
	if change != nil {
		change(&cfg)
	}
	handler, closeClient := Handler(cfg, quietLog())
	t.Cleanup(closeClient)
	api := httptest.NewServer(handler)
	t.Cleanup(api.Close)
	return api
}

func get(t *testing.T, target string) (int, string) {
	t.Helper()
	res, err := http.Get(target)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(body)
}

func TestQuote(t *testing.T) {
	t.Parallel()
	const good = `{"sku":"SSC-4110","unit_price_cents":1899,"currency":"USD"}`
	cases := map[string]struct {
		query  string
		status int    // of the dependency
		answer string // of the dependency
		offset int
		want   int
		body   string
		calls  int64
	}{
		"three pieces":         {"sku=SSC-4110&qty=3", 200, good, 0, 200, `{"sku":"SSC-4110","quantity":3,"unit_price_cents":1899,"total_cents":5697,"currency":"USD"}` + "\n", 1},
		"another price":        {"sku=SSC-4110&qty=3", 200, good, 100, 200, `{"sku":"SSC-4110","quantity":3,"unit_price_cents":1999,"total_cents":5997,"currency":"USD"}` + "\n", 1},
		"lower case sku":       {"sku=ssc-4110&qty=3", 200, good, 0, 400, "sku must look like SSC-4110\n", 0},
		"sku too long":         {"sku=SSC-411000&qty=3", 200, good, 0, 400, "sku must look like SSC-4110\n", 0},
		"sku with newline":     {"sku=SSC-4110%0A&qty=3", 200, good, 0, 400, "sku must look like SSC-4110\n", 0},
		"no quantity":          {"sku=SSC-4110", 200, good, 0, 400, "qty must be a whole number from 1 to 99\n", 0},
		"quantity zero":        {"sku=SSC-4110&qty=0", 200, good, 0, 400, "qty must be a whole number from 1 to 99\n", 0},
		"quantity 100":         {"sku=SSC-4110&qty=100", 200, good, 0, 400, "qty must be a whole number from 1 to 99\n", 0},
		"dependency 404":       {"sku=SSC-4110&qty=3", 404, "unknown SKU", 0, 502, "pricing is unavailable\n", 1},
		"dependency other sku": {"sku=SSC-4111&qty=3", 200, good, 0, 502, "pricing is unavailable\n", 1},
		"unknown field":        {"sku=SSC-4110&qty=3", 200, `{"sku":"SSC-4110","unit_price_cents":1,"currency":"USD","state":"x"}`, 0, 502, "pricing is unavailable\n", 1},
		"free of charge":       {"sku=SSC-4110&qty=3", 200, `{"sku":"SSC-4110","unit_price_cents":0,"currency":"USD"}`, 0, 502, "pricing is unavailable\n", 1},
		"no currency":          {"sku=SSC-4110&qty=3", 200, `{"sku":"SSC-4110","unit_price_cents":1,"currency":""}`, 0, 502, "pricing is unavailable\n", 1},
		"not json":             {"sku=SSC-4110&qty=3", 200, `1899`, 0, 502, "pricing is unavailable\n", 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := &pricingFake{status: tc.status, body: tc.answer}
			api := startAPI(t, fake, func(c *Config) { c.PriceOffsetCents = tc.offset })
			status, body := get(t, api.URL+"/api/quote?"+tc.query)
			assert.Equal(t, tc.want, status)
			assert.Equal(t, tc.body, body)
			assert.Equal(t, tc.calls, fake.calls.Load(), "dependency calls")
		})
	}
}

func TestMetricsAndHealth(t *testing.T) {
	t.Parallel()
	fake := &pricingFake{status: 200, body: `{"sku":"SSC-4110","unit_price_cents":1899,"currency":"USD"}`}
	api := startAPI(t, fake, nil)
	status, body := get(t, api.URL+"/healthz")
	assert.Equal(t, http.StatusNoContent, status)
	assert.Empty(t, body)
	get(t, api.URL+"/api/quote?sku=SSC-4110&qty=3")
	get(t, api.URL+"/api/quote?sku=SSC-4110&qty=0")
	_, exposition := get(t, api.URL+"/metrics")
	for _, want := range []string{
		`checkout_request_duration_seconds_count{code="200",method="GET",route="/api/quote"} 1`,
		`checkout_request_duration_seconds_count{code="400",method="GET",route="/api/quote"} 1`,
		`checkout_request_duration_seconds_bucket{code="200",method="GET",route="/api/quote",le="0.075"}`,
		`checkout_request_duration_seconds_bucket{code="200",method="GET",route="/api/quote",le="2.5"}`,
		`pricing_conn_wait_seconds_count 1`,
		`pricing_conn_wait_seconds_bucket{le="0.0005"}`,
		"# TYPE app_cpu_seconds_total counter",
		"go_goroutines ",
	} {
		assert.Contains(t, exposition, want)
	}
	assert.NotContains(t, exposition, "process_cpu_seconds_total", "there is no process collector")
	assert.NotContains(t, exposition, "healthz", "health is not instrumented")
}

// barrier holds every caller until want of them are inside at once; it shows
// how many dependency calls run side by side.
type barrier struct {
	mu           sync.Mutex
	inside, peak int
	release      chan struct{}
}

func (b *barrier) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	b.mu.Lock()
	b.inside++
	b.peak = max(b.peak, b.inside)
	b.mu.Unlock()
	<-b.release
	b.mu.Lock()
	b.inside--
	b.mu.Unlock()
	_, _ = io.WriteString(w, `{"sku":"SSC-4110","unit_price_cents":1899,"currency":"USD"}`)
}

func (b *barrier) insideNow() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inside
}

func TestBudgetBoundsParallelDependencyCalls(t *testing.T) {
	t.Parallel()
	for name, budget := range map[string]int{"two": 2, "four": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dependency := &barrier{release: make(chan struct{})}
			api := startAPI(t, dependency, func(c *Config) { c.Budget = budget })
			var users sync.WaitGroup
			for range 8 {
				users.Go(func() {
					status, _ := get(t, api.URL+"/api/quote?sku=SSC-4110&qty=1")
					assert.Equal(t, http.StatusOK, status)
				})
			}
			require.Eventually(t, func() bool { return dependency.insideNow() == budget }, waitLong, tick)
			close(dependency.release)
			users.Wait()
			assert.LessOrEqual(t, dependency.peak, budget)
		})
	}
}

func TestDependencyGoesThroughTheProxyEvenOnLocalhost(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.RequestURI
		_, _ = io.WriteString(w, `{"sku":"SSC-4110","unit_price_cents":1899,"currency":"USD"}`)
	}))
	t.Cleanup(proxy.Close)
	proxyURL, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	fake := &pricingFake{status: 500}
	api := startAPI(t, fake, func(c *Config) { c.ProxyURL = proxyURL })
	status, _ := get(t, api.URL+"/api/quote?sku=SSC-4110&qty=1")
	assert.Equal(t, http.StatusOK, status)
	assert.True(t, strings.HasSuffix(<-seen, "/v1/price/SSC-4110"))
	assert.Zero(t, fake.calls.Load())
}
