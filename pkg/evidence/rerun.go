package evidence

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
)

// hasFigures says whether a run states figures of its own.
func hasFigures(r *catalog.Run) bool { return r.Result != nil && r.Result.Aggregate != nil }

// passedOver names the runs without usable figures that are newer than the one that was measured in their
// place, or that may be: a run that crashed is no reason to judge an older one without a word.
func (m *measurement) passedOver() {
	var texts []string
	for i := range m.in.Side.Runs {
		r := &m.in.Side.Runs[i]
		if hasFigures(r) || (r.Kind != catalog.KindUnknown && r.Kind != catalog.KindLoad) || r == m.load ||
			!strings.HasPrefix(path.Base(r.Path), "load") {
			continue
		}
		if m.load == nil {
			texts = append(texts, "the load run "+r.Path+" did not finish: "+whyUnfinished(r))
			continue
		}
		if when := whenOf(r); !when.IsZero() && when.Before(whenOf(m.load)) {
			continue
		}
		text := "the load run " + r.Path + " did not finish, " + m.load.Path + " was measured in its place"
		m.problem(r.Path, "incomplete", "%s: %s", text, whyUnfinished(r))
		texts = append(texts, text)
	}
	m.unfinished = strings.Join(texts, "; ")
}

func whyUnfinished(r *catalog.Run) string {
	for _, p := range r.Problems {
		if p.Code != "note" {
			return p.Path + ": " + p.Message
		}
	}
	return "it holds no figures"
}

// repeats are the load runs that are independent repeats of the measured one, itself included, oldest first:
// same number of requests, windows apart, nothing failed. A copy of a run says nothing about noise.
func (m *measurement) repeats() []*catalog.Run {
	if m.load == nil {
		return nil
	}
	kept := []*catalog.Run{m.load}
	for _, r := range slices.Backward(m.loads) {
		if r == m.load || !hasFigures(r) {
			continue
		}
		if why := notARepeat(m.load, r, kept); why != "" {
			m.problem(r.Path, "note", "not counted as a repeat of %s: %s", m.load.Path, why)
			continue
		}
		kept = append(kept, r)
	}
	return sortByTime(kept)
}

func notARepeat(measured, r *catalog.Run, kept []*catalog.Run) string {
	total, want := r.Result.Aggregate.Total, (*int64)(nil)
	if hasFigures(measured) {
		want = measured.Result.Aggregate.Total
	}
	failed := r.Result.Aggregate.Failed
	switch {
	case r.GateFailed:
		return "its own gate tripped"
	case failed != nil && *failed > 0:
		return fmt.Sprintf("%s failed", plural(*failed, "request", "requests"))
	case total == nil || want == nil:
		return "the number of requests is not known on both"
	case *total != *want:
		return fmt.Sprintf("%s instead of %s", plural(*total, "request", "requests"), FormatCount(*want))
	case r.Window == nil:
		return "it has no window, so it may be a copy"
	}
	for _, k := range kept {
		if k.Window == nil {
			return k.Path + " has no window, so it may be a copy"
		}
		if r.Window.Start.Before(k.Window.End) && k.Window.Start.Before(r.Window.End) {
			return "its window overlaps that of " + k.Path
		}
	}
	return ""
}
