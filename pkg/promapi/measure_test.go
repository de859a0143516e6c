package promapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
	"github.com/replaylab/replay-evidence/pkg/stat"
	"github.com/replaylab/replay-evidence/pkg/stat/sim"
)

const steady = `load 1s
  up{job="j",instance="a"} 1x30
  h_count{job="j",instance="a",code="200"} 0+10x30`

func measureSteady(t *testing.T, edit func(*promtest.Server, *promapi.ExactRequest)) *promapi.Exact {
	t.Helper()
	s := promtest.NewServer(t, steady)
	req := promapi.ExactRequest{Selectors: selectorsFor(t, nil), Quantile: .95, Start: at(10.4), End: at(14.6)}
	if edit != nil {
		edit(s, &req)
	}
	e, err := newClient(t, s).Measure(context.Background(), req)
	require.NoError(t, err)
	return e
}

func TestMeasureTellsWhatItSent(t *testing.T) {
	t.Parallel()
	e := measureSteady(t, nil)
	require.NotEmpty(t, e.Queries)
	assert.Equal(t, "up", e.Queries[0].Name)
	for _, q := range e.Queries[1:] {
		// Two intervals and a second on both sides of 4.2 s.
		assert.Contains(t, q.PromQL, "[10s200ms]", q.Name)
		assert.Equal(t, at(17.6), q.Time, q.Name)
		assert.InDelta(t, 10.2, q.RangeSeconds, 1e-9)
	}
	assert.EqualValues(t, 50, *e.Request.Count, "from the scrape at 10 s to the one at 15 s")
	assert.Equal(t, 6, e.Coverage.Seen)
	assert.Equal(t, 6, e.Coverage.Expected)
	assert.InDelta(t, 1, *e.Coverage.Interval, 1e-9)
	assert.Equal(t, promapi.GateNotEvaluated, gateOf(t, e, "G5", "").State, "nobody said how many requests there were")
	require.Len(t, e.Steps, 5)
	assert.InDelta(t, -.4, e.Steps[0].Start, 1e-9)
	assert.InDelta(t, .6, e.Steps[0].End, 1e-9)
	assert.EqualValues(t, 10, e.Steps[4].Count)
	assert.Nil(t, e.Steps[0].CPU, "there is no CPU counter")
}

func TestMeasureWidensForInferredTimes(t *testing.T) {
	t.Parallel()
	e := measureSteady(t, func(_ *promtest.Server, r *promapi.ExactRequest) { r.Uncertainty = 2 * time.Second })
	assert.EqualValues(t, 90, *e.Request.Count, "from the scrape at 8 s to the one at 17 s")
}

func TestMeasureWidensForClockSkew(t *testing.T) {
	t.Parallel()
	e := measureSteady(t, func(s *promtest.Server, _ *promapi.ExactRequest) {
		s.Now = func() time.Time { return time.Now().Add(-3 * time.Second) }
	})
	require.NotNil(t, e.Coverage.Clock)
	assert.InDelta(t, -3, e.Coverage.Clock.Skew, .5)
	g := gateOf(t, e, "G1", "")
	assert.Equal(t, promapi.GateNoted, g.State)
	assert.Contains(t, g.Detail, "behind ours")
	assert.Greater(t, *e.Request.Count, int64(100))
}

// TestMeasureOfTheFuture: a window that the server's clock has not reached yet is no window that expired, and the
// two instants say which of the clocks to look at.
func TestMeasureOfTheFuture(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Second)
	up := promtest.Series{Labels: map[string]string{"__name__": "up", "job": "j", "instance": "a"}}
	count := promtest.Series{Labels: map[string]string{"__name__": "h_count", "job": "j", "instance": "a"}}
	for i := -60; i <= 0; i++ {
		ms := now.Add(time.Duration(i) * time.Second).UnixMilli()
		up.Points = append(up.Points, promtest.Point{T: ms, V: 1})
		count.Points = append(count.Points, promtest.Point{T: ms, V: float64(10 * (i + 60))})
	}
	cases := map[string]struct {
		start, end time.Duration // from now
		retention  string
		words      string
	}{
		"an hour ahead":            {time.Hour, time.Hour + 30*time.Second, "15d", "nothing to ask yet"},
		"ahead of what is scraped": {2 * time.Minute, 3 * time.Minute, "", "nothing to ask yet"},
		"still going on":           {-30 * time.Second, 10 * time.Minute, "15d", "Prometheus saw 300 requests up to its last scrape"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := promtest.NewServerWith(t, []promtest.Series{up, count})
			s.Retention = c.retention
			end := now.Add(c.end)
			e, err := newClient(t, s).Measure(context.Background(), promapi.ExactRequest{Selectors: selectorsFor(t, nil), Quantile: .95, Start: now.Add(c.start), End: end})
			require.NoError(t, err)
			assert.Equal(t, promapi.StateFuture, e.State, e.Message)
			assert.Contains(t, e.Message, "ends "+end.UTC().Format(time.RFC3339))
			assert.Contains(t, e.Message, "the server's clock says "+e.Coverage.Clock.Server.Format(time.RFC3339))
			assert.Contains(t, e.Message, c.words)
			assert.Contains(t, e.Next, "Check the clock of the machine that wrote window.json")
			assert.Equal(t, e.Next, gateOf(t, e, "G2", "").Next)
		})
	}
}

