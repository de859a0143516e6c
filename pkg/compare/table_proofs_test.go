package compare_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
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
