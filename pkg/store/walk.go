package store

import (
	"context"
	"errors"
	"io/fs"
	"path"
)

// Walk calls fn for name and everything below it, parents first and by name, like fs.WalkDir: fn may
// return fs.SkipDir or fs.SkipAll, and gets an error instead of an entry's contents when a directory cannot
// be listed. Links to directories are shown and not entered; a link that leads out of the root or to
// nothing comes with [ErrOutsideRoot] or [ErrVanished].
//
// The walk ends with an error that is [ErrLimit] at Limits.MaxEntries. Directories below Limits.MaxDepth are
// shown and not entered, and the walk ends with ErrLimit after everything else was visited.
func (r *Root) Walk(ctx context.Context, name string, fn fs.WalkDirFunc) error {
	info, err := r.Stat(ctx, name)
	if err != nil {
		err = fn(name, nil, err)
		if errors.Is(err, fs.SkipDir) || errors.Is(err, fs.SkipAll) {
			return nil
		}
		return err
	}
	w := &walker{root: r, fn: fn, room: r.limits.MaxEntries}
	err = w.visit(ctx, name, info, 0)
	if err != nil && !errors.Is(err, fs.SkipAll) && !errors.Is(err, fs.SkipDir) {
		return err
	}
	return w.tooDeep
}

type walker struct {
	root *Root
	fn   fs.WalkDirFunc
	// room is how many entries may still be met.
	room int
	// tooDeep is the first directory that was not entered.
	tooDeep error
}

func (w *walker) visit(ctx context.Context, name string, info fs.FileInfo, depth int) error {
	entry := fs.FileInfoToDirEntry(info)
	if err := w.fn(name, entry, w.linkError(ctx, name, info)); err != nil || !info.IsDir() {
		return err
	}
	if depth >= w.root.limits.MaxDepth {
		if w.tooDeep == nil {
			w.tooDeep = w.root.fail("walk", name, &LimitError{Limit: limitDepth, Value: int64(w.root.limits.MaxDepth)})
		}
		return nil
	}
	children, err := w.root.list(ctx, name, w.room)
	limit := errors.Is(err, ErrLimit)
	if err != nil && !limit {
		if ctx.Err() != nil {
			return err
		}
		return w.fn(name, entry, err)
	}
	w.room -= len(children)
	for _, child := range children {
		if ctx.Err() != nil {
			return w.root.fail("walk", name, ctx.Err())
		}
		childErr := w.visit(ctx, path.Join(name, child.Name()), child, depth+1)
		if errors.Is(childErr, fs.SkipDir) {
			if child.IsDir() {
				continue
			}
			// Returned for a file, it skips the rest of the file's directory.
			break
		}
		if childErr != nil {
			return childErr
		}
	}
	if limit {
		return err
	}
	return nil
}

// linkError says what is wrong with a link, nil for links to directories inside the root and for everything else.
func (w *walker) linkError(ctx context.Context, name string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	_, err := w.root.Stat(ctx, name)
	return err
}
