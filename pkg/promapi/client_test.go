package promapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// answering serves one fixed answer for every request.
func answering(t testing.TB, status int, body string) *promapi.Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client went away: nothing is left to do
	}))
	t.Cleanup(s.Close)
	c, err := promapi.New(promapi.Config{Address: s.URL, RetryDelay: time.Millisecond, MaxResponseBytes: 1 << 16})
	require.NoError(t, err)
	return c
}

func TestInstantStates(t *testing.T) {
	t.Parallel()
	const moment = 1786633224
	cases := map[string]struct {
		status int
		body   string
		state  promapi.State
		reason string
		value  *float64
		// kind and words are of the error; empty kind means no error.
		kind, words string
	}{
		"one number":             {200, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1786633224,"0.19"]}]}}`, promapi.StateOK, "", new(.19), "", ""},
		"a scalar":               {200, `{"status":"success","data":{"resultType":"scalar","result":[1786633224,"3"]}}`, promapi.StateOK, "", new(3.0), "", ""},
		"C10 NaN":                {200, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1786633224,"NaN"]}]}}`, promapi.StateNoTraffic, "no_observations", nil, "", ""},
		"infinite":               {200, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1786633224,"+Inf"]}]}}`, promapi.StateOK, "infinite", nil, "", ""},
		"C11 empty":              {200, `{"status":"success","data":{"resultType":"vector","result":[]}}`, promapi.StateAbsent, "absent_series", nil, "", ""},
		"several":                {200, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":"b"},"value":[1786633224,"1"]},{"metric":{"a":"c"},"value":[1786633224,"2"]}]}}`, promapi.StateOK, "several_series:2", nil, "", ""},
		"a matrix":               {200, `{"status":"success","data":{"resultType":"matrix","result":[]}}`, promapi.StateFailed, "bad_result", nil, "bad_result", "matrix"},
		"bad query":              {400, `{"status":"error","errorType":"bad_data","error":"1:3: parse error: unexpected end"}`, promapi.StateFailed, "bad_data", nil, "bad_data", "unexpected end"},
		"over a limit":           {422, `{"status":"error","errorType":"execution","error":"query processing would load too many samples"}`, promapi.StateFailed, "execution", nil, "execution", "too many samples"},
		"server gave up":         {503, `{"status":"error","errorType":"timeout","error":"query timed out"}`, promapi.StateFailed, "query_timeout", nil, "query_timeout", "timed out"},
		"rate limited":           {429, `slow down`, promapi.StateFailed, "rate_limited", nil, "rate_limited", "slow down"},
		"a web page":             {200, `<html>login</html>`, promapi.StateFailed, "bad_response", nil, "bad_response", "not that of a Prometheus API"},
		"no data":                {200, `{"status":"success"}`, promapi.StateFailed, "bad_result", nil, "bad_result", "no value"},
		"larger than the limit":  {200, `{"status":"success","data":"` + strings.Repeat("x", 1<<17) + `"}`, promapi.StateFailed, "too_large", nil, "too_large", "65536 bytes"},
		"a native histogram":     {200, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"histogram":[1786633224,{"count":"1","sum":"1","buckets":[]}]}]}}`, promapi.StateFailed, "bad_result", nil, "bad_result", "native histogram"},
		"an error with HTTP 200": {200, `{"status":"error","errorType":"execution","error":"odd proxy"}`, promapi.StateFailed, "execution", nil, "execution", "odd proxy"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, c.status, c.body).Instant(context.Background(), "x", time.Unix(moment, 0))
			assert.Equal(t, c.state, got.State)
			assert.Equal(t, c.reason, got.Reason)
			assert.Equal(t, c.value, got.Value)
			_, jsonErr := json.Marshal(got)
			require.NoError(t, jsonErr, "C17: no answer may break JSON")
			if c.kind == "" {
				require.NoError(t, err)
				return
			}
			var q *promapi.QueryError
			require.ErrorAs(t, err, &q)
			assert.Equal(t, c.kind, q.Kind)
			assert.Equal(t, c.state, q.State)
			assert.Contains(t, err.Error(), c.words)
		})
	}
}

// TestTimeMismatch is C09: an answer for another time is not an answer.
func TestTimeMismatch(t *testing.T) {
	t.Parallel()
	c := answering(t, 200, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1786633195,"0.19"]}]}}`)
	got, err := c.Instant(context.Background(), "x", time.Unix(1786633224, 0))
	require.ErrorIs(t, err, promapi.ErrTimeMismatch)
	assert.Contains(t, err.Error(), "29s early")
	assert.Equal(t, promapi.ReasonTimeMismatch, got.Reason)
	assert.Nil(t, got.Value)
	assert.Empty(t, got.Samples)
}

