package orderapi_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/catalogue/projects"
	"github.com/replaylab/replay-evidence/lab/orders/orderapi"
	"github.com/replaylab/replay-evidence/lab/pg"
	"github.com/replaylab/replay-evidence/lab/pg/pgtest"
	"github.com/replaylab/replay-evidence/lab/traffic/drive"
)

// lockedBuffer takes the server's log while the test reads it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := b.buf.String()
	b.buf.Reset()
	return text
}

// executed reads the server's log up to now: how often each prepared statement ran, and each simple query.
func executed(t *testing.T, server *pg.Server, log *lockedBuffer) (prepared, simple map[string]int) {
	t.Helper()
	// The server's processes share one log: once this query is in it, everything before it is.
	conn, err := pgx.Connect(t.Context(), server.URL())
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "SHOW server_version", pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	var text string
	require.Eventually(t, func() bool {
		text += log.take()
		return strings.Contains(text, "SHOW server_version")
	}, 10*time.Second, 10*time.Millisecond)
	text, _, _ = strings.Cut(text, "SHOW server_version")
	prepared, simple = map[string]int{}, map[string]int{}
	for line := range strings.Lines(text) {
		if _, sql, ok := strings.Cut(strings.TrimSpace(line), "execute <unnamed>: "); ok {
			prepared[sql]++
		} else if _, sql, ok := strings.Cut(strings.TrimSpace(line), "LOG:  statement: "); ok {
			simple[sql]++
		}
	}
	return prepared, simple
}

// tap forwards connections to the server and counts what the clients send.
type tap struct {
	mu       sync.Mutex
	messages map[string]int
}

func (tp *tap) count(kind string) {
	tp.mu.Lock()
	defer tp.mu.Unlock()
	tp.messages[kind]++
}

func (tp *tap) sent() map[string]int {
	tp.mu.Lock()
	defer tp.mu.Unlock()
	return maps.Clone(tp.messages)
}

// listen returns a connection string that leads through the tap.
func (tp *tap) listen(t *testing.T, server *pg.Server) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	target, err := url.Parse(server.URL())
	require.NoError(t, err)
	var running sync.WaitGroup
	t.Cleanup(func() { _ = listener.Close(); running.Wait() })
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { tp.forward(client, target.Host) })
		}
	})
	return server.URLAt(listener.Addr().(*net.TCPAddr).Port)
}

func (tp *tap) forward(client net.Conn, target string) {
	defer func() { _ = client.Close() }()
	upstream, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(client, upstream)
	}()
	defer func() { _ = upstream.Close(); <-done }()
	// Frames: the start-up message is a length and its rest, all others have a type before it.
	read := bufio.NewReader(io.TeeReader(client, upstream))
	for first := true; ; first = false {
		kind := byte('*')
		if !first {
			if kind, err = read.ReadByte(); err != nil {
				return
			}
		}
		var length [4]byte
		if _, err := io.ReadFull(read, length[:]); err != nil {
			return
		}
		rest := make([]byte, binary.BigEndian.Uint32(length[:])-4)
		if _, err := io.ReadFull(read, rest); err != nil {
			return
		}
		tp.count(string(kind))
		if kind == 'P' && rest[0] != 0 {
			tp.count("named")
		}
	}
}

