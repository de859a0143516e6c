package sqlstats

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// recorder makes pairs by hand, with a clock of its own. Everything it makes is synthetic.
type recorder struct {
	now      time.Time
	sequence int64
	conn     string
	pairs    []*proxymock.Pair
}

func newRecorder() *recorder {
	return &recorder{now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), conn: "1"}
}

func (r *recorder) add(p *proxymock.Pair) *proxymock.Pair {
	r.sequence++
	sequence := r.sequence
	sum := md5.Sum([]byte(strconv.FormatInt(sequence, 10)))
	p.UUID = hex.EncodeToString(sum[:])
	p.Sequence = &sequence
	if p.TS.IsZero() {
		p.TS = r.now
	}
	r.pairs = append(r.pairs, p)
	return p
}

// request records an inbound request around what during does.
func (r *recorder) request(method, path string, during func()) *proxymock.Pair {
	p := r.add(&proxymock.Pair{
		Direction: proxymock.In, Protocol: "http", Command: method, Location: path,
		HTTP: &proxymock.HTTP{Method: method, URL: path, StatusCode: 200, RequestHeaders: http.Header{}},
	})
	r.now = r.now.Add(50 * time.Microsecond)
	if during != nil {
		during()
	}
	r.now = r.now.Add(50 * time.Microsecond)
	took := max(time.Millisecond, r.now.Sub(p.TS).Truncate(time.Millisecond))
	p.Duration = &took
	r.now = r.now.Add(100 * time.Microsecond)
	return p
}

// sql records one message.
func (r *recorder) sql(kind proxymock.PostgresKind, command, text string, took time.Duration) *proxymock.Pair {
	p := r.add(&proxymock.Pair{
		Direction: proxymock.Out, Protocol: "postgres", Command: command, Location: text, Status: "OK",
		Conn:    proxymock.Connection{ID: r.conn},
		Elapsed: &took,
		Postgres: &proxymock.Postgres{
			Kind: kind, Query: text, Normalised: text, ConnID: r.conn,
		},
	})
	r.now = r.now.Add(took)
	return p
}

func answer(p *proxymock.Pair, rows int64, tag string) *proxymock.Pair {
	p.Postgres.Rows = &rows
	p.Postgres.CompleteTag, p.Postgres.CompleteTags = tag, []string{tag}
	return p
}

func fail(p *proxymock.Pair, code string) *proxymock.Pair {
	p.Status = "ERR:" + code
	p.Postgres.ErrorCode, p.Postgres.ErrorMessage = code, "something with a value in it"
	return p
}

// query is a simple query.
func (r *recorder) query(text, tag string, rows int64, took time.Duration) *proxymock.Pair {
	return answer(r.sql(proxymock.PostgresQuery, "Query", text, took), rows, tag)
}

// statement is an unnamed prepared statement in four messages, or five when it returns nothing, as
// pgx sends them. The server's time is on the first one.
func (r *recorder) statement(text, tag string, rows int64, took time.Duration) *proxymock.Pair {
	r.sql(proxymock.PostgresPrepare, "Prepare Statement", text, took)
	r.sql(proxymock.PostgresDescribe, "Describe Prepared Statement", text, 10*time.Microsecond)
	return r.boundStatement(text, tag, rows, 10*time.Microsecond)
}

// boundStatement is a statement prepared before: Bind and Execute only.
func (r *recorder) boundStatement(text, tag string, rows int64, took time.Duration) *proxymock.Pair {
	r.sql(proxymock.PostgresBind, "Bind Statement Parameters", text, took)
	if rows == 0 && tag == "INSERT 0 1" {
		r.sql(proxymock.PostgresDescribe, "Describe Portal", text, 5*time.Microsecond)
	}
	return answer(r.sql(proxymock.PostgresExecute, "Execute Prepared Statement", text, 5*time.Microsecond), rows, tag)
}

