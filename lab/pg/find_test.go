package pg

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func nowhere(string) (string, error) { return "", errors.New("not on PATH") }

// programs writes server programs that only know their version.
func programs(t *testing.T, bin, version string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(bin, 0o755))
	for _, name := range []string{"initdb", "postgres"} {
		text := "#!/bin/sh\necho '" + name + " (PostgreSQL) " + version + " (Debian " + version + "-0+deb12u1)'\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755))
	}
}

func TestFindTakesTheNewest(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, version := range []string{"9", "15", "16"} {
		programs(t, filepath.Join(root, version, "bin"), version+".4")
	}
	// A client-only directory has no initdb.
	require.NoError(t, os.MkdirAll(filepath.Join(root, "17", "bin"), 0o755))
	found, err := find(t.Context(), "", filepath.Join(root, "*", "bin"), nowhere)
	require.NoError(t, err)
	assert.Equal(t, Installation{Bin: filepath.Join(root, "16", "bin"), Version: "16.4"}, found)
}

func TestFindFollowsPATH(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	programs(t, filepath.Join(root, "real"), "17.2")
	link := filepath.Join(root, "postgres")
	require.NoError(t, os.Symlink(filepath.Join(root, "real", "postgres"), link))
	found, err := find(t.Context(), "", filepath.Join(root, "none", "*"), func(string) (string, error) { return link, nil })
	require.NoError(t, err)
	want, err := filepath.EvalSymlinks(filepath.Join(root, "real"))
	require.NoError(t, err)
	assert.Equal(t, want, found.Bin)
}

func TestFindSaysHowToInstall(t *testing.T) {
	t.Parallel()
	_, err := find(t.Context(), "", filepath.Join(t.TempDir(), "*"), nowhere)
	var missing *MissingError
	require.ErrorAs(t, err, &missing)
	require.ErrorContains(t, err, "apt-get install -y postgresql")
	_, err = find(t.Context(), "/not/there", "", nowhere)
	require.ErrorContains(t, err, "LAB_POSTGRES_BIN")
}

func TestDeclineMainCluster(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, want string }{
		"no file":       {"", "create_main_cluster = false\n"},
		"other setting": {"data_directory = '/x'", "data_directory = '/x'\ncreate_main_cluster = false\n"},
		"set to true":   {"create_main_cluster = true\nx = 1\n", "create_main_cluster = false\nx = 1\n"},
		"commented":     {"#create_main_cluster = true\n", "#create_main_cluster = true\ncreate_main_cluster = false\n"},
		"already":       {"create_main_cluster = false\n", "create_main_cluster = false\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "conf")
			path := filepath.Join(dir, "createcluster.conf")
			if c.old != "" {
				require.NoError(t, os.Mkdir(dir, 0o755))
				require.NoError(t, os.WriteFile(path, []byte(c.old), 0o644))
			}
			require.NoError(t, declineMainCluster(dir))
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, c.want, string(got))
		})
	}
}
