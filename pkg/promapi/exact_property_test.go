package promapi_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
	"github.com/replaylab/replay-evidence/pkg/stat"
	"github.com/replaylab/replay-evidence/pkg/stat/sim"
)

// labProfile is the lab's profile without its file.
func labSelectors(t testing.TB) profile.Selectors {
	t.Helper()
	p := labProfile()
	require.NoError(t, p.Validate())
	s, err := p.Selectors()
	require.NoError(t, err)
	return s
}

func labProfile() *profile.Profile {
	return &profile.Profile{
		Name: "checkout", Target: profile.Target{Job: "checkout-api"},
		Request: profile.Request{Metric: "checkout_request_duration_seconds", Route: "route", Code: "code"},
		Waits:   []profile.Wait{{Name: "pricing connection", Metric: "pricing_conn_wait_seconds", Pool: "pricing"}},
		CPU:     "app_cpu_seconds_total", Errors: `code!="200"`,
	}
}

const runStart = 1_786_633_195_250 // milliseconds, not on a scrape

// TestExactIsTheTruth sweeps scrape phases and intervals over both lab runs: whatever the phase, the
// exact figures are those of the simulated run, while increase() is not even once.
func TestExactIsTheTruth(t *testing.T) {
	t.Parallel()
	for _, pool := range []int{2, 16} {
		events := sim.Run(sim.Lab(pool, 1))
		truth := sim.Histogram(events, sim.RequestBounds(), sim.Duration)
		var wait, duration float64
		for _, e := range events {
			wait += e.Wait
			duration += e.Duration
		}
		for _, interval := range []int64{1000, 5000, 15000, 60000} {
			for phase := int64(0); phase < interval; phase += interval/4 + 7 {
				t.Run(fmt.Sprintf("pool %d, every %d ms from %d", pool, interval, phase), func(t *testing.T) {
					t.Parallel()
					series := sim.Record(events, sim.Scrape{
						Job: "checkout-api", Instance: "a", Start: runStart, Interval: interval, Phase: phase,
						Before: 3 * interval, After: 3 * interval, CPUPerRequest: .001,
					})
					s := promtest.NewServerWith(t, promtest.FromSim(series))
					c := newClient(t, s)
					start := at(runStart / 1000.0)
					end := at((runStart + math.Ceil(sim.Length(events)*1000)) / 1000)
					expected := int64(1200)
					e, err := c.Measure(context.Background(), promapi.ExactRequest{
						Selectors: labSelectors(t), Quantile: .95, Start: start, End: end, Expected: &expected,
					})
					require.NoError(t, err)
					require.Equal(t, promapi.StateOK, e.State, e.Message)
					assert.Empty(t, promapi.Failed(e.Gates), "%+v", e.Gates)
					assert.EqualValues(t, 1200, *e.Request.Count)
					assert.Equal(t, truth.Cumulative, e.Request.Buckets.Cumulative)
					assert.InDelta(t, duration, *e.Request.Sum, 1e-6)
					assert.InDelta(t, wait, *e.Waits[0].Sum, 1e-6)
					assert.InDelta(t, 1.2, e.CPU.Value, 1e-6)
					assert.EqualValues(t, 0, *e.Errors)
					want, err := truth.Quantile(.95, stat.DefaultAlpha)
					require.NoError(t, err)
					assert.Equal(t, want, *e.Quantile)

					var n int64
					var secondsWaited float64
					for _, step := range e.Steps {
						n += step.Count
						secondsWaited += step.Waits[0].Sum
					}
					assert.EqualValues(t, 1200, n, "the steps add up to the whole")
					assert.InDelta(t, wait, secondsWaited, 1e-6)

					window := int64(math.Ceil(end.Sub(start).Seconds())) + 2
					q, err := labProfile().RequestCount(window)
					require.NoError(t, err)
					a, err := c.Instant(context.Background(), q.PromQL, end.Add(2e9))
					require.NoError(t, err)
					if a.Value != nil {
						assert.Greater(t, math.Abs(*a.Value-1200), 1e-3, "increase() extrapolates")
					}
				})
			}
		}
	}
}

// world is a random run: targets with their own scrape phase, a counter of events per code, births,
// restarts and missed scrapes, and the number of events that really happened between base and final.
type world struct {
	series     []promtest.Series
	truth      int64
	restarted  bool
	missed     bool
	start, end int64
	interval   int64
}

