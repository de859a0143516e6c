package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/report"
)

func table(t *testing.T, c compare.Comparison, width int) string {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, report.Table(&buf, c, report.TextOptions{Width: width}))
	return buf.String()
}

func markdown(t *testing.T, c compare.Comparison) string {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, report.Markdown(&buf, c))
	return buf.String()
}

// A narrow terminal gets each row as a list of its cells, with nothing cut off.
func TestNarrowTerminalsGetLists(t *testing.T) {
	t.Parallel()
	out := table(t, comparisons()["checkout"], 40)
	for _, want := range []string{"  Load p95 latency\n", "    baseline        173 ms\n", "    candidate       46 ms\n", "    change          −73 %\n", "    bounds, source  exact\n"} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, out, "───")
	assert.Contains(t, table(t, comparisons()["checkout"], 60), "───")

	out = table(t, comparisons()["orders"], 40)
	assert.Contains(t, out, "  GET /orders\n    requests  600\n")
	assert.Contains(t, out, "    p99 ms    2 → 19\n")

	var list bytes.Buffer
	require.NoError(t, report.List(&list, []string{"side", "runs"}, [][]string{{"lab/baseline", "2"}}, nil, false, report.TextOptions{Width: 40}))
	assert.Equal(t, "  lab/baseline\n    runs  2\n", list.String())
}

// What one answer says, the answers below it do not say again.
func TestAnswersDoNotRepeatEachOther(t *testing.T) {
	t.Parallel()
	for _, out := range []string{table(t, comparisons()["wrong-price"], 200), markdown(t, comparisons()["wrong-price"])} {
		answers, _, found := strings.Cut(out, "Same work?")
		require.True(t, found)
		answers, _, _ = strings.Cut(answers, "### Result")
		assert.Equal(t, 1, strings.Count(answers, "intended changes belong into"), answers)
		assert.Equal(t, 1, strings.Count(answers, "does not answer as the baseline does"), answers)
		assert.Equal(t, 2, strings.Count(answers, "as above"), answers)
	}
	out := table(t, comparisons()["unreachable"], 200)
	assert.Equal(t, 1, strings.Count(out, "next:  start Prometheus or correct --prometheus"), out)
}

// The result block begins with what is to be done, not with what is not.
func TestNextBeginsWithWhatIsToBeDone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"orders":         "- **Next**: fetch the rows in one statement",
		"checkout":       "- **Next**: confirm that the dependency absorbs the new peak",
		"wrong-price":    "- **Next**: look at the differing fields",
		"not-comparable": "- **Next**: replay both sides with the same users and passes\n",
		"unreachable":    "- **Next**: start Prometheus or correct --prometheus; repeat the load run to learn the noise\n",
	} {
		out := markdown(t, comparisons()[name])
		assert.Contains(t, out, want, name)
		_, result, _ := strings.Cut(out, "### Result")
		assert.NotContains(t, result, "nothing to do", name)
	}
}

// A wait that could not be measured is in the remainder of the mean, and the picture says so.
func TestUnmeasuredWaitIsNotUnexplained(t *testing.T) {
	t.Parallel()
	k := comparetest.Candidate()
	k.Metrics.Waits[0].SecondsPerRequest = nil
	k.Metrics.Waits[0].Reasons = evidence.Reasons{"secondsPerRequest": evidence.ReasonUnitConflict}
	const name = "unexplained, or the wait pricing connection (unit_conflict), which could not be measured"
	k.Metrics.Breakdown.Parts = []evidence.Part{{Kind: evidence.PartUnexplained, Name: name, Seconds: 0.044, Share: 1}}
	c := compare.Compare(comparetest.Baseline(), k, comparetest.Profile(), compare.Options{})
	const want = name + " 44 ms (100 %)"
	assert.Contains(t, table(t, c, 200), want)
	assert.Contains(t, markdown(t, c), want)
	var side, wire bytes.Buffer
	require.NoError(t, report.Side(&side, k, false, report.TextOptions{Width: 200}))
	assert.Contains(t, side.String(), want)
	require.NoError(t, report.JSON(&wire, c))
	assert.Contains(t, wire.String(), `"name": "`+name+`"`)
	assert.Contains(t, wire.String(), `"text": "not explained by the profile's metrics: not known, because pricing connection wait could not be measured"`)
	assert.NotContains(t, table(t, comparisons()["checkout"], 200), "could not be measured")
}

