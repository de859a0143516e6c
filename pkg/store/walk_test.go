package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/store"
)

// visit walks and returns what was shown, with errors by path.
func visit(t testing.TB, root *store.Root, from string) (paths []string, failed map[string]error, err error) {
	t.Helper()
	failed = map[string]error{}
	err = root.Walk(context.Background(), from, func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		if err != nil {
			failed[path] = err
		}
		return nil
	})
	return paths, failed, err
}

func TestWalkGoesLikeWalkDir(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for _, name := range []string{"b/2", "b/10", "a/x/y/z", "c", "b/a/f"} {
		files[name] = &fstest.MapFile{Data: []byte(name)}
	}
	root, err := store.NewFS("lab", files, store.Limits{})
	require.NoError(t, err)
	stop := errors.New("stop")
	for name, decide := range map[string]func(string, fs.DirEntry) error{
		"everything":      func(string, fs.DirEntry) error { return nil },
		"skip a folder":   func(p string, _ fs.DirEntry) error { return when(p == "a/x", fs.SkipDir) },
		"skip at a file":  func(p string, _ fs.DirEntry) error { return when(p == "b/10", fs.SkipDir) },
		"skip everything": func(p string, _ fs.DirEntry) error { return when(p == "b/a", fs.SkipAll) },
		"own error":       func(p string, _ fs.DirEntry) error { return when(p == "b/2", stop) },
		"skip the start":  func(p string, _ fs.DirEntry) error { return when(p == ".", fs.SkipDir) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			record := func(into *[]string) fs.WalkDirFunc {
				return func(p string, d fs.DirEntry, err error) error {
					require.NoError(t, err)
					*into = append(*into, fmt.Sprint(p, d.IsDir()))
					return decide(p, d)
				}
			}
			var want, got []string
			wantErr := fs.WalkDir(files, ".", record(&want))
			gotErr := root.Walk(context.Background(), ".", record(&got))
			assert.Equal(t, want, got)
			assert.Equal(t, wantErr, gotErr)
		})
	}
}

func when(yes bool, err error) error {
	if yes {
		return err
	}
	return nil
}

func TestWalkShowsLinksAndFollowsNoneOut(t *testing.T) {
	t.Parallel()
	outside := tree(t, map[string]string{"secret": "s"})
	dir := tree(t, map[string]string{"run/f": "x"})
	link(t, outside, filepath.Join(dir, "away"))
	link(t, "gone", filepath.Join(dir, "dangling"))
	link(t, "run", filepath.Join(dir, "latest"))
	link(t, "..", filepath.Join(dir, "run", "up"))
	paths, failed, err := visit(t, open(t, dir, store.Limits{}), ".")
	require.NoError(t, err)
	assert.Equal(t, []string{".", "away", "dangling", "latest", "run", "run/f", "run/up"}, paths)
	require.Len(t, failed, 2)
	require.ErrorIs(t, failed["away"], store.ErrOutsideRoot)
	require.ErrorIs(t, failed["dangling"], store.ErrVanished)
}

func TestWalkDepthLimitStillVisitsTheRest(t *testing.T) {
	t.Parallel()
	root := open(t, tree(t, map[string]string{"a/b/c/deep": "x", "z/file": "x"}), store.Limits{MaxDepth: 2})
	paths, _, err := visit(t, root, ".")
	assert.Equal(t, []string{".", "a", "a/b", "z", "z/file"}, paths)
	var limit *store.LimitError
	require.ErrorAs(t, err, &limit)
	require.ErrorIs(t, err, store.ErrLimit)
	require.NotErrorIs(t, err, store.ErrTooLarge)
	assert.Equal(t, "MaxDepth", limit.Limit)
	assert.EqualValues(t, 2, limit.Value)
	assert.Contains(t, err.Error(), "a/b")
}

func TestWalkEntryLimit(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 9 {
		files[fmt.Sprintf("run/%d", i)] = "x"
	}
	dir := tree(t, files)
	_, _, err := visit(t, open(t, dir, store.Limits{MaxEntries: 10}), ".")
	require.NoError(t, err, "the folder and nine files are ten entries")

	paths, _, err := visit(t, open(t, dir, store.Limits{MaxEntries: 9}), ".")
	var limit *store.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, "MaxEntries", limit.Limit)
	assert.Len(t, paths, 10, "the start and nine entries were shown before the limit")

	_, err = open(t, dir, store.Limits{MaxEntries: 8}).ReadDir(context.Background(), "run")
	require.ErrorIs(t, err, store.ErrLimit)
}

func TestWalkOfNothing(t *testing.T) {
	t.Parallel()
	root := open(t, tree(t, nil), store.Limits{})
	_, failed, err := visit(t, root, "nope")
	require.NoError(t, err)
	require.ErrorIs(t, failed["nope"], store.ErrVanished)
	err = root.Walk(context.Background(), "nope", func(_ string, _ fs.DirEntry, err error) error { return err })
	require.ErrorIs(t, err, store.ErrVanished)
}

func TestFolderThatVanishesDuringTheWalk(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a/f": "x", "b/f": "x", "c/f": "x"})
	root := open(t, dir, store.Limits{})
	var seen []string
	var vanished error
	err := root.Walk(context.Background(), ".", func(path string, _ fs.DirEntry, err error) error {
		if path == "a" {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "b")))
		}
		if err != nil {
			vanished = err
			return nil
		}
		seen = append(seen, path)
		return nil
	})
	require.NoError(t, err)
	require.ErrorIs(t, vanished, store.ErrVanished)
	assert.Equal(t, []string{".", "a", "a/f", "b", "c", "c/f"}, seen)
}

// BenchmarkWalk1000Sides walks 1,000 sides of two runs with summary, window and two pairs each.
func BenchmarkWalk1000Sides(b *testing.B) {
	files := map[string]string{}
	for side := range 1000 {
		for _, run := range []string{"functional", "load"} {
			dir := fmt.Sprintf("results/side-%04d/%s/", side, run)
			for _, file := range []string{"summary.json", "window.json", "localhost/1.md", "localhost/2.md"} {
				files[dir+file] = "{}"
			}
		}
	}
	dir := tree(b, files)
	root := open(b, dir, store.Limits{})
	entries := 0
	count := func(_ string, _ fs.DirEntry, err error) error { entries++; return err }
	b.Run("root", func(b *testing.B) {
		for b.Loop() {
			entries = 0
			if err := root.Walk(context.Background(), ".", count); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(entries), "entries")
	})
	// The plain walk of the same tree, to read the price of the checks off.
	b.Run("filepath.WalkDir", func(b *testing.B) {
		for b.Loop() {
			if err := filepath.WalkDir(dir, count); err != nil {
				b.Fatal(err)
			}
		}
	})
}