func drawWorld(t *rapid.T) world {
	w := world{interval: rapid.SampledFrom([]int64{1000, 5000, 15000}).Draw(t, "interval")}
	w.start = 1_000_000_000 + rapid.Int64Range(0, w.interval).Draw(t, "start")
	w.end = w.start + rapid.Int64Range(w.interval/2, 20*w.interval).Draw(t, "length")
	targets := rapid.IntRange(1, 3).Draw(t, "targets")
	for i := range targets {
		name := fmt.Sprintf("target %d ", i)
		phase := rapid.Int64Range(0, w.interval-1).Draw(t, name+"phase")
		first := w.start - 3*w.interval
		first += ((phase-first)%w.interval + w.interval) % w.interval
		var scrapes []int64
		for at := first; at < w.end+3*w.interval; at += w.interval {
			scrapes = append(scrapes, at)
		}
		// The two scrapes around each edge succeed; others may fail.
		up := promtest.Series{Labels: map[string]string{"__name__": "up", "job": "j", "instance": fmt.Sprint(i)}}
		good := map[int64]bool{}
		for _, at := range scrapes {
			edge := at <= w.start || at >= w.end
			ok := edge || rapid.IntRange(0, 9).Draw(t, name+"scrape") > 0
			good[at] = ok
			w.missed = w.missed || !ok
			v := 0.0
			if ok {
				v = 1
			}
			up.Points = append(up.Points, promtest.Point{T: at, V: v})
		}
		w.series = append(w.series, up)
		for _, code := range []string{"200", "500"} {
			w.child(t, name+code, fmt.Sprint(i), code, scrapes, good)
		}
	}
	return w
}

// child makes one labelled counter. It is visible from its first event on, and a restart sets it to
// zero and hides it until its next event. Events happen inside the run only, and a restart happens
// right after a good scrape that saw everything, so that no event is lost.
func (w *world) child(t *rapid.T, name, instance, code string, scrapes []int64, good map[int64]bool) {
	warm := rapid.SampledFrom([]int64{0, 0, 7}).Draw(t, name+" warm")
	restartAfter := -1
	if rapid.IntRange(0, 5).Draw(t, name+" restart") == 0 {
		restartAfter = rapid.IntRange(0, len(scrapes)-1).Draw(t, name+" restart after")
	}
	value, visible := warm, warm > 0
	s := promtest.Series{Labels: map[string]string{"__name__": "h_count", "job": "j", "instance": instance, "code": code}}
	var last int64
	for i, at := range scrapes {
		if at > w.start && (i == 0 || scrapes[i-1] < w.end) {
			n := rapid.Int64Range(0, 50).Draw(t, name+" events")
			value += n
			visible = visible || n > 0
			w.truth += n
		}
		if visible && good[at] {
			s.Points = append(s.Points, promtest.Point{T: at, V: float64(value)})
			last = value
		}
		if i == restartAfter && good[at] && at > w.start && at < w.end && last > 0 {
			// Restarted counters are seen as such only when they come back lower.
			value, visible = 0, true
			w.restarted = true
		}
	}
	if len(s.Points) > 0 {
		w.series = append(w.series, s)
	}
}

// TestDeltasOfRandomWorlds checks births, restarts, gaps and several targets against the truth.
func TestDeltasOfRandomWorlds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		var up, counts []promapi.Series
		for _, s := range w.series {
			one := promapi.Series{Labels: s.Labels}
			for _, p := range s.Points {
				one.Points = append(one.Points, promapi.Point{T: p.T, V: p.V})
			}
			if s.Labels["__name__"] == "up" {
				up = append(up, one)
			} else {
				counts = append(counts, one)
			}
		}
		spans, gates := promapi.Locate(up, at(float64(w.start)/1000), at(float64(w.end)/1000))
		for _, g := range gates {
			if g.Code != "G3" && g.State != promapi.GatePassed {
				t.Fatalf("%s: %s", g.Code, g.Detail)
			}
		}
		got := promapi.SumDeltas(counts, spans)
		hidden := false
		for _, part := range got.Series {
			var steps float64
			for _, s := range part.Steps {
				steps += s
			}
			if math.Abs(steps-part.Value) > 1e-9 {
				t.Fatalf("steps add up to %v, the whole is %v", steps, part.Value)
			}
			hidden = hidden || part.Resets > 0
		}
		// A restart whose next sample is not lower cannot be seen in the counter; then events are missing,
		// which gate G5 catches. Everything else must be exact.
		if w.restarted {
			if int64(got.Value) > w.truth {
				t.Fatalf("counted %v of %d events", got.Value, w.truth)
			}
			return
		}
		if hidden || int64(got.Value) != w.truth {
			t.Fatalf("counted %v of %d events (resets: %v)", got.Value, w.truth, hidden)
		}
	})
}

