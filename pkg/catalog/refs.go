package catalog

import (
	"fmt"
	"path"
	"sort"
	"strings"
)

// UnknownSideError says that nothing is known by the name asked for.
type UnknownSideError struct {
	Ref string
	// Candidates are ids of sides that resemble the name, or the first ones known.
	Candidates []string
}

func (e *UnknownSideError) Error() string {
	if len(e.Candidates) == 0 {
		return fmt.Sprintf("no side %q: the configured roots hold no runs; check the root", e.Ref)
	}
	return fmt.Sprintf("no side %q; known are %s", e.Ref, strings.Join(e.Candidates, ", "))
}

// AmbiguousSideError says that several sides match; the whole id of one of them settles it.
type AmbiguousSideError struct {
	Ref        string
	Candidates []string
}

func (e *AmbiguousSideError) Error() string {
	return fmt.Sprintf("%q names %d sides; use one of %s", e.Ref, len(e.Candidates), strings.Join(e.Candidates, ", "))
}

// maxCandidates bounds the list inside an error.
const maxCandidates = 20

// resolve finds the sides that a reference names: a whole id, a path, an unambiguous suffix of one, or
// several of these joined with "+".
func resolve(sides []Side, ref string) ([]int, error) {
	ref = strings.Trim(strings.TrimSpace(ref), "/")
	if i, err := resolveOne(sides, ref, nil); err == nil {
		return []int{i}, nil
	} else if !strings.Contains(ref, "+") {
		return nil, err
	}
	var (
		found []int
		seen  = map[int]bool{}
	)
	for _, part := range strings.Split(ref, "+") {
		var first *Side
		if len(found) > 0 {
			first = &sides[found[0]]
		}
		i, err := resolveOne(sides, strings.Trim(strings.TrimSpace(part), "/"), first)
		if err != nil {
			return nil, err
		}
		if first != nil && sides[i].Root != first.Root {
			return nil, fmt.Errorf("combining %q: %s and %s lie in different roots; combined directories must share one root",
				ref, first.ID, sides[i].ID)
		}
		if !seen[i] {
			seen[i] = true
			found = append(found, i)
		}
	}
	return found, nil
}

// resolveOne prefers, in this order: a whole id, a whole path, a neighbour of near (the first part of a
// combination), a suffix.
func resolveOne(sides []Side, ref string, near *Side) (int, error) {
	var byPath, byNeighbour, bySuffix []int
	for i := range sides {
		s := &sides[i]
		own := s.Paths[0]
		if ref == "" {
			continue
		}
		switch {
		case s.ID == ref:
			return i, nil
		case own == ref:
			byPath = append(byPath, i)
		case near != nil && s.Root == near.Root && own == path.Join(path.Dir(near.Paths[0]), ref):
			byNeighbour = append(byNeighbour, i)
		case strings.HasSuffix(s.ID, "/"+ref):
			bySuffix = append(bySuffix, i)
		}
	}
	for _, hits := range [][]int{byPath, byNeighbour, bySuffix} {
		if len(hits) == 1 {
			return hits[0], nil
		}
		if len(hits) > 1 {
			return 0, &AmbiguousSideError{Ref: ref, Candidates: ids(sides, hits)}
		}
	}
	return 0, &UnknownSideError{Ref: ref, Candidates: similar(sides, ref)}
}

func ids(sides []Side, at []int) []string {
	out := make([]string, 0, len(at))
	for _, i := range at {
		out = append(out, sides[i].ID)
	}
	sort.Strings(out)
	return out[:min(len(out), maxCandidates)]
}

// similar lists the ids that share a path element with the reference, else the first ones.
func similar(sides []Side, ref string) []string {
	last := path.Base(ref)
	var near, all []string
	for i := range sides {
		all = append(all, sides[i].ID)
		if last != "." && strings.Contains(sides[i].ID, last) {
			near = append(near, sides[i].ID)
		}
	}
	out := near
	if len(out) == 0 {
		out = all
	}
	sort.Strings(out)
	return out[:min(len(out), maxCandidates)]
}
