package plugin

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/grafana/grafana-plugin-sdk-go/experimental"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/evidence/evidencetest"
)

var dashboardRange = backend.TimeRange{
	From: time.Date(2026, 8, 13, 14, 50, 0, 0, time.UTC), To: time.Date(2026, 8, 13, 15, 10, 0, 0, time.UTC),
}

func ask(t *testing.T, i *Instance, q Query) backend.DataResponse {
	t.Helper()
	text, err := json.Marshal(q)
	require.NoError(t, err)
	resp, err := i.QueryData(context.Background(), &backend.QueryDataRequest{Queries: []backend.DataQuery{{RefID: "A", JSON: text, TimeRange: dashboardRange}}})
	require.NoError(t, err)
	return resp.Responses["A"]
}

// Frames are held by golden files: names, types, units and notices are what panels and alert rules rely on.
func TestFrames(t *testing.T) {
	t.Parallel()
	checkout := compare.Compare(*evidencetest.Baseline(), *evidencetest.Candidate(), comparetest.Profile(), compare.Options{Now: fixedNow})
	orders := compare.Compare(comparetest.Orders(false), comparetest.Orders(true), comparetest.Profile(), compare.Options{Now: fixedNow})
	differing := checkout
	differing.Responses.Differences = []compare.ResponseDifference{{
		RefUUID: "r1", Endpoint: "GET /api/quote", Field: "body .total_cents", Kind: "value_changed", Baseline: "a number", Candidate: "a number", Count: 3,
	}}
	elapsed, err := elapsedFrames(&checkout, Query{Measure: "waiting"}, dashboardRange)
	require.NoError(t, err)
	i := testInstance(t)
	rows, _, err := i.rows(context.Background(), Query{Root: "lab"})
	require.NoError(t, err)
	for name, frames := range map[string]data.Frames{
		"runs":       {runsFrame(rows)},
		"windows":    {windowsFrame(rows, Query{}, dashboardRange)},
		"measures":   {measuresFrame(evidencetest.Baseline())},
		"comparison": {verdictFrame(&checkout), tableFrame(&checkout)},
		"endpoints":  {endpointsFrame(&orders)},
		"statements": {statementsFrame(&orders)},
		"elapsed":    elapsed,

		"differences": {differencesFrame(&differing)},

		"measures-numbers":   {measureNumbers(evidencetest.Baseline())},
		"comparison-numbers": {comparisonNumbers(&checkout)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			experimental.CheckGoldenJSONResponse(t, "testdata/frames", name, &backend.DataResponse{Frames: frames, Status: backend.StatusOK}, *update)
		})
	}
}

func TestQueriesThatCannotBeAnswered(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	for name, tc := range map[string]struct {
		query Query
		says  string
	}{
		"no type":         {Query{}, "choose what to query"},
		"unknown type":    {Query{QueryType: "everything"}, "is not one of"},
		"no side":         {Query{QueryType: queryMeasures}, "choose a side"},
		"no candidate":    {Query{QueryType: queryComparison, Baseline: "baseline"}, "\"candidate\""},
		"unknown side":    {Query{QueryType: queryMeasures, Side: "nowhere"}, "known are"},
		"unknown measure": {Query{QueryType: queryElapsed, Baseline: "baseline", Candidate: "candidate", Measure: "heat"}, "heat"},
		"unknown format":  {Query{QueryType: queryMeasures, Side: "baseline", Format: "csv"}, "is not numbers"},
		"unknown profile": {Query{QueryType: queryMeasures, Side: "baseline", Profile: "x"}, "configured are checkout"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := ask(t, i, tc.query)
			require.ErrorContains(t, r.Error, tc.says)
			require.NotEqual(t, backend.StatusOK, r.Status)
		})
	}
}

// Alert rules take a frame of numbers only when each field is told apart by its labels and holds one value.
func TestNumbersAreNumericWide(t *testing.T) {
	t.Parallel()
	orders := compare.Compare(comparetest.Orders(false), comparetest.Orders(true), comparetest.Profile(), compare.Options{Now: fixedNow})
	twoWaits := evidencetest.Baseline()
	twoWaits.Metrics.Waits = append(twoWaits.Metrics.Waits, twoWaits.Metrics.Waits[0])
	for _, f := range []*data.Frame{measureNumbers(evidencetest.Baseline()), measureNumbers(twoWaits), comparisonNumbers(&orders)} {
		require.Equal(t, data.FrameTypeNumericWide, f.Meta.Type)
		seen := map[string]bool{}
		for _, field := range f.Fields {
			require.Equal(t, data.FieldTypeNullableFloat64, field.Type())
			require.Equal(t, 1, field.Len())
			key := field.Labels.String()
			require.False(t, seen[key], "%s stands twice", key)
			seen[key] = true
			require.NotEmpty(t, field.Config.DisplayName)
		}
	}
}

