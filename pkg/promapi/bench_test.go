package promapi_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
	"github.com/replaylab/replay-evidence/pkg/stat/sim"
)

// benchServer holds the lab's baseline run on several instances.
func benchServer(b *testing.B, instances int) (*promapi.Client, promapi.ExactRequest) {
	b.Helper()
	events := sim.Run(sim.Lab(2, 1))
	var series []promtest.Series
	for i := range instances {
		series = append(series, promtest.FromSim(sim.Record(events, sim.Scrape{
			Job: "checkout-api", Instance: fmt.Sprint(i), Start: runStart, Interval: 1000, Phase: int64(i * 37 % 1000),
			Before: 10_000, After: 10_000, CPUPerRequest: .001,
		}))...)
	}
	expected := int64(1200 * instances)
	return newClient(b, promtest.NewServerWith(b, series)), promapi.ExactRequest{
		Selectors: labSelectors(b), Quantile: .95, Start: time.UnixMilli(runStart),
		End: time.UnixMilli(runStart + int64(math.Ceil(sim.Length(events)*1000))), Expected: &expected,
	}
}

// BenchmarkMeasure takes all exact figures of one run, over HTTP from an in-memory server.
func BenchmarkMeasure(b *testing.B) {
	for _, instances := range []int{1, 20} {
		b.Run(fmt.Sprintf("instances=%d", instances), func(b *testing.B) {
			c, req := benchServer(b, instances)
			var samples int
			for b.Loop() {
				e, err := c.Measure(context.Background(), req)
				require.NoError(b, err)
				require.Empty(b, promapi.Failed(e.Gates))
				samples = e.Samples
			}
			b.ReportMetric(float64(samples), "samples/op")
		})
	}
}

// BenchmarkSlowestQuery is the largest single query of BenchmarkMeasure, to read the ratio off.
func BenchmarkSlowestQuery(b *testing.B) {
	for _, instances := range []int{1, 20} {
		b.Run(fmt.Sprintf("instances=%d", instances), func(b *testing.B) {
			c, req := benchServer(b, instances)
			for b.Loop() {
				series, _, err := c.Raw(context.Background(), req.Selectors.Request.Bucket, req.End.Add(3*time.Second), req.End.Sub(req.Start)+6*time.Second)
				require.NoError(b, err)
				require.NotEmpty(b, series)
			}
		})
	}
}