// The statements of the orders service.
const (
	s1 = "INSERT INTO orders (id, customer, status, total_cents) VALUES ($1 :: uuid, $2, $3, $4) RETURNING created_at"
	s2 = "INSERT INTO order_items (order_id, project_id, name, quantity, unit_price_cents) VALUES ($1 :: uuid, $2, $3, $4, $5)"
	s3 = "SELECT id, customer, status, total_cents, created_at FROM orders WHERE id = $1 :: uuid"
	s4 = "SELECT project_id, name, quantity, unit_price_cents FROM order_items WHERE order_id = $1 :: uuid ORDER BY id"
	s5 = "SELECT id, customer, status, total_cents, created_at FROM orders WHERE created_at > $1 :: timestamptz ORDER BY created_at DESC LIMIT 50"
	s6 = "SELECT o.id, COUNT(i.id) AS item_count FROM orders o LEFT JOIN order_items i ON i.order_id = o.id WHERE o.created_at > $1 :: timestamptz GROUP BY o.id ORDER BY o.created_at DESC LIMIT 50"
	s7 = "SELECT status FROM orders WHERE id = $1 :: uuid"
)

// driverPass is one pass of the orders driver: 136 requests and the statements they cause. pad adds
// messages of a chatty driver that are no executions.
func driverPass(slow bool, pad int) []*proxymock.Pair {
	r := newRecorder()
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	const took = 300 * time.Microsecond
	for range 2 {
		r.request("GET", "/healthz", nil)
	}
	r.sql(proxymock.PostgresStartup, "Startup", "N/A", time.Millisecond)
	for range pad {
		r.query("SET extra_float_digits = 3", "SET", 0, took)
	}
	for range 3 {
		r.request("GET", "/catalog", nil)
	}
	for n := range 40 {
		items := 1
		if n < 25 {
			items = 2
		}
		r.request("POST", "/orders", func() {
			r.query("begin", "BEGIN", 0, took)
			r.statement(s1, "INSERT 0 1", 1, took)
			for range items {
				r.statement(s2, "INSERT 0 1", 0, took)
			}
			r.query("commit", "COMMIT", 0, took)
		})
		r.request("GET", "/orders/"+id(n), func() {
			r.statement(s3, "SELECT 1", 1, took)
			r.statement(s4, fmt.Sprintf("SELECT %d", items), int64(items), took)
		})
		r.request("GET", "/orders/"+id(n)+"/status", func() { r.statement(s7, "SELECT 1", 1, took) })
	}
	for range 5 {
		r.request("GET", "/orders", func() {
			if !slow {
				r.statement(s6, "SELECT 40", 40, took)
				return
			}
			r.statement(s5, "SELECT 40", 40, took)
			for n := range 40 {
				items := int64(1 + n%2)
				r.statement(s4, fmt.Sprintf("SELECT %d", items), items, took)
			}
		})
	}
	r.request("GET", "/orders/"+id(99), func() { r.statement(s3, "SELECT 0", 0, took) })
	r.request("GET", "/orders/"+id(99)+"/status", func() { r.statement(s7, "SELECT 0", 0, took) })
	r.request("GET", "/orders/not-an-id", nil)
	for range 3 {
		r.request("POST", "/orders", nil)
	}
	return r.pairs
}

func take(pairs []*proxymock.Pair) Inventory { return Take(slices.Values(pairs), Options{}) }

func (inv Inventory) statement(sql string) Statement {
	fingerprint := newMasker().form(sql).fingerprint
	for _, s := range inv.Statements {
		if s.Fingerprint == fingerprint {
			return s
		}
	}
	return Statement{}
}

func (inv Inventory) below(endpoint, sql string) EndpointStatement {
	fingerprint := newMasker().form(sql).fingerprint
	for _, e := range inv.Endpoints {
		if e.Endpoint == endpoint && e.Fingerprint == fingerprint {
			return e
		}
	}
	return EndpointStatement{}
}

func (inv Inventory) total(endpoint string) EndpointTotal {
	for _, t := range inv.Totals {
		if t.Endpoint == endpoint {
			return t
		}
	}
	return EndpointTotal{}
}

func (inv Inventory) problems(code string) []Problem {
	var found []Problem
	for _, p := range inv.Problems {
		if p.Code == code {
			found = append(found, p)
		}
	}
	return found
}
