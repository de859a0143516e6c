package compare_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// anySide draws a side of the checkout lab: any distribution, any share of waiting and CPU, with or
// without metrics, with or without a failed gate.
func anySide(t *rapid.T, id string, requests int64, start time.Time) evidence.Side {
	buckets := len(comparetest.RequestBounds()) + 1
	counts := make([]int64, buckets)
	left := requests
	for left > 0 {
		i := rapid.IntRange(0, buckets-1).Draw(t, id+" bucket")
		n := min(left, rapid.Int64Range(1, requests).Draw(t, id+" count"))
		counts[i] += n
		left -= n
	}
	mean := rapid.Float64Range(0.002, 2).Draw(t, id+" mean")
	wait := rapid.Float64Range(0, 0.9).Draw(t, id+" wait share")
	cpu := rapid.Float64Range(0, 1-wait).Draw(t, id+" cpu share")
	waits := make([]int64, len(comparetest.WaitBounds())+1)
	waits[rapid.IntRange(0, len(waits)-1).Draw(t, id+" wait bucket")] = requests
	p95 := float64(rapid.IntRange(1, 3000).Draw(t, id+" p95"))
	sum := mean * float64(requests)
	s := comparetest.Checkout(comparetest.Spec{ID: id, Start: start, Budget: float64(rapid.IntRange(1, 32).Draw(t, id+" pool")), Requests: requests, Counts: counts, Waits: waits,
		Sum: sum, WaitSum: wait * sum, CPU: cpu * sum, AvgMs: math.Ceil(1000 * mean), P50: math.Ceil(p95 / 2), P95: p95, P99: p95 + 3, Max: p95 + 9, PerSecond: 50, Window: requests/50 + 3, Total: 5697, Limit: "pool", LimitedBy: "the pool"})
	switch rapid.IntRange(0, 5).Draw(t, id+" metrics") {
	case 0:
		return comparetest.Unmeasured(s, evidence.StateUnreachable, "connection refused", "start it")
	case 1:
		g := rapid.IntRange(0, len(s.Gates)-1).Draw(t, id+" gate")
		s.Gates[g].State = evidence.GateFailed
	}
	return s
}

var mirrored = map[compare.Answer]compare.Answer{compare.Improved: compare.Regressed, compare.Regressed: compare.Improved,
	compare.NoProvableChange: compare.NoProvableChange, compare.Inconclusive: compare.Inconclusive}

// What reads improved one way round reads regressed the other way round, by the same amounts; and
// whatever the sides are, the result can be written and explains every missing figure.
func TestSwappingMirrors(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.Int64Range(20, 3000).Draw(rt, "requests")
		a := anySide(rt, "lab/a", n, comparetest.Now)
		b := anySide(rt, "lab/b", n, comparetest.Now.Add(3*time.Hour))
		x := compare.Compare(a, b, comparetest.Profile(), options)
		y := compare.Compare(b, a, comparetest.Profile(), options)
		for _, c := range []compare.Comparison{x, y} {
			if err := evidence.CheckReasons(c); err != nil {
				rt.Fatal(err)
			}
			if _, err := json.Marshal(c); err != nil {
				rt.Fatal(err)
			}
		}
		s, m := x.Verdict.Speed, y.Verdict.Speed
		if mirrored[s.Answer] != m.Answer || s.Basis != m.Basis {
			rt.Fatalf("%s (%s) one way, %s (%s) the other", s.Headline, s.Basis, m.Headline, m.Basis)
		}
		negated := func(p *float64) *float64 {
			if p == nil {
				return nil
			}
			return comparetest.Ptr(-*p)
		}
		near := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
		if d := cmp.Diff(s.AtLeastSeconds, negated(m.AtLeastSeconds), near); d != "" {
			rt.Fatal("at least: ", d)
		}
		if d := cmp.Diff(s.AtMostSeconds, negated(m.AtMostSeconds), near); d != "" {
			rt.Fatal("at most: ", d)
		}
		if d := cmp.Diff(s.MeanChangeSeconds, negated(m.MeanChangeSeconds), near); d != "" {
			rt.Fatal("mean: ", d)
		}
		if x.Verdict.Cause.Answer != y.Verdict.Cause.Answer || x.Verdict.Cause.Mechanism != y.Verdict.Cause.Mechanism {
			rt.Fatalf("cause %s one way, %s the other", x.Verdict.Cause.Headline, y.Verdict.Cause.Headline)
		}
		if x.Comparable != y.Comparable || x.Verdict.Behaviour.Answer != y.Verdict.Behaviour.Answer {
			rt.Fatalf("comparable %v and %v", x.Comparable, y.Comparable)
		}
	})
}

