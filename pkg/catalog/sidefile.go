package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// maxSideFile bounds side.json; it is written by hand or by a lab.
const maxSideFile = 1 << 20

// ParseSideFile reads a side.json. Unknown keys are accepted; a pool's size must be a positive number,
// counts must not be negative. The error says which value is wrong.
func ParseSideFile(r io.Reader) (*SideFile, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSideFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading side.json: %w", err)
	}
	if len(data) > maxSideFile {
		return nil, fmt.Errorf("side.json is larger than %d bytes", maxSideFile)
	}
	var s *SideFile
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("side.json is not what was expected (label, version, commit, changed, pools, workload, harness, dependency, tables): %w", err)
	}
	if s == nil {
		return nil, errors.New("side.json holds null")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Pools)) {
		if size := s.Pools[name]; !(size > 0) || math.IsInf(size, 0) {
			return nil, fmt.Errorf("side.json: pool %q has the size %v; a size is a positive number", name, size)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Tables)) {
		if rows := s.Tables[name]; rows < 0 {
			return nil, fmt.Errorf("side.json: the number of rows of table %q is %d; give 0 or more", name, rows)
		}
	}
	if w := s.Workload; w != nil && (w.Users < 0 || w.Passes < 0 || w.FunctionalPasses < 0) {
		return nil, errors.New("side.json: users and passes must not be negative")
	}
	return s, nil
}

// merge joins what several directories of a combined side declare. The first to say something wins; a
// contradiction is reported.
func merge(a, b *SideFile) (*SideFile, []string) {
	if a == nil || b == nil {
		if a == nil {
			return b, nil
		}
		return a, nil
	}
	var conflicts []string
	out := *a
	text := func(name string, into *string, other string) {
		switch {
		case *into == "":
			*into = other
		case other != "" && other != *into:
			conflicts = append(conflicts, fmt.Sprintf("%s is %q and %q", name, *into, other))
		}
	}
	text("version", &out.Version, b.Version)
	text("commit", &out.Commit, b.Commit)
	text("changed", &out.Changed, b.Changed)
	if out.Label == "" {
		out.Label = b.Label
	}
	if len(b.Pools) > 0 {
		out.Pools = maps.Clone(out.Pools)
		if out.Pools == nil {
			out.Pools = map[string]float64{}
		}
		for _, name := range slices.Sorted(maps.Keys(b.Pools)) {
			size := b.Pools[name]
			if have, ok := out.Pools[name]; ok && have != size {
				conflicts = append(conflicts, fmt.Sprintf("pool %s is %v and %v", name, have, size))
			} else {
				out.Pools[name] = size
			}
		}
	}
	if out.Workload == nil {
		out.Workload = b.Workload
	}
	if out.Harness == nil {
		out.Harness = b.Harness
	}
	if out.Dependency == nil {
		out.Dependency = b.Dependency
	}
	if out.Tables == nil {
		out.Tables = b.Tables
	}
	return &out, conflicts
}
