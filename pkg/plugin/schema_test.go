package plugin

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/schema"
)

var update = flag.Bool("update", false, "write golden files and the schema anew")

// The schema below src is the source of the TypeScript types. It is made from the Go structs, so the two
// cannot differ: this test fails when the committed file is not what the structs give.
func TestSchemaOfTheAPIIsUpToDate(t *testing.T) {
	t.Chdir("../..")
	got, err := schema.Make(schema.Document{
		Root: API{}, ID: "https://github.com/replaylab/replay-evidence/src/types/api.schema.json",
		Title:    "ReplayEvidenceAPI",
		Plain:    []string{"pkg/plugin", "pkg/compare"},
		Comments: []string{"./pkg/plugin", "./pkg/compare", "./pkg/evidence", "./pkg/catalog"},
	})
	require.NoError(t, err)
	const file = "src/types/api.schema.json"
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go test ./pkg/plugin -update, then npm run generate:types")
}
