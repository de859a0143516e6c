package packagecheck

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const app = "acme-evidence-app"

// program is the header of a Linux program for a machine: all that is looked at.
func program(t *testing.T, machine elf.Machine) []byte {
	t.Helper()
	header := elf.Header64{
		Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Ehsize: 64,
	}
	var b bytes.Buffer
	require.NoError(t, binary.Write(&b, binary.LittleEndian, header))
	return b.Bytes()
}

const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><rect width="4" height="4"/></svg>`

func pluginJSON(kind, more string) string {
	return fmt.Sprintf(`{"type": %q, "name": "Evidence", "id": "acme-evidence-%s", %s
		"info": {"author": {"name": "Acme"}, "description": "Compares.", "keywords": ["replay"], "version": "1.2.0",
			"updated": "2026-11-30", "logos": {"small": "img/logo.svg", "large": "img/logo.svg"}},
		"dependencies": {"grafanaDependency": ">=12.3.0-0"}}`, kind, kind, more)
}

// good is a package with nothing wrong, as it unpacks.
func good(t *testing.T) fstest.MapFS {
	t.Helper()
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }
	long := text("# Evidence\n\n" + strings.Repeat("It says what it is for. ", 20))
	return fstest.MapFS{
		app + "/plugin.json": text(pluginJSON("app", `"backend": true, "executable": "gpx_x",
			"roles": [{"role": {"name": "Reader", "permissions": [{"action": "acme-evidence-app.evidence:read"}]}, "grants": ["Viewer"]}],
			"includes": [{"type": "page", "name": "Runs", "path": "/a/x", "action": "acme-evidence-app.evidence:read"},
				{"type": "panel", "name": "p", "path": "panel/plugin.json"},
				{"type": "datasource", "name": "d", "path": "datasource/plugin.json"}],`)),
		app + "/module.js":                text("1"),
		app + "/module.js.map":            text("{}"),
		app + "/731.js":                   text("1"),
		app + "/731.js.map":               text("{}"),
		app + "/img/logo.svg":             text(drawing),
		app + "/panel/plugin.json":        text(pluginJSON("panel", "")),
		app + "/panel/module.js":          text("1"),
		app + "/panel/module.js.map":      text("{}"),
		app + "/panel/img/logo.svg":       text(drawing),
		app + "/datasource/plugin.json":   text(pluginJSON("datasource", `"backend": true, "executable": "../gpx_x", "alerting": true,`)),
		app + "/datasource/module.js":     text("1"),
		app + "/datasource/module.js.map": text("{}"),
		app + "/datasource/img/logo.svg":  text(drawing),
		app + "/gpx_x_linux_amd64":        {Data: program(t, elf.EM_X86_64), Mode: 0o755},
		app + "/go_plugin_build_manifest": text(strings.Repeat("0", 64) + ":pkg/main.go\n"),
		app + "/README.md":                long,
		app + "/LICENSE":                  long,
		app + "/CHANGELOG.md":             long,
	}
}

var options = Options{Version: "1.2.0", Platforms: []string{"linux_amd64"}, HostPaths: []string{"/build/tree"}}

func TestAGoodPackageHasNoFaults(t *testing.T) {
	t.Parallel()
	faults, err := Check(good(t), options)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// replace changes a text of one file.
func replace(name, before, after string) func(*testing.T, fstest.MapFS) {
	return func(t *testing.T, archive fstest.MapFS) {
		file := archive[app+"/"+name]
		require.NotNil(t, file, name)
		require.Contains(t, string(file.Data), before)
		file.Data = []byte(strings.ReplaceAll(string(file.Data), before, after))
	}
}

func without(name string) func(*testing.T, fstest.MapFS) {
	return func(t *testing.T, archive fstest.MapFS) {
		require.Contains(t, archive, app+"/"+name)
		delete(archive, app+"/"+name)
	}
}

func with(name, text string, mode uint32) func(*testing.T, fstest.MapFS) {
	return func(_ *testing.T, archive fstest.MapFS) {
		archive[app+"/"+name] = &fstest.MapFile{Data: []byte(text), Mode: fsMode(mode)}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*testing.T, fstest.MapFS)
		says   string
	}{
		"nothing built":             {without("plugin.json"), "plugin.json: it is missing: the front end is not built; run `go tool mage build`"},
		"not JSON":                  {replace("plugin.json", "{", "["), "is not the JSON of a plugin"},
		"folder of another name":    {replace("plugin.json", `"acme-evidence-app"`, `"acme-other-app"`), `the folder must be called "acme-other-app"`},
		"id with capitals":          {replace("panel/plugin.json", "acme-evidence-panel", "Acme-panel"), "is not lower case words"},
		"id of another type":        {replace("panel/plugin.json", "acme-evidence-panel", "acme-evidence-datasource"), "does not end with the type"},
		"id of a stranger":          {replace("panel/plugin.json", "acme-evidence-panel", "other-evidence-panel"), "is of another organisation"},
		"no description":            {replace("plugin.json", `"description": "Compares."`, `"description": ""`), "info.description is missing"},
		"no keywords":               {replace("plugin.json", `["replay"]`, `[]`), "info.keywords is empty"},
		"version not filled in":     {replace("plugin.json", "1.2.0", "%VERSION%"), "%VERSION% was not filled in"},
		"version of another build":  {replace("plugin.json", "1.2.0", "1.1.0"), `info.version is "1.1.0", package.json says "1.2.0"`},
		"nested version differs":    {replace("panel/plugin.json", "1.2.0", "1.1.0"), `version "1.1.0" differs from the app's`},
		"date not filled in":        {replace("plugin.json", "2026-11-30", "%TODAY%"), "%TODAY% was not filled in"},
		"one Grafana version":       {replace("plugin.json", ">=12.3.0-0", "12.3.0"), "admits one version only"},
		"no Grafana version":        {replace("plugin.json", ">=12.3.0-0", ""), "grafanaDependency is missing"},
		"backend without a name":    {replace("plugin.json", `"executable": "gpx_x"`, `"executable": ""`), "a backend needs an executable"},
		"alerting without backend":  {replace("datasource/plugin.json", `"backend": true`, `"backend": false`), "alert rules need a backend"},
		"action of a stranger":      {replace("plugin.json", "acme-evidence-app.evidence:read", "other.evidence:read"), "does not begin with the plugin's id"},
		"role without permissions":  {replace("plugin.json", `, "permissions": [{"action": "acme-evidence-app.evidence:read"}]}`, "}"), "has no permissions"},
		"action that nobody has":    {replace("plugin.json", `"path": "/a/x", "action": "acme-evidence-app.evidence:read"`, `"path": "/a/x", "action": "acme-evidence-app.x:read"`), "no role grants the action"},
		"page for everyone":         {replace("plugin.json", `"path": "/a/x", "action": "acme-evidence-app.evidence:read"`, `"path": "/a/x"`), "neither role nor action"},
		"nested not declared":       {replace("plugin.json", `{"type": "panel", "name": "p", "path": "panel/plugin.json"},`, ""), "does not declare this plugin"},
		"nested of another type":    {replace("plugin.json", `{"type": "panel",`, `{"type": "datasource",`), "declares a datasource, this is a panel"},
		"declared and not there":    {replace("plugin.json", "panel/plugin.json", "panels/plugin.json"), `"panels/plugin.json", which is not in the package`},
		"declared outside":          {replace("plugin.json", "panel/plugin.json", "../plugin.json"), `"../plugin.json", which is not in the package`},
		"module missing":            {without("panel/module.js"), "panel/module.js: it is missing"},
		"source map missing":        {without("731.js.map"), "731.js.map: the source map is missing"},
		"chunk below a nested one":  {with("panel/9.js", "1", 0o644), "a chunk below a nested plugin would not be found"},
		"no backend for the system": {without("gpx_x_linux_amd64"), "gpx_x_linux_amd64: the backend of acme-evidence-app is missing for linux_amd64"},
		"nested backend elsewhere":  {replace("datasource/plugin.json", "../gpx_x", "gpx_x"), "datasource/gpx_x_linux_amd64: the backend of acme-evidence-datasource is missing"},
		"nested backend outside":    {replace("datasource/plugin.json", "../gpx_x", "../../gpx_x"), "lies outside the package"},
		"backend without its mode":  {func(_ *testing.T, a fstest.MapFS) { a[app+"/gpx_x_linux_amd64"].Mode = 0o644 }, "it cannot be executed"},
		"backend is no program":     {with("gpx_x_linux_amd64", "#!/bin/sh", 0o755), "it is no Linux program"},
		"backend of another system": {func(t *testing.T, a fstest.MapFS) { a[app+"/gpx_x_linux_amd64"].Data = program(t, elf.EM_AARCH64) }, "it is built for EM_AARCH64"},
		"debug build":               {with("gpx_x_debug_linux_s390x", "", 0o755), "a debug build"},
		"no manifest":               {without("go_plugin_build_manifest"), "go_plugin_build_manifest: it is missing"},
		"manifest of nothing":       {replace("go_plugin_build_manifest", "pkg/main.go", "x.go"), "it does not name pkg/main.go"},
		"manifest is no manifest":   {replace("go_plugin_build_manifest", ":", " "), "line 1 is not a digest and a Go file"},
		"nested logo missing":       {without("panel/img/logo.svg"), `panel/plugin.json: it names the image "img/logo.svg"`},
		"logo is no image":          {replace("plugin.json", `"small": "img/logo.svg"`, `"small": "module.js"`), "module.js: it is no image"},
		"no README":                 {without("README.md"), "README.md: it is missing"},
		"README of the template":    {replace("README.md", "# Evidence", "# This is a template"), "it still has the template's"},
		"README of one line":        {with("README.md", "# Evidence\n", 0o644), "it says next to nothing"},
		"no licence":                {without("LICENSE"), "LICENSE: it is missing"},
		"host path in a map":        {replace("module.js.map", "{}", `{"sources": ["/build/tree/src/module.tsx"]}`), "module.js.map: it names /build/tree"},
		"dot file":                  {with(".env", "SECRET=1", 0o644), ".env: it belongs to development"},
		"packages of the front end": {with("node_modules/x/index.json", "{}", 0o644), "it belongs to development"},
		"source":                    {with("module.tsx", "1", 0o644), "module.tsx: sources and archives"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := good(t)
			tc.change(t, archive)
			faults, err := Check(archive, options)
			require.NoError(t, err)
			require.NotEmpty(t, faults)
			said := make([]string, len(faults))
			for n, f := range faults {
				said[n] = f.String()
			}
			require.Contains(t, strings.Join(said, "\n"), tc.says)
		})
	}
}

