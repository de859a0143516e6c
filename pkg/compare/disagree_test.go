package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

func replayed(s evidence.Side, p95 float64) evidence.Side {
	s.Load.P95Ms, s.Endpoints[0].P95Ms = &p95, &p95
	return s
}

// Two bases that point in opposite directions give no answer, and no cause.
func TestBasesInOppositeDirections(t *testing.T) {
	t.Parallel()
	c := judge(t, replayed(comparetest.Baseline(), 260), replayed(comparetest.Candidate(), 400))
	assert.Equal(t, compare.Inconclusive, c.Verdict.Speed.Answer)
	assert.Contains(t, codes(c.Verdict.Speed.Judgement), compare.CodeBasesDisagree)
	assert.Contains(t, texts(c.Verdict.Speed.Judgement), "the histogram reads improved")
	assert.Nil(t, c.Verdict.Speed.AtLeastSeconds)
	assert.Equal(t, compare.Inconclusive, c.Verdict.Cause.Answer)
	assert.Contains(t, codes(c.Verdict.Cause.Judgement), compare.CodeBasesDisagree)
}

// A client cannot see less than the server: such a histogram is of other requests and decides nothing.
func TestReplayBelowTheServersBucket(t *testing.T) {
	t.Parallel()
	c := judge(t, replayed(comparetest.Baseline(), 101), comparetest.Candidate())
	assert.Equal(t, compare.BasisReplay, c.Verdict.Speed.Basis)
	assert.Equal(t, compare.Improved, c.Verdict.Speed.Answer)
	assert.Contains(t, codes(c.Verdict.Speed.Judgement), compare.CodeP95Inconsistent)
	assert.Contains(t, texts(c.Verdict.Speed.Judgement), "below the server's bucket")
}

// Witnesses for wait with opposite signs explain nothing.
func TestWitnessesInOppositeDirections(t *testing.T) {
	t.Parallel()
	b := comparetest.Baseline()
	b.Metrics.Breakdown.QueueingSeconds = comparetest.Ptr(-0.030)
	c := judge(t, b, comparetest.Candidate())
	assert.Equal(t, compare.Inconclusive, c.Verdict.Cause.Answer)
	assert.Contains(t, codes(c.Verdict.Cause.Judgement), compare.CodeWitnessesDisagree)
}

// A load run that tripped its own gate is named beside its speed.
func TestCandidateLoadGateTripped(t *testing.T) {
	t.Parallel()
	k := comparetest.Candidate()
	k.Load.GateFailed = true
	c := judge(t, comparetest.Baseline(), k)
	assert.Contains(t, codes(c.Verdict.Speed.Judgement), compare.CodeLoadGateFailed)
	assert.NotNil(t, finding(c, compare.CodeLoadGateFailed))
}

// Without the number of load requests nothing says that both sides did the same work.
func TestLoadRequestsNotKnown(t *testing.T) {
	t.Parallel()
	k := comparetest.Candidate()
	k.Load.Requests, k.Load.Reasons = nil, evidence.Reasons{"requests": evidence.ReasonUnknown}
	c := judge(t, comparetest.Baseline(), k)
	assert.Equal(t, compare.Inconclusive, c.Verdict.Speed.Answer)
	assert.Equal(t, "Inconclusive: load requests not known on the candidate", c.Verdict.Speed.Headline)
	assert.False(t, c.Comparable, "unknown work is not called the same work")
	it := item(c, compare.IdentityLoadRequests)
	assert.Equal(t, compare.Unknown, it.State)
	assert.True(t, it.Breaks)
	assert.Contains(t, it.Text, "not known on the candidate")
	assert.Equal(t, compare.Inconclusive, c.Verdict.Cause.Answer)
}
