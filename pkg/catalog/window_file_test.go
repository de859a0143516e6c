package catalog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A window that stands in for a window file says so itself, wherever it is shown, and the file's problem says
// what stands in for it.
func TestRejectedWindowFile(t *testing.T) {
	t.Parallel()
	const base = `"query_start":"2026-08-13T14:59:55Z","query_end":"2026-08-13T15:00:24Z"`
	broken := map[string]string{
		"empty":            "",
		"cut off":          `{"start": "2026-`,
		"ends first":       `{"start":"2026-08-13T15:00:22Z","end":"2026-08-13T14:59:55Z"}`,
		"no zone":          `{"start":"2026-08-13T14:59:55","end":"2026-08-13T15:00:22"}`,
		"lasts 0 s":        `{"start":"2026-08-13T14:59:55Z","end":"2026-08-13T15:00:22Z",` + base + `,"window_seconds":0}`,
		"another object":   `{"a":1}`,
		"not even a value": `window`,
	}
	for name, text := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := replayed(map[string]string{"x/load/summary.json": rawLoad, "x/load/window.json": text, "x/bare/window.json": text,
				"x/functional/summary.json": rawFunctional, "x/functional/window.json": text}, "x/functional", 3, "generator")
			c, _, _ := tree(t, files)
			runs, _ := listed(t, c)
			for run, want := range map[string]struct {
				source  WindowSource
				instead string
			}{
				"x/load":       {SourceSummary, "inferred from the result's file time instead"},
				"x/functional": {SourcePairs, "taken from the pairs instead"},
				"x/bare":       {"", "no window is known"},
			} {
				r := runs[run]
				var message string
				for _, p := range r.Problems {
					if p.Path == run+"/window.json" {
						message = p.Message
					}
				}
				if !strings.Contains(message, want.instead) {
					t.Errorf("%s: problems are %v, want %q", run, r.Problems, want.instead)
				}
				if want.source == "" {
					continue
				}
				if r.Window == nil || r.Window.Source != want.source {
					t.Fatalf("%s: window is %+v, want one from %s", run, r.Window, want.source)
				}
				notes := strings.Join(r.Window.Notes, "; ")
				if !strings.Contains(notes, "window.json was rejected: ") || strings.Contains(notes, "no window.json") {
					t.Errorf("%s: notes are %q, want that window.json was rejected", run, notes)
				}
			}
		})
	}
}

// The whole span of a long run is read later than the listing; what became of window.json is still said.
func TestRejectedWindowFileOfManyPairs(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, note string }{
		"rejected": {`{"start":1}`, "window.json was rejected"},
		"none":     {"", "no window.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			if tc.file != "" {
				files["x/functional/window.json"] = tc.file
			}
			for i := range samplePairs + 10 {
				at := noon.Add(time.Duration(i) * time.Second)
				files["x/functional/localhost/"+pairName(at)] = pairAt(at, i, "IN", "generator", 40)
			}
			c, _, _ := tree(t, files)
			s, err := c.Side(t.Context(), "x")
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(s.Runs[0].Window.Notes, "; ")
			if !strings.Contains(notes, fmt.Sprintf("pairs read (%d)", samplePairs+10)) || !strings.Contains(notes, tc.note) {
				t.Errorf("notes are %q, want all pairs and %q", notes, tc.note)
			}
		})
	}
}

// What a window file says against itself is a problem of the run; the file is passed on unchanged.
func TestContradictionsOfAWindowFile(t *testing.T) {
	t.Parallel()
	c, _, _ := tree(t, map[string]string{"x/load/summary.json": rawLoad,
		"x/load/window.json": strings.Replace(labWindow, `"window_seconds":29`, `"window_seconds":300`, 1)})
	runs, _ := listed(t, c)
	r := runs["x/load"]
	if r.Window == nil || r.Window.WindowSeconds != 300 || r.Window.Source != SourceWindowFile {
		t.Fatalf("window is %+v, want the file's own 300 s", r.Window)
	}
	wantProblem(t, r, "conflict", "window_seconds is 300, but query_start to query_end is 29 s")
}
