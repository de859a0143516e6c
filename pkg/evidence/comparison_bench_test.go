package evidence_test

import (
	"context"
	"testing"

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
		queries, err := p.Queries(side.Runs[1].Window.WindowSeconds)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := prometheus.Instant(b.Context(), queries[0].PromQL, side.Runs[1].Window.QueryEnd); err != nil {
				b.Fatal(err)
			}
		}
	})
}
