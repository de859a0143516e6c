package stack

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// build is what the tests need of the Dockerfile.
type build struct {
	images []string
	stages []string
	// commands are the texts of RUN and CMD.
	commands []string
	// copied are the sources of COPY from the repository.
	copied []string
}

var from = regexp.MustCompile(`^FROM (\S+) AS (\S+)$`)

func dockerfile(t *testing.T) build {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "provisioning", "docker", "Dockerfile"))
	require.NoError(t, err)
	var b build
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "FROM":
			parts := from.FindStringSubmatch(line)
			require.NotNil(t, parts, "each stage has a name: %s", line)
			if !contains(b.stages, parts[1]) {
				b.images = append(b.images, parts[1])
			}
			b.stages = append(b.stages, parts[2])
		case "RUN", "CMD":
			b.commands = append(b.commands, rest)
		case "COPY":
			fields := strings.Fields(rest)
			if stage, is := strings.CutPrefix(fields[0], "--from="); is {
				require.Contains(t, b.stages, stage, "%s comes before what it makes", line)
				continue
			}
			b.copied = append(b.copied, fields[:len(fields)-1]...)
		}
	}
	return b
}

func contains(list []string, one string) bool {
	for _, s := range list {
		if s == one {
			return true
		}
	}
	return false
}

func TestDockerfile(t *testing.T) {
	t.Parallel()
	b := dockerfile(t)
	for _, image := range b.images {
		requirePinned(t, image)
	}
	for name, service := range load(t).Services {
		if service.Build == nil {
			continue
		}
		require.Contains(t, b.stages, service.Build.Target, name)
		require.FileExists(t, filepath.Join(root, service.Build.Dockerfile), name)
	}
	for _, source := range b.copied {
		_, err := os.Stat(filepath.Join(root, source))
		require.NoError(t, err)
	}
}

// The images are made by the commands that are run natively: scripts of package.json and targets of the Magefile.
func TestDockerfileRunsWhatExists(t *testing.T) {
	t.Parallel()
	targets := mageTargets(t)
	scripts, err := os.ReadFile(filepath.Join(root, "package.json"))
	require.NoError(t, err)
	mage := regexp.MustCompile(`go"?,? "?tool"?,? "?mage"?,? "?([\w:-]+)`)
	npm := regexp.MustCompile(`npm run ([\w:]+)`)
	seen := 0
	for _, command := range dockerfile(t).commands {
		for _, call := range mage.FindAllStringSubmatch(command, -1) {
			if call[1] == "-l" {
				continue
			}
			require.Contains(t, targets, strings.ToLower(call[1]), command)
			seen++
		}
		for _, call := range npm.FindAllStringSubmatch(command, -1) {
			require.Contains(t, string(scripts), strconv.Quote(call[1])+":", command)
			seen++
		}
	}
	require.Equal(t, 3, seen, "the front end, the backend and the lab")
}

// The Go image is of the line that go.mod asks for; GOTOOLCHAIN=local would refuse an older one.
func TestGoImage(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)\.(\d+)$`).FindStringSubmatch(string(mod))
	require.NotNil(t, wanted)
	for _, image := range dockerfile(t).images {
		if has := regexp.MustCompile(`^golang:(\d+\.\d+)\.(\d+)-`).FindStringSubmatch(image); has != nil {
			require.Equal(t, wanted[1], has[1])
			least, err := strconv.Atoi(wanted[2])
			require.NoError(t, err)
			got, err := strconv.Atoi(has[2])
			require.NoError(t, err)
			require.GreaterOrEqual(t, got, least)
			return
		}
	}
	require.Fail(t, "no Go image", runtime.Version())
}

// mageTargets are the names under which the Magefile's exported functions are called, in lower case.
func mageTargets(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "Magefile.go"), nil, 0)
	require.NoError(t, err)
	var targets []string
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() {
				continue
			}
			name := d.Name.Name
			if d.Recv != nil {
				if space, ok := d.Recv.List[0].Type.(*ast.Ident); ok {
					name = space.Name + ":" + name
				}
			}
			targets = append(targets, strings.ToLower(name))
		case *ast.GenDecl:
			ast.Inspect(d, func(n ast.Node) bool {
				if pair, ok := n.(*ast.KeyValueExpr); ok { // the aliases
					if key, ok := pair.Key.(*ast.BasicLit); ok && key.Kind == token.STRING {
						if alias, err := strconv.Unquote(key.Value); err == nil {
							targets = append(targets, strings.ToLower(alias))
						}
					}
				}
				return true
			})
		}
	}
	return targets
}
