// Package house holds the rules of the house: which room may import which.
package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/replaylab/replay-evidence/"

// rooms from top to bottom: data flows down, so a room imports only rooms above it. stat imports nothing of
// ours. The adapter and the command stand side by side at the bottom.
var rooms = []string{
	"pkg/proxymock", "pkg/store", "pkg/catalog", "pkg/stat", "pkg/profile", "pkg/promapi", "pkg/sqlstats",
	"pkg/evidence", "pkg/compare", "pkg/report", "pkg/cmd", "pkg/plugin", "pkg",
}

// imports reads the imports of every Go file below dir by the file's directory. Tests and packages that exist
// for tests are left out: they may look anywhere.
func imports(t *testing.T, dir string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := fs.WalkDir(os.DirFS("../.."), dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		base := path.Base(path.Dir(p))
		if strings.HasSuffix(base, "test") || base == "sim" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", p), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			out[p] = append(out[p], name)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, out)
	return out
}

// room is the position of a package in rooms, or -1.
func room(pkg string) int {
	best := -1
	for i, r := range rooms {
		if (pkg == r || strings.HasPrefix(pkg, r+"/")) && (best < 0 || len(r) > len(rooms[best])) {
			best = i
		}
	}
	return best
}

func TestRoomsImportOnlyRoomsAbove(t *testing.T) {
	t.Parallel()
	for file, names := range imports(t, "pkg") {
		own := room(path.Dir(file))
		for _, name := range names {
			pkg, ours := strings.CutPrefix(name, module)
			if !ours {
				continue
			}
			require.Falsef(t, strings.HasPrefix(pkg, "lab/"), "%s imports %s: the lab is not imported by pkg", file, name)
			other := room(pkg)
			require.GreaterOrEqualf(t, other, 0, "%s imports %s, which is no room", file, name)
			require.LessOrEqualf(t, other, own, "%s (%s) imports %s, which lies below it", file, rooms[own], name)
			if rooms[own] == "pkg/stat" {
				require.Equal(t, own, other, "%s: pkg/stat imports nothing of ours", file)
			}
		}
	}
}

// Nobody but the adapter and its main package knows Grafana.
func TestOnlyTheAdapterImportsTheSDK(t *testing.T) {
	t.Parallel()
	adapters := 0
	for file, names := range imports(t, "pkg") {
		for _, name := range names {
			if !strings.HasPrefix(name, "github.com/grafana/grafana-plugin-sdk-go") {
				continue
			}
			r := rooms[room(path.Dir(file))]
			require.Containsf(t, []string{"pkg/plugin", "pkg"}, r, "%s imports %s", file, name)
			adapters++
		}
	}
	require.Positive(t, adapters)
}

// Only pkg/store opens files of the host in the plugin; the command line is exempt.
func TestOnlyTheStoreOpensFiles(t *testing.T) {
	t.Parallel()
	openers := []string{"os", "io/ioutil", "syscall", "path/filepath"}
	allowed := map[string]bool{"pkg/store": true, "pkg/cmd": true, "pkg": true}
	for file, names := range imports(t, "pkg") {
		r := rooms[room(path.Dir(file))]
		if allowed[r] {
			continue
		}
		for _, name := range names {
			// The catalogue names an error number; it opens nothing.
			if name == "syscall" && r == "pkg/catalog" {
				continue
			}
			require.Falsef(t, slices.Contains(openers, name), "%s imports %q: files are opened in pkg/store only", file, name)
		}
	}
}
