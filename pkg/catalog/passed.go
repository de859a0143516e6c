package catalog

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/store"
)

// passedOver says why something that is neither a directory nor a regular file is not read.
func passedOver(ctx context.Context, root Root, name string, mode fs.FileMode) Problem {
	if mode&fs.ModeSymlink == 0 {
		return problem(name, codeUnreadable, "is %s, not a file, and was passed over; put the file itself there", whatItIs(mode))
	}
	target, err := root.Stat(ctx, name)
	switch {
	case errors.Is(err, store.ErrOutsideRoot):
		return problem(name, codeUnreadable, "is a link that leads out of the root (every absolute link does) and was not followed; put what it names itself there, or configure its place as a root")
	case errors.Is(err, fs.ErrNotExist):
		return problem(name, codeMissing, "is a link to nothing; put back what it names, or remove it")
	case err != nil:
		return problem(name, codeUnreadable, "is a link that could not be followed: %v", bare(err))
	case target.IsDir():
		// Followed, one run would be listed twice, and a link to a directory above would never end.
		return problem(name, codeNote, "is a link to a directory inside the root and was not followed; its results are listed where they lie")
	}
	return problem(name, codeUnreadable, "is a link to %s, not to a file, and was passed over; put the file itself there", whatItIs(target.Mode()))
}

func whatItIs(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}

// toSides gives every problem to the innermost side in whose directory it lies, and returns those that lie
// in none.
func toSides(sides []Side, problems []Problem) []Problem {
	var rest []Problem
	for _, p := range problems {
		var owner *Side
		for i := range sides {
			// Sides are sorted by path: of those around a path, the last is the innermost.
			if within(p.Path, sides[i].Paths[0]) {
				owner = &sides[i]
			}
		}
		if owner == nil {
			rest = append(rest, p)
			continue
		}
		owner.Problems = append(owner.Problems, p)
		owner.Token = digest(owner.Token + p.Path + p.Message)
	}
	return rest
}

// within says whether a path is a directory or lies below it.
func within(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// nearTo returns the problems of a listing that may be why a side is not found by its name.
func nearTo(problems []Problem, ref string) []Problem {
	return slices.DeleteFunc(slices.Clone(problems), func(p Problem) bool {
		return p.Path != ref && !strings.HasSuffix(p.Path, "/"+ref)
	})
}
