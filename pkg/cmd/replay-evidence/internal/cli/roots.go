package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/store"
)

// rootFlags are the directories that hold results.
type rootFlags struct{ roots []string }

func (f *rootFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.roots, "root", nil, "`directory` that holds results: a path, whose last element becomes the root's name, or name=path; repeatable (default: results=., the working directory)")
}

// open opens the roots and returns a catalogue over them. The caller calls the returned function when done.
func (f *rootFlags) open() (*catalog.Catalog, func(), error) {
	texts := f.roots
	if len(texts) == 0 {
		texts = []string{"results=."}
	}
	var opened []*store.Root
	closeAll := func() {
		for _, r := range opened {
			// Nothing was written; there is nothing left to say when closing a directory fails.
			_ = r.Close()
		}
	}
	var roots []catalog.Root
	seen := map[string]bool{}
	for _, text := range texts {
		specs, err := parseRoot(text)
		if err != nil {
			closeAll()
			return nil, nil, usage("%w", err)
		}
		for _, s := range specs {
			if seen[s.Name] {
				closeAll()
				return nil, nil, usage("--root: root name %q is used twice; give each root its own name, as name=path", s.Name)
			}
			seen[s.Name] = true
			r, err := store.Open(s.Name, s.Path, store.DefaultLimits())
			if err != nil {
				closeAll()
				return nil, nil, usage("--root: %w", err)
			}
			opened, roots = append(opened, r), append(roots, r)
		}
	}
	return catalog.New(roots, catalog.Options{}), closeAll, nil
}

// parseRoot reads name=path items, or a path alone.
func parseRoot(text string) ([]store.Spec, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("--root needs a directory, for example lab/out/results")
	}
	if strings.Contains(text, "=") {
		specs, err := store.ParseSpec(text)
		if err != nil {
			return nil, fmt.Errorf("--root: %w", err)
		}
		return specs, nil
	}
	return []store.Spec{{Name: rootName(text), Path: filepath.Clean(text)}}, nil
}

// rootName makes the name of a root of the last element of its path, in the letters that a name may have.
func rootName(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	words := strings.FieldsFunc(filepath.Base(dir), func(r rune) bool {
		return !(r == '.' || r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	})
	const longest = 64
	name := strings.TrimLeft(strings.Join(words, "-"), "._-")
	if name = name[:min(len(name), longest)]; name == "" {
		return "results"
	}
	return name
}

// side finds the side that a flag names. An unknown or ambiguous name is a mistake of the caller's.
func side(ctx context.Context, c *catalog.Catalog, flag, ref string) (*catalog.Side, error) {
	if ref == "" {
		return nil, usage("--%s is needed: name a side, such as baseline (replay-evidence runs lists them)", flag)
	}
	s, err := c.Side(ctx, ref)
	var unknown *catalog.UnknownSideError
	if errors.As(err, &unknown) {
		// The catalogue names what resembles the word; a person at a terminal wants to see all there is.
		unknown.Candidates = knownSides(ctx, c, unknown.Candidates)
	}
	var ambiguous *catalog.AmbiguousSideError
	if errors.As(err, &unknown) || errors.As(err, &ambiguous) {
		return nil, usage("--%s: %w", flag, err)
	}
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w", flag, ref, err)
	}
	return s, nil
}

// knownSides are the ids of all sides, the first ones of very many.
func knownSides(ctx context.Context, c *catalog.Catalog, fallback []string) []string {
	listing, err := c.Sides(ctx)
	if err != nil {
		return fallback
	}
	const shown = 20
	var ids []string
	for _, s := range listing.Sides {
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	if len(ids) > shown {
		ids = append(ids[:shown:shown], fmt.Sprintf("and %d more", len(ids)-shown))
	}
	return ids
}

// oneSide takes the side from the argument or from a flag, never from both.
func oneSide(args []string, ref *string, flags ...bool) error {
	named := len(args)
	for _, given := range flags {
		if given {
			named++
		}
	}
	if named > 1 {
		return usage("name one side, as an argument or with a flag, not %d times", named)
	}
	if len(args) == 1 {
		*ref = args[0]
	}
	return nil
}

// run finds one run by its id or by an unambiguous end of it.
func run(ctx context.Context, c *catalog.Catalog, flag, ref string) (*catalog.Run, error) {
	if ref == "" {
		return nil, usage("--%s is needed: name a run, such as recording or baseline/functional (replay-evidence runs lists them)", flag)
	}
	listing, err := c.Sides(ctx)
	if err != nil {
		return nil, err
	}
	var found []*catalog.Run
	var known []string
	var ofSide []string
	for i := range listing.Sides {
		s := &listing.Sides[i]
		for j := range s.Runs {
			r := &s.Runs[j]
			known = append(known, r.ID)
			if s.ID == ref || endsWith(s.ID, ref) {
				ofSide = append(ofSide, r.ID)
			}
			switch {
			case r.ID == ref:
				return r, nil
			case endsWith(r.ID, ref):
				found = append(found, r)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		const shown = 20
		if len(known) > shown {
			known = append(known[:shown:shown], fmt.Sprintf("and %d more", len(known)-shown))
		}
		if len(known) == 0 {
			return nil, usage("--%s: no run %q: the roots hold no runs; check --root", flag, ref)
		}
		if len(ofSide) > 0 {
			return nil, usage("--%s: %q is a side, not a run; use one of %s", flag, ref, strings.Join(ofSide, ", "))
		}
		return nil, usage("--%s: no run %q; known are %s", flag, ref, strings.Join(known, ", "))
	}
	var ids []string
	for _, r := range found {
		ids = append(ids, r.ID)
	}
	return nil, usage("--%s: %q names %d runs; use one of %s", flag, ref, len(found), strings.Join(ids, ", "))
}

// endsWith compares whole path elements.
func endsWith(id, ref string) bool {
	return len(id) > len(ref) && id[len(id)-len(ref):] == ref && id[len(id)-len(ref)-1] == '/'
}
