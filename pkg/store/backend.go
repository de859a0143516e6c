package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// backend opens and describes paths below one directory. Names are valid by fs.ValidPath.
type backend interface {
	open(name string) (fs.File, error)
	stat(name string) (fs.FileInfo, error)
	sub(dir string) (backend, error)
	close() error
}

// dirBackend is a directory of the host behind os.Root.
type dirBackend struct {
	dir string

	mu     sync.RWMutex
	root   *os.Root
	id     fs.FileInfo
	closed bool
}

func openDir(dir string) (*dirBackend, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	b := &dirBackend{dir: absolute}
	if err := b.reopen(); err != nil {
		return nil, err
	}
	return b, nil
}

// reopen opens the directory that now has the configured path. The caller holds mu or is alone.
func (b *dirBackend) reopen() error {
	info, err := os.Stat(b.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrRootMissing
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return ErrNotDirectory
	}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return err
	}
	id, err := root.Stat(".")
	if err != nil {
		return errors.Join(err, root.Close())
	}
	if b.root != nil {
		_ = b.root.Close()
	}
	b.root, b.id = root, id
	return nil
}

// use runs f with the current root. A directory that was removed and made anew under the same path, as
// scripts do between runs, would stay invisible behind the old handle: it is opened again.
func (b *dirBackend) use(f func(*os.Root) error) error {
	now, err := os.Stat(b.dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return ErrRootMissing
		}
		return err
	}
	b.mu.RLock()
	if !b.closed && os.SameFile(now, b.id) {
		defer b.mu.RUnlock()
		return f(b.root)
	}
	b.mu.RUnlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	if err := b.reopen(); err != nil {
		return err
	}
	return f(b.root)
}

func openIn(u user, name string) (file fs.File, err error) {
	err = u.use(func(root *os.Root) error {
		// Without O_NONBLOCK opening a named pipe waits for a writer for ever.
		f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			file = f
		}
		return err
	})
	return file, err
}

func statIn(u user, name string) (info fs.FileInfo, err error) {
	err = u.use(func(root *os.Root) error {
		info, err = root.Stat(name)
		return err
	})
	return info, err
}

func (b *dirBackend) open(name string) (fs.File, error)     { return openIn(b, name) }
func (b *dirBackend) stat(name string) (fs.FileInfo, error) { return statIn(b, name) }
func (b *dirBackend) sub(dir string) (backend, error)       { return &subBackend{parent: b, dir: dir}, nil }

func (b *dirBackend) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	return b.root.Close()
}

// fsBackend is any fs.FS: files in memory, an archive, a test's data.
type fsBackend struct{ fsys fs.FS }

func (b fsBackend) open(name string) (fs.File, error)     { return b.fsys.Open(name) }
func (b fsBackend) stat(name string) (fs.FileInfo, error) { return fs.Stat(b.fsys, name) }
func (b fsBackend) close() error                          { return nil }

func (b fsBackend) sub(dir string) (backend, error) {
	fsys, err := fs.Sub(b.fsys, dir)
	if err != nil {
		return nil, err
	}
	return fsBackend{fsys}, nil
}

// escapeText is how package os words its refusal; it exports no value for it, a test holds the wording.
const escapeText = "path escapes from parent"

// translate turns an error of the operating system into one of the package's, without host paths.
func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrRootMissing), errors.Is(err, ErrNotDirectory), errors.Is(err, ErrClosed):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return ErrVanished
	case errors.Is(err, fs.ErrPermission):
		return ErrPermission
	case errors.Is(err, syscall.ENOTDIR):
		return ErrNotDirectory
	case errors.Is(err, fs.ErrClosed):
		return ErrClosed
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	if err.Error() == escapeText {
		return ErrOutsideRoot
	}
	if errors.Is(err, syscall.ELOOP) {
		return fmt.Errorf("too many links: %w", ErrOutsideRoot)
	}
	return err
}
