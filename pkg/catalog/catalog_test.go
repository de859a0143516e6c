package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func hasProblem(problems []Problem, code, text string) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Code == code && strings.Contains(p.Message, text) })
}

// A run is what its files are, whatever its directory is called.
func TestClassification(t *testing.T) {
	t.Parallel()
	type files = map[string]string
	cases := map[string]struct {
		files files
		run   string
		kind  Kind
		side  string
		check func(t *testing.T, r Run)
	}{
		"load":                  {files{"x/load/summary.json": rawLoad}, "x/load", KindLoad, "r/x", nil},
		"functional":            {files{"x/load/summary.json": rawFunctional}, "x/load", KindFunctional, "r/x", nil},
		"replayed that is load": {files{"replayed-1/summary.json": rawLoad}, "replayed-1", KindLoad, "r/replayed-1", nil},
		"verdict alone":         {files{"x/run/replay-verdict.json": `{"schemaVersion":1,"verdict":"pass","pairs":[],"gate":{"enabled":true,"exitCode":3}}`}, "x/run", KindFunctional, "r/x/run", func(t *testing.T, r Run) { wantGate(t, r, true) }},
		"replayed pairs":        {replayed(files{}, "replayed-2", 3, "generator"), "replayed-2", KindFunctional, "r/replayed-2", nil},
		"recording":             {replayed(files{}, "results/stmt-slow0", 3, "goproxy"), "results/stmt-slow0", KindRecording, "r/results/stmt-slow0", nil},
		"mock pairs":            {replayed(files{}, "x/mock", 3, "responder"), "x/mock", KindMock, "r/x", nil},
		"tuning summary": {files{"tuning/checkpoints/1/summary.json": tuningSummary}, "tuning/checkpoints/1", KindMock, "r/tuning/checkpoints/1", func(t *testing.T, r Run) {
			if r.Result != nil || r.Mock == nil || r.Mock.Misses != 1 {
				t.Errorf("result %v, mock %+v; want counts and no replay result", r.Result, r.Mock)
			}
		}},
		"snapshot summary": {replayed(files{"snapshot-1/summary.json": snapshotSummary}, "snapshot-1", 2, "goproxy"), "snapshot-1", KindRecording, "r/snapshot-1", func(t *testing.T, r Run) {
			if r.Result != nil {
				t.Error("a snapshot's summary was taken for a result")
			}
			wantProblem(t, r, "note", "no replay result of a known layout")
		}},
		"raw and flattened": {files{"load-slow0/result.json": rawLoad, "load-slow0/summary.json": flatLoad(1, 1200)}, "load-slow0", KindLoad, "r/load-slow0", func(t *testing.T, r Run) {
			if r.ResultFile != "load-slow0/result.json" || *r.Result.Endpoints[0].Latency.P95 != 173 {
				t.Errorf("figures are from %s, want the raw file for its endpoints", r.ResultFile)
			}
			wantGate(t, r, true)
		}},
		"flattened alone": {files{"load-slow1/summary.json": flatLoad(0, 16320)}, "load-slow1", KindLoad, "r/load-slow1", func(t *testing.T, r Run) { wantGate(t, r, false) }},
		"raw and flattened disagree": {files{"l/result.json": rawLoad, "l/summary.json": flatLoad(0, 7)}, "l", KindLoad, "r/l", func(t *testing.T, r Run) {
			wantProblem(t, r, "conflict", "different totals")
		}},
		"two raw results": {files{"l/result.json": rawLoad, "l/summary.json": strings.ReplaceAll(rawLoad, "1200", "7")}, "l", KindLoad, "r/l", func(t *testing.T, r Run) {
			if r.ResultFile != "l/result.json" {
				t.Errorf("figures are from %s", r.ResultFile)
			}
			wantProblem(t, r, "conflict", "different totals")
		}},
		"tripped gate": {files{"x/functional/failed-summary.json": rawFunctional}, "x/functional", KindFunctional, "r/x", func(t *testing.T, r Run) { wantGate(t, r, true) }},
		"left-over of a tripped gate": {files{"x/functional/failed-summary.json": rawFunctional, "x/functional/summary.json": rawFunctional}, "x/functional", KindFunctional, "r/x", func(t *testing.T, r Run) {
			wantGate(t, r, false)
			wantProblem(t, r, "conflict", "left from another run")
		}},
		"interrupted": {files{"x/load/summary.json": ""}, "x/load", KindUnknown, "r/x", func(t *testing.T, r Run) {
			wantProblem(t, r, "incomplete", "")
		}},
		"window alone": {files{"x/load/window.json": labWindow}, "x/load", KindUnknown, "r/x", func(t *testing.T, r Run) {
			wantProblem(t, r, "missing", "did not finish")
		}},
		"summary of another shape": {files{"x/load/summary.json": `{"throughput":1}`, "x/load/window.json": labWindow}, "x/load", KindUnknown, "r/x", func(t *testing.T, r Run) {
			wantProblem(t, r, "unsupported", "no replay result of a known layout")
			wantProblem(t, r, "missing", "no result or pairs that could be read")
		}},
		"noise before the result": {files{"x/load/summary.json": "could not complete request: context canceled\n" + rawLoad}, "x/load", KindLoad, "r/x", func(t *testing.T, r Run) {
			wantProblem(t, r, "note", "context canceled")
		}},
		"redirect":                   {files{"runs/load-a.json": rawLoad}, "runs", KindLoad, "r/runs", nil},
		"two redirects are two runs": {files{"runs/load-a.json": rawLoad, "runs/load-b.json": rawFunctional}, "runs/load-b.json", KindFunctional, "r/runs/load-b.json", nil},
		"described parent":           {files{"x/side.json": `{"label":"X"}`, "x/anything/summary.json": rawLoad}, "x/anything", KindLoad, "r/x", nil},
		"described run":              {files{"x/side.json": `{"label":"X"}`, "x/load-slow0/side.json": `{}`, "x/load-slow0/summary.json": rawLoad}, "x/load-slow0", KindLoad, "r/x/load-slow0", nil},
		"repeat":                     {files{"x/load-2/summary.json": rawLoad}, "x/load-2", KindLoad, "r/x", nil},
		"suite tooling":              {files{"orders/reads/IN-8a5ddede-6f59-4af3-9800-93f858cea9b4Z.json": pairAt(noon, 1, "IN", "goproxy", 1)}, "orders/reads", KindRecording, "r/orders/reads", nil},
		"pair lines":                 {files{"cloud/raw.jsonl": pairAt(noon, 1, "IN", "goproxy", 1) + "\n{\"other\":1}\n"}, "cloud", KindRecording, "r/cloud", nil},
		"mixed folder": {replayed(files{"m/localhost/" + pairName(noon.Add(time.Hour)): pairAt(noon.Add(time.Hour), 99, "IN", "goproxy", 1)}, "m", 3, "generator"), "m", KindFunctional, "r/m", func(t *testing.T, r Run) {
			wantProblem(t, r, "conflict", "mixes 3 replayed, 1 recorded")
		}},
		"two replays in one folder": {files{
			"x/functional/summary.json":                                 rawFunctional,
			"x/functional/localhost/" + pairName(noon):                  pairAt(noon, 1, "IN", "generator", 1),
			"x/functional/localhost/" + pairName(noon.Add(2*time.Hour)): pairAt(noon.Add(2*time.Hour), 2, "IN", "generator", 1),
		}, "x/functional", KindFunctional, "r/x", func(t *testing.T, r Run) { wantProblem(t, r, "conflict", "2 stretches of time") }},
		"window of another run": {replayed(files{"x/functional/summary.json": rawFunctional, "x/functional/window.json": labWindow}, "x/functional", 3, "generator"), "x/functional", KindFunctional, "r/x", func(t *testing.T, r Run) {
			wantProblem(t, r, "conflict", "files of more than one run")
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _, _ := tree(t, tc.files)
			runs, sides := listed(t, c)
			r, ok := runs[tc.run]
			if !ok {
				t.Fatalf("no run %s among %v", tc.run, sides)
			}
			if r.Kind != tc.kind || sides[tc.run] != tc.side || r.ID != "r/"+tc.run {
				t.Errorf("run %s is %s in side %s, want %s in %s", r.ID, r.Kind, sides[tc.run], tc.kind, tc.side)
			}
			if tc.check != nil {
				tc.check(t, r)
			}
		})
	}
}

