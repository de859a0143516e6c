package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
)

func finding(c compare.Comparison, code string) *compare.Finding {
	for i := range c.Findings {
		if c.Findings[i].Code == code {
			return &c.Findings[i]
		}
	}
	return nil
}

// What was wrong with a file is a finding and a limitation; a harmless note is neither.
func TestFileProblems(t *testing.T) {
	t.Parallel()
	k := comparetest.Candidate()
	k.Problems = []catalog.Problem{{Path: "candidate/load/summary.json", Code: "conflict", Message: "p95 lies below p50"}}
	c := judge(t, comparetest.Baseline(), k)
	f := finding(c, compare.CodeFileProblems)
	require.NotNil(t, f)
	assert.Equal(t, "candidate: 1 problem in its files: candidate/load/summary.json: p95 lies below p50", f.Text)
	assert.Contains(t, limits(c), compare.CodeFileProblems)

	k.Problems[0].Code = "note"
	c = judge(t, comparetest.Baseline(), k)
	assert.Nil(t, finding(c, compare.CodeFileProblems))
	assert.NotContains(t, limits(c), compare.CodeFileProblems)
}

// Responses that were kept and cannot be read are not responses that were not kept.
func TestUnreadableResponses(t *testing.T) {
	t.Parallel()
	k := comparetest.Candidate()
	k.Responses, k.Functional.PairsRead = nil, 0
	c := judge(t, comparetest.Baseline(), k)
	assert.Equal(t, compare.Unchanged, c.Verdict.Behaviour.Answer, "the replay scored them all and kept none")

	k.Problems = []catalog.Problem{{Path: "results/candidate/functional/localhost/0.md", Code: "incomplete", Message: "pair is empty"}}
	c = judge(t, comparetest.Baseline(), k)
	assert.Equal(t, compare.Inconclusive, c.Verdict.Behaviour.Answer)
	assert.Contains(t, codes(c.Verdict.Behaviour), compare.CodeResponsesUnread)
	assert.Equal(t, "Inconclusive: not all responses could be read", c.Verdict.Behaviour.Headline)
	assert.Contains(t, texts(c.Verdict.Behaviour), "0 of 3 of the candidate's functional pairs could be read, because of results/candidate/functional/localhost/0.md")
	assert.NotContains(t, texts(c.Verdict.Behaviour), "not kept")
}
