package compare

import (
	"fmt"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// CodeFileProblems is the code of the findings and of the limitation that name what was wrong with the
// files of a side.
const CodeFileProblems = "file_problems"

// problemNote is the code of a file problem that is odd but harmless.
const problemNote = "note"

// namedSide is a side with its role.
type namedSide struct {
	name string
	side evidence.Side
}

func (in *input) both() []namedSide {
	return []namedSide{{"baseline", in.base}, {"candidate", in.cand}}
}

// harmful returns the problems of a side that are more than a note.
func harmful(s evidence.Side) []catalog.Problem {
	var out []catalog.Problem
	for _, p := range s.Problems {
		if p.Code != problemNote {
			out = append(out, p)
		}
	}
	return out
}

// fileProblemFindings names what could not be read, or contradicts itself, in the files of each side: an
// answer from half-read files must not look like one from whole files.
func (in *input) fileProblemFindings(f *findings) {
	for _, s := range in.both() {
		problems := harmful(s.side)
		if len(problems) == 0 {
			continue
		}
		var words, proof []string
		for i, p := range problems {
			if i < 2 {
				words = append(words, p.Path+": "+p.Message)
				proof = append(proof, p.Path)
			}
		}
		text := fmt.Sprintf("%s: %s: %s", s.name, counted(int64(len(problems)), "problem in its files", "problems in its files"), strings.Join(words, " · "))
		if n := len(problems) - len(words); n > 0 {
			text += fmt.Sprintf(" · and %d more", n)
		}
		f.add(tierDisagreement, Finding{Code: CodeFileProblems, Kind: KindCoverage, Text: text, Count: ptr(int64(len(problems))), Proof: proof})
	}
}

// fileProblemLimitation counts the problems of both sides.
func (in *input) fileProblemLimitation(add func(code, format string, args ...any)) {
	var words []string
	for _, s := range in.both() {
		if n := len(harmful(s.side)); n > 0 {
			words = append(words, fmt.Sprintf("%d in the %s", n, s.name))
		}
	}
	if len(words) > 0 {
		add(CodeFileProblems, "the files of the sides have problems (%s): what could not be read is not part of this", list(words, 0))
	}
}

// unreadPairs names the files of a functional run that could not be read as pairs.
func unreadPairs(s evidence.Side) []string {
	if s.Functional == nil {
		return nil
	}
	_, dir, _ := strings.Cut(s.Functional.RunID, "/")
	var out []string
	for _, p := range s.Problems {
		if strings.HasPrefix(p.Path, dir+"/") && contains([]string{"incomplete", "unreadable", "unsupported", "not_a_pair", "too_large"}, p.Code) && !contains(out, p.Path) {
			out = append(out, p.Path)
		}
	}
	return out
}

// unreadResponses says which side kept responses that could not be read; empty when none did.
func (in *input) unreadResponses() string {
	var words []string
	for _, s := range in.both() {
		files := unreadPairs(s.side)
		if len(files) == 0 {
			continue
		}
		f := s.side.Functional
		text := fmt.Sprintf("%s of the %s's functional pairs could be read", evidence.FormatCount(f.PairsRead), s.name)
		if f.PairsExpected != nil {
			text = fmt.Sprintf("%s of %s of the %s's functional pairs could be read", evidence.FormatCount(f.PairsRead), evidence.FormatCount(*f.PairsExpected), s.name)
		}
		words = append(words, text+", because of "+list(files, 3))
	}
	return list(words, 0)
}
