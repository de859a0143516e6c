package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sort"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/errgroup"

	"github.com/replaylab/replay-evidence/pkg/store"
)

// Options bound the work of a catalogue. The zero value of each field means its default.
type Options struct {
	// MaxDirs and MaxFiles bound one listing of a root; defaults 100,000 and 1,000,000.
	MaxDirs, MaxFiles int
	// MaxPairs bounds the pairs read of one run; default 50,000.
	MaxPairs int
	// MaxCachedRuns bounds the parsed runs kept; default 4,096.
	MaxCachedRuns int
	// MaxCachedPairBytes is the size of the pair files up to which a run's pairs are kept; default 64 MiB.
	MaxCachedPairBytes int64
	// Concurrency is the number of files read at once; default twice the processors, at most 16.
	Concurrency int
}

// cachedPairSets is how many runs' pairs are kept.
const cachedPairSets = 8

func (o Options) withDefaults() Options {
	fill := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	fill(&o.MaxDirs, 100_000)
	fill(&o.MaxFiles, 1_000_000)
	fill(&o.MaxPairs, 50_000)
	fill(&o.MaxCachedRuns, 4_096)
	fill(&o.Concurrency, min(16, 2*runtime.GOMAXPROCS(0)))
	if o.MaxCachedPairBytes <= 0 {
		o.MaxCachedPairBytes = 64 << 20
	}
	return o
}

// Catalog lists sides and runs below its roots. It only reads. It is safe for concurrent use.
type Catalog struct {
	roots     []Root
	opts      Options
	runCache  *lru.Cache[string, *Run]
	pairCache *lru.Cache[string, *pairSet]
}

// New returns a catalogue over roots, whose names must differ.
func New(roots []Root, opts Options) *Catalog {
	c := &Catalog{roots: slices.Clone(roots), opts: opts.withDefaults()}
	// The constructors fail only for sizes below one, which withDefaults excludes.
	c.runCache, _ = lru.New[string, *Run](c.opts.MaxCachedRuns)
	c.pairCache, _ = lru.New[string, *pairSet](cachedPairSets)
	return c
}

// Listing is everything found below the roots.
type Listing struct {
	// Sides are sorted by id.
	Sides []Side
	// Roots says of each root whether it could be read.
	Roots []RootState
	// Problems belong to no side; their paths begin with the root's name.
	Problems []Problem
}

// RootState is one configured root.
type RootState struct {
	Name string
	// Err is nil when the root could be listed.
	Err         error
	Sides, Runs int
}

// UnknownRootError says that no root has the name.
type UnknownRootError struct {
	Name  string
	Known []string
}

func (e *UnknownRootError) Error() string {
	return fmt.Sprintf("no root %q is configured; configured are %s", e.Name, strings.Join(e.Known, ", "))
}

func (c *Catalog) root(name string) (Root, error) {
	known := make([]string, 0, len(c.roots))
	for _, r := range c.roots {
		if r.Name() == name {
			return r, nil
		}
		known = append(known, r.Name())
	}
	return nil, &UnknownRootError{Name: name, Known: known}
}

// Sides lists every side below the roots. A root or a file that cannot be read costs only itself. Files
// are read again only when their name, size or time changed.
func (c *Catalog) Sides(ctx context.Context) (Listing, error) {
	var out Listing
	for _, root := range c.roots {
		sides, problems, err := c.sidesOf(ctx, root, ".")
		if ctx.Err() != nil {
			return Listing{}, fmt.Errorf("listing sides: %w", ctx.Err())
		}
		state := RootState{Name: root.Name(), Err: err, Sides: len(sides)}
		for i := range sides {
			state.Runs += len(sides[i].Runs)
		}
		out.Roots = append(out.Roots, state)
		out.Sides = append(out.Sides, sides...)
		for _, p := range problems {
			p.Path = path.Join(root.Name(), p.Path)
			out.Problems = append(out.Problems, p)
		}
	}
	sort.SliceStable(out.Sides, func(i, j int) bool { return out.Sides[i].ID < out.Sides[j].ID })
	return out, nil
}