// What nobody asked for is no field, so that it cannot keep an alert rule at "no data"; what is missing is a null field
// with its reason.
func TestNumbersThatAreMissing(t *testing.T) {
	t.Parallel()
	compared := func(state evidence.State) compare.Comparison {
		base, cand := comparetest.Unmeasured(comparetest.Baseline(), state, "m", "n"), comparetest.Unmeasured(comparetest.Candidate(), state, "m", "n")
		return compare.Compare(base, cand, comparetest.Profile(), compare.Options{Now: fixedNow})
	}
	field := func(f *data.Frame, measure string) *data.Field {
		for _, one := range f.Fields {
			if one.Labels["measure"] == measure {
				return one
			}
		}
		return nil
	}
	unconfigured, unreachable := compared(evidence.StateNotConfigured), compared(evidence.StateUnreachable)

	without := comparisonNumbers(&unconfigured)
	require.Nil(t, field(without, "requestQuantile"))
	require.NotNil(t, field(without, "loadQuantile"))
	for _, one := range without.Fields {
		require.NotNil(t, one.At(0), "%s is null", one.Labels)
	}
	side := comparetest.Unmeasured(comparetest.Baseline(), evidence.StateNotConfigured, "m", "n")
	require.Nil(t, field(measureNumbers(&side), "cpu.perRequest"))

	missing := comparisonNumbers(&unreachable)
	require.NotNil(t, field(missing, "requestQuantile"))
	require.Nil(t, field(missing, "requestQuantile").At(0))
	require.Contains(t, missing.Meta.Notices[0].Text, "unreachable")
	require.Contains(t, missing.Meta.Notices[0].Text, "request duration")

	side = comparetest.Unmeasured(comparetest.Baseline(), evidence.StateUnreachable, "m", "n")
	alone := measureNumbers(&side)
	require.NotNil(t, field(alone, "cpu.perRequest"))
	require.Nil(t, field(alone, "cpu.perRequest").At(0))
	require.Contains(t, alone.Meta.Notices[0].Text, "CPU per request")
}

// Alert rules take one number of each elapsed frame: the first one behind its time.
func TestElapsedFramesAreOneSeriesEach(t *testing.T) {
	t.Parallel()
	checkout := compare.Compare(*evidencetest.Baseline(), *evidencetest.Candidate(), comparetest.Profile(), compare.Options{Now: fixedNow})
	for measure := range elapsedMeasures {
		frames, err := elapsedFrames(&checkout, Query{Measure: measure}, dashboardRange)
		require.NoError(t, err)
		require.Len(t, frames, 2)
		for _, f := range frames {
			require.Equal(t, data.FrameTypeTimeSeriesMulti, f.Meta.Type)
			require.Equal(t, data.FieldTypeTime, f.Fields[0].Type())
			require.Equal(t, "value", f.Fields[1].Name)
			require.NotEmpty(t, f.Fields[1].Labels["side"])
			times, last := f.Fields[0], dashboardRange.From.Add(-1)
			for n := range times.Len() {
				at, _ := times.At(n).(time.Time)
				require.True(t, at.After(last), "the times ascend")
				last = at
			}
		}
	}
}

// A root that cannot be read is told beside the runs of the others.
func TestRunsNameTheRootsThatCouldNotBeRead(t *testing.T) {
	t.Parallel()
	i := testInstance(t, func(op *Operator, _ *Settings) { op.Roots += ", old=" + filepath.Join(t.TempDir(), "gone") })
	for _, kind := range []string{queryRuns, queryWindows} {
		r := ask(t, i, Query{QueryType: kind})
		require.NoError(t, r.Error)
		require.Positive(t, r.Frames[0].Rows())
		require.Len(t, r.Frames[0].Meta.Notices, 1)
		require.Contains(t, r.Frames[0].Meta.Notices[0].Text, "Root old")
		require.Empty(t, ask(t, i, Query{QueryType: kind, Root: "lab"}).Frames[0].Meta.Notices)
	}
}

// An inconclusive answer is null, so that an alert rule does not take it for "no provable change".
func TestInconclusiveIsNoNumber(t *testing.T) {
	t.Parallel()
	require.Nil(t, score(compare.Inconclusive))
	zero := score(compare.NoProvableChange)
	require.NotNil(t, zero)
	require.Zero(t, *zero)
}

// One bad query leaves its neighbours alone.
func TestQueriesAreIndependent(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	resp, err := i.QueryData(context.Background(), &backend.QueryDataRequest{Queries: []backend.DataQuery{
		{RefID: "bad", JSON: []byte(`{`)},
		{RefID: "good", JSON: []byte(`{"queryType":"runs","kind":"load"}`), TimeRange: dashboardRange},
	}})
	require.NoError(t, err)
	require.Error(t, resp.Responses["bad"].Error)
	good := resp.Responses["good"]
	require.NoError(t, good.Error)
	require.Equal(t, 2, good.Frames[0].Rows())
	require.Equal(t, "good", good.Frames[0].RefID)
}

// A missing figure is null in a frame, never 0 and never NaN.
func TestMissingIsNotZeroInFrames(t *testing.T) {
	t.Parallel()
	side := comparetest.Unmeasured(comparetest.Baseline(), evidence.StateUnreachable, "no answer", "start it")
	f := measuresFrame(&side)
	value, _ := f.FieldByName("value")
	state, _ := f.FieldByName("state")
	key, _ := f.FieldByName("key")
	seen := 0
	for n := range f.Rows() {
		if strings.HasPrefix(key.At(n).(string), "cpu.") {
			require.Nil(t, value.At(n))
			require.NotEqual(t, "ok", state.At(n))
			seen++
		}
	}
	require.Equal(t, 3, seen)
}

func TestWindowsKeepToTheRangeAndTheSides(t *testing.T) {
	t.Parallel()
	i := testInstance(t)
	all := ask(t, i, Query{QueryType: queryWindows})
	require.NoError(t, all.Error)
	require.Positive(t, all.Frames[0].Rows())
	one := ask(t, i, Query{QueryType: queryWindows, Baseline: "lab/proxymock/results/baseline", Kind: "load"})
	require.NoError(t, one.Error)
	require.Equal(t, 1, one.Frames[0].Rows())
	title, _ := one.Frames[0].FieldByName("title")
	require.Equal(t, "baseline: load run", title.At(0))
	rows, _, err := i.rows(context.Background(), Query{})
	require.NoError(t, err)
	past := backend.TimeRange{From: dashboardRange.From.AddDate(-1, 0, 0), To: dashboardRange.To.AddDate(-1, 0, 0)}
	require.Zero(t, windowsFrame(rows, Query{}, past).Rows())
}
