package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
)

// Root is one directory that may be read. It is safe for concurrent use.
type Root struct {
	name    string
	limits  Limits
	backend backend
}

// Open opens a directory of the host as a root. The directory itself may be a link; nothing below it may
// lead out. Errors name the configured path: [ErrRootMissing], [ErrNotDirectory], [ErrPermission].
func Open(name, dir string, limits Limits) (*Root, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if dir == "" {
		return nil, fmt.Errorf("root %q: no path given; write it as %s=/path/to/results", name, name)
	}
	backend, err := openDir(dir)
	if err != nil {
		err = translate(err)
		return nil, fmt.Errorf("open root %q at %s: %w; %s", name, dir, err, adviceFor(err))
	}
	return &Root{name: name, limits: limits.orDefault(), backend: backend}, nil
}

// NewFS makes a root of a file system that is not a directory of the host.
func NewFS(name string, fsys fs.FS, limits Limits) (*Root, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if fsys == nil {
		return nil, fmt.Errorf("root %q: no file system given", name)
	}
	return &Root{name: name, limits: limits.orDefault(), backend: fsBackend{fsys}}, nil
}

func adviceFor(err error) string {
	switch {
	case errors.Is(err, ErrRootMissing):
		return "create it or correct the path"
	case errors.Is(err, ErrNotDirectory):
		return "name the directory that holds the results"
	case errors.Is(err, ErrPermission):
		return "allow the user of this process to read and enter it"
	}
	return "check the path"
}

// Name is the root's configured name.
func (r *Root) Name() string { return r.name }

// Close releases the directory. Files that are open stay readable.
func (r *Root) Close() error { return r.backend.close() }

// fail wraps an error with what was being done to which path.
func (r *Root) fail(op, name string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s %s in root %q: %w", op, name, r.name, err)
	}
	return &PathError{Root: r.name, Path: name, Op: op, Err: translate(err)}
}

// ValidPath reports whether name is relative, clean and slash-separated, as every path below a root is.
func ValidPath(name string) bool { return fs.ValidPath(name) }

// begin checks context and path. A path that is not relative and clean is refused before it is used.
func (r *Root) begin(ctx context.Context, op, name string) error {
	if err := ctx.Err(); err != nil {
		return r.fail(op, name, err)
	}
	if !fs.ValidPath(name) {
		return r.fail(op, name, fmt.Errorf("path must be relative, clean and slash-separated: %w", ErrOutsideRoot))
	}
	return nil
}

// Stat describes a path; links inside the root are followed.
func (r *Root) Stat(ctx context.Context, name string) (fs.FileInfo, error) {
	if err := r.begin(ctx, "stat", name); err != nil {
		return nil, err
	}
	info, err := r.backend.stat(name)
	if err != nil {
		return nil, r.fail("stat", name, err)
	}
	return info, nil
}

// OpenFile opens a regular file for reading and describes it. Reading stops with an error that is
// [ErrTooLarge] beyond Limits.MaxFileBytes, and with the context's error when that is done.
func (r *Root) OpenFile(ctx context.Context, name string) (io.ReadCloser, fs.FileInfo, error) {
	if err := r.begin(ctx, "open", name); err != nil {
		return nil, nil, err
	}
	file, err := r.backend.open(name)
	if err != nil {
		return nil, nil, r.fail("open", name, err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotFile
	}
	if err == nil && info.Size() > r.limits.MaxFileBytes {
		err = &LimitError{Limit: limitFileBytes, Value: r.limits.MaxFileBytes, Seen: info.Size()}
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, r.fail("open", name, err)
	}
	return &reader{ctx: ctx, root: r, name: name, file: file, left: r.limits.MaxFileBytes}, info, nil
}

// Open is OpenFile without the description.
func (r *Root) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	file, _, err := r.OpenFile(ctx, name)
	return file, err
}

// reader ends at the size limit with an error instead of a silent end: a cut-off file would read as truncated.
type reader struct {
	ctx  context.Context
	root *Root
	name string
	file fs.File
	left int64
}

func (f *reader) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, f.root.fail("read", f.name, err)
	}
	if len(p) == 0 {
		return 0, nil
	}
	// One byte more than is allowed tells a file of exactly the limit from a longer one.
	if int64(len(p)) > f.left {
		p = p[:f.left+1]
	}
	n, err := f.file.Read(p)
	if int64(n) > f.left {
		limit := &LimitError{Limit: limitFileBytes, Value: f.root.limits.MaxFileBytes}
		return int(f.left), f.root.fail("read", f.name, limit)
	}
	f.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = f.root.fail("read", f.name, err)
	}
	return n, err
}

func (f *reader) Close() error {
	if err := f.file.Close(); err != nil {
		return f.root.fail("close", f.name, err)
	}
	return nil
}

// batch is how many names are taken from the operating system between two looks at the context.
const batch = 256

// ReadDir lists a directory, sorted by name, with each entry's size and time. A link to a file inside the root
// is described as that file; every other link (to a directory, out of the root, to nothing) keeps the
// mode fs.ModeSymlink and is for the caller to name, not to follow. A directory with more entries than
// Limits.MaxEntries is an error that is [ErrLimit].
func (r *Root) ReadDir(ctx context.Context, name string) ([]fs.FileInfo, error) {
	if err := r.begin(ctx, "list", name); err != nil {
		return nil, err
	}
	file, err := r.backend.open(name)
	if err != nil {
		return nil, r.fail("list", name, err)
	}
	defer func() { _ = file.Close() }()
	dir, ok := file.(fs.ReadDirFile)
	if info, err := file.Stat(); err != nil {
		return nil, r.fail("list", name, err)
	} else if !ok || !info.IsDir() {
		return nil, r.fail("list", name, ErrNotDirectory)
	}
	var infos []fs.FileInfo
	for {
		if err := ctx.Err(); err != nil {
			return nil, r.fail("list", name, err)
		}
		entries, err := dir.ReadDir(batch)
		for _, entry := range entries {
			if len(infos) >= r.limits.MaxEntries {
				return nil, r.fail("list", name, &LimitError{Limit: limitEntries, Value: int64(r.limits.MaxEntries)})
			}
			if info := r.describe(name, entry); info != nil {
				infos = append(infos, info)
			}
		}
		if errors.Is(err, io.EOF) || err == nil && len(entries) == 0 {
			slices.SortFunc(infos, func(a, b fs.FileInfo) int { return cmp.Compare(a.Name(), b.Name()) })
			return infos, nil
		}
		if err != nil {
			return nil, r.fail("list", name, err)
		}
	}
}

// describe gives an entry's description, nil when it vanished meanwhile.
func (r *Root) describe(dir string, entry fs.DirEntry) fs.FileInfo {
	info, err := entry.Info()
	if err != nil {
		return nil
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return info
	}
	if target, err := r.backend.stat(path.Join(dir, entry.Name())); err == nil && target.Mode().IsRegular() {
		return linked{FileInfo: target, name: entry.Name()}
	}
	return info
}

// linked is a link's target under the link's own name.
type linked struct {
	fs.FileInfo
	name string
}

func (l linked) Name() string { return l.name }
