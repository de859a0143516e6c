package comparetest

import (
	"fmt"
	"time"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// Fingerprints of the orders service's statements.
const (
	S1 = "INSERT INTO orders ( customer, status, total_cents ) VALUES ( ? ) RETURNING created_at"
	S2 = "INSERT INTO order_items ( order_id, project_id, name, quantity, unit_price_cents ) VALUES ( ? )"
	S3 = "SELECT id, customer, status, total_cents, created_at FROM orders WHERE id = ?"
	S4 = "SELECT project_id, name, quantity, unit_price_cents FROM order_items WHERE order_id = ? ORDER BY id"
	S5 = "SELECT id, customer, status, total_cents, created_at FROM orders WHERE created_at > ? ORDER BY created_at DESC LIMIT ?"
	S6 = "SELECT o.id, o.customer, o.status, o.total_cents, o.created_at, COUNT ( i.id ) FROM orders o LEFT JOIN order_items i ON i.order_id = o.id WHERE o.created_at > ? GROUP BY o.id ORDER BY o.created_at DESC LIMIT ?"
	S7 = "SELECT status FROM orders WHERE id = ?"
)

// Orders is the orders service under load with its statement recording; slow has the N+1. It was not
// measured by Prometheus.
func Orders(slow bool) evidence.Side {
	id, start, perSecond, p99 := "orders/load-slow0+stmt-slow0", time.Date(2026, 9, 30, 10, 0, 0, 0, time.UTC), 4166.0, 3.0
	if slow {
		id, start, perSecond, p99 = "orders/load-slow1+stmt-slow1", time.Date(2026, 9, 30, 10, 5, 0, 0, time.UTC), 2672, 16
	}
	const total = int64(16320)
	active := float64(total) / perSecond
	end := start.Add(time.Duration(active * float64(time.Second)))
	side := evidence.Side{ID: id, Label: id,
		Declared: &catalog.SideFile{Label: id, Workload: &catalog.Workload{Users: 4, Passes: 30, Mode: "load-test"}, Harness: &catalog.Harness{Name: "stand-in for proxymock"}},
		Window:   &catalog.Window{Start: start, End: end, QueryStart: start, QueryEnd: end.Truncate(time.Second).Add(2 * time.Second), WindowSeconds: int64(active) + 2, Source: catalog.SourceWindowFile},
		Load: &evidence.Load{RunID: id, Requests: Ptr(total), Failed: Ptr(int64(0)), P50Ms: Ptr(1.0), P90Ms: Ptr(1.0), P95Ms: Ptr(2.0), P99Ms: &p99, AvgMs: Ptr(1.0), MinMs: Ptr(1.0), MaxMs: Ptr(31.0),
			RequestsPerSecond: &perSecond, ActiveSeconds: &active, PaddingSeconds: Ptr(1.0), HarnessBound: Ptr(false), HarnessNotes: []string{}},
		Recording: evidence.RecordingIdentity{Path: "recorded-baseline", Digest: "9b1d", Source: "recording", InboundPairs: Ptr(int64(136))},
		Mock:      &evidence.Mock{State: evidence.StateOK, Source: "mock.log", Hits: Ptr(int64(8400)), Misses: Ptr(int64(0)), Passthroughs: Ptr(int64(0)), Details: []string{}},
		Repeats:   []evidence.Load{}, Problems: []catalog.Problem{}, Statements: orderStatements(slow), Responses: orderResponses(slow)}
	endpoint := func(name string, perPass int64, avg, p95, p99 float64) {
		n := perPass * 120
		side.Endpoints = append(side.Endpoints, evidence.Endpoint{Name: name, Share: Ptr(float64(perPass) / 136), Requests: &n, Failed: Ptr(int64(0)), AvgMs: &avg, P50Ms: &avg, P95Ms: &p95, P99Ms: &p99, MaxMs: Ptr(p99 + 5), PerSec: Ptr(float64(n) / active)})
	}
	endpoint("POST /orders", 44, 1, 2, 3)
	endpoint("GET /orders/{id}", 42, 1, 1, 1)
	endpoint("GET /orders/{id}/status", 40, 1, 1, 1)
	if slow {
		endpoint("GET /orders", 5, 16, 17, 19)
	} else {
		endpoint("GET /orders", 5, 1, 2, 2)
	}
	endpoint("GET /catalog", 3, 1, 1, 1)
	endpoint("GET /healthz", 2, 1, 1, 1)
	return Unmeasured(side, evidence.StateNotConfigured, "", "")
}

func orderStatements(slow bool) *evidence.Statements {
	s := &evidence.Statements{State: evidence.StateOK, RunID: "stmt", Executions: Ptr(int64(232)), Messages: Ptr(int64(1075)), Reads: Ptr(int64(127)), Writes: Ptr(int64(105)), Errors: Ptr(int64(0)), Linking: "time containment", Problems: []catalog.Problem{}}
	add := func(fingerprint, verb string, executions, rows int64, tables ...string) {
		s.Inventory = append(s.Inventory, evidence.Statement{Fingerprint: fingerprint, SQL: fingerprint, Verb: verb, Tables: tables, Executions: executions, Rows: rows, SpanSeconds: Ptr(0.0003 * float64(executions))})
	}
	link := func(endpoint, fingerprint string, calls, executions, most int64) *evidence.EndpointStatement {
		s.ByEndpoint = append(s.ByEndpoint, evidence.EndpointStatement{Endpoint: endpoint, Fingerprint: fingerprint, Calls: calls, Executions: executions, PerCall: float64(executions) / float64(calls), MaxPerCall: most, SpanSeconds: Ptr(0.0003 * float64(executions))})
		return &s.ByEndpoint[len(s.ByEndpoint)-1]
	}
	add(S1, "INSERT", 40, 40, "orders")
	add(S2, "INSERT", 65, 65, "order_items")
	add(S3, "SELECT", 41, 40, "orders")
	add(S7, "SELECT", 41, 40, "orders")
	link("POST /orders", S1, 40, 40, 1)
	link("POST /orders", S2, 40, 65, 3)
	link("GET /orders/{id}", S3, 41, 41, 1)
	link("GET /orders/{id}", S4, 41, 40, 1)
	link("GET /orders/{id}/status", S7, 41, 41, 1)
	if !slow {
		add(S4, "SELECT", 40, 65, "order_items")
		add(S6, "SELECT", 5, 200, "orders", "order_items")
		link("GET /orders", S6, 5, 5, 1)
		return s
	}
	s.Executions, s.Reads, s.Messages = Ptr(int64(432)), Ptr(int64(327)), Ptr(int64(1875))
	add(S4, "SELECT", 240, 390, "order_items")
	add(S5, "SELECT", 5, 200, "orders")
	link("GET /orders", S5, 5, 5, 1)
	child := link("GET /orders", S4, 5, 200, 40)
	child.ParentFingerprint, child.RowsOfParent = S5, 200
	return s
}

// orderResponses are the answers in the two statement recordings: ids and times are made at run time.
func orderResponses(slow bool) []evidence.Response {
	tag, minute := "a", 0
	if slow {
		tag, minute = "b", 5
	}
	var out []evidence.Response
	for i := range 3 {
		out = append(out, evidence.Response{RefUUID: fmt.Sprintf("%s%07d-0000-4000-8000-000000000000", tag, i), Endpoint: "POST /orders", Status: 201, Path: fmt.Sprintf("stmt/%s-%d.md", tag, i),
			Headers: map[string][]string{"Content-Type": {"application/json"}, "Date": {"Wed, 30 Sep 2026 10:00:00 GMT"}},
			Body:    fmt.Appendf(nil, `{"id":"%s%07d-1111-4111-8111-111111111111","status":"placed","total_cents":%d,"created_at":"2026-09-30T10:%02d:0%d.123Z"}`, tag, i, 800*(i+1), minute, i)})
	}
	return out
}
