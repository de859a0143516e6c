package packagecheck

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func fsMode(m uint32) fs.FileMode { return fs.FileMode(m) }

// dist writes a package as the build leaves it.
func dist(t *testing.T, archive fstest.MapFS) string {
	t.Helper()
	dir := t.TempDir()
	for name, file := range archive {
		inner := strings.TrimPrefix(name, app+"/")
		path := filepath.Join(dir, filepath.FromSlash(inner))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, file.Data, file.Mode))
	}
	return dir
}

func TestPackedIsWhatWasBuilt(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	archive := good(t)
	with("gpx_x_linux_arm64", "of an older build", 0o755)(t, archive)
	file, err := Pack(dist(t, archive), out, options.Platforms)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(out, app+"-1.2.0.zip"), file)
	faults, err := CheckZip(file, options)
	require.NoError(t, err)
	require.Empty(t, faults, "the binary keeps its mode, and what is older stays out")

	again, err := Pack(dist(t, good(t)), t.TempDir(), options.Platforms)
	require.NoError(t, err)
	first, err := os.ReadFile(filepath.Clean(file))
	require.NoError(t, err)
	second, err := os.ReadFile(filepath.Clean(again))
	require.NoError(t, err)
	require.Equal(t, first, second, "the same files make the same archive")
}

func TestAnArchiveThatIsNone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x.zip")
	require.NoError(t, os.WriteFile(file, []byte("no archive"), 0o600))
	_, err := CheckZip(file, options)
	require.ErrorContains(t, err, "open the package")
}

// A provisioning file that names an app which is not there stops Grafana at start. What starts Grafana, or stands in for it,
// asks before, and the message names the missing file.
func TestAPluginThatIsNotBuilt(t *testing.T) {
	t.Parallel()
	t.Run("no folder", func(t *testing.T) {
		t.Parallel()
		gone := filepath.Join(t.TempDir(), "dist")
		err := Ready(gone, "linux_amd64")
		require.ErrorContains(t, err, "the plugin is not built: "+gone+" is missing; run `go tool mage build`")
	})
	t.Run("empty folder", func(t *testing.T) {
		t.Parallel()
		empty := t.TempDir()
		err := Ready(empty, "linux_amd64")
		require.ErrorContains(t, err, filepath.Join(empty, "plugin.json")+" is missing; run `go tool mage build`")
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
	t.Run("no backend for this system", func(t *testing.T) {
		t.Parallel()
		built := dist(t, good(t))
		require.NoError(t, Ready(built, "linux_amd64"))
		err := Ready(built, "plan9_amd64")
		require.ErrorContains(t, err, "not built for plan9_amd64; run `go tool mage build`")
		require.ErrorContains(t, err, filepath.Join(built, "gpx_x_plan9_amd64"))
	})
	t.Run("Windows", func(t *testing.T) {
		t.Parallel()
		require.ErrorContains(t, Ready(dist(t, good(t)), "windows_amd64"), "gpx_x_windows_amd64.exe")
	})
}

// A nested data source that names a binary in its own folder has none: its parent's is one folder up.
func TestANestedDataSourceWithoutItsBackend(t *testing.T) {
	t.Parallel()
	archive := good(t)
	replace("datasource/plugin.json", "../gpx_x", "gpx_x")(t, archive)
	built := dist(t, archive)
	err := Ready(built, "linux_amd64")
	require.ErrorContains(t, err, filepath.Join(built, "datasource", "gpx_x_linux_amd64"))
	require.ErrorContains(t, err, "acme-evidence-datasource")
}
