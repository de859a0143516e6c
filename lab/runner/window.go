package runner

import (
	"fmt"
	"time"
)

// Window is the content of window.json: when a replay ran and over which whole seconds to query.
type Window struct {
	// Start and End are the instants before and after the replay command, UTC, to the microsecond.
	Start time.Time
	End   time.Time
}

// NewWindow returns the window of a replay that ran from start to end.
func NewWindow(start, end time.Time) (Window, error) {
	w := Window{Start: start.UTC().Truncate(time.Microsecond), End: end.UTC().Truncate(time.Microsecond)}
	if !w.End.After(w.Start) {
		return Window{}, fmt.Errorf("the replay ended at %s, which is not after its start %s: did the clock of this machine jump?",
			w.End.Format(time.RFC3339Nano), w.Start.Format(time.RFC3339Nano))
	}
	return w, nil
}

// QueryStart is the start of the first second that the replay touched.
func (w Window) QueryStart() time.Time { return w.Start.Truncate(time.Second) }

// QueryEnd is the next full second after the end plus one scrape of the lab, one second.
func (w Window) QueryEnd() time.Time { return w.End.Truncate(time.Second).Add(2 * time.Second) }

// Seconds is the length of the query range in whole seconds.
func (w Window) Seconds() int { return int(w.QueryEnd().Sub(w.QueryStart()) / time.Second) }

// windowFile has the five fields of window.json in the order in which people read them.
type windowFile struct {
	Start         string `json:"start"`
	End           string `json:"end"`
	QueryStart    string `json:"query_start"`
	QueryEnd      string `json:"query_end"`
	WindowSeconds int    `json:"window_seconds"`
}

// Write stores the window at path.
func (w Window) Write(path string) error {
	return writeJSON(path, windowFile{
		Start: instant(w.Start), End: instant(w.End),
		QueryStart: instant(w.QueryStart()), QueryEnd: instant(w.QueryEnd()), WindowSeconds: w.Seconds(),
	})
}

// readWindow reads a file that Write made and checks that its five fields agree.
func readWindow(path string) (Window, error) {
	var f windowFile
	if err := readJSON(path, &f); err != nil {
		return Window{}, err
	}
	var w Window
	for _, field := range []struct {
		name, text string
		to         *time.Time
	}{{"start", f.Start, &w.Start}, {"end", f.End, &w.End}} {
		t, err := time.Parse(time.RFC3339Nano, field.text)
		if err != nil {
			return Window{}, fmt.Errorf("%s: %s is no time: %w", path, field.name, err)
		}
		*field.to = t
	}
	if !w.End.After(w.Start) {
		return Window{}, fmt.Errorf("%s: end %s is not after start %s", path, f.End, f.Start)
	}
	if f.QueryStart != instant(w.QueryStart()) || f.QueryEnd != instant(w.QueryEnd()) || f.WindowSeconds != w.Seconds() {
		return Window{}, fmt.Errorf("%s: the query range %s to %s (%d s) does not follow from start and end: expected %s to %s (%d s)",
			path, f.QueryStart, f.QueryEnd, f.WindowSeconds, instant(w.QueryStart()), instant(w.QueryEnd()), w.Seconds())
	}
	return w, nil
}

// instant formats to the microsecond with trailing zeros of the fraction trimmed.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999999Z07:00") }
