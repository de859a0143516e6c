package packagecheck

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const repository = "../.."

func TestOurOwnSources(t *testing.T) {
	t.Parallel()
	tree := os.DirFS(repository)
	inGo, err := CheckGo(tree)
	require.NoError(t, err)
	require.Empty(t, inGo)
	inFrontend, err := CheckFrontend(tree)
	require.NoError(t, err)
	require.Empty(t, inFrontend)
	version, faults, err := CheckVersions(tree)
	require.NoError(t, err)
	require.Empty(t, faults)
	require.Regexp(t, `^\d+\.\d+\.\d+`, version)
}

func text(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

func TestGoRules(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, imports, body, says string }{
		"opens a file":             {"pkg/plugin/x.go", `"os"`, `os.Open("x")`, "it calls os.Open; only pkg/store reads files"},
		"opens a file by alias":    {"pkg/plugin/x.go", `sys "os"`, `sys.ReadFile("x")`, "os.ReadFile"},
		"opens a root":             {"pkg/catalog/x.go", `"os"`, `os.OpenRoot("x")`, "os.OpenRoot"},
		"file system function":     {"pkg/catalog/x.go", `"io/fs"`, `fs.ReadFile(nil, "x")`, "it calls fs.ReadFile"},
		"walks":                    {"pkg/catalog/x.go", `"path/filepath"`, `filepath.Walk("x", nil)`, "filepath.Walk"},
		"speaks to the system":     {"pkg/catalog/x.go", `"syscall"`, `syscall.Getpid()`, "it imports syscall"},
		"the whole environment":    {"pkg/store/x.go", `"os"`, `os.Environ()`, "os.Environ"},
		"a variable of the shell":  {"pkg/plugin/x.go", `"os"`, `os.Getenv("HOME")`, `"HOME", which Grafana does not set`},
		"prints":                   {"pkg/plugin/x.go", `"fmt"`, `fmt.Println("x")`, "fmt.Println"},
		"prints by the language":   {"pkg/plugin/x.go", `"fmt"`, `println(fmt.Sprint("x"))`, "it prints with println"},
		"starts programs":          {"pkg/plugin/x.go", `"os/exec"`, `exec.Command("x")`, "it imports os/exec"},
		"the file room":            {"pkg/store/x.go", `"os"`, `os.Open("x")`, ""},
		"the command line":         {"pkg/cmd/x/x.go", `"os"`, `os.Open("x")`, ""},
		"a test":                   {"pkg/plugin/x_test.go", `"os"`, `os.Open("x")`, ""},
		"a package for tests":      {"pkg/promapi/promtest/x.go", `"os"`, `os.Open("x")`, ""},
		"a variable of Grafana":    {"pkg/plugin/x.go", `"os"`, `os.Getenv("GF_PLUGIN_ROOTS")`, ""},
		"a type of the files":      {"pkg/plugin/x.go", `"io/fs"`, `panic(fs.ErrNotExist)`, ""},
		"a function of that name":  {"pkg/plugin/x.go", `"example.com/os2"`, `os2.Open("x")`, ""},
		"formats without printing": {"pkg/plugin/x.go", `"fmt"`, `fmt.Errorf("x")`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, err := CheckGo(fstest.MapFS{tc.file: text("package x\n\nimport " + tc.imports + "\n\nfunc f() { " + tc.body + " }\n")})
			require.NoError(t, err)
			requireSays(t, faults, tc.says)
		})
	}
}

func TestFrontendRules(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, line, says string }{
		"console":                {"src/x.ts", `console.log('x');`, "console"},
		"window":                 {"src/x.ts", `window.open(url);`, "noopener"},
		"window that is safe":    {"src/x.ts", `window.open(url, '_blank', 'noopener');`, ""},
		"dialog":                 {"src/x.ts", `if (confirm('x')) {`, "dialog"},
		"dialog of the window":   {"src/x.ts", `window.alert('x');`, "dialog"},
		"method of that name":    {"src/x.ts", `modal.confirm('x');`, ""},
		"style sheet":            {"src/x.ts", `import './x.css';`, "style sheet"},
		"query endpoint":         {"src/x.ts", `post('/api/ds/query', q);`, "query endpoint"},
		"own test":               {"src/x.ts", `  async testDatasource() {`, "leaves its test to the backend"},
		"type check off":         {"src/x.tsx", `// @ts-ignore`, "type check"},
		"HTML":                   {"src/x.tsx", `<p dangerouslySetInnerHTML={x} />`, "past React"},
		"text as a program":      {"src/x.ts", `eval(text);`, "as a program"},
		"address":                {"src/x.ts", `window.location.assign(x);`, "locationService"},
		"only the host":          {"src/x.ts", `const here = window.location.origin;`, ""},
		"a test file":            {"src/x.test.ts", `console.log('x');`, ""},
		"a word in a sentence":   {"src/x.ts", `// the console says so`, ""},
		"storage of the browser": {"src/x.ts", `localStorage.setItem('a', 'b');`, "keeps something in the browser"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, err := CheckFrontend(fstest.MapFS{tc.file: text("const a = 1;\n" + tc.line + "\n")})
			require.NoError(t, err)
			requireSays(t, faults, tc.says)
			if tc.says != "" {
				require.Equal(t, tc.file+":2", faults[0].File)
			}
		})
	}
}

func requireSays(t *testing.T, faults []Fault, says string) {
	t.Helper()
	if says == "" {
		require.Empty(t, faults)
		return
	}
	require.NotEmpty(t, faults)
	said := make([]string, len(faults))
	for n, f := range faults {
		said[n] = f.String()
	}
	require.Contains(t, strings.Join(said, "\n"), says)
}

func TestVersions(t *testing.T) {
	t.Parallel()
	const sdk = "module x\n\nrequire (\n\t" + sdkModule + " v0.299.0\n)\n"
	for name, tc := range map[string]struct{ pkg, mod, says string }{
		"good":           {`{"version": "1.0.0"}`, sdk, ""},
		"no version":     {`{"version": "next"}`, sdk, `"next" is no version`},
		"no SDK":         {`{"version": "1.0.0"}`, "module x\n", "does not require a release"},
		"SDK of a fork":  {`{"version": "1.0.0"}`, sdk + "\nreplace " + sdkModule + " => ../sdk\n", "it replaces the plugin SDK"},
		"SDK of a block": {`{"version": "1.0.0"}`, sdk + "\nreplace (\n\t" + sdkModule + " v0.299.0 => example.com/sdk v1.0.0\n)\n", "it replaces the plugin SDK"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, faults, err := CheckVersions(fstest.MapFS{"package.json": text(tc.pkg), "go.mod": text(tc.mod)})
			require.NoError(t, err)
			requireSays(t, faults, tc.says)
		})
	}
}
