package tool

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLogLayout(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(NewLogHandler(&out)).With("source", "generator")
	log.Debug("not shown")
	log.Info("started", "pid", 7, "error", errors.New("two\nlines"))
	log.WithGroup("x").Warn("NO MATCH")
	stamp := `\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`
	assert.Regexp(t, `^`+stamp+` INFO  started  \( source:generator pid:7 error:two lines \)\n`+stamp+` WARN  NO MATCH  \( source:generator \)\n$`, out.String())
}

func TestParseMapping(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		text string
		want Mapping
		bad  bool
	}{
		"postgres":     {"15432=postgres://localhost:5432", Mapping{15432, "postgres", "localhost:5432"}, false},
		"long name":    {"15432=postgresql://db:5432", Mapping{15432, "postgres", "db:5432"}, false},
		"plain":        {"0=tcp://127.0.0.1:6379", Mapping{0, "tcp", "127.0.0.1:6379"}, false},
		"no protocol":  {"15432=localhost:5432", Mapping{}, true},
		"no port":      {"15432=postgres://localhost", Mapping{}, true},
		"no target":    {"15432", Mapping{}, true},
		"port too big": {"70000=postgres://localhost:5432", Mapping{}, true},
		"unknown":      {"1=mysql://localhost:3306", Mapping{}, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseMapping(tc.text)
			if tc.bad {
				require.ErrorContains(t, err, "--map")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestStopKillsWhatIgnoresTheInterrupt(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell on this machine")
	}
	ready, writer, err := os.Pipe()
	require.NoError(t, err)
	child, err := StartChild([]string{shell, "-c", `trap "" INT; echo $VALUE; sleep 600`}, []string{"VALUE=ready"}, writer, os.Stderr)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	line := make([]byte, 6)
	_, err = ready.Read(line)
	require.NoError(t, err)
	require.Equal(t, "ready\n", string(line), "its environment has what was added")
	child.Stop(10 * time.Millisecond)
	require.ErrorContains(t, child.Err(), "killed")
	child.Stop(time.Hour) // a second stop returns at once
}

func TestStartChildNamesTheCommand(t *testing.T) {
	t.Parallel()
	_, err := StartChild([]string{"/absent/program", "x"}, nil, nil, nil)
	require.ErrorContains(t, err, "/absent/program x")
}

func TestWaitReady(t *testing.T) {
	t.Parallel()
	healthy := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var probes atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-healthy:
			w.WriteHeader(http.StatusNoContent)
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
			if probes.Add(1) == 2 {
				cancel() // the first refusal has arrived
			}
		}
	}))
	defer server.Close()
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	port, err := strconv.Atoi(address.Port())
	require.NoError(t, err)
	require.NoError(t, WaitReady(t.Context(), port, "", nil), "an open port is enough without a path")
	err = WaitReady(ctx, port, "/healthz", nil)
	require.ErrorContains(t, err, "503")
	require.ErrorContains(t, err, "--app-health-endpoint")
	close(healthy)
	require.NoError(t, WaitReady(t.Context(), port, "healthz", nil))

	ended := make(chan struct{})
	close(ended)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	free := listener.Addr().(*net.TCPAddr).Port
	require.NoError(t, listener.Close())
	require.ErrorIs(t, WaitReady(t.Context(), free, "", ended), ErrChildEnded)
}

func TestListenNamesTheFlag(t *testing.T) {
	t.Parallel()
	first, err := Listen(t.Context(), 0, "proxy-in-port")
	require.NoError(t, err)
	defer first.Close()
	_, err = Listen(t.Context(), first.Addr().(*net.TCPAddr).Port, "proxy-in-port")
	require.ErrorContains(t, err, "--proxy-in-port")
}
