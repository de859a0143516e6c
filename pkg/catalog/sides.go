package catalog

import (
	"context"
	"io"
	"path"
	"slices"
	"sort"
	"strings"
)

// assemble gathers runs into sides and reads what is declared of each side.
func (c *Catalog) assemble(ctx context.Context, root Root, folders []folder, runs []*Run) ([]Side, []Problem) {
	at := make(map[string]*folder, len(folders))
	for i := range folders {
		at[folders[i].path] = &folders[i]
	}
	bySide := map[string][]*Run{}
	var paths []string
	for _, r := range runs {
		if r.Kind == KindUnknown && r.PairFiles > 0 && len(r.Problems) == 1 && onlyLines(r) {
			// Lines of other objects, such as captured answers; not a run of ours.
			continue
		}
		p := sideOf(r.Path, at)
		if bySide[p] == nil {
			paths = append(paths, p)
		}
		bySide[p] = append(bySide[p], r)
	}
	sort.Strings(paths)
	sides := make([]Side, 0, len(paths))
	for _, p := range paths {
		sides = append(sides, c.side(ctx, root, p, bySide[p], at[p]))
	}
	var problems []Problem
	for _, f := range folders {
		if e, ok := fileOf(&f, sideFileName); ok && bySide[f.path] == nil {
			problems = append(problems, problem(e.path, codeMissing, "describes a side without runs: no results lie in %s", f.path))
		}
	}
	return sides, problems
}

func onlyLines(r *Run) bool {
	return r.Result == nil && !slices.ContainsFunc(r.pairs, func(e entry) bool { return !isLines(e.name()) })
}

// sideOf says to which side a run belongs: to its own directory when that is described by a side.json; to
// its parent's when the parent is described by one, or when the run is called functional, load or mock.
func sideOf(run string, at map[string]*folder) string {
	if f := at[run]; f != nil {
		if _, ok := fileOf(f, sideFileName); ok {
			return run
		}
	}
	if run == "." {
		return run
	}
	parent := path.Dir(run)
	if f := at[parent]; f != nil {
		if _, ok := fileOf(f, sideFileName); ok {
			return parent
		}
	}
	if memberOfSide.MatchString(strings.TrimSuffix(path.Base(run), ".json")) {
		return parent
	}
	return run
}

func fileOf(f *folder, name string) (entry, bool) {
	if f == nil {
		return entry{}, false
	}
	for _, e := range f.files {
		if e.name() == name {
			return e, true
		}
	}
	return entry{}, false
}

// side builds one side from its runs, in order of their windows.
func (c *Catalog) side(ctx context.Context, root Root, p string, runs []*Run, f *folder) Side {
	s := Side{ID: path.Join(root.Name(), p), Root: root.Name(), Paths: []string{p}, Label: p, Problems: []Problem{}}
	var own []entry
	if e, ok := fileOf(f, sideFileName); ok {
		own = append(own, e)
		err := c.parseFile(ctx, root, e.path, func(r io.Reader) (err error) {
			s.Declared, err = ParseSideFile(r)
			return err
		})
		if err != nil {
			if pr, ok := problemOf(e.path, err); ok {
				s.Problems = append(s.Problems, pr)
			}
		}
	}
	if f != nil {
		for _, e := range f.files {
			if isLogName(e.name()) {
				s.Logs = append(s.Logs, e.path)
				own = append(own, e)
			}
		}
	}
	if e, ok := fileOf(f, evidenceFileName); ok {
		own = append(own, e)
	}
	if s.Declared != nil && s.Declared.Label != "" {
		s.Label = s.Declared.Label
	}
	tokens := token(own)
	for _, r := range runs {
		copied := *r
		s.Runs = append(s.Runs, copied)
		tokens += r.Token
	}
	sortRuns(s.Runs)
	s.Token = digest(tokens)
	return s
}

// sortRuns orders runs by the start of their window, those without one first, then by path.
func sortRuns(runs []Run) {
	sort.SliceStable(runs, func(i, j int) bool {
		a, b := runs[i].Window, runs[j].Window
		switch {
		case (a == nil) != (b == nil):
			return a == nil
		case a != nil && !a.Start.Equal(b.Start):
			return a.Start.Before(b.Start)
		}
		return runs[i].Path < runs[j].Path
	})
}

// combine joins two sides of one root into one, such as a load run and the recording that counts its
// statements.
func combine(a, b Side) Side {
	out := Side{ID: a.ID + "+" + b.Paths[0], Root: a.Root, Paths: append(slices.Clone(a.Paths), b.Paths...),
		Runs: append(slices.Clone(a.Runs), b.Runs...), Problems: append(slices.Clone(a.Problems), b.Problems...),
		Logs: append(slices.Clone(a.Logs), b.Logs...), Token: digest(a.Token + b.Token)}
	var conflicts []string
	out.Declared, conflicts = merge(a.Declared, b.Declared)
	for _, text := range conflicts {
		out.Problems = append(out.Problems, problem(b.Paths[0], codeConflict, "the combined directories declare different things: %s", text))
	}
	out.Label = a.Label + "+" + b.Label
	if a.Label == b.Label {
		out.Label = a.Label
	}
	sortRuns(out.Runs)
	return out
}
