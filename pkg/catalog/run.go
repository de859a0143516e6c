package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// build reads the files of one run, apart from its pairs, of which only a sample is read: enough to say
// what the run is and when it was. One bad file costs only itself.
func (c *Catalog) build(ctx context.Context, root Root, f *found, tok string) (*Run, error) {
	r := &Run{ID: path.Join(root.Name(), f.path), Root: root.Name(), Path: f.path, Problems: append([]Problem{}, f.passed...), Token: tok,
		PairFiles: len(f.pairs), pairs: f.pairs, maybe: f.maybe}
	sort.Slice(r.pairs, func(i, j int) bool { return r.pairs[i].name() < r.pairs[j].name() })
	b := builder{catalog: c, root: root, run: r}
	for _, step := range []func(context.Context, *found) error{b.results, b.window, b.verdict, b.sample} {
		if err := step(ctx, f); err != nil {
			return nil, fmt.Errorf("reading run %s: %w", r.ID, err)
		}
	}
	for _, e := range f.own {
		if isLogName(e.name()) {
			r.Logs = append(r.Logs, e.path)
		}
	}
	b.choose()
	return r, nil
}

// builder collects what the files of one run say.
type builder struct {
	catalog *Catalog
	root    Root
	run     *Run

	raw, flat *proxymock.Result
	rawFile   entry
	flatFile  entry
	failed    bool
	stated    *stated
	// rejected is the first window file that is there and could not be used.
	rejected string
	// foreign are result files by name that hold another kind of object.
	foreign []entry
	sampled []Pair
	partly  bool
}

func (b *builder) add(p ...Problem) { b.run.Problems = append(b.run.Problems, p...) }

// read opens one file of the root and hands it to a parser; the error of the parser becomes a problem.
// It returns an error only when the context ended.
func (b *builder) read(ctx context.Context, e entry, parse func(io.Reader) error) (bool, error) {
	err := b.catalog.parseFile(ctx, b.root, e.path, parse)
	if err == nil {
		return true, nil
	}
	p, ok := problemOf(e.path, err)
	if !ok {
		return false, err
	}
	b.add(p)
	return false, nil
}

// results reads every file that may be a replay result. The raw layout has all figures per endpoint, the
// flattened one has the exit code: both are kept.
func (b *builder) results(ctx context.Context, f *found) error {
	files := make([]entry, 0, 4)
	for _, e := range f.own {
		if isResultName(e.name()) {
			files = append(files, e)
		}
	}
	sort.SliceStable(files, func(i, j int) bool { return resultRank(files[i].name()) < resultRank(files[j].name()) })
	for _, e := range files {
		var result *proxymock.Result
		ok, err := b.read(ctx, e, func(r io.Reader) (err error) {
			result, err = proxymock.ParseResult(r)
			return err
		})
		if err != nil {
			return err
		}
		if ok {
			b.take(e, result)
		}
	}
	return nil
}

// resultRank orders candidates: the script's raw file, the usual summary, redirects, a tripped gate last.
func resultRank(name string) int {
	switch {
	case name == resultJSONName:
		return 0
	case name == summaryName:
		return 1
	case strings.HasPrefix(name, "failed"):
		return 3
	}
	return 2
}

func (b *builder) take(e entry, result *proxymock.Result) {
	for _, text := range result.Problems {
		b.add(problem(e.path, codeConflict, "%s", text))
	}
	if n := len(result.SkippedLines); n > 0 {
		b.add(problem(e.path, codeNote, "%s before the result: passed over, the first: %q", proxymock.Counted(n, "line", "lines"), result.SkippedLines[0]))
	}
	if n := result.ContextCanceledLines; n > 0 && result.Aggregate != nil && result.Aggregate.Failed != nil && *result.Aggregate.Failed > 0 {
		b.add(problem(e.path, codeNote, "%s beside %s of \"context canceled\": older builds count their own teardown as failures",
			proxymock.Counted(*result.Aggregate.Failed, "failed request", "failed requests"), proxymock.Counted(n, "line", "lines")))
	}
	switch result.Shape {
	case proxymock.ShapeRaw:
		switch {
		case b.raw == nil:
			b.raw, b.rawFile = result, e
			b.failed = strings.HasPrefix(e.name(), "failed")
		case strings.HasPrefix(e.name(), "failed"):
			b.add(problem(e.path, codeConflict, "a summary of a failed run lies beside %s: one of them is left from another run; remove the folder and repeat the run", b.rawFile.name()))
		case !sameTotals(b.raw, result):
			b.add(problem(e.path, codeConflict, "%s and %s state different totals; %s is used", b.rawFile.name(), e.name(), b.rawFile.name()))
		}
	case proxymock.ShapeFlattened:
		if b.flat == nil {
			b.flat, b.flatFile = result, e
		}
	case proxymock.ShapeTuning:
		b.run.Mock = result.Mock
	case proxymock.ShapeSnapshot:
		b.foreign = append(b.foreign, e)
	}
}