// A side that was never replayed is its recording: the window is the recording's, and its statements are there.
func TestSideOfARecording(t *testing.T) {
	t.Parallel()
	s := comparetest.Orders(true)
	s.Load, s.Functional, s.Endpoints, s.Saturation.LimitedBy = nil, nil, []evidence.Endpoint{}, "unknown without metrics"
	s.Window = &catalog.Window{Start: comparetest.Now, End: comparetest.Now.Add(4 * time.Second), QueryEnd: comparetest.Now.Add(5 * time.Second), WindowSeconds: 5,
		Source: catalog.SourcePairs, Notes: []string{"from the time and duration of the pairs read"}}
	for _, width := range []int{40, 80, 200} {
		var out bytes.Buffer
		require.NoError(t, report.Side(&out, s, false, report.TextOptions{Width: width}))
		plain := strings.Join(strings.Fields(out.String()), " ")
		assert.Contains(t, plain, "window_seconds 5, from pairs from the time and duration of the pairs read")
		assert.Contains(t, plain, "Statements (executions, not messages)")
		assert.NotContains(t, plain, "window unknown")
		assert.NotContains(t, plain, "limits you now")
		assert.Contains(t, plain, "(once for each", "the child names its parent")
		for _, l := range strings.Split(out.String(), "\n") {
			assert.LessOrEqual(t, text.StringWidth(l), width, l)
		}
	}
	s.Statements = &evidence.Statements{State: evidence.StateFailed, Message: "the pairs hold opaque bytes"}
	var out bytes.Buffer
	require.NoError(t, report.Side(&out, s, false, report.TextOptions{}))
	assert.Contains(t, out.String(), "failed: the pairs hold opaque bytes")
}

// A reason does not begin with what its headline says, and the result block names no step "below".
func TestReasonsDoNotRepeatTheirHeadline(t *testing.T) {
	t.Parallel()
	for _, out := range []string{table(t, comparisons()["orders"], 200), markdown(t, comparisons()["orders"])} {
		answers, rest, found := strings.Cut(out, "Same work?")
		require.True(t, found)
		answers, result, _ := strings.Cut(answers, "### Result")
		assert.Equal(t, 1, strings.Count(answers, "16 ms average"), answers)
		assert.Contains(t, answers, "over all requests p95")
		assert.NotContains(t, result, "below")
		assert.Contains(t, rest, "likely cause: GET /orders executes SELECT of order")
	}
}

// With several waits the guide's rows stay together, above the line that sets our own apart.
func TestGuideRowsStayTogether(t *testing.T) {
	t.Parallel()
	c := comparisons()["checkout"]
	second := c.Table[6]
	second.Key, second.Guide, second.Label = "waitQuantile2", false, "Prometheus p95 statements wait"
	c.Table = append(c.Table[:7:7], append([]compare.Row{second}, c.Table[7:]...)...)
	out := table(t, c, 200)
	guide, own, found := strings.Cut(out[strings.Index(out, "bounds, source"):], "\n\n")
	require.True(t, found)
	assert.Contains(t, guide, "Prometheus average CPU cores")
	assert.True(t, strings.HasPrefix(strings.TrimSpace(own), "Mean request duration"), own)
}

// The outcome says the figures of a moved endpoint once, with what hides them.
func TestOutcomeSaysAnEndpointOnce(t *testing.T) {
	t.Parallel()
	_, out, found := strings.Cut(markdown(t, comparisons()["orders"]), "- **Outcome**")
	require.True(t, found)
	out, _, _ = strings.Cut(out, "\n")
	assert.Equal(t, 1, strings.Count(out, "16 ms average"), out)
	assert.Contains(t, out, "the p95 over all requests hides it")
}
