package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// histogram gives a side another request histogram.
func histogram(s evidence.Side, bounds []float64, counts ...int64) evidence.Side {
	s.Metrics.RequestDuration = comparetest.Histogram("checkout_request_duration_seconds", .95, bounds, counts, *s.Metrics.RequestDuration.SumSeconds, "q1")
	// The client sees what the server sees, or more.
	p95 := s.Metrics.RequestDuration.P95Seconds
	ms := 1000 * (*p95.Lower + .1)
	if p95.Upper != nil {
		ms = 1000 * *p95.Upper
	}
	s.Load.P95Ms, s.Endpoints[0].P95Ms = &ms, &ms
	return s
}

func TestSpeedFromBuckets(t *testing.T) {
	t.Parallel()
	bounds := []float64{.01, .025, .05, .1, .25, .5}
	for name, test := range map[string]struct {
		baseline, candidate []int64
		want                compare.Answer
		headline            string
		atLeast, atMost     float64 // 0: null
	}{
		"apart with a bucket between": {[]int64{0, 0, 0, 0, 1200, 0, 0}, []int64{0, 0, 1200, 0, 0, 0, 0}, compare.Improved, "p95 lower by at least 50 ms", -.05, -.225},
		"they touch":                  {[]int64{0, 0, 0, 1200, 0, 0, 0}, []int64{0, 0, 1200, 0, 0, 0, 0}, compare.NoProvableChange, "p95 50–100 → 25–50 ms", 0, 0},
		"higher":                      {[]int64{1200, 0, 0, 0, 0, 0, 0}, []int64{0, 0, 1200, 0, 0, 0, 0}, compare.Regressed, "p95 higher by at least 15 ms", .015, .05},
		"above the highest bound":     {[]int64{0, 0, 1200, 0, 0, 0, 0}, []int64{0, 0, 0, 0, 0, 0, 1200}, compare.Regressed, "p95 higher by at least 450 ms", .45, 0},
		"both above it":               {[]int64{0, 0, 0, 0, 0, 0, 1200}, []int64{0, 0, 0, 0, 0, 0, 1200}, compare.NoProvableChange, "p95 above 500 → above 500 ms", 0, 0},
		"a quantile on the edge":      {[]int64{0, 0, 1140, 60, 0, 0, 0}, []int64{0, 0, 1139, 61, 0, 0, 0}, compare.NoProvableChange, "p95 25–100 → 25–100 ms", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := judge(t, histogram(comparetest.Baseline(), bounds, test.baseline...), histogram(comparetest.Candidate(), bounds, test.candidate...))
			s := c.Verdict.Speed
			assert.Equal(t, test.want, s.Answer)
			assert.Equal(t, compare.BasisHistogram, s.Basis)
			assert.Contains(t, s.Headline, test.headline)
			for _, x := range []struct {
				got  *float64
				want float64
				name string
			}{{s.AtLeastSeconds, test.atLeast, "atLeastSeconds"}, {s.AtMostSeconds, test.atMost, "atMostSeconds"}} {
				if x.want == 0 {
					assert.Nil(t, x.got)
					assert.NotEmpty(t, s.NullReasons[x.name])
					continue
				}
				require.NotNil(t, x.got)
				assert.InDelta(t, x.want, *x.got, 1e-9)
			}
		})
	}
}

// Two layouts are compared on the bounds they share; without enough of them the replay's own percentiles
// answer. 1 and 1.0 are one bound, because bounds are numbers (pyrra#1502).
func TestBucketLayoutsDiffer(t *testing.T) {
	t.Parallel()
	b := histogram(comparetest.Baseline(), []float64{.01, .05, .1, .25}, 0, 0, 0, 1200, 0)
	c := histogram(comparetest.Candidate(), []float64{.01, .025, .05, .1}, 0, 0, 1200, 0, 0)
	out := judge(t, b, c)
	assert.Equal(t, compare.Improved, out.Verdict.Speed.Answer)
	assert.Contains(t, out.Verdict.Speed.Headline, "p95 lower by at least 50 ms")
	assert.Contains(t, limits(out), compare.LimitLayoutsDiffer)

	c = histogram(comparetest.Candidate(), []float64{.03, .06, .1}, 0, 1200, 0, 0)
	out = judge(t, b, c)
	assert.Equal(t, compare.BasisReplay, out.Verdict.Speed.Basis)
	assert.Contains(t, texts(out.Verdict.Speed.Judgement), "different buckets and too few bounds in common")
}

func unmeasured(s evidence.Side) evidence.Side {
	return comparetest.Unmeasured(s, evidence.StateNotConfigured, "", "")
}

