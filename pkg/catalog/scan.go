package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sort"
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// Root is what the catalogue needs of a configured root. Paths are slash-separated and relative to it.
type Root interface {
	// Name is the root's configured name.
	Name() string
	// ReadDir lists one directory, sorted by name, with the size and modification time of each entry. A
	// link that leaves the root is not followed.
	ReadDir(ctx context.Context, dir string) ([]fs.FileInfo, error)
	// Stat describes a path; a link is followed as long as it stays inside the root.
	Stat(ctx context.Context, name string) (fs.FileInfo, error)
	// Open opens one file for reading, limited in size by the root.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
}

// entry is one file with what its token is made of.
type entry struct {
	path string
	size int64
	mod  time.Time
}

func (e entry) name() string { return path.Base(e.path) }

// folder is one directory as found by a scan.
type folder struct {
	path  string
	dirs  []string
	files []entry
	// passed names what lies here and was not read: links that lead out, pipes, folders without permission.
	passed []Problem
}

// scan lists a root's directories from one on, parents before children. It stops at the limits of opts, with a
// problem that says so; an unreadable directory costs only itself.
func scan(ctx context.Context, root Root, from string, opts Options) ([]folder, []Problem, error) {
	var (
		folders  []folder
		problems []Problem
		files    int
	)
	queue := []string{from}
	for len(queue) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("listing root %s: %w", root.Name(), err)
		}
		dir := queue[0]
		queue = queue[1:]
		infos, err := root.ReadDir(ctx, dir)
		if err != nil {
			if dir == from || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				return nil, nil, fmt.Errorf("listing root %s: %w", root.Name(), err)
			}
			folders = append(folders, folder{path: dir, passed: []Problem{problem(dir, codeUnreadable, "%v; what lies in it is not shown", bare(err))}})
			continue
		}
		f := folder{path: dir}
		for _, info := range infos {
			name := info.Name()
			switch {
			case info.IsDir():
				if !ignoreDir(name) {
					f.dirs = append(f.dirs, name)
					queue = append(queue, path.Join(dir, name))
				}
			case ignoreFile(name):
			case info.Mode().IsRegular():
				f.files = append(f.files, entry{path: path.Join(dir, name), size: info.Size(), mod: info.ModTime()})
			case !ignoreDir(name):
				f.passed = append(f.passed, passedOver(ctx, root, path.Join(dir, name), info.Mode()))
			}
		}
		folders = append(folders, f)
		if files += len(f.files) + len(f.passed); files > opts.MaxFiles || len(folders)+len(queue) > opts.MaxDirs {
			problems = append(problems, problem(dir, codeLimit,
				"the listing stopped at %s and %s; what lies beyond is not shown: configure a root further down, or remove old results",
				proxymock.Counted(len(folders), "directory", "directories"), proxymock.Counted(files, "file", "files")))
			break
		}
	}
	return folders, problems, nil
}

// found is one directory (or redirected file) that makes a run, with the files that belong to it.
type found struct {
	path string
	// own are the files directly in the run's directory; pairs those that look like pairs, wherever they are.
	own   []entry
	pairs []entry
	// maybe are files beside pairs that may be pairs renamed by hand.
	maybe []entry
	// passed names what lies in the run's directories and was not read.
	passed []Problem
}

// token changes whenever something of the run does.
func (f *found) token() string {
	tok := token(f.own, f.pairs, f.maybe)
	if len(f.passed) > 0 {
		tok = digest(tok + fmt.Sprint(f.passed))
	}
	return tok
}

