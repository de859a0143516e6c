package packagecheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The rules for Go sources apply to what the plugin's backend is made of. Exempt are, by this list, the one package
// that reads files, the command line, which is no part of the plugin, and packages that only tests use.
var (
	fileRoom = "pkg/store"
	exempt   = []string{"pkg/cmd"}
)

// osAllowed are those functions of package os that touch neither files nor the environment as a whole.
var osAllowed = []string{"Exit", "Getenv", "LookupEnv", "Getpid", "IsNotExist", "IsPermission", "IsExist"}

// environment are the prefixes of those variables that Grafana sets for a plugin.
var environment = []string{"GF_PLUGIN", "GF_VERSION", "GF_EDITION", "GF_INSTANCE"}

var walks = []string{"Walk", "WalkDir", "Glob", "EvalSymlinks"}

// CheckGo holds the Go sources below pkg of a repository against the rules.
func CheckGo(repository fs.FS) ([]Fault, error) {
	var faults []Fault
	err := fs.WalkDir(repository, "pkg", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			base := path.Base(name)
			if base == "testdata" || strings.HasSuffix(base, "test") || base == "sim" || slices.Contains(exempt, name) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		found, err := checkGoFile(name, text)
		faults = append(faults, found...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("check the Go sources: %w", err)
	}
	return faults, nil
}

func checkGoFile(name string, text []byte) ([]Fault, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var faults []Fault
	add := func(format string, args ...any) {
		faults = append(faults, Fault{"Go sources", name, fmt.Sprintf(format, args...)})
	}
	readsFiles := path.Dir(name) == fileRoom
	packages := map[string]string{}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		packages[local] = imported
		if !readsFiles && (imported == "syscall" || strings.HasPrefix(imported, "golang.org/x/sys")) {
			add("it imports %s; only %s speaks to the system", imported, fileRoom)
		}
		if imported == "os/exec" || imported == "plugin" || imported == "unsafe" {
			add("it imports %s", imported)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
			add("it prints with %s; log with the plugin SDK's logger", id.Name)
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := selector.X.(*ast.Ident)
		if !ok {
			return true
		}
		function := selector.Sel.Name
		switch packages[id.Name] {
		case "os":
			checkOS(function, call, readsFiles, add)
		case "io/fs":
			if !readsFiles {
				add("it calls fs.%s; only %s reads files", function, fileRoom)
			}
		case "path/filepath":
			if slices.Contains(walks, function) && !readsFiles {
				add("it calls filepath.%s; only %s reads files", function, fileRoom)
			}
		case "fmt":
			if strings.HasPrefix(function, "Print") {
				add("it prints with fmt.%s; log with the plugin SDK's logger", function)
			}
		}
		return true
	})
	return faults, nil
}

func checkOS(function string, call *ast.CallExpr, readsFiles bool, add func(string, ...any)) {
	switch {
	case function == "Getenv" || function == "LookupEnv":
		variable := ""
		if literal, ok := call.Args[0].(*ast.BasicLit); ok {
			variable, _ = strconv.Unquote(literal.Value)
		}
		if !slices.ContainsFunc(environment, func(prefix string) bool { return strings.HasPrefix(variable, prefix) }) {
			add("it reads the environment variable %q, which Grafana does not set for a plugin", variable)
		}
	case !slices.Contains(osAllowed, function) && (!readsFiles || function == "Environ"):
		add("it calls os.%s; only %s reads files, and nothing reads the environment as a whole", function, fileRoom)
	}
}
