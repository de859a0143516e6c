package store_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/store"
)

// tree writes files below a new directory and returns its path.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func open(t testing.TB, dir string, limits store.Limits) *store.Root {
	t.Helper()
	root, err := store.Open("lab", dir, limits)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, root.Close()) })
	return root
}

func link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
}

func TestOpenNamesTheConfiguredPath(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"file": "x"})
	cases := map[string]struct {
		name, path string
		want       error
		text       string
	}{
		"missing":     {"lab", filepath.Join(dir, "nope"), store.ErrRootMissing, "create it or correct the path"},
		"a file":      {"lab", filepath.Join(dir, "file"), store.ErrNotDirectory, "name the directory"},
		"no path":     {"lab", "", nil, "lab=/path/to/results"},
		"bad name":    {"../x", dir, nil, "use 1 to 64 letters"},
		"slash named": {"a/b", dir, nil, "use 1 to 64 letters"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := store.Open(c.name, c.path, store.Limits{})
			require.Error(t, err)
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
				assert.Contains(t, err.Error(), c.path)
			}
			assert.Contains(t, err.Error(), c.text)
		})
	}
}

func TestReadsWhatIsThere(t *testing.T) {
	t.Parallel()
	root := open(t, tree(t, map[string]string{"b/summary.json": "{}", "a/window.json": "[1]", "z": ""}), store.Limits{})
	ctx := context.Background()
	assert.Equal(t, "lab", root.Name())

	infos, err := root.ReadDir(ctx, ".")
	require.NoError(t, err)
	var names []string
	for _, info := range infos {
		names = append(names, info.Name())
	}
	assert.Equal(t, []string{"a", "b", "z"}, names)

	file, info, err := root.OpenFile(ctx, "b/summary.json")
	require.NoError(t, err)
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	assert.Equal(t, "{}", string(text))
	assert.EqualValues(t, 2, info.Size())

	_, err = root.ReadDir(ctx, "z")
	require.ErrorIs(t, err, store.ErrNotDirectory)
	_, _, err = root.OpenFile(ctx, "a")
	require.ErrorIs(t, err, store.ErrNotFile)
	_, err = root.Stat(ctx, "z/below-a-file")
	require.Error(t, err)
}

func TestNothingLeavesTheRoot(t *testing.T) {
	t.Parallel()
	outside := tree(t, map[string]string{"secret": "s", "dir/secret": "s"})
	dir := tree(t, map[string]string{"in/file": "inside"})
	link(t, filepath.Join(outside, "secret"), filepath.Join(dir, "absolute"))
	link(t, "../"+filepath.Base(outside)+"/secret", filepath.Join(dir, "relative"))
	link(t, outside, filepath.Join(dir, "folder"))
	link(t, "loop", filepath.Join(dir, "loop"))
	link(t, "in/file", filepath.Join(dir, "good"))
	root := open(t, dir, store.Limits{})
	ctx := context.Background()

	for name, path := range map[string]string{
		"absolute link": "absolute", "relative link": "relative", "below a linked folder": "folder/dir/secret",
		"parent": "../secret", "hidden parent": "in/../../secret", "absolute path": filepath.Join(outside, "secret"),
		"a loop": "loop", "empty": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := root.OpenFile(ctx, path)
			require.ErrorIs(t, err, store.ErrOutsideRoot)
			assert.NotContains(t, strings.ReplaceAll(err.Error(), path, ""), outside)
			assert.NotContains(t, err.Error(), dir)
			assert.Contains(t, err.Error(), `root "lab"`)
			_, err = root.Stat(ctx, path)
			require.ErrorIs(t, err, store.ErrOutsideRoot)
		})
	}
	_, err := root.ReadDir(ctx, "folder")
	require.ErrorIs(t, err, store.ErrOutsideRoot)

	file, info, err := root.OpenFile(ctx, "good")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	assert.EqualValues(t, len("inside"), info.Size())

	infos, err := root.ReadDir(ctx, ".")
	require.NoError(t, err)
	links := map[string]bool{}
	for _, info := range infos {
		links[info.Name()] = info.Mode()&fs.ModeSymlink != 0
	}
	assert.Equal(t, map[string]bool{"absolute": true, "relative": true, "folder": true, "loop": true, "good": false, "in": false}, links)
}

func TestPermission(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("the superuser may read everything")
	}
	dir := tree(t, map[string]string{"closed/file": "x"})
	require.NoError(t, os.Chmod(filepath.Join(dir, "closed"), 0))
	t.Cleanup(func() { assert.NoError(t, os.Chmod(filepath.Join(dir, "closed"), 0o755)) })
	root := open(t, dir, store.Limits{})
	_, _, err := root.OpenFile(context.Background(), "closed/file")
	require.ErrorIs(t, err, store.ErrPermission)
	require.ErrorIs(t, err, fs.ErrPermission)
}

// denied refuses one path the way an operating system does; it stands in for permissions where tests run as superuser.
type denied struct {
	fs.FS
	path string
}

func (d denied) Open(name string) (fs.File, error) {
	if name == d.path {
		return nil, &fs.PathError{Op: "open", Path: "/host/place/" + name, Err: fs.ErrPermission}
	}
	return d.FS.Open(name)
}

func TestPermissionIsTypedAndNamesNoHostPath(t *testing.T) {
	t.Parallel()
	fsys := denied{fstest.MapFS{"closed/file": {Data: []byte("x")}, "open/file": {Data: []byte("x")}}, "closed"}
	root, err := store.NewFS("lab", fsys, store.Limits{})
	require.NoError(t, err)
	_, err = root.ReadDir(context.Background(), "closed")
	require.ErrorIs(t, err, store.ErrPermission)
	assert.NotContains(t, err.Error(), "/host/place")
	_, err = root.ReadDir(context.Background(), "open")
	require.NoError(t, err, "one unreadable folder must not cost the others")
}