// TestWarningsAreKept is C18.
func TestWarningsAreKept(t *testing.T) {
	t.Parallel()
	c := answering(t, 200, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1786633224,"0.19"]}]},"warnings":["partial response: store-2 timed out"],"infos":["PromQL info: metric might not be a counter"]}`)
	got, err := c.Instant(context.Background(), "x", time.Unix(1786633224, 0))
	require.NoError(t, err)
	assert.Equal(t, []string{"partial response: store-2 timed out"}, got.Warnings)
	assert.Equal(t, []string{"PromQL info: metric might not be a counter"}, got.Infos)
	assert.True(t, promapi.Breaking(got.Warnings[0]))
	assert.False(t, promapi.Breaking(got.Infos[0]))
	assert.True(t, promapi.Breaking("PromQL info: input to histogram_quantile needed to be fixed for monotonicity"))
	assert.True(t, promapi.Breaking("results truncated due to limit"))
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	c, err := promapi.New(promapi.Config{Address: "http://someone:secret@127.0.0.1:1"})
	require.NoError(t, err)
	got, err := c.Instant(context.Background(), "up", time.Now())
	require.Error(t, err)
	assert.Equal(t, promapi.StateUnreachable, got.State)
	assert.NotContains(t, err.Error(), "secret")
	assert.NotContains(t, c.Address(), "secret")
	_, _, err = c.Raw(context.Background(), "up", time.Now(), time.Minute)
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "secret")
}

func TestCancelAndTimeout(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(release) })
	c, err := promapi.New(promapi.Config{Address: s.URL, Timeout: 30 * time.Millisecond})
	require.NoError(t, err)
	var q *promapi.QueryError
	_, err = c.Instant(context.Background(), "up", time.Now())
	require.ErrorAs(t, err, &q)
	assert.Equal(t, promapi.KindNoAnswer, q.Kind)
	assert.Equal(t, promapi.StateUnreachable, q.State)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = c.Instant(ctx, "up", time.Now())
	require.ErrorAs(t, err, &q)
	assert.Equal(t, promapi.KindCanceled, q.Kind)
}

func TestNewRefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	for _, a := range []string{"", "prometheus", "ftp://x", "http://", "://"} {
		_, err := promapi.New(promapi.Config{Address: a})
		assert.ErrorContains(t, err, "is not a URL", a)
	}
}

func TestInstantRetry(t *testing.T) {
	t.Parallel()
	const empty = `{"status":"success","data":{"resultType":"vector","result":[]}}`
	cases := map[string]struct {
		emptyAnswers int32
		attempts     int
		state        promapi.State
	}{
		"at once":            {0, 1, promapi.StateOK},
		"the third time":     {2, 3, promapi.StateOK},
		"never, three times": {99, 3, promapi.StateAbsent},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body := empty
				if asked.Add(1) > c.emptyAnswers {
					body = fmt.Sprintf(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[%s,"1"]}]}}`, r.FormValue("time"))
				}
				_, _ = io.WriteString(w, body) // the client went away: nothing is left to do
			}))
			t.Cleanup(s.Close)
			client, err := promapi.New(promapi.Config{Address: s.URL, RetryDelay: time.Millisecond})
			require.NoError(t, err)
			got, err := client.InstantRetry(context.Background(), "x", time.Unix(1786633224, 0))
			require.NoError(t, err)
			assert.Equal(t, c.state, got.State)
			assert.Equal(t, c.attempts, got.Attempts)
			assert.EqualValues(t, c.attempts, asked.Load())
		})
	}
}

// TestInstantRetryOfThePast: an empty answer about a time long past is repeated without the pause, because no
// scrape can still land in it.
func TestInstantRetryOfThePast(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	client, err := promapi.New(promapi.Config{Address: direct, RetryDelay: time.Hour, RoundTripper: transport(func(req *http.Request) (*http.Response, error) {
		asked.Add(1)
		return status(200, `{"status":"success","data":{"resultType":"vector","result":[]}}`)(req)
	})})
	require.NoError(t, err)
	got, err := client.InstantRetry(t.Context(), "x", time.Now().Add(-time.Hour))
	require.NoError(t, err)
	assert.Equal(t, promapi.StateAbsent, got.State)
	assert.Equal(t, 3, got.Attempts)
	assert.EqualValues(t, 3, asked.Load())
}

func TestFallsBackToGet(t *testing.T) {
	t.Parallel()
	inner := promtest.NewServer(t, "load 1s\n  up 1x10")
	inner.Intercept = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return true
		}
		return false
	}
	got, err := newClient(t, inner).Instant(context.Background(), "up", at(5))
	require.NoError(t, err)
	assert.InDelta(t, 1, *got.Value, 0)
}

func TestRaw(t *testing.T) {
	t.Parallel()
	s := promtest.NewServer(t, "load 1s\n  up{job=\"j\"} 1 1 0 1 1 1")
	c := newClient(t, s)
	got, warnings, err := c.Raw(context.Background(), `up{job="j"}`, at(4.5), 2500*time.Millisecond)
	require.NoError(t, err)
	assert.Empty(t, warnings)
	require.Len(t, got, 1)
	assert.Equal(t, []promapi.Point{{T: 3000, V: 1}, {T: 4000, V: 1}}, got[0].Points, "the range is left-open")
	assert.Equal(t, []string{`up{job="j"}[2s500ms]`}, s.Queries())
	_, _, err = c.Raw(context.Background(), "up", at(4), 0)
	require.ErrorContains(t, err, "cannot be asked for")
	_, _, err = c.Raw(context.Background(), "sum(up)", at(4), time.Second)
	var q *promapi.QueryError
	require.ErrorAs(t, err, &q)
	assert.Equal(t, "bad_data", q.Kind)
}

