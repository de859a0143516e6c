package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/report"
)

var update = flag.Bool("update", false, "write golden files and the schema anew")

const module = "github.com/replaylab/replay-evidence"

// schemaName keeps types of one name in two packages apart.
func schemaName(t reflect.Type) string {
	if t.PkgPath() == module+"/pkg/compare" {
		return t.Name()
	}
	pkg := t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:]
	if pkg == "" || strings.Contains(t.PkgPath(), ".") && !strings.HasPrefix(t.PkgPath(), module) {
		return t.Name()
	}
	return strings.ToUpper(pkg[:1]) + pkg[1:] + t.Name()
}

// generate makes the schema from the Go types and their comments. The working directory is the module's.
func generate(t *testing.T) []byte {
	t.Helper()
	r := &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true, Namer: schemaName}
	for _, dir := range []string{"./pkg/compare", "./pkg/evidence", "./pkg/catalog"} {
		require.NoError(t, r.AddGoComments(module, dir))
	}
	s := r.Reflect(compare.Comparison{})
	s.ID = "https://github.com/replaylab/replay-evidence/pkg/report/evidence.schema.json"
	s.Title = "evidence.json of Replay Evidence, version " + compare.SchemaVersion
	seen := map[reflect.Type]bool{}
	nullable(s, reflect.TypeFor[compare.Comparison](), seen)
	enum := func(def, prop string, words ...any) {
		p, ok := s.Definitions[def].Properties.Get(prop)
		require.True(t, ok, "%s.%s", def, prop)
		p.Enum = words
	}
	for _, def := range []string{"Judgement", "SpeedJudgement", "CauseJudgement", "EndpointChange"} {
		enum(def, "answer", compare.Unchanged, compare.Changed, compare.Improved, compare.Regressed, compare.NoProvableChange,
			compare.CauseWait, compare.CauseWork, compare.CauseWaitAndWork, compare.Unexplained, compare.Inconclusive)
	}
	enum("IdentityItem", "state", compare.Same, compare.Differs, compare.Unknown)
	enum("Row", "direction", compare.Better, compare.Worse, compare.SameDirection, compare.UnknownDirection)
	enum("Responses", "state", compare.Compared, compare.PartlyCompared, compare.NotCompared)
	version, _ := s.Definitions["Comparison"].Properties.Get("schemaVersion")
	version.Pattern = `^1\.[0-9]+$`
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	require.NoError(t, enc.Encode(s))
	return buf.Bytes()
}

// nullable allows null for every pointer that is not left out when empty: a missing figure.
func nullable(s *jsonschema.Schema, t reflect.Type, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] || !strings.HasPrefix(t.PkgPath(), module) {
		return
	}
	seen[t] = true
	if def := s.Definitions[schemaName(t)]; def != nil {
		fields(def, t)
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("json") != "-" {
			nullable(s, f.Type, seen)
		}
	}
}

func fields(def *jsonschema.Schema, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			fields(def, f.Type)
			continue
		}
		prop, ok := def.Properties.Get(name)
		if !ok || f.Type.Kind() != reflect.Pointer || strings.Contains(rest, "omitempty") {
			continue
		}
		description := prop.Description
		prop.Description = ""
		def.Properties.Set(name, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{prop, {Type: "null"}}, Description: description})
	}
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
