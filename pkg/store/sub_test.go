package store_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/store"
)

func TestSubNarrowsAndNeverWidens(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"team/run/f": "mine", "other/f": "theirs"})
	link(t, "../other", filepath.Join(dir, "team", "sibling"))
	link(t, "../other/f", filepath.Join(dir, "team", "file"))
	link(t, "team", filepath.Join(dir, "alias"))
	outside := tree(t, map[string]string{"f": "x"})
	link(t, outside, filepath.Join(dir, "away"))
	root := open(t, dir, store.Limits{})
	ctx := context.Background()

	for _, at := range []string{"team", "alias"} {
		sub, err := root.Sub(at)
		require.NoError(t, err)
		assert.Equal(t, "lab", sub.Name())
		file, _, err := sub.OpenFile(ctx, "run/f")
		require.NoError(t, err)
		text, err := io.ReadAll(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		assert.Equal(t, "mine", string(text))
		for _, path := range []string{"sibling/f", "file", "../other/f"} {
			_, _, err = sub.OpenFile(ctx, path)
			require.ErrorIs(t, err, store.ErrOutsideRoot, path)
		}
		deeper, err := sub.Sub("run")
		require.NoError(t, err)
		_, err = deeper.Stat(ctx, "f")
		require.NoError(t, err)
	}
	for path, want := range map[string]error{
		"away": store.ErrOutsideRoot, "../x": store.ErrOutsideRoot, "/etc": store.ErrOutsideRoot, "nope": store.ErrVanished,
		"other/f": store.ErrNotDirectory,
	} {
		_, err := root.Sub(path)
		require.ErrorIs(t, err, want, path)
		assert.NotContains(t, err.Error(), dir)
	}
	same, err := root.Sub("")
	require.NoError(t, err)
	assert.Same(t, root, same)
}

func TestSubSeesADirectoryMadeAnew(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"team/old": "x"})
	root := open(t, dir, store.Limits{})
	sub, err := root.Sub("team")
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "team")))
	_, err = sub.ReadDir(context.Background(), ".")
	require.ErrorIs(t, err, store.ErrVanished)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "team"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "team", "new"), nil, 0o644))
	infos, err := sub.ReadDir(context.Background(), ".")
	require.NoError(t, err)
	require.Len(t, infos, 1)
	assert.Equal(t, "new", infos[0].Name())
	require.NoError(t, sub.Close())
	_, err = sub.Stat(context.Background(), "new")
	require.NoError(t, err, "a narrowed root lives as long as its parent")
	require.NoError(t, root.Close())
	_, err = sub.Stat(context.Background(), "new")
	require.ErrorIs(t, err, store.ErrClosed)
}

func TestSubOfAFileSystem(t *testing.T) {
	t.Parallel()
	root, err := store.NewFS("lab", fstest.MapFS{"team/f": {Data: []byte("x")}}, store.Limits{})
	require.NoError(t, err)
	sub, err := root.Sub("team")
	require.NoError(t, err)
	_, err = sub.Stat(context.Background(), "f")
	require.NoError(t, err)
}
