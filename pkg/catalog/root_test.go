package catalog

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/replaylab/replay-evidence/pkg/store"
)

// counting is a root that counts what is opened.
type counting struct {
	*store.Root
	opened atomic.Int64
}

func (r *counting) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	file, err := r.Root.Open(ctx, name)
	if !errors.Is(err, fs.ErrNotExist) {
		r.opened.Add(1)
	}
	return file, err
}

func openRoot(t testing.TB, name, dir string) *counting {
	t.Helper()
	root, err := store.Open(name, dir, store.Limits{MaxFileBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return &counting{Root: root}
}

// when is the modification time of every file that write makes.
var when = time.Date(2026, 8, 13, 15, 0, 30, 0, time.UTC)

// write puts one file below dir.
func write(t testing.TB, dir, name, text string) {
	t.Helper()
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

// tree writes files into a temporary directory and returns a catalogue over it as root "r".
func tree(t testing.TB, files map[string]string) (*Catalog, *counting, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	root := openRoot(t, "r", dir)
	return New([]Root{root}, Options{}), root, dir
}

// listed returns the runs of a catalogue by path, and to which side each belongs.
func listed(t testing.TB, c *Catalog) (map[string]Run, map[string]string) {
	t.Helper()
	listing, err := c.Sides(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runs, sides := map[string]Run{}, map[string]string{}
	for _, s := range listing.Sides {
		for _, r := range s.Runs {
			runs[r.Path], sides[r.Path] = r, s.ID
		}
	}
	return runs, sides
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
