package store

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Sub narrows a root to a directory below it and keeps its name. Nothing in the narrowed root may lead out
// of that directory, not even to another place of the same root. The narrowed root lives as long as r does;
// closing it does nothing.
func (r *Root) Sub(dir string) (*Root, error) {
	if dir == "" || dir == "." {
		return r, nil
	}
	if !fs.ValidPath(dir) {
		return nil, fmt.Errorf("root %q: %q is not a clean, relative path with slashes; name a directory below the root: %w", r.name, dir, ErrOutsideRoot)
	}
	sub := &Root{name: r.name, limits: r.limits}
	switch b := r.backend.(type) {
	case *dirBackend:
		sub.backend = subBackend{parent: b, dir: dir}
	case fsBackend:
		fsys, err := fs.Sub(b.fsys, dir)
		if err != nil {
			return nil, fmt.Errorf("root %q: narrowing to %q: %w", r.name, dir, err)
		}
		sub.backend = fsBackend{fsys}
	default:
		return nil, fmt.Errorf("root %q: narrowing a narrowed root to %q is not supported; narrow the configured root once", r.name, dir)
	}
	if _, err := sub.backend.stat("."); err != nil {
		return nil, fmt.Errorf("root %q: narrowing to %q: %w", r.name, dir, translate(err))
	}
	return sub, nil
}

// subBackend opens the directory anew for each use: it may be removed and made again between runs, and a
// handle of its own makes the kernel refuse links that leave it.
type subBackend struct {
	parent *dirBackend
	dir    string
}

func (b subBackend) use(f func(*os.Root) error) error {
	return b.parent.use(func(root *os.Root) error {
		info, err := root.Stat(b.dir)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return ErrNotDirectory
		}
		sub, err := root.OpenRoot(b.dir)
		if err != nil {
			return err
		}
		err = f(sub)
		if closeErr := sub.Close(); err == nil {
			err = closeErr
		}
		return err
	})
}

func (b subBackend) open(name string) (file fs.File, err error) {
	err = b.use(func(root *os.Root) error {
		f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			file = f
		}
		return err
	})
	return file, err
}

func (b subBackend) stat(name string) (info fs.FileInfo, err error) {
	err = b.use(func(root *os.Root) error {
		info, err = root.Stat(name)
		return err
	})
	return info, err
}

func (b subBackend) close() error { return nil }
