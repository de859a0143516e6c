package compare_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/store"
)

// Two sources of one functional run that state different answers prove nothing, and are named.
func TestSourcesOfOneRunContradict(t *testing.T) {
	t.Parallel()
	stated := catalog.Problem{Path: "results/functional/replay-verdict.json", Code: "contradiction", Message: "it states status 500 for 3 pairs that state 200"}
	mark := func(s *evidence.Side) {
		for i := range s.Responses {
			s.Responses[i].Match = "fail"
		}
	}
	for name, test := range map[string]struct {
		change func(b, c *evidence.Side)
		want   compare.Answer
		says   string
	}{
		"the candidate's verdict file":       {func(_, c *evidence.Side) { c.Problems = append(c.Problems, stated) }, compare.Inconclusive, "it states status 500 for 3 pairs"},
		"the baseline's verdict file":        {func(b, _ *evidence.Side) { b.Problems = append(b.Problems, stated) }, compare.Inconclusive, "it states status 500 for 3 pairs"},
		"marks of the candidate":             {func(_, c *evidence.Side) { mark(c) }, compare.Inconclusive, "3 of the candidate's 3 pairs carry the mark fail"},
		"marks of both speak of a recording": {func(b, c *evidence.Side) { mark(b); mark(c) }, compare.Unchanged, "3 of the baseline's 3 pairs carry the mark fail"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, c := comparetest.Baseline(), comparetest.Candidate()
			test.change(&b, &c)
			out := judge(t, b, c)
			assert.Equal(t, test.want, out.Verdict.Behaviour.Answer)
			if test.want == compare.Inconclusive {
				assert.Equal(t, "Inconclusive: two sources state different answers", out.Verdict.Behaviour.Headline)
				assert.Contains(t, texts(out.Verdict.Behaviour), test.says)
			}
			f := finding(out, compare.CodeSourcesDisagree)
			require.NotNil(t, f)
			assert.Equal(t, 1, f.Rank)
			assert.Contains(t, f.Text, test.says)
		})
	}
}

// Marks that say what the responses say contradict nothing.
func TestMarksThatTheResponsesExplain(t *testing.T) {
	t.Parallel()
	c := comparetest.Candidate()
	for i := range c.Responses {
		c.Responses[i] = comparetest.QuoteResponse(c.ID, i, 5700)
		c.Responses[i].Match = "fail"
	}
	out := judge(t, comparetest.Baseline(), c)
	assert.Equal(t, compare.Changed, out.Verdict.Behaviour.Answer)
	assert.Nil(t, finding(out, compare.CodeSourcesDisagree))
}

// With other load on the service the replay's own percentiles are not of the replay's load alone.
func TestForeignTraffic(t *testing.T) {
	t.Parallel()
	c := comparetest.Candidate()
	c.Metrics.Reconciliation.Seen, c.Metrics.Reconciliation.State = comparetest.Ptr(int64(1500)), evidence.SeenMore
	c.Metrics.Reconciliation.Text = "Prometheus saw 1,500 of 1,200 requests: 300 more than the replay sent, so there was foreign traffic"
	c.Gates[4] = evidence.Gate{Code: "G5", Name: "count", State: evidence.GateFailed, Detail: "300 requests more than the replay sent"}
	out := judge(t, comparetest.Baseline(), c)
	s := out.Verdict.Speed
	assert.Equal(t, compare.Improved, s.Answer)
	assert.Equal(t, compare.BasisReplay, s.Basis)
	assert.Contains(t, codes(s.Judgement), compare.CodeForeignTraffic)
	assert.Contains(t, texts(s.Judgement), "other load was on the service during the run (300 requests on the candidate beyond the replay's own)")
	assert.Contains(t, s.Next, "keep other traffic away")

	assert.NotContains(t, codes(judge(t, comparetest.Baseline(), comparetest.Candidate()).Verdict.Speed.Judgement), compare.CodeForeignTraffic)
}

// conflicting nulls the only wait, as a histogram in milliseconds does; the remainder of the mean stays in the
// measured breakdown.
func conflicting(s evidence.Side) evidence.Side {
	w := &s.Metrics.Waits[0]
	w.SumSeconds, w.MeanSeconds, w.SecondsPerRequest, w.Share, w.ShareError, w.MeanWaiting = nil, nil, nil, nil, nil, nil
	w.Reasons = evidence.Reasons{}
	for _, f := range []string{"sumSeconds", "meanSeconds", "secondsPerRequest", "share", "shareError", "meanWaiting"} {
		w.Reasons[f] = evidence.ReasonUnitConflict
	}
	mean, cpu := *s.Metrics.RequestDuration.MeanSeconds, *s.Metrics.CPU.SecondsPerRequest
	s.Metrics.Breakdown.Parts = []evidence.Part{{Kind: "cpu", Name: "CPU", Seconds: cpu, Share: cpu / mean}, {Kind: "unexplained", Name: "unexplained", Seconds: mean - cpu, Share: 1 - cpu/mean}}
	return s
}

