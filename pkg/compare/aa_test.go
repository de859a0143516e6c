package compare_test

import (
	"fmt"
	"math"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/stat/sim"
)

// simulated measures a simulated run exactly: the histograms from its requests, the replay's own
// percentiles in whole milliseconds.
func simulated(id string, start time.Time, cfg sim.Config) evidence.Side {
	events := sim.Run(cfg)
	figures := make([]float64, 0, len(events))
	var sum, wait float64
	for _, e := range events {
		figures = append(figures, e.Duration)
		sum, wait = sum+e.Duration, wait+e.Wait
	}
	sort.Float64s(figures)
	at := func(q float64) float64 {
		return math.Max(1, math.Floor(1000*figures[int(math.Ceil(q*float64(len(figures))))-1]))
	}
	n := float64(len(events))
	cells := func(bounds []float64, f func(sim.Event) float64) []int64 {
		return sim.Histogram(events, bounds, f).Cells()
	}
	return comparetest.Checkout(comparetest.Spec{ID: id, Start: start, Budget: float64(cfg.Pool), Requests: int64(len(events)),
		Counts: cells(sim.RequestBounds(), sim.Duration), Waits: cells(sim.WaitBounds(), sim.Wait), Sum: sum, WaitSum: wait, CPU: 0.001 * n,
		AvgMs: math.Max(1, math.Floor(1000*sum/n)), P50: at(.5), P95: at(.95), P99: at(.99), Max: math.Floor(1000 * figures[len(figures)-1]),
		PerSecond: n / sim.Length(events), Window: int64(sim.Length(events)) + 3, Total: 5697, Limit: "pool", LimitedBy: "the pool"})
}

// Two runs of identical code must not read improved or regressed, whatever the machine's noise, also with
// the p95 on a bucket edge, where tests and interpolated numbers fail.
func TestIdenticalPairs(t *testing.T) {
	t.Parallel()
	const pairs = 40
	// Service times whose p95 with 16 connections lies on the bound of 50 ms, below it, and far from any.
	situations := map[string]sim.Config{
		"pool of 2, far from an edge":  {Users: 8, Passes: 150, Pool: 2, ServiceMin: .040, ServiceMax: .043, Spread: .01},
		"mass just below 50 ms":        {Users: 8, Passes: 150, Pool: 16, ServiceMin: .0470, ServiceMax: .0495, Spread: .01},
		"p95 on the bound of 50 ms":    {Users: 8, Passes: 150, Pool: 16, ServiceMin: .0430, ServiceMax: .0504, Spread: .01},
		"p95 on the bound, many waits": {Users: 8, Passes: 150, Pool: 2, ServiceMin: .0480, ServiceMax: .0505, Spread: .01},
	}
	for name, cfg := range situations {
		for _, noise := range []float64{0, .005, .01, .03} {
			t.Run(fmt.Sprintf("%s, noise %g", name, noise), func(t *testing.T) {
				t.Parallel()
				answers := map[compare.Answer]int{}
				for i := range pairs {
					a, b := cfg, cfg
					a.MachineNoise, b.MachineNoise = noise, noise
					a.Seed, b.Seed = uint64(2*i+1), uint64(2*i+2)
					x := simulated("lab/a", comparetest.Now, a)
					y := simulated("lab/b", comparetest.Now.Add(5*time.Minute), b)
					c := compare.Compare(x, y, comparetest.Profile(), options)
					answers[c.Verdict.Speed.Answer]++
					if got := c.Verdict.Speed; got.Answer == compare.Improved || got.Answer == compare.Regressed {
						t.Errorf("pair %d: %s", i, got.Headline)
					}
					assert.NotEqual(t, compare.Changed, c.Verdict.Behaviour.Answer)
					assert.Equal(t, compare.BasisHistogram, c.Verdict.Speed.Basis)
				}
				assert.Equal(t, pairs, answers[compare.NoProvableChange])
			})
		}
	}
}

// The same study would be worth nothing if the rule could not see a real change: the fix is always found.
func TestRealChangeIsFound(t *testing.T) {
	t.Parallel()
	for i := range 30 {
		before, after := sim.Lab(2, uint64(2*i+1)), sim.Lab(16, uint64(2*i+2))
		before.MachineNoise, after.MachineNoise = .03, .03
		c := compare.Compare(simulated("lab/a", comparetest.Now, before), simulated("lab/b", comparetest.Now.Add(5*time.Minute), after), comparetest.Profile(), options)
		assert.Equal(t, compare.Improved, c.Verdict.Speed.Answer, i)
		assert.Equal(t, compare.CauseWait, c.Verdict.Cause.Answer, i)
	}
}

// On the replay's own percentiles the tolerance is a rule of thumb: it holds for machine noise of up to
// 2 % between runs, and fails for 3 % in about one pair of fifty, which is why histograms come first.
func TestIdenticalPairsOnReplayPercentiles(t *testing.T) {
	t.Parallel()
	for _, noise := range []float64{0, .01, .02} {
		for i := range 100 {
			a, b := sim.Lab(2, uint64(2*i+1)), sim.Lab(2, uint64(2*i+2))
			a.MachineNoise, b.MachineNoise = noise, noise
			x := comparetest.Unmeasured(simulated("lab/a", comparetest.Now, a), evidence.StateNotConfigured, "", "")
			y := comparetest.Unmeasured(simulated("lab/b", comparetest.Now.Add(5*time.Minute), b), evidence.StateNotConfigured, "", "")
			c := compare.Compare(x, y, comparetest.Profile(), options)
			assert.Equal(t, compare.NoProvableChange, c.Verdict.Speed.Answer, "noise %g, pair %d: %s", noise, i, c.Verdict.Speed.Headline)
		}
	}
}

// Several runs per side: the measured noise floor keeps a move within it from being called a change.
func TestRepeats(t *testing.T) {
	t.Parallel()
	quiet := func(s evidence.Side) evidence.Side {
		return comparetest.Unmeasured(s, evidence.StateNotConfigured, "", "")
	}
	with := func(s evidence.Side, p95 ...float64) evidence.Side {
		s.Repeats = nil
		for _, v := range p95 {
			l := *s.Load
			l.P95Ms = &v
			s.Repeats = append(s.Repeats, l)
		}
		s.Load = &s.Repeats[len(s.Repeats)-1]
		s.Endpoints[0].P95Ms = s.Load.P95Ms
		return s
	}
	for name, test := range map[string]struct {
		baseline, candidate []float64
		want                compare.Answer
		p                   float64
	}{
		"moved beyond the noise":               {[]float64{100, 103, 101, 102}, []float64{140, 142, 139, 141}, compare.Regressed, 2.0 / 70},
		"moved within the noise":               {[]float64{100, 130, 95, 102}, []float64{120, 98, 131, 125}, compare.NoProvableChange, -1},
		"three per side cannot be significant": {[]float64{100, 101, 102}, []float64{140, 141, 142}, compare.Regressed, 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := judge(t, with(quiet(comparetest.Baseline()), test.baseline...), with(quiet(comparetest.Candidate()), test.candidate...))
			assert.Equal(t, test.want, c.Verdict.Speed.Answer, c.Verdict.Speed.Headline)
			assert.NotNil(t, c.Repeats)
			assert.NotContains(t, limits(c), compare.LimitOneRun)
			if test.p > 0 {
				assert.InDelta(t, test.p, *c.Repeats.PValue, 1e-9)
			}
		})
	}
}
