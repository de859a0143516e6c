package compare

import (
	"fmt"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// problemContradiction is the code of a file problem that says: two sources of one functional run state
// different answers to the same request, such as the status in the verdict file and the one in the pair.
const problemContradiction = "contradiction"

// statedTwice lists where the files of a side's functional run contradict each other.
func statedTwice(s evidence.Side) []string {
	if s.Functional == nil {
		return nil
	}
	var out []string
	for _, p := range s.Problems {
		if p.Code == problemContradiction {
			out = append(out, p.Path+": "+p.Message)
		}
	}
	return out
}

// markedFail counts the replayed pairs of a side that are marked as not matching although the run passed
// its own gate; 0 when the gate says the same as the marks.
func markedFail(s evidence.Side) int64 {
	if functionalGate(s.Functional).state != passed {
		return 0
	}
	var n int64
	for _, r := range s.Responses {
		if r.Match == "fail" {
			n++
		}
	}
	return n
}

func markedText(s namedSide, n int64) string {
	return fmt.Sprintf("%s of the %s's %s carry the mark fail, which neither their responses nor the match rate show",
		evidence.FormatCount(n), s.name, counted(int64(len(s.side.Responses)), "pair", "pairs"))
}

// contradiction says why two sources on the functional answers cannot both be right, as far as that keeps
// the behaviour from being called unchanged; empty when nothing does. Marks that both sides carry speak of
// the recording, not of the change: they are a finding alone.
func (in *input) contradiction() string {
	var words []string
	for _, s := range in.both() {
		words = append(words, statedTwice(s.side)...)
	}
	if n := markedFail(in.cand); n > 0 && markedFail(in.base) == 0 {
		words = append(words, markedText(namedSide{"candidate", in.cand}, n))
	}
	return strings.Join(shorten(words, 3), "; ")
}

// contradictionFindings names every contradiction, whatever the answer is. Marks are explained where the
// responses differ.
func (in *input) contradictionFindings(f *findings, c Comparison) {
	differs := len(c.Responses.Differences) > 0
	for _, s := range in.both() {
		words := statedTwice(s.side)
		if n := markedFail(s.side); n > 0 && !differs {
			words = append(words, markedText(s, n))
		}
		if len(words) == 0 {
			continue
		}
		n := int64(len(words))
		f.add(tierBehaviour, Finding{Code: CodeSourcesDisagree, Kind: KindDisagreement, Count: &n, Proof: []string{"run:" + s.side.Functional.RunID},
			Text: fmt.Sprintf("%s: two sources of its functional answers contradict each other: %s", s.name, strings.Join(shorten(words, 2), "; "))})
	}
}

// shorten keeps the first words and counts the rest.
func shorten(words []string, most int) []string {
	if len(words) <= most {
		return words
	}
	return append(append([]string{}, words[:most]...), fmt.Sprintf("and %d more", len(words)-most))
}
