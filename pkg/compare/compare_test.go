package compare_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
)

var options = compare.Options{Now: comparetest.Now, Generator: compare.Generator{Name: "replay-evidence", Version: "test"}}

// judge compares two sides and checks what holds for every comparison.
func judge(t *testing.T, b, c evidence.Side) compare.Comparison {
	t.Helper()
	out := compare.Compare(b, c, comparetest.Profile(), options)
	require.NoError(t, evidence.CheckReasons(out))
	text, err := json.Marshal(out)
	require.NoError(t, err)
	assert.False(t, strings.Contains(string(text), "NaN"))
	for _, list := range []string{`"identity":null`, `"table":null`, `"findings":null`, `"limitations":null`, `"endpoints":null`, `"tests":null`, `"reasons":null`, `"moved":null`, `"proof":null`, `"queryIds":null`, `"differences":null`, `"ignored":null`} {
		assert.Falsef(t, strings.Contains(string(text), list), "%s", list)
	}
	for _, j := range []compare.Judgement{out.Verdict.Behaviour, out.Verdict.Speed.Judgement, out.Verdict.Cause.Judgement} {
		assert.NotEmpty(t, j.Answer)
		assert.NotEmpty(t, j.Headline)
		assert.NotEmpty(t, j.Reasons, j.Headline)
		assert.NotEmpty(t, j.Next, j.Headline)
		assert.NotEmpty(t, j.Basis)
	}
	assert.LessOrEqual(t, utf8.RuneCountInString(out.Verdict.Cause.Headline), 60, out.Verdict.Cause.Headline)
	if out.Verdict.Behaviour.Answer == compare.Inconclusive {
		assert.LessOrEqual(t, utf8.RuneCountInString(out.Verdict.Behaviour.Headline), 60, out.Verdict.Behaviour.Headline)
	}
	return out
}

func codes(j compare.Judgement) []string {
	var out []string
	for _, r := range j.Reasons {
		out = append(out, r.Code)
	}
	return out
}

func texts(j compare.Judgement) string {
	var out []string
	for _, r := range j.Reasons {
		out = append(out, r.Text)
	}
	return strings.Join(out, "\n")
}

func TestCheckoutLab(t *testing.T) {
	t.Parallel()
	c := judge(t, comparetest.Baseline(), comparetest.Candidate())
	assert.True(t, c.Comparable)
	assert.Equal(t, compare.Unchanged, c.Verdict.Behaviour.Answer)
	assert.Contains(t, texts(c.Verdict.Behaviour), "0 differences in 1 of 1 pair, 1 field ignored")
	assert.Contains(t, texts(c.Verdict.Behaviour), "2,400 load requests were not scored")

	s := c.Verdict.Speed
	assert.Equal(t, compare.Improved, s.Answer)
	assert.Equal(t, compare.BasisHistogram, s.Basis)
	assert.Equal(t, "Improved, p95 lower by at least 100 ms", s.Headline)
	assert.Contains(t, texts(s.Judgement), "(150–200 → 25–50 ms, 3.0× to 8.0×) in these two replays")
	assert.InDelta(t, -0.100, *s.AtLeastSeconds, 1e-9)
	assert.InDelta(t, -0.175, *s.AtMostSeconds, 1e-9)
	assert.InDelta(t, 0.125, *s.RatioLower, 1e-9)
	assert.InDelta(t, 1.0/3, *s.RatioUpper, 1e-9)
	assert.InDelta(t, -0.063, *s.MeanChangeSeconds, 1e-9)

	a := c.Verdict.Cause
	assert.Equal(t, compare.CauseWait, a.Answer)
	assert.Equal(t, compare.MechanismPool, a.Mechanism)
	assert.Contains(t, texts(a.Judgement), "CPU is ruled out: 1.11 → 0.783 ms per request")
	assert.Contains(t, texts(a.Judgement), "two witnesses agree")
	assert.Equal(t, "confirm that the dependency absorbs the new peak of 8 calls at once, 2 before", a.Next)
	var cpu *compare.Moved
	for i := range a.Moved {
		if a.Moved[i].Kind == compare.PartCPU {
			cpu = &a.Moved[i]
		}
	}
	require.NotNil(t, cpu)
	assert.True(t, cpu.RuledOut)

	f := c.Sides.Candidate.Functional
	assert.EqualValues(t, 1, *f.PairsCompared)
	assert.EqualValues(t, 0, *f.StableDifferences)
	assert.Equal(t, []evidence.IgnoredField{{Field: "header Date", Reason: compare.IgnoredFixed}}, f.IgnoredFields)
	assert.Nil(t, c.Sides.Baseline.Functional.PairsCompared)
}

