package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/checkout/quoteapi"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// roleVariable makes the test binary act as another program of the lab.
const roleVariable = "STANDIN_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "checkout":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		cfg, err := quoteapi.ConfigFromEnv(os.Getenv)
		if err == nil {
			err = quoteapi.Run(ctx, cfg, slog.New(slog.NewJSONHandler(os.Stderr, nil)))
		}
		stop()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "crash":
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// waitLong bounds waiting for something that happens at once unless the machine
// stalls; nothing is measured with it.
const waitLong = 60 * time.Second

// output is a buffer that several goroutines may write to.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// command is a sub-command running in the background.
type command struct {
	stdout, stderr output
	cancel         context.CancelFunc
	done           chan error
}

// start runs the stand-in with args until stop or until it ends.
func start(t *testing.T, args ...string) *command {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	c := &command{cancel: cancel, done: make(chan error, 1)}
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&c.stdout)
	root.SetErr(&c.stderr)
	go func() { c.done <- root.ExecuteContext(ctx) }()
	t.Cleanup(cancel)
	return c
}

// stop interrupts the command, as Ctrl-C does, and waits for it.
func (c *command) stop(t *testing.T) {
	t.Helper()
	c.cancel()
	require.NoError(t, <-c.done, c.stderr.String())
}

// await waits for text on standard output and returns its first group.
func (c *command) await(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.Now().Add(waitLong)
	for time.Now().Before(deadline) {
		if match := re.FindStringSubmatch(c.stdout.String()); match != nil {
			return match[len(match)-1]
		}
		select {
		case err := <-c.done:
			require.FailNow(t, "the command ended early", "%v\n%s", err, &c.stderr)
		case <-time.After(5 * time.Millisecond):
		}
	}
	require.FailNow(t, "nothing on standard output matches", "%s\n%s\n%s", pattern, &c.stdout, &c.stderr)
	return ""
}

// run runs the stand-in to its end.
func run(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	c := start(t, args...)
	err = <-c.done
	return c.stdout.String(), c.stderr.String(), err
}

// freePort finds a port below those that the kernel hands out by itself, so that
// no other connection of this machine takes it before it is used.
func freePort(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 20_000 + rand.IntN(12_000)
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			require.NoError(t, listener.Close())
			return port
		}
	}
	require.FailNow(t, "no free port between 20000 and 32000")
	return 0
}

func fetch(t *testing.T, target string) (int, string) {
	t.Helper()
	res, err := http.Get(target)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(body)
}

// app is the command line of a checkout API in a process of its own.
func app(t *testing.T, port int, settings ...string) []string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	line := append([]string{"--", "env", roleVariable + "=checkout", fmt.Sprintf("APP_ADDR=127.0.0.1:%d", port)}, settings...)
	return append(line, self)
}

// readPairs parses every pair below dir with the product's own reader.
func readPairs(t *testing.T, dir string) []*proxymock.Pair {
	t.Helper()
	var pairs []*proxymock.Pair
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		pair, err := proxymock.ParsePair(file, proxymock.FormMarkdown)
		require.NoError(t, err, path)
		require.Empty(t, pair.Problems, path)
		pairs = append(pairs, pair)
		return nil
	}))
	return pairs
}

func parseResult(t *testing.T, stdout string) *proxymock.Result {
	t.Helper()
	result, err := proxymock.ParseResult(strings.NewReader(stdout))
	require.NoError(t, err)
	require.Empty(t, result.Problems)
	require.Empty(t, result.SkippedLines, "standard output holds the result alone")
	require.NotNil(t, result.Aggregate)
	return result
}

func parseVerdict(t *testing.T, dir string) *proxymock.Verdict {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "replay-verdict.json"))
	require.NoError(t, err)
	defer file.Close()
	verdict, err := proxymock.ParseVerdict(file)
	require.NoError(t, err)
	require.Empty(t, verdict.Problems)
	return verdict
}

func executable(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return self
}
