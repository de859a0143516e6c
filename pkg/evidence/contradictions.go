package evidence

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
)

// ProblemContradiction is the code of a problem by which two sources of one functional run state different
// answers to the same request. A comparison does not call such a side's behaviour unchanged.
const ProblemContradiction = "contradiction"

// checkAnswers holds the status that each replayed pair states against its own status text, and against what the
// verdict file says was observed for it. Each kind is one problem, with the first pair as its example.
func (m *measurement) checkAnswers(pairs []catalog.Pair) {
	observed := map[string]int{}
	if v := m.functional.Verdict; v != nil {
		for _, p := range v.Pairs {
			if p.ObservedStatus != nil && p.ReplayFile != "" {
				observed[path.Base(p.ReplayFile)] = *p.ObservedStatus
			}
		}
	}
	var text, verdict contradiction
	for _, p := range pairs {
		code, ok := p.StatusCode()
		if !ok {
			continue
		}
		if word, _, _ := strings.Cut(p.HTTP.StatusMessage, " "); len(word) == len("200") {
			if n, err := strconv.Atoi(word); err == nil && n != code {
				text.add(p.Path, fmt.Sprintf("status text %q, status code %d", p.HTTP.StatusMessage, code))
			}
		}
		if n, known := observed[path.Base(p.Path)]; known && n != code {
			verdict.add(p.Path, fmt.Sprintf("the verdict file states status %d, the pair %d", n, code))
		}
	}
	text.report(m)
	verdict.report(m)
}

// contradiction counts the pairs of one kind and keeps the first.
type contradiction struct {
	pairs      int64
	path, says string
}

func (c *contradiction) add(path, says string) {
	if c.pairs++; c.pairs == 1 {
		c.path, c.says = path, says
	}
}

func (c *contradiction) report(m *measurement) {
	if c.pairs > 0 {
		m.problem(c.path, ProblemContradiction, "%s; so in %s of the functional run", c.says, plural(c.pairs, "pair", "pairs"))
	}
}