// A side compared with itself is never improved, regressed or changed.
func TestSideWithItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := anySide(rt, "lab/a", rapid.Int64Range(20, 3000).Draw(rt, "requests"), comparetest.Now)
		c := compare.Compare(s, s, comparetest.Profile(), options)
		if c.Verdict.Behaviour.Answer != compare.Unchanged || !c.Comparable {
			rt.Fatal(c.Verdict.Behaviour.Headline)
		}
		if a := c.Verdict.Speed.Answer; a == compare.Improved || a == compare.Regressed {
			rt.Fatal(c.Verdict.Speed.Headline)
		}
		if c.Verdict.Cause.Answer != compare.Inconclusive {
			rt.Fatal(c.Verdict.Cause.Headline)
		}
		for _, r := range c.Table {
			if r.Direction == compare.Better || r.Direction == compare.Worse {
				rt.Fatalf("%s reads %s", r.Label, r.Direction)
			}
		}
	})
	orders := comparetest.Orders(true)
	c := judge(t, orders, orders)
	assert.Equal(t, compare.NoProvableChange, c.Verdict.Speed.Answer)
	assert.Empty(t, c.Statements.Changes)
}

// Comparing changes neither side, and comparing again gives the same result.
func TestCompareIsPure(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Baseline(), comparetest.Candidate()
	before, err := json.Marshal([]evidence.Side{b, c})
	require.NoError(t, err)
	x := compare.Compare(b, c, comparetest.Profile(), options)
	y := compare.Compare(b, c, comparetest.Profile(), options)
	after, err := json.Marshal([]evidence.Side{b, c})
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	assert.Empty(t, cmp.Diff(x, y))
}

// Regressions add up in the account: the parts of what moved are the change of the mean.
func TestMovedPartsAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a := anySide(rt, "lab/a", 1000, comparetest.Now)
		b := anySide(rt, "lab/b", 1000, comparetest.Now.Add(3*time.Hour))
		c := compare.Compare(a, b, comparetest.Profile(), options)
		if c.Verdict.Speed.MeanChangeSeconds == nil || len(c.Verdict.Cause.Moved) == 0 {
			return
		}
		var sum float64
		for _, m := range c.Verdict.Cause.Moved {
			sum += *m.Change
		}
		if math.Abs(sum-*c.Verdict.Speed.MeanChangeSeconds) > 1e-9 {
			rt.Fatalf("parts add up to %g, the mean moved by %g", sum, *c.Verdict.Speed.MeanChangeSeconds)
		}
	})
}

// A missing figure, one that is no number and one that is infinite never make an answer (fluxcd/flagger#1095).
func TestNoNumberIsNoPass(t *testing.T) {
	t.Parallel()
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			t.Parallel()
			c := comparetest.Candidate()
			q := &c.Metrics.RequestDuration.P95Seconds
			q.CILower, q.CIUpper, q.Lower, q.Upper, q.PromQL = &v, &v, &v, &v, &v
			c.Load.P95Ms, c.Load.P99Ms = &v, &v
			c.Endpoints[0].P95Ms, c.Endpoints[0].P99Ms = &v, &v
			c.Metrics.RequestDuration.MeanSeconds = &v
			out := compare.Compare(comparetest.Baseline(), c, comparetest.Profile(), options)
			assert.Equal(t, compare.Inconclusive, out.Verdict.Speed.Answer, out.Verdict.Speed.Headline)
			assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer, out.Verdict.Cause.Headline)
		})
	}
}