func sameTotals(a, b *proxymock.Result) bool {
	return a.Aggregate == nil || b.Aggregate == nil || a.Aggregate.Total == nil || b.Aggregate.Total == nil ||
		*a.Aggregate.Total == *b.Aggregate.Total
}

func (b *builder) window(ctx context.Context, f *found) error {
	for _, name := range []string{windowName, profileWindowName} {
		if p := path.Join(f.path, name); b.rejected == "" && slices.ContainsFunc(f.passed, func(q Problem) bool { return q.Path == p }) {
			b.rejected = p
		}
		for _, e := range f.own {
			if e.name() != name || b.stated != nil {
				continue
			}
			var w *proxymock.Window
			ok, err := b.read(ctx, e, func(r io.Reader) (err error) {
				w, err = proxymock.ParseWindow(r)
				return err
			})
			if err != nil {
				return err
			}
			switch {
			case ok:
				b.stated = &stated{window: w, path: e.path}
				for _, text := range w.Problems {
					b.add(problem(e.path, codeConflict, "%s", text))
				}
			case b.rejected == "":
				b.rejected = e.path
			}
		}
	}
	return nil
}

func (b *builder) verdict(ctx context.Context, f *found) error {
	for _, e := range f.own {
		if e.name() != verdictName {
			continue
		}
		ok, err := b.read(ctx, e, func(r io.Reader) (err error) {
			b.run.Verdict, err = proxymock.ParseVerdict(r)
			return err
		})
		if err != nil {
			return err
		}
		if !ok {
			b.run.Verdict = nil
			continue
		}
		for _, text := range b.run.Verdict.Problems {
			b.add(problem(e.path, codeConflict, "%s", text))
		}
	}
	return nil
}

// samplePairs is how many pair files the listing reads of a run; a run with no more is read whole.
const samplePairs = 48

// sample reads pairs for classification and, without a window file, for the run's bounds.
func (b *builder) sample(ctx context.Context, _ *found) error {
	files := b.run.pairs
	if len(files) == 0 {
		return nil
	}
	limit := samplePairs
	if b.stated != nil {
		limit = 12
	}
	picked := spread(files, limit)
	b.partly = len(picked) < len(files)
	pairs, problems, err := b.catalog.readPairs(ctx, b.root, picked, nil)
	if err != nil {
		return err
	}
	b.sampled = pairs
	b.add(problems...)
	return nil
}

// spread picks at most n files: of every folder the first and the last, then evenly spaced ones.
func spread(files []entry, n int) []entry {
	if len(files) <= n {
		return files
	}
	want := map[int]bool{}
	byFolder := map[string][]int{}
	var folders []string
	for i, e := range files {
		d := path.Dir(e.path)
		if byFolder[d] == nil {
			folders = append(folders, d)
		}
		byFolder[d] = append(byFolder[d], i)
	}
	sort.Strings(folders)
	for _, d := range folders[:min(len(folders), n/2)] {
		want[byFolder[d][0]] = true
		want[byFolder[d][len(byFolder[d])-1]] = true
	}
	for k := 0; k < n && len(want) < n; k++ {
		want[k*(len(files)-1)/max(n-1, 1)] = true
	}
	picked := make([]entry, 0, len(want))
	for i, e := range files {
		if want[i] {
			picked = append(picked, e)
		}
	}
	return picked
}

// parseFile opens one file and parses it.
func (c *Catalog) parseFile(ctx context.Context, root Root, name string, parse func(io.Reader) error) (err error) {
	file, err := root.Open(ctx, name)
	if err != nil {
		return err // names operation, root and path
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return parse(file)
}
