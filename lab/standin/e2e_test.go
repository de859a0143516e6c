package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/pricing/catalogue"
	"github.com/replaylab/replay-evidence/lab/standin/internal/replay"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// recordQuote records one quote with its price look-up.
func recordQuote(t *testing.T, dir string) {
	t.Helper()
	pricing := httptest.NewServer(catalogue.Handler(time.Millisecond))
	defer pricing.Close()
	port := freePort(t)
	recorder := start(t, append([]string{"record", "--out", dir, "--app-port", fmt.Sprint(port), "--proxy-in-port", "0", "--proxy-out-port", "0", "--app-health-endpoint", "/healthz"},
		app(t, port, "PRICING_URL="+pricing.URL)...)...)
	inbound := recorder.await(t, `send requests to (http://\S+?),`)
	status, body := fetch(t, inbound+"/api/quote?sku=SSC-4110&qty=3")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"sku":"SSC-4110","quantity":3,"unit_price_cents":1899,"total_cents":5697,"currency":"USD"}`, body)
	recorder.stop(t)
	require.Contains(t, recorder.stdout.String(), "recorded 2 request/response pairs")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "quote-response.json"), []byte(body), 0o644))
}

// startMock mocks the recording; the application's dependency is a closed port,
// so every answer must come from the recording.
func startMock(t *testing.T, recording string, flags []string, settings ...string) (mock *command, target, health string) {
	t.Helper()
	port, healthPort := freePort(t), freePort(t)
	args := append([]string{"mock", "--in", recording, "--mock-timing", "40x", "--proxy-out-port", "0", "--health-port", fmt.Sprint(healthPort),
		"--app-port", fmt.Sprint(port), "--app-health-endpoint", "/healthz"}, flags...)
	mock = start(t, append(args, app(t, port, append([]string{"PRICING_URL=http://127.0.0.1:1"}, settings...)...)...)...)
	mock.await(t, "mocking traffic sent from your app")
	return mock, fmt.Sprintf("http://127.0.0.1:%d", port), fmt.Sprintf("http://127.0.0.1:%d/healthz", healthPort)
}

func TestRecordMockReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recording := filepath.Join(dir, "recording")
	recordQuote(t, recording)

	recorded := map[string]*proxymock.Pair{}
	for _, pair := range readPairs(t, recording) {
		recorded[pair.Direction] = pair
	}
	require.Len(t, recorded, 2)
	in, out := recorded["IN"], recorded["OUT"]
	assert.Equal(t, proxymock.KindRecording, in.Kind())
	assert.Equal(t, "/api/quote", in.Location)
	assert.Equal(t, "/v1/price/SSC-4110", out.Location)
	assert.Equal(t, time.Millisecond, *out.Duration, "outbound durations are not measured")
	assert.False(t, out.DurationKnown())
	assert.Contains(t, in.Tags["proxyVersion"], "stand-in")
	assert.False(t, out.TS.Before(in.TS))
	assert.False(t, out.TS.After(in.End().Add(time.Millisecond)), "the call lies inside the request, whose duration is truncated")

	t.Run("functional replay under the mock", func(t *testing.T) {
		t.Parallel()
		mockOut := filepath.Join(dir, "mocked")
		mock, target, health := startMock(t, recording, []string{"--no-passthrough", "--out", mockOut})
		status, _ := fetch(t, health)
		assert.Equal(t, http.StatusOK, status)
		results := filepath.Join(dir, "functional")
		stdout, stderr, err := run(t, "replay", "--in", recording, "--out", results, "--test-against", target, "--times", "3",
			"--output", "json", "--fail-if", "requests.failed!=0", "--fail-if", "requests.result-match-pct!=100")
		require.NoError(t, err, stderr)
		mock.stop(t)
		assert.Contains(t, mock.stdout.String(), "HIT=3 NO_MATCH=0 PASSTHROUGH=0")

		all := parseResult(t, stdout).Aggregate
		assert.EqualValues(t, 3, *all.Total)
		assert.EqualValues(t, 0, *all.Failed)
		assert.InDelta(t, 100, *all.MatchPct, 0)
		assert.GreaterOrEqual(t, *all.Latency.Min, 40., "the recorded millisecond was waited forty times")
		replayed := readPairs(t, results)
		require.Len(t, replayed, 3)
		for _, pair := range replayed {
			assert.Equal(t, proxymock.KindReplay, pair.Kind())
			assert.Equal(t, proxymock.MatchPass, pair.Match())
			assert.Equal(t, in.UUID, pair.RefUUID)
			assert.Equal(t, in.Tags["sequence"], pair.Tags["sequence"])
		}
		verdict := parseVerdict(t, results)
		assert.Equal(t, "pass", verdict.Verdict)
		assert.Len(t, verdict.Pairs, 3)
		answered := readPairs(t, mockOut)
		require.Len(t, answered, 3)
		for _, pair := range answered {
			assert.Equal(t, proxymock.MatchHit, pair.Match())
			assert.Equal(t, out.UUID, pair.RefUUID)
		}
	})

	t.Run("load replay", func(t *testing.T) {
		t.Parallel()
		mock, target, _ := startMock(t, recording, []string{"--no-passthrough", "--no-out"}, "LAB_BUDGET=4")
		stdout, stderr, err := run(t, "replay", "--in", recording, "--no-out", "--performance", "--vus", "4", "--times", "5", "--test-against", target)
		require.NoError(t, err, stderr)
		mock.stop(t)
		assert.Contains(t, stderr, "--performance has been deprecated")
		result := parseResult(t, stdout)
		assert.EqualValues(t, 20, *result.Aggregate.Total)
		assert.Nil(t, result.Aggregate.MatchPct, "load is not scored")
		require.Len(t, result.Endpoints, 1)
		assert.Equal(t, "/api/quote", result.Endpoints[0].URL)
		require.NotNil(t, result.Resources)
		assert.Contains(t, strings.Join(result.Resources.Notes, " "), "stand-in")
	})

	t.Run("another price is a mismatch", func(t *testing.T) {
		t.Parallel()
		mock, target, _ := startMock(t, recording, []string{"--no-passthrough", "--no-out"}, "LAB_PRICE_OFFSET_CENTS=100")
		results := filepath.Join(dir, "changed")
		stdout, stderr, err := run(t, "replay", "--in", recording, "--out", results, "--test-against", target,
			"--fail-if", "requests.failed!=0", "--fail-if", "requests.result-match-pct!=100")
		require.ErrorIs(t, err, replay.ErrGate)
		mock.stop(t)
		assert.Contains(t, stderr, "observed requests.result-match-pct was 0")
		assert.InDelta(t, 0, *parseResult(t, stdout).Aggregate.MatchPct, 0, "the result is printed all the same")
		verdict := parseVerdict(t, results)
		assert.Equal(t, "mismatch", verdict.Verdict)
		require.Len(t, verdict.Pairs, 1)
		var locations []string
		for _, change := range verdict.Pairs[0].BodyChanges {
			locations = append(locations, change.Location)
		}
		assert.Equal(t, []string{"http.res.bodyBase64.total_cents", "http.res.bodyBase64.unit_price_cents"}, locations)
		replayed := readPairs(t, results)
		require.Len(t, replayed, 1)
		assert.Equal(t, proxymock.MatchFail, replayed[0].Match())
	})
}

func TestMockMissNamesTheParameter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recording := filepath.Join(dir, "recording")
	dependency := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"ts":%q}`, r.URL.Query().Get("ts"))
	}))
	defer dependency.Close()
	appPort := freePort(t)
	recorder := start(t, "record", "--out", recording, "--proxy-in-port", "0", "--proxy-out-port", "0", "--app-port", fmt.Sprint(appPort),
		"--", "env", roleVariable+"=checkout", fmt.Sprintf("APP_ADDR=127.0.0.1:%d", appPort), executable(t))
	proxy := recorder.await(t, `calls of your app leave through (http://\S+)`)
	_, body := fetchThrough(t, proxy, dependency.URL+"/p/flux?ts=1")
	require.JSONEq(t, `{"ts":"1"}`, body)
	recorder.stop(t)

	mockArgs := func(flags ...string) []string {
		return append([]string{"mock", "--in", recording, "--no-passthrough", "--proxy-out-port", "0"}, flags...)
	}
	call := func(t *testing.T, flags ...string) (status int, body string, mock *command) {
		t.Helper()
		port := freePort(t)
		mock = start(t, append(mockArgs(flags...), "--proxy-out-port", fmt.Sprint(port))...)
		mock.await(t, "mocking traffic sent from your app")
		status, body = fetchThrough(t, fmt.Sprintf("http://127.0.0.1:%d", port), dependency.URL+"/p/flux?ts=2")
		mock.stop(t)
		return status, body, mock
	}

	out := filepath.Join(dir, "missed")
	status, body, mock := call(t, "--out", out)
	assert.Equal(t, http.StatusNotFound, status)
	var miss struct {
		Error   string   `json:"error"`
		Differs []string `json:"differs"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &miss))
	assert.Equal(t, "NO_MATCH", miss.Error)
	assert.Equal(t, []string{"http:queryparams:ts"}, miss.Differs)
	assert.Contains(t, mock.stdout.String(), "HIT=0 NO_MATCH=1 PASSTHROUGH=0")
	pairs := readPairs(t, out)
	require.Len(t, pairs, 1)
	assert.Equal(t, proxymock.MatchMiss, pairs[0].Match())
	log, err := os.Open(filepath.Join(out, "proxymock.log"))
	require.NoError(t, err)
	defer log.Close()
	counts, err := proxymock.ParseMockLog(log)
	require.NoError(t, err)
	assert.EqualValues(t, 1, counts.Misses)

	require.NoError(t, os.Mkdir(filepath.Join(recording, "blueprints"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(recording, "blueprints", "ts.json"), []byte(`{"name":"ts","active":true,"tokenizeConfig":{"responder":[
		{"extractor":{"type":"http_queryparam","config":{"index":"0","name":"ts"}},"transforms":[{"type":"constant","config":{"new":"*"}}]}]}}`), 0o644))
	status, body, mock = call(t, "--no-out")
	assert.Equal(t, http.StatusOK, status, "masked, the parameter no longer decides")
	assert.JSONEq(t, `{"ts":"1"}`, body)
	assert.Contains(t, mock.stdout.String(), "HIT=1 NO_MATCH=0")

	// The blueprint belongs to the recording; its host directory has none.
	port := freePort(t)
	partial := start(t, "mock", "--in", filepath.Join(recording, "127.0.0.1"), "--no-passthrough", "--no-out", "--proxy-out-port", fmt.Sprint(port))
	partial.await(t, "mocking traffic sent from your app")
	status, _ = fetchThrough(t, fmt.Sprintf("http://127.0.0.1:%d", port), dependency.URL+"/p/flux?ts=2")
	partial.stop(t)
	assert.Equal(t, http.StatusNotFound, status)

	// Without --no-passthrough the real dependency answers, and that is counted.
	require.NoError(t, os.RemoveAll(filepath.Join(recording, "blueprints")))
	port = freePort(t)
	passing := start(t, "mock", "--in", recording, "--no-out", "--proxy-out-port", fmt.Sprint(port))
	passing.await(t, "mocking traffic sent from your app")
	status, body = fetchThrough(t, fmt.Sprintf("http://127.0.0.1:%d", port), dependency.URL+"/p/flux?ts=2")
	passing.stop(t)
	assert.Equal(t, http.StatusOK, status)
	assert.JSONEq(t, `{"ts":"2"}`, body)
	assert.Contains(t, passing.stdout.String(), "HIT=0 NO_MATCH=0 PASSTHROUGH=1")
}