func TestRawSaysWhenItWasCut(t *testing.T) {
	t.Parallel()
	s := promtest.NewServer(t, "load 1s\n  x{a=\"1\"} 1x5\n  x{a=\"2\"} 1x5\n  x{a=\"3\"} 1x5")
	c, err := promapi.New(promapi.Config{Address: s.URL, MaxSeries: 2})
	require.NoError(t, err)
	got, warnings, err := c.Raw(context.Background(), "x", at(5), 5*time.Second)
	require.NoError(t, err)
	assert.Len(t, got, 2)
	require.Len(t, warnings, 1)
	assert.True(t, promapi.Breaking(warnings[0]))
}

func TestServerFacts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := promtest.NewServer(t, "load 1s\n  up{job=\"checkout-api\",instance=\"a\"} 1x10\n  checkout_request_duration_seconds_bucket{le=\"1\"} 1x10\n  checkout_request_duration_seconds_count 1x10\n  checkout_other 1x10")
	now := time.Now()
	s.Targets = []promtest.Target{
		{Labels: map[string]string{"job": "checkout-api", "instance": "a"}, Health: "down", LastError: "connection refused", LastScrape: now.Add(-1200 * time.Millisecond), ScrapeInterval: "1s", ScrapeTimeout: "1s", ScrapeURL: "http://u:p@a/metrics"},
		{Labels: map[string]string{"job": "other", "instance": "a"}, Health: "up"},
	}
	c := newClient(t, s)
	b, err := c.Buildinfo(ctx)
	require.NoError(t, err)
	assert.Equal(t, promapi.Build{Product: "Prometheus", Version: "3.16.0"}, b)

	targets, err := c.TargetHealth(ctx, "checkout-api", "")
	require.NoError(t, err)
	require.Len(t, targets, 1)
	assert.InDelta(t, 1, *targets[0].IntervalSeconds, 0)
	assert.Equal(t, "target a of job checkout-api is down, last scraped 1.2s ago, last error: connection refused", targets[0].Sentence(now))
	assert.NotContains(t, targets[0].ScrapeURL, "u:p")
	targets, err = c.TargetHealth(ctx, "nobody", "")
	require.NoError(t, err)
	assert.Empty(t, targets)

	clock, err := c.ServerTime(ctx)
	require.NoError(t, err)
	assert.InDelta(t, 0, clock.Skew, 60)
	s.Now = func() time.Time { return time.Now().Add(-time.Hour) }
	clock, err = c.ServerTime(ctx)
	require.NoError(t, err)
	assert.InDelta(t, -3600, clock.Skew, 60)

	names, err := c.MetricNames(ctx, `checkout_request_duration_seconds(_bucket|_count|_sum)?`, 10)
	require.NoError(t, err)
	assert.Equal(t, []string{"checkout_request_duration_seconds_bucket", "checkout_request_duration_seconds_count"}, names)
	near, err := c.Suggest(ctx, "checkout_request_time_seconds", 5)
	require.NoError(t, err)
	assert.Equal(t, []string{"checkout_request_duration_seconds"}, near)
	near, err = c.Suggest(ctx, "checkout_latency", 5)
	require.NoError(t, err)
	assert.Equal(t, []string{"checkout_other", "checkout_request_duration_seconds"}, near)
	near, err = c.Suggest(ctx, "nothing_like_it", 5)
	require.NoError(t, err)
	assert.Empty(t, near)
}

func TestMeasureWhenThereIsNothing(t *testing.T) {
	t.Parallel()
	s := promtest.NewServer(t, "load 1s\n  up{job=\"other\"} 1x10")
	e, err := newClient(t, s).Measure(context.Background(), promapi.ExactRequest{Selectors: selectorsFor(t, nil), Quantile: .95, Start: at(2), End: at(5)})
	require.NoError(t, err)
	assert.Equal(t, promapi.StateAbsent, e.State)
	assert.Contains(t, e.Next, "target.job")
	assert.Nil(t, e.Quantile)
	assert.Contains(t, promapi.Failed(e.Gates), "G1")

	_, err = newClient(t, s).Measure(context.Background(), promapi.ExactRequest{Selectors: selectorsFor(t, nil), Quantile: .95, Start: at(5), End: at(5)})
	require.ErrorContains(t, err, "has no length")

	broken := answering(t, 500, "oops")
	_, err = broken.Measure(context.Background(), promapi.ExactRequest{Selectors: selectorsFor(t, nil), Quantile: .95, Start: at(2), End: at(5)})
	var q *promapi.QueryError
	require.ErrorAs(t, err, &q)
	assert.Equal(t, promapi.StateFailed, q.State)
}
