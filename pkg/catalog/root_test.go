package catalog

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// dirRoot is a Root over a directory, counting what is opened.
type dirRoot struct {
	name   string
	fsys   fs.FS
	opened atomic.Int64
}

func newDirRoot(name, dir string) *dirRoot { return &dirRoot{name: name, fsys: os.DirFS(dir)} }

func (r *dirRoot) Name() string { return r.name }

func (r *dirRoot) ReadDir(_ context.Context, dir string) ([]fs.FileInfo, error) {
	entries, err := fs.ReadDir(r.fsys, dir)
	if err != nil {
		return nil, err
	}
	out := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		out = append(out, info)
	}
	return out, nil
}

func (r *dirRoot) Open(_ context.Context, name string) (io.ReadCloser, error) {
	r.opened.Add(1)
	return r.fsys.Open(name)
}

// tree writes files into a temporary directory, all with one modification time, and returns its path.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	when := time.Date(2026, 8, 13, 15, 0, 30, 0, time.UTC)
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(full, when, when); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// corpus returns the directory of public proxymock files, or skips.
func corpus(t testing.TB) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(file), "..", "..", "..", "shared", "corpus")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the corpus of public files (../shared/corpus beside the repository) is not here; skipping")
	}
	return dir
}
