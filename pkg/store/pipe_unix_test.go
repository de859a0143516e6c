//go:build unix

package store_test

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/store"
)

func TestNamedPipeDoesNotBlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "summary.json"), 0o644))
	root := open(t, dir, store.Limits{})
	_, _, err := root.OpenFile(context.Background(), "summary.json")
	require.ErrorIs(t, err, store.ErrNotFile)
}