// Side returns the side that ref names: a whole id (root and path), an unambiguous suffix of one such as
// "baseline", or several joined with "+". Errors are *UnknownSideError and *AmbiguousSideError, which list
// candidates.
func (c *Catalog) Side(ctx context.Context, ref string) (*Side, error) {
	listing, err := c.Sides(ctx)
	if err != nil {
		return nil, err
	}
	at, err := resolve(listing.Sides, ref)
	if err != nil {
		for _, r := range listing.Roots {
			if r.Err != nil {
				err = errors.Join(err, fmt.Errorf("root %s could not be listed: %w", r.Name, r.Err))
			}
		}
		for _, p := range nearTo(listing.Problems, ref) {
			err = errors.Join(err, fmt.Errorf("%s: %s", p.Path, p.Message))
		}
		return nil, err
	}
	side := listing.Sides[at[0]]
	for _, i := range at[1:] {
		side = combine(side, listing.Sides[i])
	}
	for i := range side.Runs {
		if err := c.refine(ctx, &side.Runs[i]); err != nil {
			return nil, err
		}
	}
	return &side, nil
}

// refine bounds a run by all its pairs where the listing read only some of them.
func (c *Catalog) refine(ctx context.Context, r *Run) error {
	if r.Window == nil || r.Window.Source != SourcePairs || len(r.pairs) <= samplePairs {
		return nil
	}
	set, err := c.pairSet(ctx, r)
	if err != nil {
		return err
	}
	b := builder{run: r}
	if w := fromPairs(spanOf(set.pairs, false, r.Kind), b.figures()); w != nil {
		w.standsIn(r.rejected)
		r.Window = w
	}
	return nil
}

// RunAt returns the run in a directory below a root, such as the recording that a side.json names. It
// returns an error that wraps fs.ErrNotExist when there is none.
func (c *Catalog) RunAt(ctx context.Context, rootName, dir string) (*Run, error) {
	root, err := c.root(rootName)
	if err != nil {
		return nil, err
	}
	dir = path.Clean(strings.Trim(dir, "/"))
	if !store.ValidPath(dir) {
		return nil, fmt.Errorf("run %q: the path leaves the root: %w", dir, fs.ErrInvalid)
	}
	sides, _, err := c.sidesOf(ctx, root, dir)
	if err != nil {
		return nil, fmt.Errorf("run %s/%s: %w", rootName, dir, err)
	}
	for i := range sides {
		for j := range sides[i].Runs {
			if r := &sides[i].Runs[j]; r.Path == dir {
				return r, nil
			}
		}
	}
	return nil, fmt.Errorf("run %s/%s: no recording or result lies there: %w", rootName, dir, fs.ErrNotExist)
}

// Open opens a file below a root, such as a log of a run.
func (c *Catalog) Open(ctx context.Context, rootName, name string) (io.ReadCloser, error) {
	root, err := c.root(rootName)
	if err != nil {
		return nil, err
	}
	return root.Open(ctx, name)
}

// OpenEvidence opens the evidence.json nearest to a side: in its own directories, else in those above, up
// to the root. The second result is the path below the root. Without one the error wraps fs.ErrNotExist.
func (c *Catalog) OpenEvidence(ctx context.Context, side *Side) (io.ReadCloser, string, error) {
	root, err := c.root(side.Root)
	if err != nil {
		return nil, "", err
	}
	for _, start := range side.Paths {
		for dir := start; ; dir = path.Dir(dir) {
			name := path.Join(dir, evidenceFileName)
			file, err := root.Open(ctx, name)
			if err == nil {
				return file, name, nil
			}
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrNotDirectory) {
				return nil, name, fmt.Errorf("opening %s: %w", name, err)
			}
			if dir == "." || dir == "/" || dir == "" {
				break
			}
		}
	}
	return nil, "", fmt.Errorf("no %s lies beside the runs of %s: %w", evidenceFileName, side.ID, fs.ErrNotExist)
}

// sidesOf lists the sides of one root from a directory on.
func (c *Catalog) sidesOf(ctx context.Context, root Root, from string) ([]Side, []Problem, error) {
	folders, problems, err := scan(ctx, root, from, c.opts)
	if err != nil {
		return nil, nil, err
	}
	found, passed := group(folders, from)
	paths := make([]string, 0, len(found))
	for p := range found {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	runs := make([]*Run, len(paths))
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(c.opts.Concurrency)
	for i, p := range paths {
		work.Go(func() error {
			run, err := c.cachedRun(inner, root, found[p])
			runs[i] = run
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, nil, err
	}
	sides, more := c.assemble(ctx, root, folders, runs)
	return sides, slices.Concat(problems, toSides(sides, passed), more), ctx.Err()
}

func (c *Catalog) cachedRun(ctx context.Context, root Root, f *found) (*Run, error) {
	tok := f.token()
	key := root.Name() + "\x00" + f.path + "\x00" + tok
	if r, ok := c.runCache.Get(key); ok {
		return r, nil
	}
	r, err := c.build(ctx, root, f, tok)
	if err == nil {
		c.runCache.Add(key, r)
	}
	return r, err
}
