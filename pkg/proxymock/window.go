package proxymock

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// queryPad is what the Prometheus lab's script adds to a window's truncated end: the ceiling to the next
// full second plus one scrape of one second.
const queryPad = 2 * time.Second

// Window is when a run took place. All times are UTC.
type Window struct {
	// Start and End are the exact instants around the replay command, start-up and settling included.
	Start, End time.Time
	// QueryStart and QueryEnd are whole seconds for metric queries.
	QueryStart, QueryEnd time.Time
	// WindowSeconds is the range of an instant query at QueryEnd, in seconds.
	WindowSeconds int64
	// Derived names the fields (as in the file) that were missing and were filled in by rule.
	Derived []string
	// Variant names the layout: "start-end", "query-range", "capture".
	Variant string
	// Label is a label that the file carries about its run (its own "variant" field).
	Label string
	// VUs is the number of virtual users when the file states it.
	VUs *int
	// LatencyP95SLOMs is the objective the file states, in milliseconds.
	LatencyP95SLOMs *float64
	// Problems are contradictions inside the file, in words.
	Problems []string
}

type windowFile struct {
	Start         *string         `json:"start"`
	End           *string         `json:"end"`
	CaptureStart  *string         `json:"capture_start"`
	CaptureEnd    *string         `json:"capture_end"`
	QueryStart    *string         `json:"query_start"`
	QueryEnd      *string         `json:"query_end"`
	WindowSeconds json.RawMessage `json:"window_seconds"`
	Label         flexString      `json:"variant"`
	VUs           flexInt         `json:"vus"`
	SLO           json.RawMessage `json:"latency_p95_slo_ms"`
}

// ParseWindow reads a window file of any known layout; further keys are ignored. Missing query_start is
// start truncated to the second, missing query_end is end truncated plus two seconds, missing
// window_seconds is their difference; each is named in Derived. A window that ends before it starts or
// lasts less than a second is [ErrMalformed], JSON without any window field [ErrOtherFile].
func ParseWindow(r io.Reader) (*Window, error) {
	var file windowFile
	note, err := readJSON(r, "window", &file)
	if err != nil {
		return nil, err
	}
	w := &Window{Label: string(file.Label), VUs: file.VUs.intPointer()}
	if note != "" {
		w.Problems = append(w.Problems, note)
	}
	if slo, ok := parseNumber(file.SLO); ok {
		w.LatencyP95SLOMs = &slo
	}
	if err := w.readTimes(&file); err != nil {
		return nil, err
	}
	if err := w.readSeconds(file.WindowSeconds); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *Window) readTimes(file *windowFile) error {
	start, end := file.Start, file.End
	w.Variant = "start-end"
	if file.QueryStart != nil || file.QueryEnd != nil {
		w.Variant = "query-range"
	}
	if start == nil && end == nil && (file.CaptureStart != nil || file.CaptureEnd != nil) {
		start, end, w.Variant = file.CaptureStart, file.CaptureEnd, "capture"
	}
	if start == nil && end == nil && file.QueryStart == nil && file.QueryEnd == nil {
		return fmt.Errorf("object holds no start or end of a window: %w", ErrOtherFile)
	}
	for _, field := range []struct {
		name string
		text *string
		into *time.Time
	}{{"start", start, &w.Start}, {"end", end, &w.End}, {"query_start", file.QueryStart, &w.QueryStart}, {"query_end", file.QueryEnd, &w.QueryEnd}} {
		if field.text == nil {
			continue
		}
		t, ok := parseTime(*field.text)
		if !ok {
			return fmt.Errorf("window: %s %q is not an RFC 3339 time with a zone since 1970: %w", field.name, clip(*field.text, 60), ErrMalformed)
		}
		*field.into = t
	}
	derive := func(name string, into *time.Time, from time.Time) {
		if into.IsZero() && !from.IsZero() {
			*into = from
			w.Derived = append(w.Derived, name)
		}
	}
	derive("start", &w.Start, w.QueryStart)
	derive("end", &w.End, w.QueryEnd)
	if w.Start.IsZero() || w.End.IsZero() {
		return fmt.Errorf("window states only one of its two ends: %w", ErrMalformed)
	}
	derive("query_start", &w.QueryStart, w.Start.Truncate(time.Second))
	derive("query_end", &w.QueryEnd, w.End.Truncate(time.Second).Add(queryPad))
	if !w.End.After(w.Start) {
		return fmt.Errorf("window ends at %s, not after its start %s: %w", stamp(w.End), stamp(w.Start), ErrMalformed)
	}
	if !w.QueryEnd.After(w.QueryStart) {
		return fmt.Errorf("window: query_end %s is not after query_start %s: %w", stamp(w.QueryEnd), stamp(w.QueryStart), ErrMalformed)
	}
	if w.QueryStart.After(w.Start) || w.QueryEnd.Before(w.End) {
		w.Problems = append(w.Problems, fmt.Sprintf("the query range %s to %s does not cover the run from %s to %s",
			stamp(w.QueryStart), stamp(w.QueryEnd), stamp(w.Start), stamp(w.End)))
	}
	return nil
}

func (w *Window) readSeconds(raw json.RawMessage) error {
	difference := int64(w.QueryEnd.Sub(w.QueryStart) / time.Second)
	if isNull(raw) {
		w.WindowSeconds = difference
		w.Derived = append(w.Derived, "window_seconds")
	} else {
		v, ok := parseNumber(raw)
		if !ok || v != float64(int64(v)) {
			return fmt.Errorf("window: window_seconds is %s, not a whole number of seconds: %w", clip(string(raw), 40), ErrMalformed)
		}
		w.WindowSeconds = int64(v)
	}
	if w.WindowSeconds < 1 {
		return fmt.Errorf("window lasts %d s, a metric query needs at least 1 s: %w", w.WindowSeconds, ErrMalformed)
	}
	if w.WindowSeconds != difference {
		// Passed on unchanged all the same: the file is the authority, the reader is told.
		w.Problems = append(w.Problems, fmt.Sprintf("window_seconds is %d, but query_start to query_end is %d s", w.WindowSeconds, difference))
	}
	return nil
}

func stamp(t time.Time) string { return t.Format(time.RFC3339Nano) }
