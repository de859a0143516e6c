package catalog

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// fileTimeUncertainty is how long after the last response a summary may have been written, in seconds:
// the lab scripts settle for up to six seconds before they move the file into place.
const fileTimeUncertainty = 6.0

// pairResolution is the resolution of a pair's duration, in seconds: whole milliseconds, truncated.
const pairResolution = 0.001

// scrapePadding is what the lab's own rule adds behind the truncated end: the next full second and one
// scrape of one second.
const scrapePadding = 2 * time.Second

// stated is a window file that could be read.
type stated struct {
	window *proxymock.Window
	path   string
}

// span is the time that a run's pairs cover.
type span struct {
	start, end time.Time
	pairs      int
	sampled    bool
}

// figures is what a summary says of the time: how long it took, and when the file was written.
type figures struct {
	activeSeconds float64
	written       time.Time
	path          string
	// load is true when pairs, if any, may be a sample of the requests.
	load     bool
	requests int64
}

// chooseWindow applies the order of precedence: the window file in any of its shapes, then the pairs,
// then the summary's active time placed before its file time. It returns nil when nothing tells, and
// problems for what was passed over.
func chooseWindow(file *stated, pairs *span, summary *figures) (*Window, []Problem) {
	if file != nil && file.window != nil {
		w := fromFile(file.window)
		return w, outside(w, pairs, file.path)
	}
	if w := fromPairs(pairs, summary); w != nil {
		return w, nil
	}
	return fromSummary(summary), nil
}

// fromFile takes a window file as it is: query_end and window_seconds are passed on unchanged, what the
// parser derived by the labs' rule stays named in Derived.
func fromFile(f *proxymock.Window) *Window {
	return &Window{
		Start: f.Start, End: f.End, QueryStart: f.QueryStart, QueryEnd: f.QueryEnd, WindowSeconds: f.WindowSeconds,
		Source: SourceWindowFile, Derived: slices.Clone(f.Derived), Notes: slices.Clone(f.Problems),
	}
}

// fromPairs bounds a run by its pairs. The pairs of a load run may be a sample of its requests; the
// missing part of its active time is then uncertainty on both ends.
func fromPairs(p *span, s *figures) *Window {
	if p == nil || p.pairs == 0 || p.start.IsZero() {
		return nil
	}
	w := Window{Start: p.start, End: p.end, Source: SourcePairs, Uncertainty: pairResolution}
	if !w.End.After(w.Start) {
		w.End = w.Start.Add(time.Millisecond)
	}
	w.Notes = append(w.Notes, fmt.Sprintf("from the time and duration of the pairs read (%d)", p.pairs))
	if p.sampled {
		w.Notes = append(w.Notes, "read from the first and last pair files only")
	}
	if s != nil && s.load && s.requests > int64(p.pairs) {
		if missing := s.activeSeconds - w.End.Sub(w.Start).Seconds(); missing > w.Uncertainty {
			w.Uncertainty = missing
			w.Notes = append(w.Notes, fmt.Sprintf("the pairs (%d) are a sample of the requests (%d); the run lasted %.3f s", p.pairs, s.requests, s.activeSeconds))
		}
	}
	pad(&w)
	return &w
}

// standsIn notes that the window is not a window file's, because that was rejected or there is none.
func (w *Window) standsIn(rejected string) {
	if rejected != "" {
		w.Notes = append(w.Notes, rejected)
		return
	}
	w.Notes[0] += "; no " + windowName
}

// fromSummary places the active time before the time of the file. A copied or checked-out file carries
// the time of the copy, which is why the source is shown wherever the window is.
func fromSummary(s *figures) *Window {
	if s == nil || s.written.IsZero() || !(s.activeSeconds > 0) || s.activeSeconds > maxActiveSeconds {
		return nil
	}
	active := time.Duration(math.Ceil(s.activeSeconds*1e6)) * time.Microsecond
	w := Window{Start: s.written.Add(-active), End: s.written, Source: SourceSummary, Uncertainty: fileTimeUncertainty}
	w.Notes = append(w.Notes, fmt.Sprintf("inferred from the active time (%.3f s) and the file time of %s; a copied file carries the time of the copy",
		s.activeSeconds, s.path))
	pad(&w)
	return &w
}

// maxActiveSeconds bounds what is believed of a summary: a replay of more than a week is a broken rate.
const maxActiveSeconds = 7 * 24 * 3600

// pad derives the query fields around an uncertain start and end.
func pad(w *Window) {
	u := time.Duration(w.Uncertainty * float64(time.Second))
	w.QueryStart = w.Start.Add(-u).Truncate(time.Second)
	w.QueryEnd = w.End.Add(u).Truncate(time.Second).Add(scrapePadding)
	w.WindowSeconds = wholeSeconds(w.QueryEnd.Sub(w.QueryStart))
	w.Derived = append(w.Derived, "query_start", "query_end", "window_seconds")
}

// outside reports pairs that do not lie in the window the file states: then one of both belongs to
// another run.
func outside(w *Window, p *span, path string) []Problem {
	if p == nil || p.pairs == 0 || p.start.IsZero() {
		return nil
	}
	const slack = time.Second
	if p.start.After(w.Start.Add(-slack)) && p.end.Before(w.End.Add(slack)) {
		return nil
	}
	return []Problem{{Path: path, Code: "conflict", Message: fmt.Sprintf(
		"the pairs lie between %s and %s, the window between %s and %s: the folder holds files of more than one run; remove it and repeat the run",
		p.start.Format(time.RFC3339Nano), p.end.Format(time.RFC3339Nano), w.Start.Format(time.RFC3339Nano), w.End.Format(time.RFC3339Nano))}}
}

func wholeSeconds(d time.Duration) int64 { return int64(math.Ceil(d.Seconds())) }