// The guide's eight rows come first, in its order and words.
func TestGuideTable(t *testing.T) {
	t.Parallel()
	c := judge(t, comparetest.Baseline(), comparetest.Candidate())
	want := [][3]string{
		{"Load requests (identical replay)", "1,200", "1,200"},
		{"Failed requests", "0", "0"},
		{"Stable-field response differences", "source", "0"},
		{"Load p95 latency", "173 ms", "46 ms"},
		{"Load throughput", "46.4 req/s", "176.8 req/s"},
		{"Prometheus p95 request duration", "150–200 ms", "25–50 ms"},
		{"Prometheus p95 pricing connection wait", "100–150 ms", "0.5–1 ms"},
		{"Prometheus average CPU cores", "0.05", "0.09"},
	}
	for i, expected := range want {
		r := c.Table[i]
		assert.True(t, r.Guide)
		assert.Equal(t, expected, [3]string{r.Label, r.Baseline.Text, r.Candidate.Text})
	}
	assert.Equal(t, "193 ms", c.Table[5].Baseline.Guide)
	assert.Equal(t, "48.9 ms", c.Table[5].Candidate.Guide)
	for _, r := range c.Table[len(want):] {
		assert.False(t, r.Guide, r.Label)
	}
}

// The fix left out: both sides have two connections.
func TestNoFix(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Baseline(), comparetest.Baseline()
	c.ID, c.Label = "lab/results/candidate", "candidate"
	moveWindow(&c)
	out := judge(t, b, c)
	assert.Equal(t, compare.Unchanged, out.Verdict.Behaviour.Answer)
	assert.Equal(t, compare.NoProvableChange, out.Verdict.Speed.Answer)
	assert.Contains(t, texts(out.Verdict.Speed.Judgement), "a change of up to 50 ms is possible")
	assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer)
	assert.Equal(t, []string{compare.CodeNothingMoved, compare.CodeWhereTimeGoes, compare.CodeLimit}, codes(out.Verdict.Cause.Judgement))
}

// A candidate that answers another price.
func TestWrongPrice(t *testing.T) {
	t.Parallel()
	c := comparetest.Candidate()
	for i := range c.Responses {
		c.Responses[i] = comparetest.QuoteResponse(c.ID, i, 5700)
	}
	out := judge(t, comparetest.Baseline(), c)
	assert.Equal(t, compare.Changed, out.Verdict.Behaviour.Answer)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Speed.Answer)
	assert.Equal(t, []string{compare.CodeBehaviourChanged}, codes(out.Verdict.Speed.Judgement))
	assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer)
	require.Len(t, out.Responses.Differences, 2)
	d := out.Responses.Differences[0]
	assert.Equal(t, "body .total_cents", d.Field)
	assert.Equal(t, "number", d.Baseline, "values are masked")
	assert.True(t, d.Masked)
	assert.EqualValues(t, 3, d.Count)
	assert.Equal(t, compare.CodeResponsesDiffer, out.Findings[0].Code)
	assert.EqualValues(t, 2, *out.Sides.Candidate.Functional.StableDifferences)
}

// Unequal work beside another answer: the behaviour comes first, the workload is not lost.
func TestWrongPriceOnUnequalWork(t *testing.T) {
	t.Parallel()
	c := comparetest.Candidate()
	for i := range c.Responses {
		c.Responses[i] = comparetest.QuoteResponse(c.ID, i, 5700)
	}
	c.Load.Requests = comparetest.Ptr(int64(600))
	out := judge(t, comparetest.Baseline(), c)
	assert.Equal(t, compare.Changed, out.Verdict.Behaviour.Answer)
	assert.Equal(t, "Inconclusive: withheld, because the behaviour changed", out.Verdict.Speed.Headline)
	got := codes(out.Verdict.Speed.Judgement)
	require.NotEmpty(t, got)
	assert.Equal(t, compare.CodeBehaviourChanged, got[0])
	assert.Contains(t, got, compare.CodeWorkloadDiffers)
}

