package compare_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/evidence/evidencetest"
	"github.com/replaylab/replay-evidence/pkg/profile"
)

// Each figure from Prometheus leads to the queries that prove it, and each of them is in the side's list.
func TestFiguresOfPrometheusNameTheirProof(t *testing.T) {
	t.Parallel()
	c := compare.Compare(*evidencetest.Baseline(), *evidencetest.Candidate(), profile.Profile{Quantile: .95}, compare.Options{})
	known := func(s evidence.Side) map[string]bool {
		out := map[string]bool{}
		for _, q := range s.Queries {
			out[q.ID] = true
		}
		return out
	}
	seen := 0
	for _, row := range c.Table {
		// These come from the replay's own files.
		fromFiles := strings.HasPrefix(row.Key, "load") || row.Key == "failedRequests" || row.Key == "responseDifferences"
		for _, x := range []struct {
			cell compare.Cell
			side evidence.Side
		}{{row.Baseline, c.Sides.Baseline}, {row.Candidate, c.Sides.Candidate}} {
			if fromFiles {
				require.Empty(t, x.cell.QueryIDs, row.Key)
				continue
			}
			require.NotEmpty(t, x.cell.QueryIDs, row.Key)
			ids := known(x.side)
			for _, id := range x.cell.QueryIDs {
				require.True(t, ids[id], "%s names %s, which the side does not list", row.Key, id)
			}
			seen++
		}
	}
	require.GreaterOrEqual(t, seen, 20)
}

// The proof of a row is exactly what it is computed from.
func TestRowsNameWhatTheyAreComputedFrom(t *testing.T) {
	t.Parallel()
	side := func(s evidence.Side) evidence.Side {
		m := &s.Metrics
		m.RequestDuration.QueryIDs, m.Waits[0].QueryIDs = []string{"r1", "r2"}, []string{"w1", "w2"}
		m.CPU.QueryID, m.CPU.QueryIDs = "q3", []string{"c1"}
		m.Errors.QueryID, m.Errors.QueryIDs = "q4", []string{"r2"}
		m.Reconciliation.QueryID, m.Reconciliation.QueryIDs = "q5", []string{"r2"}
		s.Saturation.Pools[0].QueryIDs = []string{"w2", "h1"}
		return s
	}
	c := compare.Compare(side(comparetest.Baseline()), side(comparetest.Candidate()), comparetest.Profile(), compare.Options{})
	for key, want := range map[string][]string{
		"requestMean":     {"r1", "r2"},
		"waitShare":       {"w1", "w2", "r1", "r2"},
		"waitSeconds":     {"w1", "w2", "r1", "r2"},
		"cpuPerRequest":   {"c1", "r1", "r2"},
		"activeCores":     {"c1"},
		"averageCores":    {"q3"},
		"poolUtilisation": {"w2", "h1"},
		"inFlight":        {"r1", "r2"},
		"reconciliation":  {"q5", "r2"},
		"errors":          {"q4", "r2"},
	} {
		found := false
		for _, row := range c.Table {
			if row.Key == key {
				found = true
				require.Equal(t, want, row.Baseline.QueryIDs, key)
				require.Equal(t, want, row.Candidate.QueryIDs, key)
			}
		}
		require.True(t, found, key)
	}
}

// An empty cell says why in words, for every state and code that a figure can be missing for.
func TestEmptyCellsSayWhy(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		state evidence.State
		code  string
		want  string
	}{
		"state: in the future": {evidence.StateFuture, "", "window in the future"},
		"code: in the future":  {evidence.StateFuture, evidence.ReasonFuture, "window in the future"},
		"code: unit conflict":  {evidence.StateOK, evidence.ReasonUnitConflict, "units conflict"},
		"state: expired":       {evidence.StateExpired, "", "expired"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := comparetest.Candidate()
			k.Metrics.State = tc.state
			h := &k.Metrics.RequestDuration
			h.MeanSeconds, h.State, h.Reasons = nil, tc.state, evidence.Reasons{}
			if tc.code != "" {
				h.Reasons["meanSeconds"] = tc.code
			}
			for _, row := range compare.Compare(comparetest.Baseline(), k, comparetest.Profile(), compare.Options{}).Table {
				if row.Key == "requestMean" {
					require.Equal(t, tc.want, row.Candidate.Text)
					require.NotEqual(t, evidence.ReasonUnknown, row.Candidate.Reasons["value"])
					return
				}
			}
			t.Fatal("no mean in the table")
		})
	}
}
