package capture

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

func TestForwardPassesWhatWasSent(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var gotBody []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		gotBody, _ = io.ReadAll(r.Body)
		w.Header().Set("Location", "/elsewhere")
		w.Header().Set("X-Two", "a")
		w.Header().Add("X-Two", "b")
		w.WriteHeader(http.StatusFound)
		_, _ = io.WriteString(w, "moved")
	}))
	defer server.Close()
	base, err := url.Parse(server.URL)
	require.NoError(t, err)
	incoming := httptest.NewRequest(http.MethodPost, "http://proxy/a%2Fb?x=1&y=%20", strings.NewReader(`{"a":1}`))
	incoming.Header.Set("Proxy-Connection", "keep-alive")
	incoming.Header.Set("X-Request-Id", "7")
	req, err := ReadRequest(incoming, "api.example:80")
	require.NoError(t, err)
	assert.Equal(t, "/a%2Fb?x=1&y=%20", req.URI)
	assert.Equal(t, "/a/b", req.URL)
	assert.Equal(t, map[string][]string{"x": {"1"}, "y": {" "}}, req.QueryParams)
	transport := NewTransport()
	defer transport.CloseIdleConnections()
	res, err := Forward(t.Context(), transport, base, &req)
	require.NoError(t, err)
	assert.Equal(t, "/a%2Fb?x=1&y=%20", got.RequestURI)
	assert.Equal(t, "api.example:80", got.Host)
	assert.Equal(t, "7", got.Header.Get("X-Request-Id"))
	assert.Empty(t, got.Header.Get("Proxy-Connection"))
	assert.Empty(t, got.Header.Get("User-Agent"), "nothing is added")
	assert.Empty(t, got.Header.Get("Accept-Encoding"), "nothing is added")
	assert.JSONEq(t, `{"a":1}`, string(gotBody))
	assert.Equal(t, 302, res.StatusCode, "redirects are passed on")
	assert.Equal(t, "302 Found", res.StatusMessage)

	recorder := httptest.NewRecorder()
	Answer(recorder, &res)
	assert.Equal(t, 302, recorder.Code)
	assert.Equal(t, "moved", recorder.Body.String())
	assert.Equal(t, []string{"a", "b"}, recorder.Header()["X-Two"])
}

func TestAnswerWithoutContent(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	Answer(recorder, &rrpair.HTTPResponse{StatusCode: http.StatusNoContent})
	assert.Equal(t, http.StatusNoContent, recorder.Code)
	assert.Empty(t, recorder.Header().Get("Content-Length"))
}

func TestDecode(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, err := writer.Write([]byte("plain text"))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	cases := map[string]struct {
		encoding string
		body     []byte
		want     string
		decoded  bool
	}{
		"none":        {"", []byte("x"), "x", true},
		"gzip":        {"gzip", packed.Bytes(), "plain text", true},
		"broken gzip": {"gzip", []byte("x"), "x", false},
		"cut gzip":    {"gzip", packed.Bytes()[:12], string(packed.Bytes()[:12]), false},
		"unknown":     {"br", []byte("x"), "x", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := &rrpair.HTTPResponse{Headers: map[string][]string{"Content-Encoding": {tc.encoding}}, Body: tc.body}
			assert.Equal(t, tc.decoded, Decode(res))
			assert.Equal(t, tc.want, string(res.Body))
		})
	}
}

func TestTunnelCarriesTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "secret") }))
	defer server.Close()
	tunnelled := make(chan error, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { tunnelled <- Tunnel(w, r) }))
	defer proxy.Close()
	proxyURL, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	transport := server.Client().Transport.(*http.Transport).Clone()
	transport.Proxy = http.ProxyURL(proxyURL)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	require.NoError(t, err)
	res, err := transport.RoundTrip(req)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, "secret", string(body))
	transport.CloseIdleConnections()
	require.NoError(t, <-tunnelled)
}

func TestPassThroughClosesWhenTheServerIsAway(t *testing.T) {
	t.Parallel()
	left, right := net.Pipe()
	var log bytes.Buffer
	PassThrough(context.Background(), left, "127.0.0.1:1", slog.New(slog.NewTextHandler(&log, nil)))
	_, err := right.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	assert.Contains(t, log.String(), "127.0.0.1:1")
}

func TestNetinfo(t *testing.T) {
	t.Parallel()
	left, right := net.Pipe()
	defer left.Close()
	defer right.Close()
	var conns Conns
	ctx := conns.Context(t.Context(), left)
	info := Netinfo(conns.Context(ctx, left), "localhost:8090")
	assert.Equal(t, "2", info.ID)
	assert.Equal(t, &rrpair.Endpoint{Hostname: "localhost", Port: 8090}, info.Upstream)
	assert.Nil(t, Netinfo(t.Context(), "localhost:8090"))
	assert.Equal(t, 80, EndpointOf("example.com").Port)
}
