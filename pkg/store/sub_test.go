package store

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSubNarrows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "in", "side"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "in", "side", "a.json"), []byte("inside"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.json"), []byte("outside"), 0o644))
	// A link to another place of the same root: allowed for the root, not for the narrowed one.
	require.NoError(t, os.Symlink("../secret.json", filepath.Join(dir, "in", "link.json")))
	root, err := Open("lab", dir, Limits{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })

	sub, err := root.Sub("in")
	require.NoError(t, err)
	require.Equal(t, "lab", sub.Name())
	f, err := sub.Open(context.Background(), "side/a.json")
	require.NoError(t, err)
	body, err := io.ReadAll(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, "inside", string(body))

	_, err = sub.Open(context.Background(), "link.json")
	require.ErrorIs(t, err, ErrOutsideRoot)
	_, err = sub.Open(context.Background(), "../secret.json")
	require.ErrorIs(t, err, ErrOutsideRoot)
	through, err := root.Open(context.Background(), "in/link.json")
	require.NoError(t, err)
	require.NoError(t, through.Close())

	infos, err := sub.ReadDir(context.Background(), ".")
	require.NoError(t, err)
	require.NotEmpty(t, infos)
}

func TestSubRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	root, err := Open("lab", dir, Limits{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	for name, tc := range map[string]struct {
		path string
		want error
	}{
		"leaves the root": {"../x", ErrOutsideRoot},
		"absolute":        {"/etc", ErrOutsideRoot},
		"missing":         {"nowhere", ErrVanished},
		"a file":          {"file", ErrNotDirectory},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := root.Sub(tc.path)
			require.Truef(t, errors.Is(err, tc.want), "got %v", err)
		})
	}
	same, err := root.Sub("")
	require.NoError(t, err)
	require.Same(t, root, same)
}
