package compare_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
)

// The second guide: one endpoint that the aggregate hides, and the statement that did it.
func TestOrders(t *testing.T) {
	t.Parallel()
	c := judge(t, comparetest.Orders(false), comparetest.Orders(true))
	assert.True(t, c.Comparable)
	assert.Equal(t, compare.Unchanged, c.Verdict.Behaviour.Answer)
	assert.Equal(t, "3 of 3 pairs", strings.TrimPrefix(c.Verdict.Behaviour.Headline, "Unchanged, 0 differences in "))
	assert.Equal(t, compare.Regressed, c.Verdict.Speed.Answer)
	assert.Equal(t, compare.BasisReplay, c.Verdict.Speed.Basis)
	assert.Contains(t, c.Verdict.Speed.Headline, "Regressed on GET /orders")
	assert.Equal(t, compare.CauseWait, c.Verdict.Cause.Answer)
	assert.Equal(t, compare.MechanismQueryCount, c.Verdict.Cause.Mechanism)
	assert.Equal(t, "GET /orders: 1 to 16 ms average, p95 2 to 17 ms, no provable change elsewhere; the aggregate p95 hides it because it is 3.7 % of requests", c.Findings[0].Text)
	assert.Equal(t, "GET /orders", c.Endpoints[0].Name)
	for _, e := range c.Endpoints[1:] {
		assert.Equal(t, compare.NoProvableChange, e.Answer, e.Name)
	}
	s := c.Statements
	assert.EqualValues(t, 232, *s.BaselineExecutions)
	assert.EqualValues(t, 432, *s.CandidateExecutions)
	require.Len(t, s.NPlusOne, 1)
	assert.InDelta(t, 40, s.NPlusOne[0].ChildPerCall, 1e-9)
	assert.Equal(t, comparetest.S5, s.NPlusOne[0].ParentFingerprint)
	for _, p := range s.PerEndpoint {
		if p.Endpoint == "GET /orders" {
			assert.InDelta(t, 1, *p.Baseline, 1e-9)
			assert.InDelta(t, 41, *p.Candidate, 1e-9)
		}
	}
	var lines *compare.StatementChange
	for i := range s.Changes {
		if s.Changes[i].Fingerprint == comparetest.S4 && s.Changes[i].Endpoint == "" {
			lines = &s.Changes[i]
		}
	}
	require.NotNil(t, lines)
	assert.EqualValues(t, 40, *lines.Baseline)
	assert.EqualValues(t, 240, *lines.Candidate)
	assert.Contains(t, texts(c.Verdict.Cause.Judgement), "41 statements per call")
	assert.Equal(t, "0 mock misses", item(c, compare.IdentityMock).Text)

	// The other way round it is the repair of the N+1.
	back := judge(t, comparetest.Orders(true), comparetest.Orders(false))
	assert.Equal(t, compare.Improved, back.Verdict.Speed.Answer)
	assert.Equal(t, compare.CauseWait, back.Verdict.Cause.Answer)
	assert.Equal(t, compare.MechanismQueryCount, back.Verdict.Cause.Mechanism)
}
