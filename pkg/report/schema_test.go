package report_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/schema"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/report"
)

var update = flag.Bool("update", false, "write golden files and the schema anew")

// generate makes the schema from the Go types and their comments. The working directory is the module's.
func generate(t *testing.T) []byte {
	t.Helper()
	text, err := schema.Make(schema.Document{
		Root: compare.Comparison{}, ID: "https://github.com/replaylab/replay-evidence/pkg/report/evidence.schema.json",
		Title:    "evidence.json of Replay Evidence, version " + compare.SchemaVersion,
		Plain:    []string{"pkg/compare"},
		Comments: []string{"./pkg/compare", "./pkg/evidence", "./pkg/catalog"},
		Adjust:   words,
	})
	require.NoError(t, err)
	return text
}

// words restricts texts to the words of the design.
func words(s *jsonschema.Schema) error {
	answers := []any{compare.Unchanged, compare.Changed, compare.Improved, compare.Regressed, compare.NoProvableChange,
		compare.CauseWait, compare.CauseWork, compare.CauseWaitAndWork, compare.Unexplained, compare.Inconclusive}
	var all error
	for _, def := range []string{"Judgement", "SpeedJudgement", "CauseJudgement", "EndpointChange"} {
		all = errors.Join(all, schema.Enum(s, def, "answer", answers...))
	}
	version, ok := s.Definitions["Comparison"].Properties.Get("schemaVersion")
	if !ok {
		return errors.New("the comparison has no schemaVersion")
	}
	version.Pattern = `^1\.[0-9]+$`
	return errors.Join(all,
		schema.Enum(s, "IdentityItem", "state", compare.Same, compare.Differs, compare.Unknown),
		schema.Enum(s, "Row", "direction", compare.Better, compare.Worse, compare.SameDirection, compare.UnknownDirection),
		schema.Enum(s, "Responses", "state", compare.Compared, compare.PartlyCompared, compare.NotCompared),
	)
}

// The committed schema is the one that the Go types give.
func TestSchemaIsUpToDate(t *testing.T) {
	t.Chdir("../..")
	want := generate(t)
	const file = "pkg/report/evidence.schema.json"
	if *update {
		require.NoError(t, os.WriteFile(file, want, 0o644))
		return
	}
	// The whole text would drown the reader; the lines that differ are enough.
	lines := func(b []byte) []string { return strings.Split(string(b), "\n") }
	if d := cmp.Diff(lines(want), lines(report.Schema())); d != "" {
		t.Errorf("the schema is not that of the types (-types +file); run go test ./pkg/report -update\n%s", d)
	}
}
