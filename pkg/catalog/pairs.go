package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"sort"

	"golang.org/x/sync/errgroup"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// Pair is one pair with the file it came from.
type Pair struct {
	*proxymock.Pair
	// Path is the file, relative to the root.
	Path string
}

// pairSet is what a run's pair files hold.
type pairSet struct {
	pairs    []Pair
	problems []Problem
	bytes    int64
}

// Pairs reads the pairs of a run: with bounded concurrency, one per uuid, in order of time and then of
// the capture sequence. Files that cannot be read, dropped duplicates and the cap of Options.MaxPairs are
// reported as problems. The result is cached by the run's token; callers must not change it.
func (c *Catalog) Pairs(ctx context.Context, run *Run) ([]Pair, []Problem, error) {
	set, err := c.pairSet(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	return set.pairs, set.problems, nil
}

func (c *Catalog) pairSet(ctx context.Context, run *Run) (*pairSet, error) {
	key := run.ID + "\x00" + run.Token
	if set, ok := c.pairCache.Get(key); ok {
		return set, nil
	}
	root, err := c.root(run.Root)
	if err != nil {
		return nil, err
	}
	set := &pairSet{}
	files := run.pairs
	if len(files) > c.opts.MaxPairs {
		set.problems = append(set.problems, problem(run.Path, codeLimit, "%d pair files are more than the limit of %d; the earliest by name were read", len(files), c.opts.MaxPairs))
		files = files[:c.opts.MaxPairs]
	}
	maybe := run.maybe[:min(len(run.maybe), max(0, c.opts.MaxPairs-len(files)))]
	for _, e := range append(append([]entry(nil), files...), maybe...) {
		set.bytes += e.size
	}
	pairs, problems, err := c.readPairs(ctx, root, files, maybe)
	if err != nil {
		return nil, fmt.Errorf("reading the pairs of %s: %w", run.ID, err)
	}
	var dropped []string
	set.pairs, dropped = unique(pairs)
	set.problems = append(set.problems, problems...)
	if len(dropped) > 0 {
		set.problems = append(set.problems, problem(dropped[0], codeDuplicate, "%s with a uuid that another file already has: dropped", proxymock.Counted(len(dropped), "pair", "pairs")))
	}
	if len(set.pairs) > c.opts.MaxPairs {
		set.problems = append(set.problems, problem(run.Path, codeLimit, "%d pairs are more than the limit of %d; the earliest were kept", len(set.pairs), c.opts.MaxPairs))
		set.pairs = set.pairs[:c.opts.MaxPairs]
	}
	if set.bytes <= c.opts.MaxCachedPairBytes {
		c.pairCache.Add(key, set)
	}
	return set, nil
}

// readPairs parses files, and of maybe those that turn out to be pairs, and returns them sorted.
func (c *Catalog) readPairs(ctx context.Context, root Root, files, maybe []entry) ([]Pair, []Problem, error) {
	type outcome struct {
		pairs    []Pair
		problems []Problem
	}
	all := append(append([]entry(nil), files...), maybe...)
	outcomes := make([]outcome, len(all))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.opts.Concurrency)
	for i, e := range all {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			pairs, problems, err := c.readPairFile(ctx, root, e, i < len(files))
			outcomes[i] = outcome{pairs, problems}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	var (
		pairs    []Pair
		problems []Problem
	)
	for _, o := range outcomes {
		pairs = append(pairs, o.pairs...)
		problems = append(problems, o.problems...)
	}
	sortPairs(pairs)
	return pairs, problems, nil
}

// readPairFile parses one file. A file that only may be a pair (named is false) is passed over in silence
// when it is none.
func (c *Catalog) readPairFile(ctx context.Context, root Root, e entry, named bool) ([]Pair, []Problem, error) {
	var (
		pairs    []Pair
		problems []Problem
	)
	err := c.parseFile(ctx, root, e.path, func(r io.Reader) error {
		if !isLines(e.name()) {
			p, err := proxymock.ParsePair(r, formOf(e.name()))
			if err == nil {
				pairs = append(pairs, Pair{Pair: p, Path: e.path})
			}
			return err
		}
		for p, err := range proxymock.ParsePairLines(r) {
			var line *proxymock.LineError
			switch {
			case err == nil:
				pairs = append(pairs, Pair{Pair: p, Path: e.path})
			case errors.As(err, &line):
				problems = append(problems, problem(e.path, codeUnreadable, "%v", line))
			default:
				return err
			}
		}
		return nil
	})
	if err == nil || (!named && errors.Is(err, proxymock.ErrNotPair)) {
		return pairs, problems, nil
	}
	p, ok := problemOf(e.path, err)
	if !ok {
		return nil, nil, err
	}
	return pairs, append(problems, p), nil
}

func formOf(name string) proxymock.PairForm {
	switch path.Ext(name) {
	case ".json":
		return proxymock.FormJSON
	case ".md":
		return proxymock.FormMarkdown
	}
	return proxymock.FormAuto
}

// sortPairs orders by time, then by capture sequence, then by file, so that the order never depends on
// how a directory was listed.
func sortPairs(pairs []Pair) {
	sequence := func(p Pair) int64 {
		if p.Sequence == nil {
			return -1
		}
		return *p.Sequence
	}
	sort.SliceStable(pairs, func(i, j int) bool {
		a, b := pairs[i], pairs[j]
		switch {
		case !a.TS.Equal(b.TS):
			return a.TS.Before(b.TS)
		case sequence(a) != sequence(b):
			return sequence(a) < sequence(b)
		}
		return a.Path < b.Path
	})
}

// unique keeps the first pair of each uuid; the names of files are no identity. It returns the paths of
// what was dropped.
func unique(pairs []Pair) (kept []Pair, dropped []string) {
	seen := make(map[string]bool, len(pairs))
	for _, p := range pairs {
		if p.UUID != "" && seen[p.UUID] {
			dropped = append(dropped, p.Path)
			continue
		}
		seen[p.UUID] = true
		kept = append(kept, p)
	}
	return kept, dropped
}

// spanOf bounds a run by the pairs of its own kind: min(ts) to max(ts + duration). nil without any.
func spanOf(pairs []Pair, sampled bool, kind Kind) *span {
	var s span
	for _, p := range pairs {
		if p.TS.IsZero() || !ofKind(p, kind) {
			continue
		}
		if s.pairs++; s.pairs == 1 || p.TS.Before(s.start) {
			s.start = p.TS
		}
		if end := p.End(); end.After(s.end) {
			s.end = end
		}
	}
	if s.pairs == 0 {
		return nil
	}
	s.sampled = sampled
	return &s
}

// ofKind says whether a pair was written by the program that makes runs of this kind.
func ofKind(p Pair, kind Kind) bool {
	switch kind {
	case KindFunctional, KindLoad:
		return p.Kind() == proxymock.KindReplay
	case KindMock:
		return p.Kind() == proxymock.KindMock
	}
	return true
}
