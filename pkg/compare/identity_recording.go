package compare

import (
	"fmt"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// complete says whether the recorded pairs of a side are all known, so that one more or fewer means
// another recording and not a file that is missing here.
func complete(s evidence.Side) bool {
	switch s.Recording.Source {
	case "recording", "verdict":
		return true
	}
	if s.Functional == nil || s.Functional.PairsExpected == nil {
		return false
	}
	return s.Functional.PairsRead >= *s.Functional.PairsExpected
}

func (in *input) recordingItem() *IdentityItem {
	b, c := in.base.Recording, in.cand.Recording
	it := &IdentityItem{Code: IdentityRecording, Name: "recording", Baseline: recordingText(b), Candidate: recordingText(c)}
	inB, inC := set(b.RefUUIDs), set(c.RefUUIDs)
	var onlyB, onlyC, shared int
	for u := range inB {
		if inC[u] {
			shared++
		} else {
			onlyB++
		}
	}
	onlyC = len(inC) - shared
	switch {
	case b.Digest != "" && b.Digest == c.Digest:
		it.State, it.Text = Same, "same recording"
		if b.InboundPairs != nil {
			it.Text = "same recording, " + counted(*b.InboundPairs, "inbound pair", "inbound pairs") + ", same digest"
		}
	case len(inB) == 0 || len(inC) == 0:
		it.State = Unknown
		if b.Digest != "" && c.Digest != "" && complete(in.base) && complete(in.cand) {
			it.State, it.Breaks = Differs, true
			it.Text, it.Next = "the digests of the recordings differ", "replay the same recording against both sides"
			break
		}
		it.Text = "which recording was replayed is not known on " + unknownOn(len(inB) == 0, len(inC) == 0)
		it.Next = "keep the functional run's pairs, or name the recording in side.json"
	case onlyB == 0 && onlyC == 0:
		it.State, it.Text = Same, "same recording, the same "+counted(int64(shared), "recorded pair", "recorded pairs")
	case (onlyC > 0 && complete(in.base)) || (onlyB > 0 && complete(in.cand)):
		it.State, it.Breaks = Differs, true
		it.Text = fmt.Sprintf("different recordings: %s only in the baseline, %d only in the candidate, %d in both",
			counted(int64(onlyB), "recorded pair", "recorded pairs"), onlyC, shared)
		it.Next = "replay the same recording against both sides"
	default:
		it.State = Unknown
		it.Text = fmt.Sprintf("%s seen on both sides, %d only in the baseline, %d only in the candidate; not all pairs are here, so this proves no difference",
			counted(int64(shared), "recorded pair", "recorded pairs"), onlyB, onlyC)
		it.Next = "keep all pairs of both functional runs"
	}
	return it
}

func recordingText(r evidence.RecordingIdentity) string {
	digest := r.Digest
	if len(digest) > 12 {
		digest = digest[:12]
	}
	switch {
	case digest == "" && r.InboundPairs == nil:
		return Unknown
	case r.InboundPairs == nil:
		return digest
	case digest == "":
		return counted(*r.InboundPairs, "pair", "pairs")
	}
	return counted(*r.InboundPairs, "pair", "pairs") + ", " + digest
}

func set(words []string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		if w != "" {
			out[w] = true
		}
	}
	return out
}

func unknownOn(b, c bool) string {
	switch {
	case b && c:
		return "both sides"
	case b:
		return "the baseline"
	default:
		return "the candidate"
	}
}