func TestMeasureKeepsWarnings(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		warning string
		state   promapi.GateState
	}{
		"partial":  {"partial response: store-2 timed out", promapi.GateFailed},
		"harmless": {"this endpoint is deprecated", promapi.GateNoted},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := measureSteady(t, func(s *promtest.Server, _ *promapi.ExactRequest) {
				s.Intercept = func(w http.ResponseWriter, r *http.Request) bool {
					if !strings.HasPrefix(r.FormValue("query"), "h_count") {
						return false
					}
					_, err := w.Write([]byte(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"h_count","job":"j","instance":"a"},"values":[[10,"0"],[15,"9"]]}]},"warnings":["` + c.warning + `"]}`))
					return err == nil
				}
			})
			g := gateOf(t, e, "G7", "")
			assert.Equal(t, c.state, g.State)
			assert.Contains(t, g.Detail, c.warning)
			assert.Contains(t, e.Warnings, c.warning)
			assert.EqualValues(t, 9, *e.Request.Count)
		})
	}
}

// TestMixedKindsAreNamed: numbers and native histograms in one series are no reason to lose the rest.
func TestMixedKindsAreNamed(t *testing.T) {
	t.Parallel()
	e := measureSteady(t, func(s *promtest.Server, _ *promapi.ExactRequest) {
		s.Intercept = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.FormValue("query"), "h{") {
				return false
			}
			_, err := w.Write([]byte(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"h","job":"j","instance":"a"},"values":[[10,"0"]],"histograms":[[11,{"count":"1","sum":"1","buckets":[[0,"1","2","1"]]}]]}]}}`))
			return err == nil
		}
	})
	g := gateOf(t, e, "G7", "")
	assert.Equal(t, promapi.GateFailed, g.State)
	assert.Contains(t, g.Detail, "mixes numbers and native histograms")
	assert.EqualValues(t, 50, *e.Request.Count)
}

// TestSeveralInstances: targets with different scrape phases add up, and their steps share a grid.
func TestSeveralInstances(t *testing.T) {
	t.Parallel()
	events := sim.Run(sim.Lab(2, 1))
	var series []promtest.Series
	for i, instance := range []string{"a", "b", "c"} {
		series = append(series, promtest.FromSim(sim.Record(events, sim.Scrape{
			Job: "checkout-api", Instance: instance, Start: runStart, Interval: 1000, Phase: int64(i * 311),
			Before: 5000, After: 5000, CPUPerRequest: .001,
			// One target misses some scrapes; that loses nothing.
			Missed: func(ts int64) bool { return i == 1 && ts > runStart+4000 && ts < runStart+9000 },
		}))...)
	}
	expected := int64(3600)
	e, err := newClient(t, promtest.NewServerWith(t, series)).Measure(context.Background(), promapi.ExactRequest{
		Selectors: labSelectors(t), Quantile: .95, Start: time.UnixMilli(runStart),
		End: time.UnixMilli(runStart + int64(sim.Length(events)*1000) + 1), Expected: &expected,
	})
	require.NoError(t, err)
	assert.Empty(t, promapi.Failed(e.Gates), "%+v", e.Gates)
	assert.Equal(t, "Prometheus saw 3,600 of 3,600 requests", gateOf(t, e, "G5", "").Detail)
	g3 := gateOf(t, e, "G3", "")
	assert.Equal(t, promapi.GateNoted, g3.State)
	assert.Contains(t, g3.Detail, "nothing was lost")
	require.Len(t, e.PerTarget, 3)
	for _, p := range e.PerTarget {
		assert.EqualValues(t, 1200, p.Requests)
		assert.False(t, p.Restarted)
	}
	require.Contains(t, e.ByRoute, "/api/quote")
	assert.EqualValues(t, 3600, *e.ByRoute["/api/quote"].Count)
	var n int64
	for i, s := range e.Steps {
		n += s.Count
		if i > 0 {
			assert.InDelta(t, e.Steps[i-1].End, s.Start, 1e-9)
			assert.InDelta(t, 1, s.End-s.Start, 1e-9)
		}
	}
	assert.EqualValues(t, 3600, n)
	share, err := promapi.Ratio(e.Steps, func(s promapi.Step) float64 { return s.Waits[0].Sum }, func(s promapi.Step) float64 { return s.Sum })
	require.NoError(t, err)
	assert.InDelta(t, .74, share.Ratio, .02)
	require.NotNil(t, share.StdErr)
	assert.Less(t, *share.StdErr, .02)
	assert.Equal(t, &stat.Range{Lower: .15, Upper: .2}, e.Quantile.Interval)
}
