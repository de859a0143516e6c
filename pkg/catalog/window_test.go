package catalog

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

func parsedWindow(t testing.TB, text string) *stated {
	t.Helper()
	w, err := proxymock.ParseWindow(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return &stated{window: w, path: "x/window.json"}
}

func TestChooseWindow(t *testing.T) {
	t.Parallel()
	clock := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, "2026-08-13T"+s+"Z")
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	pairs := &span{start: clock("15:00:00.25"), end: clock("15:00:00.75"), pairs: 3}
	summary := &figures{activeSeconds: 25.84, written: clock("15:00:30"), path: "x/summary.json", load: true, requests: 1200}
	cases := map[string]struct {
		file    *stated
		pairs   *span
		summary *figures
		source  WindowSource // empty: none
		start   string
		end     string
		query   string // query_end
		seconds int64
		unsure  float64
		derived int
		problem string
	}{
		"the file wins":        {file: parsedWindow(t, `{"start":"2026-08-13T14:59:55.2Z","end":"2026-08-13T15:00:22.3Z","query_start":"2026-08-13T14:59:55Z","query_end":"2026-08-13T15:00:24Z","window_seconds":29}`), pairs: pairs, summary: summary, source: SourceWindowFile, start: "14:59:55.2", end: "15:00:22.3", query: "15:00:24", seconds: 29},
		"as stated, odd":       {file: parsedWindow(t, `{"start":"2026-08-13T14:59:55.2Z","end":"2026-08-13T15:00:22.3Z","query_start":"2026-08-13T14:59:55Z","query_end":"2026-08-13T15:00:24Z","window_seconds":31}`), source: SourceWindowFile, start: "14:59:55.2", end: "15:00:22.3", query: "15:00:24", seconds: 31},
		"start and end only":   {file: parsedWindow(t, `{"start":"2026-08-13T14:59:55.2Z","end":"2026-08-13T15:00:22.3Z"}`), source: SourceWindowFile, start: "14:59:55.2", end: "15:00:22.3", query: "15:00:24", seconds: 29, derived: 3},
		"capture":              {file: parsedWindow(t, `{"capture_start":"2026-08-13T14:59:55.2Z","capture_end":"2026-08-13T15:00:22.3Z","query_start":"2026-08-13T14:59:55Z","query_end":"2026-08-13T15:00:28Z"}`), source: SourceWindowFile, start: "14:59:55.2", end: "15:00:22.3", query: "15:00:28", seconds: 33, derived: 1},
		"pairs outside":        {file: parsedWindow(t, `{"start":"2026-08-13T10:00:00Z","end":"2026-08-13T10:00:22Z"}`), pairs: pairs, source: SourceWindowFile, start: "10:00:00", end: "10:00:22", query: "10:00:24", seconds: 24, derived: 3, problem: "more than one run"},
		"pairs":                {pairs: pairs, source: SourcePairs, start: "15:00:00.25", end: "15:00:00.75", query: "15:00:02", seconds: 2, unsure: 0.001, derived: 3},
		"pairs are a sample":   {pairs: pairs, summary: summary, source: SourcePairs, start: "15:00:00.25", end: "15:00:00.75", query: "15:00:28", seconds: 54, unsure: 25.34, derived: 3},
		"one pair":             {pairs: &span{start: clock("15:00:00.25"), end: clock("15:00:00.25"), pairs: 1}, source: SourcePairs, start: "15:00:00.25", end: "15:00:00.251", query: "15:00:02", seconds: 2, unsure: 0.001, derived: 3},
		"summary":              {summary: summary, source: SourceSummary, start: "15:00:04.16", end: "15:00:30", query: "15:00:38", seconds: 40, unsure: 6, derived: 3},
		"nothing":              {},
		"summary without file": {summary: &figures{activeSeconds: 5}},
		"broken rate":          {summary: &figures{activeSeconds: 1e12, written: clock("15:00:30")}},
		"no active time":       {summary: &figures{activeSeconds: math.NaN(), written: clock("15:00:30")}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, problems := chooseWindow(tc.file, tc.pairs, tc.summary)
			if (tc.problem != "") != (len(problems) > 0) || (tc.problem != "" && !strings.Contains(problems[0].Message, tc.problem)) {
				t.Errorf("problems are %v, want %q", problems, tc.problem)
			}
			if tc.source == "" {
				if w != nil {
					t.Errorf("window is %+v, want none", w)
				}
				return
			}
			if w == nil {
				t.Fatal("no window")
			}
			if w.Source != tc.source || !w.Start.Equal(clock(tc.start)) || !w.End.Equal(clock(tc.end)) || !w.QueryEnd.Equal(clock(tc.query)) ||
				w.WindowSeconds != tc.seconds || math.Abs(w.Uncertainty-tc.unsure) > 1e-9 || len(w.Derived) != tc.derived {
				t.Errorf("window is %+v", w)
			}
			if w.Source != SourceWindowFile && len(w.Notes) == 0 {
				t.Error("an inferred window carries no note")
			}
		})
	}
}

