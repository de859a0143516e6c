package evidence_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// BenchmarkComparison is one whole comparison against an in-memory Prometheus, from the files to the verdict, beside
// the slowest single query that it sends.
func BenchmarkComparison(b *testing.B) {
	c, _ := lab(b)
	server := promtest.NewServerWith(b, append(loadsOf("baseline"), loadsOf("candidate")...))
	prometheus := client(b, server.URL)
	p := parseProfile(b, checkout)
	b.Run("comparison", func(b *testing.B) {
		measure := func(name string) func(context.Context) (*evidence.Side, error) {
			return func(ctx context.Context) (*evidence.Side, error) {
				side, err := c.Side(ctx, name)
				if err != nil {
					return nil, err
				}
				return evidence.Measure(ctx, evidence.Input{Side: side, Files: c, Profile: p, Prometheus: prometheus, Now: now})
			}
		}
		for b.Loop() {
			sides, err := evidence.MeasureSides(b.Context(), measure("baseline"), measure("candidate"))
			if err != nil {
				b.Fatal(err)
			}
			got := compare.Compare(*sides[0], *sides[1], p, compare.Options{Now: now})
			if got.Verdict.Cause.Answer != compare.CauseWait {
				b.Fatalf("the cause is %+v", got.Verdict.Cause)
			}
		}
	})
	b.Run("slowest-query", func(b *testing.B) {
		side, err := c.Side(b.Context(), "baseline")
		if err != nil {
			b.Fatal(err)
		}
		measured, err := evidence.Measure(b.Context(), evidence.Input{Side: side, Files: c, Profile: p, Prometheus: prometheus, Now: now})
		if err != nil {
			b.Fatal(err)
		}
		var slowest evidence.Query
		var longest time.Duration
		for _, q := range measured.Queries {
			start := time.Now()
			for range 20 {
				askOnly(b, server.URL, q)
			}
			if took := time.Since(start); took > longest {
				slowest, longest = q, took
			}
		}
		b.Logf("of %d queries: %s", len(measured.Queries), slowest.Name)
		for b.Loop() {
			askOnly(b, server.URL, slowest)
		}
	})
}

// askOnly sends a query and reads the answer without understanding it.
func askOnly(b *testing.B, server string, q evidence.Query) {
	b.Helper()
	at := strconv.FormatFloat(float64(q.Time.UnixMilli())/1000, 'f', 3, 64)
	resp, err := http.PostForm(server+"/api/v1/query", url.Values{"query": {q.PromQL}, "time": {at}})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		b.Fatalf("%s: status %d, %v", q.PromQL, resp.StatusCode, err)
	}
}
