package store

import (
	"io/fs"
	"os"
)

// Sub narrows a root to one of its directories: paths become relative to dir, and nothing leaves it any
// more, links to the rest of the root included. The name and the limits stay. The narrowed root lives as
// long as the one it came from; closing it does nothing. "" and "." give the root itself.
func (r *Root) Sub(dir string) (*Root, error) {
	if dir == "" || dir == "." {
		return r, nil
	}
	if !fs.ValidPath(dir) {
		return nil, r.fail("narrow to", dir, ErrOutsideRoot)
	}
	info, err := r.backend.stat(dir)
	if err == nil && !info.IsDir() {
		err = ErrNotDirectory
	}
	if err != nil {
		return nil, r.fail("narrow to", dir, err)
	}
	sub, err := r.backend.sub(dir)
	if err != nil {
		return nil, r.fail("narrow to", dir, err)
	}
	return &Root{name: r.name, limits: r.limits, backend: sub}, nil
}

// subBackend is a directory below another backend's. It is entered anew for every use, so that a directory that was
// removed and made again is seen.
type subBackend struct {
	parent user
	dir    string
}

// user runs a function with an open os.Root.
type user interface {
	use(f func(*os.Root) error) error
}

func (b *subBackend) use(f func(*os.Root) error) error {
	return b.parent.use(func(root *os.Root) error {
		sub, err := root.OpenRoot(b.dir)
		if err != nil {
			return err
		}
		defer func() { _ = sub.Close() }()
		return f(sub)
	})
}

func (b *subBackend) open(name string) (fs.File, error)     { return openIn(b, name) }
func (b *subBackend) stat(name string) (fs.FileInfo, error) { return statIn(b, name) }
func (b *subBackend) sub(dir string) (backend, error)       { return &subBackend{parent: b, dir: dir}, nil }
func (b *subBackend) close() error                          { return nil }