// The candidate's gate tripped, so its load run was skipped: changed, and still comparable.
func TestCandidateGateFailed(t *testing.T) {
	t.Parallel()
	c := comparetest.Candidate()
	c.Load, c.Endpoints = nil, []evidence.Endpoint{}
	c.Functional.GateFailed, c.Functional.MatchPct = true, comparetest.Ptr(66.67)
	out := judge(t, comparetest.Baseline(), c)
	assert.True(t, out.Comparable)
	assert.Equal(t, compare.Changed, out.Verdict.Behaviour.Answer)
	assert.Contains(t, codes(out.Verdict.Behaviour), compare.CodeGateFailed)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Speed.Answer)
}

func TestNotComparable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(b, c *evidence.Side)
		item   string
		code   string
		text   string
	}{
		"600 of 1,200 requests": {func(_, c *evidence.Side) { requests(c, 600) }, compare.IdentityLoadRequests, compare.CodeWorkloadDiffers, "1,200 load requests, the candidate 600"},
		"another number of users": {func(_, c *evidence.Side) { c.Declared.Workload.Users = 16 }, compare.IdentityUsers, compare.CodeWorkloadDiffers,
			"virtual users: 8 in the baseline, 16 in the candidate"},
		"another recording": {func(_, c *evidence.Side) {
			c.Recording.Digest, c.Recording.RefUUIDs = "other", []string{"00000000-0000-4000-8000-00000000000f"}
		}, compare.IdentityRecording, compare.CodeWorkloadDiffers, "different recordings"},
		"another timing of the mock": {func(_, c *evidence.Side) { c.Declared.Dependency.Timing = "1x" }, compare.IdentityDependency, compare.CodeWorkloadDiffers, "timing 1x"},
		"a call passed through": {func(_, c *evidence.Side) {
			c.Mock = &evidence.Mock{State: evidence.StateOK, Hits: comparetest.Ptr(int64(9)), Misses: comparetest.Ptr(int64(0)), Passthroughs: comparetest.Ptr(int64(1)), Details: []string{"GET /v1/price differs in ts"}}
		}, compare.IdentityMock, compare.CodeWorkloadDiffers, "passed through"},
		"overlapping windows": {func(b, c *evidence.Side) { c.Window = b.Window }, compare.IdentityWindows, compare.CodeWorkloadDiffers, "overlap"},
		// keptn#2388: a failed run used as the baseline.
		"baseline failed": {func(b, _ *evidence.Side) {
			b.Load.Failed, b.Functional.MatchPct = comparetest.Ptr(int64(12)), comparetest.Ptr(91.0)
		}, compare.IdentityBaselineGate, compare.CodeNoValidBaseline, "match is 91 %, not 100 % and 12 of 1,200 load requests failed"},
		"a functional run against a load run": {func(b, c *evidence.Side) { b.Load, c.Functional = nil, nil }, compare.IdentityRuns, compare.CodeWorkloadDiffers, "different kinds of run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, c := comparetest.Baseline(), comparetest.Candidate()
			test.change(&b, &c)
			out := judge(t, b, c)
			assert.False(t, out.Comparable)
			assert.Equal(t, compare.Inconclusive, out.Verdict.Speed.Answer)
			assert.Equal(t, test.code, out.Verdict.Speed.Reasons[0].Code)
			assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer)
			found := false
			for _, it := range out.Identity {
				if it.Code == test.item {
					found = true
					assert.True(t, it.Breaks)
					assert.Contains(t, it.Text, test.text)
					assert.NotEmpty(t, it.Next)
				}
			}
			assert.True(t, found, "no item %s", test.item)
			assert.Contains(t, out.Findings[0].Text, "not comparable")
		})
	}
}

