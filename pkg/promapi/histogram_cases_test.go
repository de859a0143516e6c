package promapi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// histogramCase is a case about a histogram.
type histogramCase struct {
	load       string
	engine     []engineAnswer
	start, end float64
	state      promapi.State
	quantile   *stat.Range
	gates      map[string]promapi.GateState
	words      map[string]string
	check      func(t *testing.T, e *promapi.Exact)
}

func TestHistogramCases(t *testing.T) {
	t.Parallel()
	cases := map[string]histogramCase{
		// C05: buckets exist, nothing was observed.
		"C05 no observations": {
			load: `load 1s` + up60 + `
  h_bucket{job="j",instance="a",le="0.1"} 5x30
  h_bucket{job="j",instance="a",le="1.0"} 5x30
  h_bucket{job="j",instance="a",le="+Inf"} 5x30`,
			start: 1, end: 28, state: promapi.StateNoTraffic,
		},
		// C06: a restart that only one bucket shows.
		"C06 one bucket was reset": {
			load: `load 1s` + up60 + `
  h_bucket{job="j",instance="a",le="0.05"} 3x4 1 5 10 20 30 40 50x20
  h_bucket{job="j",instance="a",le="0.25"} 3x4 30 70 150 310 630 950 1190x20
  h_bucket{job="j",instance="a",le="+Inf"} 3x4 40 80 160 320 640 960 1200x20`,
			engine: []engineAnswer{
				{`increase(h_bucket{le="0.05"}[29s] anchored)`, 29, new(50.0)},
				{`increase(h_bucket{le="0.25"}[29s] anchored)`, 29, new(1187.0)},
				{`increase(h_bucket{le="+Inf"}[29s] anchored)`, 29, new(1197.0)},
			},
			start: 1, end: 20, state: promapi.StateOK,
			gates: map[string]promapi.GateState{"G4": promapi.GateFailed},
			words: map[string]string{"G4": "reset inside the window: le=0.05; not reset: le=0.25, le=+Inf"},
		},
		// C07: an exporter that writes each bucket's own count.
		"C07 not cumulative": {
			load: `load 30s
  up{job="j",instance="a"} 1x20
  h_bucket{job="j",instance="a",le="0.1"} 0x10
  h_bucket{job="j",instance="a",le="0.2"} 0+45x10
  h_bucket{job="j",instance="a",le="0.3"} 0+9x10
  h_bucket{job="j",instance="a",le="0.5"} 0+17x10
  h_bucket{job="j",instance="a",le="+Inf"} 0x10`,
			engine: []engineAnswer{{`histogram_quantile(0.95, sum by (le) (increase(h_bucket[2m])))`, 300, new(.195)}},
			start:  180, end: 300, state: promapi.StateNoTraffic,
			gates: map[string]promapi.GateState{"G6": promapi.GateFailed},
			words: map[string]string{"G6": "bucket counts fall from le=0.2 (180) to le=0.3 (36): this is not a cumulative histogram"},
		},
		// C08: two different interpolated numbers, one bucket.
		"C08 first run": {
			load: `load 1s` + up60 + `
  h_bucket{job="j",instance="a",le="0.025"} 0x12
  h_bucket{job="j",instance="a",le="0.05"} 0 0 400 800 1200x8
  h_bucket{job="j",instance="a",le="0.075"} 0 0 400 800 1200x8
  h_bucket{job="j",instance="a",le="+Inf"} 0 0 400 800 1200x8`,
			engine: []engineAnswer{{`histogram_quantile(0.95, sum by (le) (increase(h_bucket[10s])))`, 11, new(.04875)}},
			start:  1, end: 10, state: promapi.StateOK, quantile: &stat.Range{Lower: .025, Upper: .05},
			gates: map[string]promapi.GateState{"G6": promapi.GatePassed},
			check: func(t *testing.T, e *promapi.Exact) {
				t.Helper()
				assert.EqualValues(t, 1125, e.Quantile.LowRank)
				assert.EqualValues(t, 1155, e.Quantile.HighRank)
				assert.InDelta(t, .04875, e.Quantile.Interpolated, 1e-9)
			},
		},
		"C08 second run": {
			load: `load 1s` + up60 + `
  h_bucket{job="j",instance="a",le="0.025"} 0x12
  h_bucket{job="j",instance="a",le="0.05"} 0 0 400 800 1190x8
  h_bucket{job="j",instance="a",le="0.075"} 0 0 400 800 1200x8
  h_bucket{job="j",instance="a",le="+Inf"} 0 0 400 800 1200x8`,
			engine: []engineAnswer{{`histogram_quantile(0.95, sum by (le) (increase(h_bucket[10s])))`, 11, new(.0490506329113924)}},
			start:  1, end: 10, state: promapi.StateOK, quantile: &stat.Range{Lower: .025, Upper: .05},
		},
		// C14: one bound, two ways of writing it, in two pods.
		"C14 le 1 and 1.0": {
			load: `load 1s
  up{job="j",instance="a",pod="x"} 1x60
  up{job="j",instance="b",pod="y"} 1x60
  h_bucket{job="j",instance="a",pod="x",le="0.5"} 0+1x30
  h_bucket{job="j",instance="a",pod="x",le="1"} 0+10x30
  h_bucket{job="j",instance="a",pod="x",le="+Inf"} 0+10x30
  h_bucket{job="j",instance="b",pod="y",le="0.5"} 0+1x30
  h_bucket{job="j",instance="b",pod="y",le="1.0"} 0+10x30
  h_bucket{job="j",instance="b",pod="y",le="+Inf"} 0+10x30`,
			engine: []engineAnswer{{`sum(increase(h_bucket{le="1"}[20s])) / sum(increase(h_bucket{le="+Inf"}[20s]))`, 25, new(.5)}},
			start:  5, end: 25, state: promapi.StateOK, quantile: &stat.Range{Lower: .5, Upper: 1},
			gates: map[string]promapi.GateState{"G6": promapi.GatePassed},
			check: func(t *testing.T, e *promapi.Exact) {
				t.Helper()
				below, err := e.Request.Buckets.AtOrBelow(1)
				require.NoError(t, err)
				assert.Equal(t, e.Request.Buckets.Total(), below, "every request was under one second")
			},
		},
		"le 1 and 1.0 in one process": {
			load: `load 1s` + up60 + `
  h_bucket{job="j",instance="a",le="1"} 0+10x12 _x18
  h_bucket{job="j",instance="a",le="1.0"} _x13 130+10x17
  h_bucket{job="j",instance="a",le="+Inf"} 0+10x30`,
			start: 5, end: 25, state: promapi.StateOK,
			gates: map[string]promapi.GateState{"G6": promapi.GateFailed},
			words: map[string]string{"G6": `bound 1 is written as le="1" and le="1.0"`},
		},
		"layouts that share some bounds": {
			load: `load 1s
  up{job="j",instance="a"} 1x60
  up{job="j",instance="b"} 1x60
  h_bucket{job="j",instance="a",le="0.1"} 0+2x30
  h_bucket{job="j",instance="a",le="1"} 0+10x30
  h_bucket{job="j",instance="a",le="+Inf"} 0+10x30
  h_bucket{job="j",instance="b",le="1"} 0+10x30
  h_bucket{job="j",instance="b",le="2"} 0+10x30
  h_bucket{job="j",instance="b",le="+Inf"} 0+10x30`,
			start: 5, end: 25, state: promapi.StateOK, quantile: &stat.Range{Lower: 0, Upper: 1},
			gates: map[string]promapi.GateState{"G6": promapi.GateNoted},
			words: map[string]string{"G6": "merged on the 2 that all share"},
		},
		"layouts that share nothing": {
			load: `load 1s
  up{job="j",instance="a"} 1x60
  up{job="j",instance="b"} 1x60
  h_bucket{job="j",instance="a",le="0.1"} 0+2x30
  h_bucket{job="j",instance="a",le="+Inf"} 0+10x30
  h_bucket{job="j",instance="b",le="1"} 0+10x30
  h_bucket{job="j",instance="b",le="+Inf"} 0+10x30`,
			start: 5, end: 25, state: promapi.StateOK,
			gates: map[string]promapi.GateState{"G6": promapi.GateFailed},
			words: map[string]string{"G6": "share no finite bound"},
		},
		"no +Inf bucket": {
			load: `load 1s` + up60 + `
  h_bucket{job="j",instance="a",le="0.1"} 0+2x30
  h_count{job="j",instance="a"} 0+10x30`,
			start: 5, end: 25, state: promapi.StateOK,
			gates: map[string]promapi.GateState{"G6": promapi.GateFailed},
			words: map[string]string{"G6": "+Inf bucket is missing"},
		},
		"+Inf is not the count": {
			load: `load 1s` + up60 + `
  h_bucket{job="j",instance="a",le="0.1"} 0+2x30
  h_bucket{job="j",instance="a",le="+Inf"} 0+9x30
  h_count{job="j",instance="a"} 0+10x30`,
			start: 5, end: 25, state: promapi.StateOK,
			gates: map[string]promapi.GateState{"G6": promapi.GateFailed},
			words: map[string]string{"G6": "the +Inf bucket gained 180 but the count series 200"},
		},
		"above the highest bound": {
			load: `load 1s` + up60 + `
  h_bucket{job="j",instance="a",le="0.1"} 0+2x30
  h_bucket{job="j",instance="a",le="2.5"} 0+8x30
  h_bucket{job="j",instance="a",le="+Inf"} 0+10x30`,
			start: 5, end: 25, state: promapi.StateOK,
			check: func(t *testing.T, e *promapi.Exact) {
				t.Helper()
				assert.True(t, e.Quantile.Sample.OpenAbove())
				assert.InDelta(t, 2.5, e.Quantile.Sample.Lower, 0)
			},
		},
		// C11: no such series.
		"C11 no such series": {
			load:  `load 1s` + up60,
			start: 5, end: 25, state: promapi.StateAbsent,
		},
		// C22: waiting for the pool, from sums.
		"C22 wait share": {
			load: `load 1s` + up60 + `
  w_sum{job="j",instance="a"} 0 3 6 9 12 15 15
  w_count{job="j",instance="a"} 0 46 92 138 184 230 230
  h_sum{job="j",instance="a"} 0 5 10 15 20 25 25
  h_count{job="j",instance="a"} 0 46 92 138 184 230 230`,
			start: 0, end: 5, state: promapi.StateOK,
			check: func(t *testing.T, e *promapi.Exact) {
				t.Helper()
				require.Len(t, e.Waits, 1)
				assert.InDelta(t, .6, *e.Waits[0].Sum / *e.Request.Sum, 1e-12)
				assert.InDelta(t, 3, *e.Waits[0].Sum/5, 1e-12, "mean number waiting")
				x := float64(*e.Request.Count) / 5
				assert.InDelta(t, 46, x, 1e-12)
				assert.InDelta(t, .92, x*.04/2, 1e-12, "utilisation of a pool of two held for 40 ms")
				r, err := promapi.Ratio(e.Steps,
					func(s promapi.Step) float64 { return s.Waits[0].Sum },
					func(s promapi.Step) float64 { return s.Sum })
				require.NoError(t, err)
				assert.InDelta(t, .6, r.Ratio, 1e-12)
				assert.Nil(t, r.StdErr, "five steps carry no interval")
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newClient(t, promtest.NewServer(t, c.load))
			for _, q := range c.engine {
				got := number(t, client, q.query, q.at)
				require.NotNil(t, got, q.query)
				assert.InDelta(t, *q.want, *got, 1e-6, q.query)
			}
			e, err := client.Measure(context.Background(), promapi.ExactRequest{
				Selectors: selectorsFor(t, func(p *profile.Profile) { p.Waits = []profile.Wait{{Name: "pool", Metric: "w", Pool: "p"}} }),
				Quantile:  .95, Start: at(c.start), End: at(c.end),
			})
			require.NoError(t, err)
			assert.Equal(t, c.state, e.State, e.Message)
			if c.quantile != nil {
				require.NotNil(t, e.Quantile)
				require.NotNil(t, e.Quantile.Interval)
				assert.Equal(t, *c.quantile, *e.Quantile.Interval)
			}
			if c.state != promapi.StateOK {
				assert.Nil(t, e.Quantile)
				assert.NotEmpty(t, e.Next)
			}
			for code, want := range c.gates {
				g := gateOf(t, e, code, "request")
				assert.Equal(t, want, g.State, g.Detail)
				assert.Contains(t, g.Detail, c.words[code])
			}
			if c.check != nil {
				c.check(t, e)
			}
		})
	}
}