// group decides which folders are runs and gives every file to one of them. The second result is what was
// passed over outside them.
func group(folders []folder, from string) (map[string]*found, []Problem) {
	runs := map[string]*found{}
	at := func(p string) *found {
		if runs[p] == nil {
			runs[p] = &found{path: p}
		}
		return runs[p]
	}
	owners := map[string]*found{}
	for _, f := range folders {
		owner := f.path
		holds, pairs := holdsRun(f)
		if len(pairs) > 0 {
			if !holds && f.path != from {
				owner = path.Dir(f.path)
			}
			r := at(owner)
			owners[f.path] = r
			r.pairs = append(r.pairs, pairs...)
			for _, e := range f.files {
				if !looksLikePair(e.name()) && maybePair(e.name()) {
					r.maybe = append(r.maybe, e)
				}
			}
		} else if holds {
			at(f.path)
		}
	}
	for _, f := range folders {
		r := runs[f.path]
		if r == nil {
			if !onlyLog(f) {
				continue
			}
			r = at(f.path)
		}
		for _, e := range f.files {
			if !looksLikePair(e.name()) {
				r.own = append(r.own, e)
			}
		}
		owners[f.path] = r
		splitRedirects(runs, r)
	}
	var outside []Problem
	for _, f := range folders {
		if r := owners[f.path]; r != nil && runs[r.path] == r {
			r.passed = append(r.passed, f.passed...)
		} else {
			outside = append(outside, f.passed...)
		}
	}
	return runs, outside
}

// holdsRun says whether a folder is itself a run: it holds a result, window or verdict file, or pairs in
// the manner of suite tooling. Pairs named by time otherwise lie in a folder of their host.
func holdsRun(f folder) (bool, []entry) {
	holds := false
	var pairs []entry
	for _, e := range f.files {
		name := e.name()
		switch {
		case looksLikePair(name):
			pairs = append(pairs, e)
			holds = holds || pairByUUID.MatchString(name) || isLines(name)
		case isResultName(name), name == windowName, name == profileWindowName, name == verdictName:
			holds = true
		}
	}
	return holds, pairs
}

// onlyLog says whether a folder holds nothing but the log that the tool writes into a recording: a
// recording whose pairs are gone, which must not vanish from the list without a word.
func onlyLog(f folder) bool {
	return len(f.dirs) == 0 && len(f.files) == 1 && f.files[0].name() == "proxymock.log"
}

// splitRedirects makes a run of its own of every further result that a shell wrote beside another one,
// such as load-a.json and load-b.json in one folder. Its path is that of the file.
func splitRedirects(runs map[string]*found, r *found) {
	var plain, redirects []entry
	for _, e := range r.own {
		switch name := e.name(); {
		case name == summaryName || name == resultJSONName || name == failedSummaryName:
			plain = append(plain, e)
		case isResultName(name):
			redirects = append(redirects, e)
		}
	}
	if len(redirects) == 0 || (len(plain) == 0 && len(redirects) == 1) {
		return
	}
	for _, e := range redirects {
		runs[e.path] = &found{path: e.path, own: []entry{e}}
	}
	kept := r.own[:0]
	for _, e := range r.own {
		if _, split := runs[e.path]; !split {
			kept = append(kept, e)
		}
	}
	r.own = kept
	if len(plain) == 0 && len(r.pairs) == 0 && !hasAny(kept, windowName, profileWindowName, verdictName) {
		delete(runs, r.path)
	}
}

func hasAny(files []entry, names ...string) bool {
	for _, e := range files {
		for _, n := range names {
			if e.name() == n {
				return true
			}
		}
	}
	return false
}

// token is a digest over the names, sizes and modification times of files: it changes when one of them
// does, without a byte of them being read.
func token(lists ...[]entry) string {
	h := sha256.New()
	for _, list := range lists {
		sorted := append([]entry(nil), list...)
		sort.Slice(sorted, func(i, j int) bool { return sorted[i].path < sorted[j].path })
		for _, e := range sorted {
			var b [16]byte
			binary.LittleEndian.PutUint64(b[:8], uint64(e.size))
			binary.LittleEndian.PutUint64(b[8:], uint64(e.mod.UnixNano()))
			h.Write([]byte(e.path))
			h.Write([]byte{0})
			h.Write(b[:])
		}
		h.Write([]byte{1})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// digest shortens a text that is too long for a token.
func digest(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:16])
}