// What a wait that was taken back has spent is not unexplained: it is not known.
func TestUnitConflictIsNotUnexplained(t *testing.T) {
	t.Parallel()
	out := judge(t, conflicting(comparetest.Baseline()), conflicting(comparetest.Candidate()))
	a := out.Verdict.Cause
	assert.Equal(t, compare.Inconclusive, a.Answer)
	assert.Equal(t, "Inconclusive: waiting was not measured", a.Headline)
	assert.Contains(t, texts(a.Judgement), "units conflict")
	found := false
	for _, m := range a.Moved {
		if m.Kind == compare.PartUnexplained {
			found = true
			assert.Nil(t, m.Baseline)
			assert.Nil(t, m.Change)
			assert.Equal(t, evidence.ReasonUnitConflict, m.Reasons["baseline"])
			assert.Equal(t, evidence.ReasonUnitConflict, m.Reasons["change"])
			assert.Contains(t, m.Text, "not known, because pricing connection wait could not be measured")
		}
	}
	assert.True(t, found)
	assert.Nil(t, finding(out, "unexplained_moved"))

	// Where the time goes, said of one side alone, keeps the same care.
	b, c := conflicting(comparetest.Candidate()), conflicting(comparetest.Candidate())
	b.ID = "lab/results/other"
	moveWindow(&b)
	assert.Contains(t, texts(judge(t, b, c).Verdict.Cause.Judgement), "not explained, pricing connection wait included, which could not be measured")
}

// A mean of a histogram that the replay contradicts is explained with that said.
func TestCauseOfAContradictedHistogram(t *testing.T) {
	t.Parallel()
	out := judge(t, replayed(comparetest.Baseline(), 101), comparetest.Candidate())
	assert.Contains(t, codes(out.Verdict.Cause.Judgement), compare.CodeP95Inconsistent)
	assert.Contains(t, texts(out.Verdict.Cause.Judgement), "with care: the mean explained here is the baseline's histogram's")
	assert.Contains(t, texts(out.Verdict.Speed.Judgement), "of the histogram that the replay contradicts")
}

// The witnesses may move alike and be apart within one side: then the reason says both.
func TestWitnessesMoveAlikeAndAreApart(t *testing.T) {
	t.Parallel()
	c := comparetest.Candidate()
	c.Metrics.Breakdown.WitnessAgrees, c.Metrics.Breakdown.Witness = comparetest.Ptr(false), "the witnesses disagree by 3.99 ms"
	out := judge(t, comparetest.Baseline(), c)
	assert.Contains(t, texts(out.Verdict.Cause.Judgement), "two witnesses moved alike")
	assert.Contains(t, texts(out.Verdict.Cause.Judgement), "within the candidate alone they are apart")
	assert.NotContains(t, texts(out.Verdict.Cause.Judgement), "witnesses agree")
}

// The other way round: each side's witnesses agree within its tolerance, and their changes do not.
func TestWitnessesAgreeAndMoveApart(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		agree bool
		want  string
	}{
		"each side agrees": {true, "agree roughly within each side, but not on the change: "},
		"one does not":     {false, "the two witnesses for wait disagree: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, c := comparetest.Baseline(), comparetest.Candidate()
			b.Metrics.Breakdown.WitnessAgrees, c.Metrics.Breakdown.WitnessAgrees = comparetest.Ptr(true), comparetest.Ptr(test.agree)
			c.Metrics.Breakdown.QueueingSeconds = comparetest.Ptr(*c.Metrics.Breakdown.QueueingSeconds + 0.030)
			out := judge(t, b, c)
			assert.Contains(t, texts(out.Verdict.Cause.Judgement), test.want)
			found := false
			for _, f := range out.Findings {
				found = found || (f.Code == compare.CodeWitnessesDisagree && strings.Contains(f.Text, test.want))
			}
			assert.True(t, found)
		})
	}
}

func repeated(s evidence.Side, p95 ...float64) evidence.Side {
	s.Repeats = nil
	for _, v := range p95 {
		l := *s.Load
		l.P95Ms = &v
		s.Repeats = append(s.Repeats, l)
	}
	return s
}

// The next step asks for what is missing, and for nothing that is there.
func TestNextStepKnowsTheRepeats(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		b, c   []float64
		next   string
		reason string
		never  string
	}{
		"one run each":           {nil, nil, "repeat the load run until each side has four runs", "one run per side", "measured pair"},
		"two runs against one":   {[]float64{173, 174}, nil, "repeat the load run until each side has four runs", "2 load runs of the baseline and 1 of the candidate", "one run per side"},
		"two runs each":          {[]float64{173, 174}, []float64{46, 47}, "add load runs until each side has four", "in the measured pair of runs", "these two replays"},
		"four runs each suffice": {[]float64{173, 174, 172, 173}, []float64{46, 47, 46, 45}, "no more runs are needed", "p = 0.029", "these two replays"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := judge(t, repeated(comparetest.Baseline(), test.b...), repeated(comparetest.Candidate(), test.c...)).Verdict.Speed
			require.Equal(t, compare.Improved, s.Answer)
			assert.Contains(t, s.Next, test.next)
			assert.Contains(t, texts(s.Judgement), test.reason)
			assert.NotContains(t, texts(s.Judgement), test.never)
		})
	}
}

