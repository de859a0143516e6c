package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/report"
)

// No format for readers hides what was wrong with the files.
func TestProblemsAreShown(t *testing.T) {
	t.Parallel()
	c := comparisons()["checkout"]
	for i := range 13 {
		c.Sides.Candidate.Problems = append(c.Sides.Candidate.Problems, catalog.Problem{Path: fmt.Sprintf("candidate/%02d.md", i), Code: "incomplete", Message: "pair is empty"})
	}
	var table, md bytes.Buffer
	require.NoError(t, report.Table(&table, c, report.TextOptions{}))
	require.NoError(t, report.Markdown(&md, c))
	for _, out := range []string{table.String(), md.String()} {
		assert.Contains(t, out, "Problems in the files of the candidate")
		assert.NotContains(t, out, "Problems in the files of the baseline")
		assert.Contains(t, out, "candidate/09.md")
		assert.NotContains(t, out, "candidate/10.md")
		assert.Contains(t, out, "and 3 more")
		assert.Equal(t, 10, strings.Count(out, "pair is empty"))
	}
}