func TestVanishedBetweenListingAndOpening(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"run/summary.json": "{}"})
	root := open(t, dir, store.Limits{})
	ctx := context.Background()
	infos, err := root.ReadDir(ctx, "run")
	require.NoError(t, err)
	require.Len(t, infos, 1)
	require.NoError(t, os.Remove(filepath.Join(dir, "run", "summary.json")))
	_, _, err = root.OpenFile(ctx, "run/summary.json")
	require.ErrorIs(t, err, store.ErrVanished)
	require.ErrorIs(t, err, fs.ErrNotExist)
	assert.Equal(t, `open run/summary.json in root "lab": does not exist or vanished since it was listed: file does not exist`, err.Error())
}

func TestRootMadeAnewIsSeen(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "old"), 0o755))
	root := open(t, dir, store.Limits{})
	ctx := context.Background()

	require.NoError(t, os.RemoveAll(dir))
	_, err := root.ReadDir(ctx, ".")
	require.ErrorIs(t, err, store.ErrRootMissing)

	require.NoError(t, os.MkdirAll(filepath.Join(dir, "new"), 0o755))
	infos, err := root.ReadDir(ctx, ".")
	require.NoError(t, err)
	require.Len(t, infos, 1)
	assert.Equal(t, "new", infos[0].Name())
}

func TestFileSizeLimit(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"exact": "12345678", "over": "123456789"})
	root := open(t, dir, store.Limits{MaxFileBytes: 8})
	ctx := context.Background()

	file, _, err := root.OpenFile(ctx, "exact")
	require.NoError(t, err)
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	assert.Equal(t, "12345678", string(text))

	_, _, err = root.OpenFile(ctx, "over")
	require.ErrorIs(t, err, store.ErrTooLarge)
	require.ErrorIs(t, err, store.ErrLimit)
	var limit *store.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, store.LimitError{Limit: "MaxFileBytes", Value: 8, Seen: 9}, *limit)
	require.ErrorIs(t, err, store.ErrTooLarge)
}

func TestFileThatGrowsWhileItIsRead(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"f": "1234"})
	root := open(t, dir, store.Limits{MaxFileBytes: 8})
	file, _, err := root.OpenFile(context.Background(), "f")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte("123456789 and more"), 0o644))
	text, err := io.ReadAll(file)
	require.ErrorIs(t, err, store.ErrTooLarge, "a silent end would read as a truncated file")
	assert.LessOrEqual(t, len(text), 8)
	require.NoError(t, file.Close())
}

func TestEntryLimit(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"run/1": "x", "run/2": "x", "run/3": "x"})
	infos, err := open(t, dir, store.Limits{MaxEntries: 3}).ReadDir(context.Background(), "run")
	require.NoError(t, err)
	assert.Len(t, infos, 3)
	_, err = open(t, dir, store.Limits{MaxEntries: 2}).ReadDir(context.Background(), "run")
	var limit *store.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, store.LimitError{Limit: "MaxEntries", Value: 2}, *limit)
	require.NotErrorIs(t, err, store.ErrTooLarge)
	assert.Contains(t, err.Error(), `list run in root "lab": holds more than 2 files and folders`)
}

func TestCancellation(t *testing.T) {
	t.Parallel()
	root := open(t, tree(t, map[string]string{"a/b": "text", "c/d": "text"}), store.Limits{})
	ctx, cancel := context.WithCancel(context.Background())
	file, _, err := root.OpenFile(ctx, "a/b")
	require.NoError(t, err)
	cancel()
	_, err = io.ReadAll(file)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, file.Close())
	_, err = root.ReadDir(ctx, ".")
	require.ErrorIs(t, err, context.Canceled)
	_, err = root.Stat(ctx, ".")
	require.ErrorIs(t, err, context.Canceled)
}

func TestClosedRoot(t *testing.T) {
	t.Parallel()
	root, err := store.Open("lab", tree(t, map[string]string{"f": "x"}), store.Limits{})
	require.NoError(t, err)
	require.NoError(t, root.Close())
	require.NoError(t, root.Close(), "closing twice is harmless")
	_, err = root.Stat(context.Background(), "f")
	require.ErrorIs(t, err, store.ErrClosed)
}

func TestParseSpec(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		text string
		want []store.Spec
		fail string
	}{
		"empty":              {text: " \n , ", want: nil},
		"one":                {text: "lab=/var/lib/x", want: []store.Spec{{Name: "lab", Path: "/var/lib/x"}}},
		"commas, newlines":   {text: "a=/x/ , b=/y\nc=./z\r\n", want: []store.Spec{{"a", "/x"}, {"b", "/y"}, {"c", "z"}}},
		"equals in the path": {text: "a=/x=y", want: []store.Spec{{"a", "/x=y"}}},
		"no name":            {text: "/var/lib/x", fail: "write it as name=path"},
		"no path":            {text: "lab=", fail: "write it as name=path"},
		"bad name":           {text: "a b=/x", fail: "use 1 to 64"},
		"twice":              {text: "a=/x,a=/y", fail: "used twice"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := store.ParseSpec(c.text)
			if c.fail != "" {
				require.ErrorContains(t, err, c.fail)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestNewFSChecksItsArguments(t *testing.T) {
	t.Parallel()
	_, err := store.NewFS("lab", nil, store.Limits{})
	require.Error(t, err)
	_, err = store.NewFS("", fstest.MapFS{}, store.Limits{})
	require.Error(t, err)
}