func TestTwoFoldersAreNoPackage(t *testing.T) {
	t.Parallel()
	archive := good(t)
	archive["other/plugin.json"] = &fstest.MapFile{Data: []byte("{}")}
	faults, err := Check(archive, options)
	require.NoError(t, err)
	require.Len(t, faults, 1)
	require.Contains(t, faults[0].Text, "one folder with the plugin's id")
}

func TestDrawings(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ body, why string }{
		"plain":             {`<path d="M0 0"/><use href="#a"/>`, ""},
		"script":            {`<script>1</script>`, "the element script"},
		"script by case":    {`<SCRIPT>1</SCRIPT>`, "the element SCRIPT"},
		"handler":           {`<rect onload="x()"/>`, "the handler onload"},
		"foreign object":    {`<foreignObject/>`, "the element foreignObject"},
		"reference outside": {`<image href="http://example.com/a.png"/>`, "refers to http://example.com/a.png"},
		"program in a link": {`<a style="x: url(javascript:1)"/>`, "refers to"},
		"broken":            {`<rect>`, "not well-formed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := unsafeSVG([]byte(`<svg xmlns="http://www.w3.org/2000/svg">` + tc.body + `</svg>`))
			if tc.why == "" {
				require.Empty(t, got)
			} else {
				require.Contains(t, got, tc.why)
			}
		})
	}
	require.Contains(t, unsafeSVG([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]><svg/>`)), "document type")
}
