package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/report"
)

// allAnswers runs the whole lab and reads the evidence that it stored.
func allAnswers(t *testing.T, o Options, wantStatus int) compare.Comparison {
	t.Helper()
	err := newLab(t, o).All(t.Context())
	require.Equal(t, wantStatus, Status(err), "%v", err)
	return stored(t, o)
}

func stored(t *testing.T, o Options) compare.Comparison {
	t.Helper()
	f, err := os.Open(filepath.Join(o.Out, "evidence.json"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	c, err := report.ReadJSON(f)
	require.NoError(t, err)
	markdown, err := os.ReadFile(filepath.Join(o.Out, "evidence.md"))
	require.NoError(t, err)
	require.NotEmpty(t, markdown)
	return c
}

// reconciled asserts that Prometheus saw exactly the requests that the replay sent.
func reconciled(t *testing.T, s evidence.Side, want int64) {
	t.Helper()
	r := s.Metrics.Reconciliation
	require.Equal(t, "reconciled", r.State, r.Text)
	require.Equal(t, want, *r.Seen)
	require.Equal(t, want, *r.Expected)
	require.Equal(t, want, *s.Load.Requests)
	require.Zero(t, *s.Load.Failed)
}

func share(t *testing.T, s evidence.Side) float64 {
	t.Helper()
	require.Len(t, s.Metrics.Waits, 1)
	require.NotNil(t, s.Metrics.Waits[0].Share)
	return *s.Metrics.Waits[0].Share
}

// TestWholeLabStory is the lab as the guide has it: 1,200 requests on both sides, and the connection
// budget raised from 2 to 16. It runs alone, because a machine busy with other runs is another one.
func TestWholeLabStory(t *testing.T) {
	o := e2e(t, nil)
	l := newLab(t, o)
	require.NoError(t, l.All(t.Context()))
	c := stored(t, o)
	reconciled(t, c.Sides.Baseline, 1200)
	reconciled(t, c.Sides.Candidate, 1200)
	require.Equal(t, compare.Unchanged, c.Verdict.Behaviour.Answer)
	require.Equal(t, compare.Improved, c.Verdict.Speed.Answer)
	require.Equal(t, compare.CauseWait, c.Verdict.Cause.Answer)
	require.Greater(t, share(t, c.Sides.Baseline), 0.5)
	require.Less(t, share(t, c.Sides.Candidate), 0.05)
	var ruledOut string
	for _, f := range c.Findings {
		if f.Kind == "ruled out" {
			ruledOut += f.Text + "\n"
		}
	}
	require.Contains(t, ruledOut, "CPU")
	require.Contains(t, ruledOut, "ms per request", "ruled out with its figure")

	var server prometheusState
	require.NoError(t, readJSON(filepath.Join(o.Out, "prometheus.json"), &server))
	sameInThePlugin(t, o, server.URL, c)
}

// TestWholeLabFixLeftOut replays the same budget on both sides, four times each, so that the noise is measured.
// It runs alone, too: it asserts that nothing moved.
func TestWholeLabFixLeftOut(t *testing.T) {
	o := e2e(t, map[string]string{"LAB_CANDIDATE_BUDGET": "2", "LAB_PASSES": "15", "LAB_REPEATS": "4"})
	c := allAnswers(t, o, 0)
	reconciled(t, c.Sides.Baseline, 120)
	reconciled(t, c.Sides.Candidate, 120)
	require.Equal(t, compare.Unchanged, c.Verdict.Behaviour.Answer)
	require.Equal(t, compare.NoProvableChange, c.Verdict.Speed.Answer)
	require.NotNil(t, c.Repeats)
	require.Len(t, c.Repeats.Baseline, 4)
	require.Len(t, c.Repeats.Candidate, 4)
	require.NotNil(t, c.Repeats.PValue, "four runs a side are enough for the test")
	for _, l := range c.Limitations {
		require.NotEqual(t, "one_run_per_side", l.Code)
	}
}

// TestWholeLabOtherPrice lets the candidate answer another price.
func TestWholeLabOtherPrice(t *testing.T) {
	t.Parallel()
	o := e2e(t, map[string]string{"LAB_CANDIDATE_PRICE_OFFSET_CENTS": "1", "LAB_PASSES": "10"})
	c := allAnswers(t, o, StatusChanged)
	require.Equal(t, compare.Changed, c.Verdict.Behaviour.Answer)
	require.Equal(t, compare.Inconclusive, c.Verdict.Speed.Answer)
	require.Equal(t, compare.ReasonWithheld, c.Verdict.Speed.NullReasons["atLeastSeconds"])
}

// TestWholeLabHalfTheLoad gives the candidate half of the requests.
func TestWholeLabHalfTheLoad(t *testing.T) {
	t.Parallel()
	o := e2e(t, map[string]string{"LAB_PASSES": "20", "LAB_CANDIDATE_PASSES": "10"})
	c := allAnswers(t, o, StatusNotComparable)
	require.False(t, c.Comparable)
	require.Equal(t, compare.Inconclusive, c.Verdict.Speed.Answer)
	var why string
	for _, item := range c.Identity {
		if item.Breaks {
			why += item.Text + "\n"
		}
	}
	require.Contains(t, why, "160")
	require.Contains(t, why, "80")
}

// TestWholeLabPrometheusGone ends Prometheus between the measurement and the comparison.
func TestWholeLabPrometheusGone(t *testing.T) {
	t.Parallel()
	o := e2e(t, map[string]string{"LAB_PASSES": "20"})
	l := newLab(t, o)
	out, err := l.Measure(t.Context())
	require.NoError(t, err)
	l.watching.Close()
	err = l.compare(t.Context(), out)
	require.Equal(t, StatusNotComparable, Status(err), "%v", err)
	c := stored(t, o)
	require.Equal(t, compare.Unchanged, c.Verdict.Behaviour.Answer, "the files are enough for behaviour")
	require.Equal(t, compare.Inconclusive, c.Verdict.Cause.Answer)
	require.NotEmpty(t, c.Verdict.Cause.Next, "what to do must be said")
	require.Equal(t, evidence.StateUnreachable, c.Sides.Baseline.Metrics.State)
}