// TestAgreesWithAnchored compares with the real engine's anchored modifier where both must agree: one
// target, no births, an edge on a scrape.
func TestAgreesWithAnchored(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(8, 30).Draw(rt, "samples")
		value := rapid.Int64Range(0, 100).Draw(rt, "first")
		up := promtest.Series{Labels: map[string]string{"__name__": "up", "job": "j", "instance": "a"}}
		c := promtest.Series{Labels: map[string]string{"__name__": "h_count", "job": "j", "instance": "a"}}
		for i := range n {
			ts := int64(1_000_000_000 + i*1000)
			up.Points = append(up.Points, promtest.Point{T: ts, V: 1})
			c.Points = append(c.Points, promtest.Point{T: ts, V: float64(value)})
			if rapid.IntRange(0, 9).Draw(rt, "restart") == 0 {
				value = 0
			}
			value += rapid.Int64Range(0, 30).Draw(rt, "events")
		}
		from := rapid.IntRange(0, n-4).Draw(rt, "from")
		to := rapid.IntRange(from+1, n-3).Draw(rt, "to")
		s := promtest.NewServerWith(t, []promtest.Series{up, c})
		client := newClient(t, s)
		start, end := at(1_000_000+float64(from)), at(1_000_000+float64(to))
		e, err := client.Measure(context.Background(), promapi.ExactRequest{Selectors: selectorsFor(t, nil), Quantile: .95, Start: start, End: end})
		if err != nil {
			rt.Fatal(err)
		}
		a, err := client.Instant(context.Background(), fmt.Sprintf("increase(h_count[%ds] anchored)", to-from), end)
		if err != nil || a.Value == nil {
			rt.Fatalf("the engine said nothing: %v %+v", err, a)
		}
		if float64(*e.Request.Count) != *a.Value {
			rt.Fatalf("exact %d, anchored %v", *e.Request.Count, *a.Value)
		}
	})
}

// TestInterpolationAgreesWithEngine compares our interpolated quantile with the engine's for random
// histograms: the number that is shown beside the bucket is the number people know.
func TestInterpolationAgreesWithEngine(t *testing.T) {
	t.Parallel()
	s := promtest.NewServerWith(t, nil)
	client := newClient(t, s)
	bounds := []float64{.01, .05, .1, .5, 1, math.Inf(1)}
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		q := rapid.SampledFrom([]float64{.01, .5, .9, .95, .99}).Draw(rt, "q")
		cumulative := make([]int64, len(bounds))
		var total int64
		var series []promtest.Series
		for i, u := range bounds {
			total += rapid.Int64Range(0, 40).Draw(rt, "cell")
			if i == len(bounds)-1 {
				total++
			}
			cumulative[i] = total
			series = append(series, promtest.Series{
				Labels: map[string]string{"__name__": "h_bucket", "round": fmt.Sprint(round), "le": stat.FormatBound(u)},
				Points: []promtest.Point{{T: 1000, V: float64(total)}},
			})
		}
		s.Append(t, series)
		b, err := stat.NewBuckets(bounds, cumulative)
		if err != nil {
			rt.Fatal(err)
		}
		ours, err := b.Quantile(q, stat.DefaultAlpha)
		if err != nil {
			rt.Fatal(err)
		}
		a, err := client.Instant(context.Background(), fmt.Sprintf(`histogram_quantile(%v, h_bucket{round="%d"})`, q, round), at(1))
		if err != nil || a.Value == nil {
			rt.Fatalf("the engine said nothing: %v %+v", err, a)
		}
		if math.Abs(ours.Interpolated-*a.Value) > 1e-9 {
			rt.Fatalf("ours %v, the engine's %v for %v", ours.Interpolated, *a.Value, cumulative)
		}
		if *a.Value > ours.Sample.Upper || (*a.Value < ours.Sample.Lower) {
			rt.Fatalf("the engine's %v lies outside the bucket %v", *a.Value, ours.Sample)
		}
	})
}
