package catalog

import (
	"sort"
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// clusterGap is the idle time between two pairs of one replay from which they are taken for two replays
// into one folder.
const clusterGap = 60 * time.Second

// gapOf is the idle time that separates two replays into the folder of one run.
func gapOf(r *Run) time.Duration {
	active, ok := r.Result.ActiveSeconds()
	if !ok || active > maxActiveSeconds {
		return clusterGap
	}
	// A slow service may leave such gaps by itself: then the whole run took that long.
	return max(clusterGap, time.Duration(active*float64(time.Second)))
}

// OfOneReplay keeps the pairs of the replay that run is, where its folder holds pairs of several: those that
// meet the window its file states, else the latest. Pairs are told apart by their own time, never by their
// names; they must be sorted by it. What is left out is named in a problem. Pairs without a time stay.
func OfOneReplay(run *Run, pairs []Pair) ([]Pair, []Problem) {
	stretches := stretchesOf(pairs, gapOf(run))
	if len(stretches) < 2 {
		return pairs, nil
	}
	chosen := stretches[len(stretches)-1]
	if w := run.Window; w != nil && w.Source == SourceWindowFile {
		for _, s := range stretches {
			if !s.last.Before(w.Start) && !s.first.After(w.End) {
				chosen = s
			}
		}
	}
	kept := make([]Pair, 0, chosen.pairs)
	for _, p := range pairs {
		if p.TS.IsZero() || (!p.TS.Before(chosen.first) && !p.TS.After(chosen.last)) {
			kept = append(kept, p)
		}
	}
	var problems []Problem
	for _, s := range stretches {
		if s != chosen {
			day := s.first.UTC().Format("2006-01-02 15:04:05Z")
			text := proxymock.Counted(s.pairs, "pair of "+day+" is", "pairs of "+day+" are")
			problems = append(problems, problem(s.path, codeConflict, "%s of another replay into the same folder, without a part in this run; remove what is left from it, or give each replay a folder of its own", text))
		}
	}
	return kept, problems
}

// stretch is one uninterrupted time of pairs.
type stretch struct {
	first, last time.Time
	pairs       int
	// path is the file of the first pair.
	path string
}

func stretchesOf(sorted []Pair, gap time.Duration) []stretch {
	var out []stretch
	for _, p := range sorted {
		if p.TS.IsZero() {
			continue
		}
		if n := len(out); n > 0 && p.TS.Sub(out[n-1].last) <= gap {
			out[n-1].last = p.TS
			out[n-1].pairs++
			continue
		}
		out = append(out, stretch{first: p.TS, last: p.TS, pairs: 1, path: p.Path})
	}
	return out
}

// clusters reports a replay whose pair files fall into several stretches of time: the folder was written
// to more than once. File names are enough to see it.
func clusters(r *Run) []Problem {
	times := make([]time.Time, 0, len(r.pairs))
	for _, e := range r.pairs {
		if t, ok := timeOfPairName(e.name()); ok {
			times = append(times, t)
		}
	}
	sort.Slice(times, func(i, j int) bool { return times[i].Before(times[j]) })
	gap := gapOf(r)
	var breaks []time.Time
	for i := 1; i < len(times); i++ {
		if times[i].Sub(times[i-1]) > gap {
			breaks = append(breaks, times[i])
		}
	}
	if len(breaks) == 0 {
		return nil
	}
	return []Problem{problem(r.Path, codeConflict, "the pairs fall into %d stretches of time (the last begins at %s): the folder holds several replays; remove it and repeat the run",
		len(breaks)+1, breaks[len(breaks)-1].Format(time.RFC3339))}
}
