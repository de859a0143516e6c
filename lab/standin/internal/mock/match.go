package mock

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/replaylab/replay-evidence/lab/standin/internal/blueprint"
	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// answers are the recorded answers to one signature, given in recorded order
// and then again from the first.
type answers struct {
	signature map[string][]byte
	pairs     []rrpair.Loaded
	next      atomic.Uint64
}

func (a *answers) take() rrpair.Loaded {
	return a.pairs[(a.next.Add(1)-1)%uint64(len(a.pairs))]
}

// index finds recorded answers by signature.
type index struct {
	masks *blueprint.Set
	byKey map[string]*answers
	// byPath holds the same entries under method, host and path, to explain a
	// miss.
	byPath map[string][]*answers
}

// newIndex takes the outbound HTTP pairs of a recording in their order.
func newIndex(pairs []rrpair.Loaded, masks *blueprint.Set) *index {
	ix := &index{masks: masks, byKey: map[string]*answers{}, byPath: map[string][]*answers{}}
	for _, pair := range pairs {
		if pair.Direction != rrpair.Out || pair.HTTP == nil || pair.Tags["source"] == "generator" {
			continue
		}
		signature := ix.signature(&pair.HTTP.Req)
		key := keyOf(signature)
		entry, ok := ix.byKey[key]
		if !ok {
			entry = &answers{signature: signature}
			ix.byKey[key] = entry
			path := pathKey(signature)
			ix.byPath[path] = append(ix.byPath[path], entry)
		}
		entry.pairs = append(entry.pairs, pair)
	}
	return ix
}

func (ix *index) signature(req *rrpair.HTTPRequest) map[string][]byte {
	masked := ix.masks.Apply(*req)
	return rrpair.HTTPSignature(&masked)
}

func (ix *index) find(signature map[string][]byte) (*answers, bool) {
	entry, ok := ix.byKey[keyOf(signature)]
	return entry, ok
}

func (ix *index) size() int {
	n := 0
	for _, entry := range ix.byKey {
		n += len(entry.pairs)
	}
	return n
}

// keyOf is one string per signature; lengths keep values from running together.
func keyOf(signature map[string][]byte) string {
	var key strings.Builder
	for _, name := range slices.Sorted(maps.Keys(signature)) {
		fmt.Fprintf(&key, "%s=%d:%s;", name, len(signature[name]), signature[name])
	}
	return key.String()
}

func pathKey(signature map[string][]byte) string {
	return keyOf(map[string][]byte{
		rrpair.SigMethod: signature[rrpair.SigMethod],
		rrpair.SigHost:   signature[rrpair.SigHost],
		rrpair.SigURL:    signature[rrpair.SigURL],
	})
}

// difference is why a request has no recorded answer.
type difference struct {
	// Keys are the parts of the signature that differ from the nearest recorded
	// call, such as "http:queryparams:ts"; empty when nothing of this method,
	// host and path was recorded.
	Keys []string
	// Recorded and Observed are the values of the first of Keys.
	Recorded, Observed string
}

// explain compares a miss with the recorded call that differs least.
func (ix *index) explain(signature map[string][]byte) difference {
	var best difference
	for _, entry := range ix.byPath[pathKey(signature)] {
		keys := differing(entry.signature, signature)
		if best.Keys == nil || len(keys) < len(best.Keys) {
			best = difference{Keys: keys, Recorded: shown(entry.signature, keys[0]), Observed: shown(signature, keys[0])}
		}
	}
	return best
}

func differing(recorded, observed map[string][]byte) []string {
	var keys []string
	for key, value := range recorded {
		if other, ok := observed[key]; !ok || !bytes.Equal(value, other) {
			keys = append(keys, key)
		}
	}
	for key := range observed {
		if _, ok := recorded[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func shown(signature map[string][]byte, key string) string {
	value, ok := signature[key]
	switch {
	case !ok:
		return "(absent)"
	case key == rrpair.SigBodyHash:
		return fmt.Sprintf("%x", value)
	case len(value) > 200:
		return string(value[:200]) + "…"
	}
	return string(value)
}
