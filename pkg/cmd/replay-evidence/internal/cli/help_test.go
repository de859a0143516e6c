package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/profile"
)

// Every text of --help fits a terminal of 100 columns, says its exit statuses, and shows only flags that exist.
func TestHelp(t *testing.T) {
	t.Parallel()
	flag := regexp.MustCompile(`(?m)(^|[ "(])--([a-z-]+)`)
	foreign := map[string]bool{"load-test": true, "output": true, "fail-if": true, "help": true} // of the replay program, and cobra's own
	_, root, _ := invoke(t.Context(), "--help")
	for name, args := range map[string][]string{
		"": nil, "runs": {"runs"}, "window": {"window"}, "pairs": {"pairs"}, "evidence": {"evidence"}, "compare": {"compare"}, "profile check": {"profile", "check"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := invoke(t.Context(), append(args, "--help")...)
			assert.Equal(t, 0, status, errs)
			assert.Contains(t, out, "Exit status")
			if name != "profile check" {
				assert.Contains(t, root, name)
			}
			text, flags, _ := strings.Cut(out, "\nFlags:\n")
			known := map[string]bool{}
			for _, m := range flag.FindAllStringSubmatch(flags, -1) {
				known[m[2]] = true
			}
			for _, line := range strings.Split(text, "\n") {
				assert.LessOrEqual(t, len([]rune(line)), 110, line)
			}
			for _, m := range flag.FindAllStringSubmatch(text, -1) {
				if name != "" && !strings.Contains("--prometheus --profile", "--"+m[2]) {
					assert.True(t, known[m[2]] || foreign[m[2]], "--%s is no flag of %s", m[2], name)
				}
			}
		})
	}
}

// The profile that the help shows is a whole one.
func TestProfileOfHelp(t *testing.T) {
	t.Parallel()
	_, out, _ := invoke(t.Context(), "profile", "--help")
	_, out, _ = strings.Cut(out, "as YAML:\n\n")
	text, _, found := strings.Cut(out, "\n\n")
	require.True(t, found)
	p, err := profile.Parse(strings.NewReader(text), "help.yaml")
	require.NoError(t, err)
	assert.Equal(t, profile.HoldDeclared, p.Waits[0].Hold.Kind)
	assert.Equal(t, []string{"requested_at"}, p.Ignore)
	assert.Len(t, p.Extra, 1)
}

// The fields that the help of compare names are those of evidence.json.
func TestFieldsOfHelp(t *testing.T) {
	t.Parallel()
	_, out, _ := invoke(t.Context(), "compare", "--help")
	_, out, _ = strings.Cut(out, "Some fields:\n")
	table, _, found := strings.Cut(out, "\"--format json\"")
	require.True(t, found)
	assert.Len(t, fieldsOf(table), 24)
	for _, field := range fieldsOf(table) {
		status, _, errs := invoke(t.Context(), "compare", "--dry-run", "--fail-if", field+" != nil")
		assert.Equal(t, 0, status, errs)
	}
}

// fieldsOf reads the help's table: an object, two blanks, its fields; or whole fields.
func fieldsOf(table string) []string {
	var out []string
	object := ""
	for _, line := range strings.Split(strings.TrimRight(table, "\n"), "\n") {
		parts := regexp.MustCompile(` {2,}`).Split(strings.TrimSpace(line), 2)
		switch {
		case strings.Contains(parts[0], " ") && len(parts) == 2: // several whole fields, then words
			out = append(out, strings.Fields(parts[0])...)
			continue
		case strings.HasSuffix(parts[0], ".count"):
			out = append(out, parts[0])
			continue
		case len(parts) == 2:
			object = parts[0]
		}
		last := ""
		for _, field := range strings.FieldsFunc(strings.ReplaceAll(parts[len(parts)-1], " and ", ", "), func(r rune) bool { return r == ',' || r == ' ' }) {
			if strings.HasPrefix(field, ".") {
				field = last[:strings.LastIndex(last, ".")] + field
			}
			last = field
			out = append(out, object+"."+field)
		}
	}
	return out
}

// A root without runs is said in one line, without an empty table.
func TestRunsOfNothing(t *testing.T) {
	t.Parallel()
	status, out, errs := invoke(t.Context(), "runs", "--root", t.TempDir())
	assert.Equal(t, 0, status)
	assert.Empty(t, out)
	assert.Equal(t, "no runs below these roots: a run is a directory with a replay result, recorded pairs or both\n", errs)
}

// A side in the place of a run is told, with the runs that it has.
func TestSideInThePlaceOfARun(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	for _, ref := range []string{"lab/baseline", "baseline"} {
		status, _, errs := invoke(t.Context(), "pairs", "--root", "lab="+dir, "--in", ref)
		assert.Equal(t, 64, status)
		assert.Contains(t, errs, "is a side, not a run; use one of lab/baseline/functional, lab/baseline/load\n")
	}
}

// A side that is a run itself is listed with "." and not with its path again; one pair is one pair.
func TestRunThatIsASide(t *testing.T) {
	t.Parallel()
	dir, _ := labDir(t)
	only := t.TempDir()
	files, err := filepath.Glob(filepath.Join(dir, "baseline", "functional", "localhost", "*"))
	require.NoError(t, err)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	at := filepath.Join(only, "replayed-1", "localhost", filepath.Base(files[0]))
	require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
	require.NoError(t, os.WriteFile(at, data, 0o644))
	status, out, errs := invoke(t.Context(), "runs", "--root", "r="+only)
	assert.Equal(t, 0, status, errs)
	assert.Regexp(t, `r/replayed-1 +functional +1 pair  .*from pairs +\.`, out)
	status, out, errs = invoke(t.Context(), "pairs", "--root", "r="+only, "--in", "replayed-1")
	assert.Equal(t, 0, status, errs)
	assert.Contains(t, out, "1 of 1 pair\n")
	_, out, _ = invoke(t.Context(), "pairs", "--root", "r="+only, "--in", "replayed-1", "--method", "PUT")
	assert.Equal(t, "0 of 0 pairs that match, 1 in the run\n", out)
}
