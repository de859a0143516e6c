package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// fetchThrough asks for target through a forward proxy.
func fetchThrough(t *testing.T, proxy, target string) (int, string) {
	t.Helper()
	proxyURL, err := url.Parse(proxy)
	require.NoError(t, err)
	transport := &http.Transport{Proxy: http.ProxyURL(proxyURL), DisableKeepAlives: true}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	require.NoError(t, err)
	res, err := transport.RoundTrip(req)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(body)
}

func TestVersion(t *testing.T) {
	t.Parallel()
	stdout, _, err := run(t, "version")
	require.NoError(t, err)
	assert.Equal(t, "stand-in for proxymock 2.5.842 formats\n", stdout)
}

func TestUsageErrorsNameTheFlag(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		args []string
		want string
	}{
		"condition":             {[]string{"replay", "--fail-if", "requests.failed"}, "--fail-if"},
		"target":                {[]string{"replay", "--test-against", "localhost:8080"}, "--test-against"},
		"output":                {[]string{"replay", "--output", "csv"}, "--output"},
		"no users":              {[]string{"replay", "--vus", "0"}, "--vus"},
		"no passes":             {[]string{"replay", "--times", "0"}, "--times"},
		"both lengths":          {[]string{"replay", "--times", "2", "--for", "1s"}, "exclude"},
		"both outputs":          {[]string{"replay", "--out", "x", "--no-out"}, "exclude"},
		"recording is missing":  {[]string{"replay", "--in", "absent", "--no-out"}, "--in"},
		"timing":                {[]string{"mock", "--mock-timing", "40"}, "--mock-timing"},
		"mapping":               {[]string{"mock", "--map", "15432"}, "--map"},
		"mapping of a protocol": {[]string{"record", "--map", "15432=mysql://localhost:3306"}, "postgres://"},
		"format":                {[]string{"record", "--out-format", "xml"}, "--out-format"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := run(t, tc.args...)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

func TestRecordReportsAnApplicationThatEndsByItself(t *testing.T) {
	t.Parallel()
	_, _, err := run(t, "record", "--out", t.TempDir(), "--proxy-in-port", "0", "--proxy-out-port", "0", "--app-port", fmt.Sprint(freePort(t)),
		"--", "env", roleVariable+"=crash", executable(t))
	require.ErrorContains(t, err, "ended by itself")
	require.ErrorContains(t, err, "exit status 3")
}

// testTime is when the requests of these tests were recorded.
var testTime = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

// writeInbound stores a recorded request with its answer.
func writeInbound(t *testing.T, dir, method, uri, body string, status int, answer string) {
	t.Helper()
	writer, err := rrpair.NewWriter(dir, false)
	require.NoError(t, err)
	target, err := url.Parse(uri)
	require.NoError(t, err)
	pair := rrpair.New(rrpair.In, testTime)
	pair.L7Protocol, pair.Duration = "http", 1
	pair.Tags = map[string]string{"source": "goproxy", "sequence": "1"}
	pair.HTTP = &rrpair.HTTP{
		Req: rrpair.HTTPRequest{Method: method, URL: target.Path, URI: uri, Version: "1.1", Host: "localhost:8080", Body: []byte(body), Headers: map[string][]string{"Content-Type": {"application/json"}}},
		Res: rrpair.HTTPResponse{StatusCode: status, StatusMessage: fmt.Sprint(status, " ", http.StatusText(status)), Body: []byte(answer)},
	}
	_, err = writer.Write(pair, "localhost")
	require.NoError(t, err)
}

func TestReplayOfSeveralEndpointsWithBodies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeInbound(t, dir, "POST", "/orders", `{"customer":"bob","items":[{"id":"flux"}]}`, 201, `{"ok":true}`)
	writeInbound(t, dir, "GET", "/orders/2cfa6a74-eace-5f52-8354-f048465c4cfe?x=1", "", 200, `{}`)
	writeInbound(t, dir, "GET", "/orders/b94d7236-ec3c-5fba-b32a-2eb774178728", "", 404, "not found\n")
	bodies := make(chan string, 8)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body)
		w.WriteHeader(http.StatusOK) // recorded as 201
		_, _ = io.WriteString(w, `{"ok":true}`)
	})
	mux.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("x") != "" {
			_, _ = io.WriteString(w, "{}\n")
			return
		}
		http.Error(w, "not found", http.StatusNotFound)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	out := filepath.Join(dir, "results")
	stdout, stderr, err := run(t, "replay", "--in", dir, "--out", out, "--times", "2", "--test-against", server.URL, "--fail-if", "requests.failed!=0")
	require.NoError(t, err, stderr)
	result := parseResult(t, stdout)
	assert.EqualValues(t, 6, *result.Aggregate.Total)
	assert.EqualValues(t, 0, *result.Aggregate.Failed, "a changed status is no failure")
	require.Len(t, result.Endpoints, 2)
	assert.Equal(t, "/orders", result.Endpoints[0].URL)
	assert.InDelta(t, 0, *result.Endpoints[0].MatchPct, 0)
	assert.Equal(t, "/orders/{id}", result.Endpoints[1].URL)
	assert.InDelta(t, 100, *result.Endpoints[1].MatchPct, 0)
	assert.Equal(t, `{"customer":"bob","items":[{"id":"flux"}]}`, <-bodies, "indentation of the file is not sent")
	verdict := parseVerdict(t, out)
	assert.Equal(t, "mismatch", verdict.Verdict)
	assert.Len(t, verdict.Pairs, 6)
}

func TestReplayAgainstNothingCountsFailures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeInbound(t, dir, "GET", "/a", "", 200, "ok")
	stdout, stderr, err := run(t, "replay", "--in", dir, "--no-out", "--times", "3", "--test-against", fmt.Sprintf("http://127.0.0.1:%d", freePort(t)),
		"--fail-if", "requests.failed!=0")
	require.Error(t, err)
	assert.Contains(t, stderr, "observed requests.failed was 3")
	all := parseResult(t, stdout).Aggregate
	assert.EqualValues(t, 3, *all.Failed)
	assert.EqualValues(t, 0, *all.Succeeded)
	assert.NotContains(t, stdout, "latency.", "nothing answered, so there is no latency")
}

func TestReplayPrettyAndEmptyRecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, _, err := run(t, "replay", "--in", dir, "--no-out")
	require.ErrorContains(t, err, "no inbound HTTP pair")
	writeInbound(t, dir, "GET", "/a", "", 200, "ok")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	defer server.Close()
	stdout, stderr, err := run(t, "replay", "--in", dir, "--no-out", "--output", "pretty", "--test-against", server.URL)
	require.NoError(t, err, stderr)
	assert.Contains(t, stdout, "LATENCY / THROUGHPUT")
	assert.Contains(t, stdout, "100.00")
	_, err = os.Stat("proxymock")
	require.ErrorIs(t, err, os.ErrNotExist, "--no-out writes nothing")
}