func wantGate(t *testing.T, r Run, failed bool) {
	t.Helper()
	if r.GateFailed != failed {
		t.Errorf("gate failed is %v, want %v", r.GateFailed, failed)
	}
}

func wantProblem(t *testing.T, r Run, code, text string) {
	t.Helper()
	if !hasProblem(r.Problems, code, text) {
		t.Errorf("problems are %v, want %s with %q", r.Problems, code, text)
	}
}

// What is not a run stays out of the list.
func TestIgnored(t *testing.T) {
	t.Parallel()
	c, _, _ := tree(t, map[string]string{
		"x/load/summary.json":                      rawLoad,
		"x/load/.summary.json.tmp":                 "{",
		"x/load/half-summary.json.tmp":             "{",
		"recording/responses/result.json":          rawLoad,
		".metadata/summary.json":                   rawLoad,
		"recording/blueprints/summary.json":        rawLoad,
		"notes/readme.md":                          "hello",
		"evidence/broken.jsonl":                    "# captured\n{\"sku\":1}\n",
		"proxymock/.proxymock/replay-configs.json": "[]",
	})
	runs, _ := listed(t, c)
	if len(runs) != 1 || len(runs["x/load"].Problems) != 0 {
		t.Errorf("runs are %v, want x/load alone and without problems", runs)
	}
}

