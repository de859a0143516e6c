package service

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestURL(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		value, fallback, want, fails string
	}{
		"given":        {value: "http://a:1", fallback: "http://b:2", want: "http://a:1"},
		"fallback":     {fallback: "http://b:2", want: "http://b:2"},
		"neither":      {},
		"no scheme":    {value: "localhost:8090", fails: "X is"},
		"no host":      {value: "http://", fails: "X is"},
		"not an URL":   {value: "http://a b", fails: "reading X"},
		"another kind": {value: "ftp://a", fails: "X is"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, err := URL(func(string) string { return tc.value }, "X", tc.fallback)
			switch {
			case tc.fails != "":
				require.ErrorContains(t, err, tc.fails)
			case tc.want == "":
				require.NoError(t, err)
				require.Nil(t, u)
			default:
				require.NoError(t, err)
				require.Equal(t, tc.want, u.String())
			}
		})
	}
}

// A request in flight when the stop signal comes is answered.
func TestServeLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	listener, err := Listen(ctx, "127.0.0.1:0", "X_ADDR")
	require.NoError(t, err)
	_, err = Listen(ctx, listener.Addr().String(), "X_ADDR")
	require.ErrorContains(t, err, "X_ADDR names another address")

	entered, release := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-release
		_, _ = io.WriteString(w, "answered")
	})
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, listener, handler, slog.New(slog.DiscardHandler)) }()
	got := make(chan string, 1)
	go func() {
		resp, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			got <- err.Error()
			return
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		got <- string(body)
	}()
	<-entered
	cancel()
	close(release)
	require.Equal(t, "answered", <-got)
	require.NoError(t, <-served)
}
