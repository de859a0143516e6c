package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// TestUnequalTables finds tables that grew between the runs: as they are declared, in reads of one
// statement, and in the list that the two versions read by different statements.
func TestUnequalTables(t *testing.T) {
	t.Parallel()
	rows := func(s *evidence.Side, fingerprint string, n int64) {
		for i := range s.Statements.Inventory {
			if s.Statements.Inventory[i].Fingerprint == fingerprint {
				s.Statements.Inventory[i].Rows = n
			}
		}
	}
	declare := func(s *evidence.Side, tables map[string]int64) {
		d := *s.Declared
		d.Tables = tables
		s.Declared = &d
	}
	for name, tc := range map[string]struct {
		change func(b, c *evidence.Side)
		state  string
		text   string
	}{
		"as recorded": {func(_, _ *evidence.Side) {}, compare.Same, "equal reads returned equal numbers of rows"},
		"declared, equal": {func(b, c *evidence.Side) {
			declare(b, map[string]int64{"orders": 0})
			declare(c, map[string]int64{"orders": 0})
		}, compare.Same, "equal tables before both load runs: orders 0 rows; equal reads returned equal numbers of rows"},
		"declared, grown": {func(b, c *evidence.Side) {
			declare(b, map[string]int64{"orders": 0, "order_items": 0})
			declare(c, map[string]int64{"orders": 4800, "order_items": 1})
		}, compare.Differs, "the tables were not equal: order_items held 0 rows before the baseline's load run, 1 before the candidate's and orders held 0 rows before the baseline's load run, 4,800 before the candidate's"},
		"declared on one side": {func(b, _ *evidence.Side) { declare(b, map[string]int64{"orders": 0}) }, compare.Same, "equal reads returned equal numbers of rows"},
		"one statement": {func(_, c *evidence.Side) { rows(c, comparetest.S7, 41) }, compare.Differs,
			"the tables were not equal: SELECT of orders returned 40 rows in the baseline, 41 in the candidate, in 41 executions each"},
		"the list, by another statement": {func(_, c *evidence.Side) { rows(c, comparetest.S5, 250) }, compare.Differs,
			"the tables were not equal: the SELECT of orders, order_items by GET /orders returned 200 rows in the baseline, 250 in the candidate, in 5 executions each"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, c := comparetest.Orders(false), comparetest.Orders(true)
			tc.change(&b, &c)
			it := item(judge(t, b, c), compare.IdentityTables)
			assert.Equal(t, tc.state, it.State)
			assert.Equal(t, tc.text, it.Text)
			assert.False(t, it.Breaks, "tables that grew annotate the comparison")
		})
	}
	// A side without statements and without declared tables says nothing of them.
	b, c := comparetest.Orders(false), comparetest.Orders(true)
	b.Statements = nil
	assert.Empty(t, item(judge(t, b, c), compare.IdentityTables).Code)
}

// A load run that passed its gate is a valid baseline, although the answers come from a recording.
func TestBaselineOfLoadAndRecording(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Orders(false), comparetest.Orders(true)
	it := item(judge(t, b, c), compare.IdentityBaselineGate)
	assert.Equal(t, compare.Same, it.State)
	assert.Equal(t, "the baseline's load run passed its own gate; its answers come from a recording, which has none", it.Text)
	assert.Empty(t, it.Next)

	b.Load = nil
	it = item(judge(t, b, c), compare.IdentityBaselineGate)
	assert.Equal(t, compare.Unknown, it.State)
	require.False(t, it.Breaks)

	b = comparetest.Orders(false)
	b.Load.Failed = comparetest.Ptr(int64(3))
	it = item(judge(t, b, c), compare.IdentityBaselineGate)
	assert.True(t, it.Breaks)
}
