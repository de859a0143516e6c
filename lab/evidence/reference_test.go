package reference

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// The README shows the committed reference and nothing else.
func TestReadmeShowsTheReference(t *testing.T) {
	t.Parallel()
	f, err := os.Open(filepath.Join(root, File))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	ref, err := Read(f)
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	shown, err := Between(string(readme))
	require.NoError(t, err)
	require.Equal(t, ref.Table(), shown, "run `go tool mage lab:reference` after a lab run")
}

// What the reference claims is what the lab must show on any machine.
func TestReferenceHolds(t *testing.T) {
	t.Parallel()
	f, err := os.Open(filepath.Join(root, File))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	ref, err := Read(f)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"behaviour": "unchanged", "speed": "improved", "cause": "wait"}, ref.Answers)
	rows := map[string]Row{}
	for _, r := range ref.Rows {
		rows[r.Key] = r
	}
	require.Equal(t, "1,200 of 1,200", rows["reconciliation"].Baseline)
	require.Equal(t, "1,200 of 1,200", rows["reconciliation"].Candidate)
	require.Equal(t, "173 ms", rows["loadQuantile"].GuideBaseline)
	require.NotEmpty(t, ref.Host.CPU)
	require.NotEmpty(t, ref.Versions["server"])
}

func TestBetween(t *testing.T) {
	t.Parallel()
	got, err := Between("a\n" + begin + "table\n" + end + "b\n")
	require.NoError(t, err)
	require.Equal(t, "table\n", got)
	for _, bad := range []string{"", begin, "x" + end} {
		_, err := Between(bad)
		require.Error(t, err)
	}
}