// service is the whole orders service in this process, its catalogue, and a way to look inside.
func service(t *testing.T, cfg orderapi.Config) (base string, handler http.Handler, stop func()) {
	t.Helper()
	catalogue := httptest.NewServer(projects.Handler())
	t.Cleanup(catalogue.Close)
	var err error
	cfg.CatalogueURL, err = url.Parse(catalogue.URL)
	require.NoError(t, err)
	handler, closeAll, err := orderapi.Handler(t.Context(), cfg, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	stop = sync.OnceFunc(func() { server.Close(); closeAll() })
	t.Cleanup(stop)
	return server.URL, handler, stop
}

const (
	lines       = "SELECT project_id, name, quantity, unit_price_cents FROM order_items WHERE order_id = $1::uuid ORDER BY id"
	listPlain   = "SELECT id, customer, status, total_cents, created_at FROM orders WHERE created_at > $1::timestamptz ORDER BY created_at DESC LIMIT 50"
	listCounted = "SELECT o.id, o.customer, o.status, o.total_cents, o.created_at, (SELECT COUNT(*) FROM order_items i WHERE i.order_id = o.id) AS item_count FROM orders o WHERE o.created_at > $1::timestamptz ORDER BY o.created_at DESC LIMIT 50"
)

// The guide's counts, as a real server logs them: 232 and 432 statements, the order lines 40 and 240
// times, the list 5 and 5 times; and as they go over the wire: with the start-up and the end of the one
// connection, the guide's 1,075 and 1,875 messages.
func TestOneDriverPassOnARealServer(t *testing.T) {
	t.Parallel()
	log := &lockedBuffer{}
	server := pgtest.Start(t, pg.Options{Log: log, Settings: map[string]string{"log_statement": "all"}})
	require.NoError(t, orderapi.Migrate(t.Context(), server.URL()))
	require.NoError(t, orderapi.Migrate(t.Context(), server.URL()), "migrating twice changes nothing")

	for name, c := range map[string]struct {
		slow                 bool
		all, lines, messages int
		list                 string
	}{
		"slow=0": {false, 232, 40, 1075, listCounted},
		"slow=1": {true, 432, 240, 1875, listPlain},
	} {
		// One after the other: they share the server's log.
		t.Run(name, func(t *testing.T) {
			require.NoError(t, orderapi.Truncate(t.Context(), server.URL()))
			executed(t, server, log)
			tp := &tap{messages: map[string]int{}}
			base, handler, stop := service(t, orderapi.Config{DatabaseURL: tp.listen(t, server), Version: orderapi.V1, Slow: c.slow})

			result, err := drive.Run(t.Context(), base)
			require.NoError(t, err)
			require.Equal(t, "sent 135 requests, 0 unexpected", result.String(), strings.Join(result.Problems, "\n"))
			metrics := scrape(t, handler)
			stop()

			prepared, simple := executed(t, server, log)
			all := 0
			for _, n := range prepared {
				all += n
			}
			assert.Equal(t, c.all, all)
			assert.Equal(t, c.lines, prepared[lines])
			assert.Equal(t, drive.ListCalls, prepared[c.list])
			assert.Len(t, prepared, 6)
			for prefix, want := range map[string]int{
				"INSERT INTO orders ": 40, "INSERT INTO order_items ": 65, "SELECT status FROM orders ": 41,
				"SELECT id, customer, status, total_cents, created_at FROM orders WHERE id ": 41,
			} {
				got := 0
				for sql, n := range prepared {
					if strings.HasPrefix(sql, prefix) {
						got += n
					}
				}
				assert.Equal(t, want, got, prefix)
			}
			assert.Equal(t, map[string]int{"begin": 40, "commit": 40}, simple, "no pings, no session settings")

			orders, orderLines, err := orderapi.Count(t.Context(), server.URL())
			require.NoError(t, err)
			assert.EqualValues(t, drive.Orders, orders)
			assert.EqualValues(t, drive.Lines, orderLines)

			sent := tp.sent()
			assert.Zero(t, sent["named"], "statements are unnamed")
			// Query, Parse, Bind, Describe, Execute; inserts that return nothing are described twice.
			assert.Equal(t, map[string]int{"Q": 80, "P": c.all, "B": c.all, "D": c.all + drive.Lines, "E": c.all},
				map[string]int{"Q": sent["Q"], "P": sent["P"], "B": sent["B"], "D": sent["D"], "E": sent["E"]})
			assert.Equal(t, c.messages, sent["Q"]+sent["P"]+sent["B"]+sent["D"]+sent["E"]+2)

			assert.Contains(t, metrics, `orders_request_duration_seconds_count{code="200",method="GET",route="/orders"} 5`)
			assert.Contains(t, metrics, `orders_request_duration_seconds_count{code="404",method="GET",route="/orders/{id}"} 1`)
			assert.Contains(t, metrics, `orders_query_duration_seconds_count{statement="insert order line"} 65`)
			// One connection per statement, except that a transaction keeps its own.
			acquired := c.all - 40 - drive.Lines + 40
			assert.Contains(t, metrics, fmt.Sprintf("orders_pool_wait_seconds_count %d\n", acquired))
			assert.Contains(t, metrics, fmt.Sprintf("orders_pool_hold_seconds_count %d\n", acquired))
			assert.Contains(t, metrics, "app_cpu_seconds_total")
		})
	}
}

func scrape(t *testing.T, handler http.Handler) string {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code)
	return w.Body.String()
}

// Both ways of listing answer the same.
func TestBothListsAnswerTheSame(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, pg.Options{})
	require.NoError(t, orderapi.Migrate(t.Context(), server.URL()))
	fast, _, _ := service(t, orderapi.Config{DatabaseURL: server.URL(), Version: orderapi.V1})
	slow, _, _ := service(t, orderapi.Config{DatabaseURL: server.URL(), Version: orderapi.V1, Slow: true})
	result, err := drive.Run(t.Context(), fast)
	require.NoError(t, err)
	require.Zero(t, result.Unexpected)
	a, b := get(t, fast+"/orders"), get(t, slow+"/orders")
	assert.Equal(t, 40, strings.Count(a, `"item_count":`))
	assert.Equal(t, a, b)
}

func get(t *testing.T, target string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(body)
}