// A timed run sends what it has time for; it also grows the tables of an app that writes.
func TestTimedRun(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Orders(false), comparetest.Orders(true)
	b.Load.Requests, c.Load.Requests = comparetest.Ptr(int64(39201)), comparetest.Ptr(int64(14807))
	out := judge(t, b, c)
	assert.False(t, out.Comparable)
	assert.Contains(t, texts(out.Verdict.Speed.Judgement), "timed run (--for)")
	assert.Contains(t, out.Verdict.Speed.Next, "--times")
}

func requests(s *evidence.Side, n int64) {
	s.Load.Requests = &n
	s.Endpoints[0].Requests = &n
	s.Metrics.Reconciliation.Expected, s.Metrics.Reconciliation.Seen = &n, &n
}

func moveWindow(s *evidence.Side) {
	w := *s.Window
	w.Start, w.End = comparetest.Now, comparetest.Now.Add(w.End.Sub(s.Window.Start))
	s.Window = &w
}

// Without Prometheus the replay's own percentiles answer, and the cause does not.
func TestUnreachablePrometheus(t *testing.T) {
	t.Parallel()
	stop := func(s evidence.Side) evidence.Side {
		return comparetest.Unmeasured(s, evidence.StateUnreachable, "connection refused", "start Prometheus or correct --prometheus")
	}
	out := judge(t, stop(comparetest.Baseline()), stop(comparetest.Candidate()))
	assert.Equal(t, compare.Improved, out.Verdict.Speed.Answer)
	assert.Equal(t, compare.BasisReplay, out.Verdict.Speed.Basis)
	assert.Contains(t, codes(out.Verdict.Speed.Judgement), compare.CodeHistogramNotUsed)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer)
	assert.Equal(t, "start Prometheus or correct --prometheus", out.Verdict.Cause.Next)
	assert.Equal(t, "unreachable", out.Table[5].Baseline.Text)
	assert.Equal(t, evidence.ReasonUnreachable, out.Table[5].Baseline.Reasons["value"])
}

// A failed gate takes the histogram away from the speed answer, by name.
func TestFailedGate(t *testing.T) {
	t.Parallel()
	c := comparetest.Candidate()
	c.Gates[1] = evidence.Gate{Code: "G2", Name: "final scrape", State: evidence.GateFailed, Detail: "no scrape after the end (last 1.2 s before it); 1,025 of 1,200 requests seen", Next: "wait and evaluate again"}
	out := judge(t, comparetest.Baseline(), c)
	assert.Equal(t, compare.BasisReplay, out.Verdict.Speed.Basis)
	assert.Contains(t, texts(out.Verdict.Speed.Judgement), "G2 (final scrape) failed: no scrape after the end")
	assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer)
	assert.Contains(t, limits(out), "gate_G2")
	assert.Nil(t, out.Verdict.Speed.MeanChangeSeconds)
}

func limits(c compare.Comparison) []string {
	var out []string
	for _, l := range c.Limitations {
		out = append(out, l.Code)
	}
	return out
}

// The public Loki runs: the candidate's functional result is missing and nothing was measured.
func TestFunctionalResultMissing(t *testing.T) {
	t.Parallel()
	quiet := func(s evidence.Side) evidence.Side {
		return comparetest.Unmeasured(s, evidence.StateNotConfigured, "", "")
	}
	b, c := quiet(comparetest.Baseline()), quiet(comparetest.Candidate())
	c.Functional.Requests, c.Functional.Failed, c.Functional.MatchPct, c.Functional.VerdictMismatches = nil, nil, nil, nil
	for _, f := range []string{"requests", "failed", "matchPct", "verdictMismatches"} {
		c.Functional.Reasons[f] = evidence.ReasonNotReported
	}
	out := judge(t, b, c)
	assert.True(t, out.Comparable)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Behaviour.Answer)
	assert.Equal(t, "Inconclusive: the candidate's functional result is missing", out.Verdict.Behaviour.Headline)
	assert.Equal(t, compare.Improved, out.Verdict.Speed.Answer)
	assert.Contains(t, codes(out.Verdict.Speed.Judgement), compare.CodeBehaviourUnknown)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer)
}