func TestSpeedFromReplay(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		p95B, p95C float64
		requests   int64
		want       compare.Answer
		text       string
	}{
		"lower":                      {431, 1, 800, compare.Improved, "p95 431 → 1 ms"},
		"higher":                     {100, 120, 800, compare.Regressed, "p95 100 → 120 ms"},
		"1 to 2 ms is rounding":      {1, 2, 800, compare.NoProvableChange, "within rounding to whole milliseconds"},
		"2 to 4 ms is not over 2 ms": {2, 4, 800, compare.NoProvableChange, "within the tolerance of 10 % and 2 ms"},
		"2 to 5 ms":                  {2, 5, 800, compare.Regressed, "p95 2 → 5 ms"},
		"9 % is within 10 %":         {1000, 1090, 800, compare.NoProvableChange, "within the tolerance"},
		"equal":                      {46, 46, 800, compare.NoProvableChange, "p95 46 → 46 ms"},
		// keptn#1214: three requests say nothing of a p95.
		"three requests": {46, 10, 3, compare.Inconclusive, "too few requests for p95: 3, it needs 72"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, c := unmeasured(comparetest.Baseline()), unmeasured(comparetest.Candidate())
			for _, x := range []struct {
				s   *evidence.Side
				p95 float64
			}{{&b, test.p95B}, {&c, test.p95C}} {
				x.s.Load.P95Ms, x.s.Load.Requests = &x.p95, &test.requests
				x.s.Endpoints[0].P95Ms, x.s.Endpoints[0].Requests = &x.p95, &test.requests
			}
			out := judge(t, b, c)
			assert.Equal(t, test.want, out.Verdict.Speed.Answer, out.Verdict.Speed.Headline)
			assert.Contains(t, out.Verdict.Speed.Headline, test.text)
		})
	}
}

// One endpoint regressed while the aggregate improved: the regression is the answer, and both are said.
func TestMixedEndpoints(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Orders(false), comparetest.Orders(true)
	b.Load.P95Ms, c.Load.P95Ms = comparetest.Ptr(40.0), comparetest.Ptr(20.0)
	out := judge(t, b, c)
	assert.Equal(t, compare.Regressed, out.Verdict.Speed.Answer)
	assert.Contains(t, out.Verdict.Speed.Headline, "Regressed on GET /orders: 1 → 16 ms average, p95 2 → 17 ms; over all requests p95 improved")
}

// The flattened layout keeps p99 alone per endpoint.
func TestFlattenedEndpoints(t *testing.T) {
	t.Parallel()
	flat := func(s evidence.Side) evidence.Side {
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			e.AvgMs, e.P50Ms, e.P95Ms, e.MaxMs = nil, nil, nil, nil
			e.Reasons = evidence.Reasons{"avgMs": evidence.ReasonNotReported, "p50Ms": evidence.ReasonNotReported, "p95Ms": evidence.ReasonNotReported, "maxMs": evidence.ReasonNotReported}
		}
		return s
	}
	out := judge(t, flat(comparetest.Orders(false)), flat(comparetest.Orders(true)))
	assert.Contains(t, out.Verdict.Speed.Headline, "Regressed on GET /orders: p99 2 → 19 ms")
	assert.Equal(t, "GET /orders", out.Endpoints[0].Name)
	assert.Equal(t, evidence.ReasonNotReported, out.Endpoints[0].Reasons["movedSecondsTotal"])
	assert.Contains(t, out.Findings[0].Text, "GET /orders: p99 2 to 19")
	assert.Equal(t, compare.Inconclusive, out.Endpoints[len(out.Endpoints)-1].Answer, "240 requests are too few for a p99")
}

// Added and removed endpoints are listed, not taken for zero.
func TestAddedAndRemovedEndpoints(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Orders(false), comparetest.Orders(false)
	c.ID = "orders/other"
	c.Window = comparetest.Orders(true).Window
	c.Endpoints[4].Name = "GET /catalogue"
	out := judge(t, b, c)
	assert.True(t, out.Comparable, "the recording is the same")
	states := map[string]string{}
	for _, e := range out.Endpoints {
		states[e.Name] = e.State
	}
	assert.Equal(t, compare.Removed, states["GET /catalog"])
	assert.Equal(t, compare.Added, states["GET /catalogue"])

	c.Recording = evidence.RecordingIdentity{Source: "unknown", Reasons: evidence.Reasons{"inboundPairs": evidence.ReasonUnknown}}
	assert.False(t, judge(t, b, c).Comparable, "nothing says that it is the same recording")
}