// Unchanged files are not read again; a changed one is.
func TestListingIsCachedByToken(t *testing.T) {
	t.Parallel()
	c, root, dir := tree(t, map[string]string{"a/load/summary.json": rawLoad, "b/load/summary.json": rawLoad})
	before, _ := listed(t, c)
	first := root.opened.Load()
	if again, _ := listed(t, c); root.opened.Load() != first || again["a/load"].Token != before["a/load"].Token {
		t.Errorf("%d files were opened for an unchanged listing", root.opened.Load()-first)
	}
	write(t, dir, "a/load/summary.json", rawFunctional)
	after, _ := listed(t, c)
	if root.opened.Load() != first+1 {
		t.Errorf("%d files were opened after one changed, want 1", root.opened.Load()-first)
	}
	if after["a/load"].Kind != KindFunctional || after["a/load"].Token == before["a/load"].Token || after["b/load"].Token != before["b/load"].Token {
		t.Errorf("run is %+v after the change", after["a/load"])
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	c, _, _ := tree(t, map[string]string{
		"one/results/baseline/load/summary.json":  rawLoad,
		"one/results/candidate/load/summary.json": rawLoad,
		"two/results/baseline/load/summary.json":  rawLoad,
		"two/load-slow0/summary.json":             rawLoad,
		"two/load-slow0/side.json":                `{"label":"slow=0","pools":{"db":5}}`,
		"two/stmt-slow0/summary.json":             rawFunctional,
		"two/stmt-slow0/side.json":                `{"label":"statements","pools":{"db":6},"version":"v1"}`,
		"a+b/load/summary.json":                   rawLoad,
		"one/stmt-slow0/summary.json":             rawFunctional,
	})
	cases := map[string]struct {
		ref   string
		id    string
		fails string
	}{
		"whole id":           {"r/one/results/baseline", "r/one/results/baseline", ""},
		"path":               {"one/results/baseline", "r/one/results/baseline", ""},
		"suffix":             {"candidate", "r/one/results/candidate", ""},
		"trailing slash":     {"candidate/", "r/one/results/candidate", ""},
		"ambiguous":          {"baseline", "", "ambiguous"},
		"unknown":            {"nothing", "", "unknown"},
		"part of a name":     {"line", "", "unknown"},
		"empty":              {"", "", "unknown"},
		"combined":           {"load-slow0+stmt-slow0", "r/two/load-slow0+two/stmt-slow0", ""},
		"combined neighbour": {"two/load-slow0+stmt-slow0", "r/two/load-slow0+two/stmt-slow0", ""},
		"combined unknown":   {"load-slow0+nothing", "", "unknown"},
		"combined twice":     {"load-slow0+load-slow0", "r/two/load-slow0", ""},
		"plus in a name":     {"a+b", "r/a+b", ""},
		"leaving the root":   {"../secret", "", "unknown"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := c.Side(t.Context(), tc.ref)
			if tc.fails != "" {
				var unknown *UnknownSideError
				var ambiguous *AmbiguousSideError
				if got := map[string]bool{"unknown": errors.As(err, &unknown), "ambiguous": errors.As(err, &ambiguous)}; !got[tc.fails] {
					t.Errorf("error is %v, want it %s", err, tc.fails)
				}
				return
			}
			if err != nil || s.ID != tc.id {
				t.Errorf("got %v, %v; want %s", s, err, tc.id)
			}
		})
	}
	_, err := c.Side(t.Context(), "baseline")
	var ambiguous *AmbiguousSideError
	if !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 {
		t.Errorf("error is %v, want both candidates in it", err)
	}
	s, err := c.Side(t.Context(), "load-slow0+stmt-slow0")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Runs) != 2 || s.Declared.Pools["db"] != 5 || s.Declared.Version != "v1" || !hasProblem(s.Problems, "conflict", "pool db is 5 and 6") {
		t.Errorf("combined side is %+v with problems %v", s.Declared, s.Problems)
	}
}