// prometheus#17824: an error counter that is born at 5.
func TestNewErrors(t *testing.T) {
	t.Parallel()
	c := comparetest.Candidate()
	c.Metrics.Errors.Count, c.Metrics.Errors.ByCode = comparetest.Ptr(int64(5)), map[string]int64{"500": 5}
	c.Metrics.Errors.Note = "series first seen inside the window, counted from zero"
	out := judge(t, comparetest.Baseline(), c)
	assert.Equal(t, compare.Changed, out.Verdict.Behaviour.Answer)
	assert.Contains(t, texts(out.Verdict.Behaviour), "5 of 1,200 requests as errors")
	assert.Contains(t, texts(out.Verdict.Behaviour), "series first seen inside the window, counted from zero")
}

// prometheus#5706: both in (25, 50], whatever the interpolated numbers say.
func TestSameBucket(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Candidate(), comparetest.Candidate()
	b.ID = "lab/results/other"
	moveWindow(&b)
	b.Metrics.RequestDuration = comparetest.Histogram("checkout_request_duration_seconds", .95, comparetest.RequestBounds(), []int64{0, 0, 1200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 52.8, "q1")
	c.Metrics.RequestDuration = comparetest.Histogram("checkout_request_duration_seconds", .95, comparetest.RequestBounds(), []int64{0, 0, 1190, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 52.8, "q1")
	assert.InDelta(t, 0.04875, *b.Metrics.RequestDuration.P95Seconds.PromQL, 1e-9)
	out := judge(t, b, c)
	assert.Equal(t, compare.NoProvableChange, out.Verdict.Speed.Answer)
	assert.Contains(t, texts(out.Verdict.Speed.Judgement), "both p95 lie in 25–50 ms; the histogram cannot tell them apart; a change of up to 25 ms is possible")
}

// k6#4580: the load tool's p95 and the server's bucket.
func TestConsistency(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		p95  float64
		code string
		text string
	}{
		"inside":        {173, compare.CodeConsistent, "the replay's p95 (173 ms) is inside the server's bucket 150–200 ms"},
		"above":         {260, compare.CodeOutsideServer, "at least 60 ms outside the server"},
		"below":         {120, compare.CodeP95Inconsistent, "below the server's bucket"},
		"on the edge":   {200, compare.CodeConsistent, "inside"},
		"just under it": {150, compare.CodeConsistent, "inside"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := comparetest.Baseline()
			b.Load.P95Ms = &test.p95
			found := false
			for _, f := range judge(t, b, comparetest.Candidate()).Findings {
				if f.Code == test.code && strings.Contains(f.Text, "baseline") {
					found = true
					assert.Contains(t, f.Text, test.text)
				}
			}
			assert.True(t, found)
		})
	}
}

func item(c compare.Comparison, code string) compare.IdentityItem {
	for _, it := range c.Identity {
		if it.Code == code {
			return it
		}
	}
	return compare.IdentityItem{}
}

// Marks that contradict the responses, and an ignore list that leaves nothing to compare, are no proof of
// unchanged behaviour.
func TestNothingProvesUnchanged(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(b, c *evidence.Side, p *profile.Profile)
		want   compare.Answer
		code   string
	}{
		"pairs marked fail": {func(_, c *evidence.Side, _ *profile.Profile) {
			for i := range c.Responses {
				c.Responses[i].Match = "fail"
			}
		}, compare.Inconclusive, compare.CodeSourcesDisagree},
		"everything ignored": {func(_, _ *evidence.Side, p *profile.Profile) {
			p.Ignore = []string{"*"}
		}, compare.Inconclusive, compare.CodeAllIgnored},
		"one field ignored": {func(_, _ *evidence.Side, p *profile.Profile) {
			p.Ignore = []string{".total_cents"}
		}, compare.Unchanged, compare.CodeResponsesEqual},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, c, p := comparetest.Baseline(), comparetest.Candidate(), comparetest.Profile()
			test.change(&b, &c, &p)
			out := compare.Compare(b, c, p, compare.Options{})
			assert.Equal(t, test.want, out.Verdict.Behaviour.Answer)
			assert.Contains(t, codes(out.Verdict.Behaviour), test.code)
		})
	}
}
