package report

import (
	"fmt"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
)

// listedProblems is how many problems of one side's files a report shows.
const listedProblems = 10

type sideProblems struct {
	name string
	list []catalog.Problem
	more int
}

// problemsOf returns the problems of both sides' files, the first few of each.
func problemsOf(c compare.Comparison) []sideProblems {
	var out []sideProblems
	for _, s := range []sideProblems{{name: "baseline", list: c.Sides.Baseline.Problems}, {name: "candidate", list: c.Sides.Candidate.Problems}} {
		if len(s.list) == 0 {
			continue
		}
		if n := len(s.list) - listedProblems; n > 0 {
			s.list, s.more = s.list[:listedProblems], n
		}
		out = append(out, s)
	}
	return out
}

func (p *printer) problems(c compare.Comparison) {
	for _, s := range problemsOf(c) {
		p.title("Problems in the files of the "+s.name, "")
		for _, x := range s.list {
			p.wrapped("  ! ", x.Path+": "+x.Message, nil)
		}
		if s.more > 0 {
			p.line(fmt.Sprintf("  and %d more", s.more))
		}
	}
}

func (m *markdown) problems(c compare.Comparison) {
	for _, s := range problemsOf(c) {
		m.title("Problems in the files of the " + s.name)
		for _, x := range s.list {
			m.line("- %s: %s", code(x.Path), escape(x.Message))
		}
		if s.more > 0 {
			m.line("- and %d more", s.more)
		}
	}
}