// Whatever is known of a run, its window has a length, its query covers it with its uncertainty, a better
// source is never passed over, and what the file states is never changed.
func TestWindowRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := time.Date(2026, 8, 13, 12, 0, 0, 0, time.UTC)
		instant := func(name string) time.Time {
			return base.Add(time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, name)))
		}
		var file *stated
		if rapid.Bool().Draw(t, "file") {
			start := instant("start")
			end := start.Add(time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "length")))
			if w, err := proxymock.ParseWindow(strings.NewReader(`{"start":"` + start.Format(time.RFC3339Nano) + `","end":"` + end.Format(time.RFC3339Nano) + `"}`)); err == nil {
				file = &stated{window: w}
			}
		}
		var pairs *span
		if rapid.Bool().Draw(t, "pairs") {
			start := instant("first pair")
			pairs = &span{start: start, end: start.Add(time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "span"))), pairs: rapid.IntRange(1, 5000).Draw(t, "count")}
		}
		var summary *figures
		if rapid.Bool().Draw(t, "summary") {
			summary = &figures{activeSeconds: rapid.Float64Range(1e-3, 3600).Draw(t, "active"), written: instant("written"),
				load: rapid.Bool().Draw(t, "load"), requests: rapid.Int64Range(1, 20000).Draw(t, "requests")}
		}
		w, _ := chooseWindow(file, pairs, summary)
		want := WindowSource("")
		switch {
		case file != nil:
			want = SourceWindowFile
		case pairs != nil:
			want = SourcePairs
		case summary != nil:
			want = SourceSummary
		}
		if (w == nil) != (want == "") {
			t.Fatalf("window %+v, want one from %q", w, want)
		}
		if w == nil {
			return
		}
		u := time.Duration(w.Uncertainty * float64(time.Second))
		switch {
		case w.Source != want:
			t.Fatalf("source %s, want %s", w.Source, want)
		case !w.End.After(w.Start):
			t.Fatalf("%s to %s has no length", w.Start, w.End)
		case w.WindowSeconds < 1:
			t.Fatalf("%d seconds cannot be asked for", w.WindowSeconds)
		case w.QueryStart.After(w.Start.Add(-u)) || w.QueryEnd.Before(w.End.Add(u)):
			t.Fatalf("the query %s to %s does not cover %s to %s with %s", w.QueryStart, w.QueryEnd, w.Start, w.End, u)
		case !w.QueryStart.Equal(w.QueryStart.Truncate(time.Second)) || !w.QueryEnd.Equal(w.QueryEnd.Truncate(time.Second)):
			t.Fatalf("the query %s to %s is not in whole seconds", w.QueryStart, w.QueryEnd)
		case w.QueryEnd.Sub(w.QueryStart) != time.Duration(w.WindowSeconds)*time.Second:
			t.Fatalf("%d s between %s and %s", w.WindowSeconds, w.QueryStart, w.QueryEnd)
		case file != nil && (!w.Start.Equal(file.window.Start) || !w.End.Equal(file.window.End) || w.Uncertainty != 0):
			t.Fatalf("the file's window was changed: %+v", w)
		}
	})
}

func FuzzParseSideFile(f *testing.F) {
	for _, seed := range []string{
		`{"label":"a","pools":{"db":5},"workload":{"users":8,"passes":150,"recording":"proxymock/recording"},"harness":{"name":"x"},"dependency":{"mocked":true}}`,
		`null`, `{}`, `[]`, `{"pools":{"a":-1}}`, `{"pools":{"a":1e309}}`, `{"workload":null}`, `{"label":`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSideFile(bytes.NewReader(data))
		if (s == nil) == (err == nil) {
			t.Fatalf("side %v with error %v", s, err)
		}
		if s == nil {
			return
		}
		for name, size := range s.Pools {
			if !(size > 0) || math.IsInf(size, 0) {
				t.Fatalf("pool %q of size %v was accepted", name, size)
			}
		}
		both, conflicts := merge(s, s)
		if len(conflicts) != 0 || both == nil {
			t.Fatalf("a side contradicts itself: %v", conflicts)
		}
	})
}

// Any window file and any pair times give a window that can be asked for, or none.
func FuzzChooseWindow(f *testing.F) {
	f.Add([]byte(labWindow), int64(1_786_000_000_000_000_000), int64(1_000_000), 25.8, int64(1200))
	f.Add([]byte(`{}`), int64(0), int64(0), 0.0, int64(0))
	f.Add([]byte(`{"start":"2026-08-13T14:59:55Z"}`), int64(-5), int64(9), -1.0, int64(3))
	f.Fuzz(func(t *testing.T, file []byte, first, length int64, active float64, requests int64) {
		var s *stated
		if w, err := proxymock.ParseWindow(bytes.NewReader(file)); err == nil {
			s = &stated{window: w}
		}
		start := time.Unix(0, first).UTC()
		var pairs *span
		if length >= 0 && length < int64(24*time.Hour) {
			pairs = &span{start: start, end: start.Add(time.Duration(length)), pairs: 1}
		}
		w, _ := chooseWindow(s, pairs, &figures{activeSeconds: active, written: start, requests: requests, load: true})
		if w == nil {
			return
		}
		if !w.End.After(w.Start) || w.WindowSeconds < 1 || math.IsNaN(w.Uncertainty) || math.IsInf(w.Uncertainty, 0) || w.Uncertainty < 0 {
			t.Fatalf("window %+v cannot be asked for", w)
		}
	})
}