// A row of the guide's table has no figure where the baseline is what is compared with: null with its reason,
// whatever the candidate is.
func TestTheBaselineHasNoDifferences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]evidence.Side{"a candidate": comparetest.Candidate(), "the baseline itself": comparetest.Baseline()} {
		out := judge(t, comparetest.Baseline(), c)
		r := out.Table[2]
		require.Equal(t, "responseDifferences", r.Key, name)
		assert.Nil(t, r.Baseline.Value, name)
		assert.Equal(t, evidence.ReasonComparisonSource, r.Baseline.Reasons["value"], name)
		assert.Equal(t, evidence.ReasonComparisonSource, out.Sides.Baseline.Functional.Reasons["stableDifferences"], name)
		require.NotNil(t, r.Candidate.Value, name)
		assert.Zero(t, *r.Candidate.Value, name)
	}
}

// measuredLab measures a side of the synthetic lab without a server; swapped exchanges the windows of both load
// runs first.
func measuredLab(t *testing.T, ref string, swapped bool) evidence.Side {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("..", "evidence", "testdata", "lab"))))
	if swapped {
		window := func(side string) string {
			return filepath.Join(dir, "proxymock", "results", side, "load", "window.json")
		}
		for _, move := range [][2]string{{window("baseline"), filepath.Join(dir, "kept")}, {window("candidate"), window("baseline")}, {filepath.Join(dir, "kept"), window("candidate")}} {
			require.NoError(t, os.Rename(move[0], move[1]))
		}
	}
	root, err := store.Open("lab", dir, store.Limits{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	files := catalog.New([]catalog.Root{root}, catalog.Options{})
	side, err := files.Side(t.Context(), ref)
	require.NoError(t, err)
	s, err := evidence.Measure(t.Context(), evidence.Input{Side: side, Files: files, Profile: comparetest.Profile(), Now: comparetest.Now.Add(time.Hour)})
	require.NoError(t, err)
	return *s
}

// Windows that were swapped make neither an improvement nor a regression: the gate of the workload fails, and no
// answer on speed rests on figures of which nobody knows the run.
func TestSwappedWindows(t *testing.T) {
	t.Parallel()
	out := judge(t, measuredLab(t, "baseline", false), measuredLab(t, "candidate", false))
	assert.Equal(t, compare.Improved, out.Verdict.Speed.Answer)

	out = judge(t, measuredLab(t, "baseline", true), measuredLab(t, "candidate", true))
	s := out.Verdict.Speed
	assert.Equal(t, compare.Inconclusive, s.Answer)
	assert.Equal(t, "Inconclusive: window and figures are not of one run", s.Headline)
	assert.Equal(t, compare.CodeNotOneRun, s.Reasons[0].Code)
	assert.Contains(t, s.Reasons[0].Text, "the baseline's gate G9 (workload) failed")
	assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer)
	for _, e := range out.Endpoints {
		assert.Equal(t, compare.Inconclusive, e.Answer, e.Name)
	}
	for _, f := range out.Findings {
		assert.NotContains(t, []string{compare.CodeEndpoint, "throughput"}, f.Code, f.Text)
	}
}

// The other way to notice it: the client was quicker than the service can have been (gate G9 with a server).
func TestQuickerThanTheService(t *testing.T) {
	t.Parallel()
	c := comparetest.Unmeasured(comparetest.Candidate(), evidence.StateInsufficient, "window and summary are not of one run", "repeat the run")
	c.Gates = append(c.Gates, evidence.Gate{Code: "G9", Name: "workload", State: evidence.GateFailed, Detail: "a client cannot see this: window and summary are not of one run", Next: "repeat the run"})
	out := judge(t, comparetest.Baseline(), c)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Speed.Answer)
	assert.Equal(t, compare.CodeNotOneRun, out.Verdict.Speed.Reasons[0].Code)

	// A gate that fails because the run itself failed is the run's own matter.
	c.Load.GateFailed = true
	assert.Contains(t, codes(judge(t, comparetest.Baseline(), c).Verdict.Speed.Judgement), compare.CodeLoadGateFailed)
}

// Another price and no load run: what changed is the first finding.
func TestPriceComesFirst(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(c *evidence.Side){
		"the load run was skipped": func(c *evidence.Side) { c.Load, c.Endpoints = nil, []evidence.Endpoint{} },
		"half the requests":        func(c *evidence.Side) { requests(c, 600) },
		"requests not known": func(c *evidence.Side) {
			c.Load.Requests, c.Load.Reasons = nil, evidence.Reasons{"requests": evidence.ReasonUnknown}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := comparetest.Candidate()
			for i := range c.Responses {
				c.Responses[i] = comparetest.QuoteResponse(c.ID, i, 5700)
			}
			change(&c)
			out := judge(t, comparetest.Baseline(), c)
			assert.Equal(t, compare.Changed, out.Verdict.Behaviour.Answer)
			assert.Equal(t, compare.CodeResponsesDiffer, out.Findings[0].Code, out.Findings[0].Text)
		})
	}
}