func TestRunAtAndOpenEvidence(t *testing.T) {
	t.Parallel()
	files := replayed(map[string]string{"x/baseline/load/summary.json": rawLoad, "x/evidence.json": "{}"}, "x/recording", 2, "goproxy")
	c, _, _ := tree(t, files)
	r, err := c.RunAt(t.Context(), "r", "x/recording/")
	if err != nil || r.Kind != KindRecording || r.PairFiles != 2 {
		t.Errorf("run is %+v, %v", r, err)
	}
	for _, bad := range []string{"x/nothing", "../x", "x"} {
		if _, err := c.RunAt(t.Context(), "r", bad); err == nil {
			t.Errorf("a run was found at %q", bad)
		}
	}
	if _, err := c.RunAt(t.Context(), "r", "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %v, want that nothing is there", err)
	}
	var unknown *UnknownRootError
	if _, err := c.RunAt(t.Context(), "q", "x"); !errors.As(err, &unknown) {
		t.Errorf("error is %v, want an unknown root", err)
	}
	s, err := c.Side(t.Context(), "baseline")
	if err != nil {
		t.Fatal(err)
	}
	file, name, err := c.OpenEvidence(t.Context(), s)
	if err != nil || name != "x/evidence.json" {
		t.Fatalf("found %s, %v", name, err)
	}
	data, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil || string(data) != "{}" {
		t.Errorf("evidence is %q, %v", data, err)
	}
	other, _, _ := tree(t, map[string]string{"y/load/summary.json": rawLoad})
	s, err = other.Side(t.Context(), "y")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.OpenEvidence(t.Context(), s); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %v, want none found", err)
	}
}

// One unreadable root, one bad file, one bad side.json: nothing else is lost.
func TestOneFaultCostsOnlyItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gone := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(gone, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "a/load/summary.json", rawLoad)
	write(t, dir, "a/side.json", `{"pools":{"db":-1}}`)
	write(t, dir, "b/load/summary.json", `{"endpoints":`)
	write(t, dir, "c/side.json", `{"label":"nothing here"}`)
	root := openRoot(t, "gone", gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	c := New([]Root{root, openRoot(t, "r", dir)}, Options{})
	listing, err := c.Sides(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(listing.Sides) != 2 || listing.Roots[0].Err == nil || listing.Roots[1].Err != nil || listing.Roots[1].Runs != 2 {
		t.Errorf("roots %+v, sides %d", listing.Roots, len(listing.Sides))
	}
	if !hasProblem(listing.Sides[0].Problems, "unreadable", `pool "db"`) || listing.Sides[0].Declared != nil {
		t.Errorf("side a: %+v", listing.Sides[0])
	}
	if !hasProblem(listing.Sides[1].Runs[0].Problems, "incomplete", "") {
		t.Errorf("side b: %+v", listing.Sides[1].Runs[0].Problems)
	}
	if !hasProblem(listing.Problems, "missing", "side without runs") {
		t.Errorf("problems: %v", listing.Problems)
	}
	if _, err := c.Side(t.Context(), "nowhere"); err == nil || !strings.Contains(err.Error(), "root gone could not be listed") {
		t.Errorf("error is %v, want the unreadable root named", err)
	}
}

func TestListingStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 20 {
		write(t, dir, fmt.Sprintf("s%02d/load/summary.json", i), rawLoad)
	}
	c := New([]Root{openRoot(t, "r", dir)}, Options{MaxDirs: 10})
	listing, err := c.Sides(t.Context())
	if err != nil || !hasProblem(listing.Problems, "limit", "the listing stopped at") {
		t.Errorf("problems %v, error %v", listing.Problems, err)
	}
}
