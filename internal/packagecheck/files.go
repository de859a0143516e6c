package packagecheck

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// checkFiles wants nothing in the package that only development needs.
func checkFiles(c *contents, _ Options) ([]Fault, error) {
	var faults []Fault
	for _, name := range c.names {
		info := c.files[name]
		switch {
		case !info.Mode().IsRegular():
			faults = append(faults, Fault{File: name, Text: "it is no regular file: a link works on one machine only"})
		case strings.HasPrefix(path.Base(name), ".") || strings.Contains("/"+name, "/node_modules/"):
			faults = append(faults, Fault{File: name, Text: "it belongs to development, not into the package"})
		case slices.Contains([]string{".ts", ".tsx", ".go", ".exe~", ".orig", ".zip"}, path.Ext(name)):
			faults = append(faults, Fault{File: name, Text: "sources and archives do not belong into the package"})
		}
	}
	return faults, nil
}

// checkModules wants each plugin's module and the source map of each script.
func checkModules(c *contents, _ Options) ([]Fault, error) {
	var faults []Fault
	for _, folder := range c.folders() {
		if module := path.Join(folder, "module.js"); !c.has(module) {
			faults = append(faults, Fault{File: module, Text: "it is missing: Grafana could not load the plugin; run `go tool mage build`"})
		}
	}
	for _, name := range c.names {
		if path.Ext(name) == ".js" && !c.has(name+".map") {
			faults = append(faults, Fault{File: name + ".map", Text: "the source map is missing: nobody could read an error"})
		}
		// Grafana serves a nested plugin's folder under the plugin's own id, and chunks lie in the app's.
		if path.Ext(name) == ".js" && path.Dir(name) != "." && path.Base(name) != "module.js" {
			faults = append(faults, Fault{File: name, Text: "a chunk below a nested plugin would not be found"})
		}
	}
	return faults, nil
}

// checkBackend wants the binaries that Grafana derives from executable, for every platform and with the execute bit.
// A nested plugin may name its parent's binary as ../gpx_x.
func checkBackend(c *contents, opt Options) ([]Fault, error) {
	var faults []Fault
	for _, folder := range c.folders() {
		m := c.plugins[folder]
		if !m.Backend {
			continue
		}
		for _, platform := range opt.Platforms {
			name := m.Executable + "_" + platform
			if strings.HasPrefix(platform, "windows_") {
				name += ".exe"
			}
			file, ok := inside(folder, name)
			if !ok {
				faults = append(faults, Fault{File: path.Join(folder, "plugin.json"), Text: fmt.Sprintf("executable %q lies outside the package", m.Executable)})
				break
			}
			if !c.has(file) {
				faults = append(faults, Fault{File: file, Text: fmt.Sprintf("the backend of %s is missing for %s; run `go tool mage build`", m.ID, platform)})
			}
		}
	}
	for _, name := range c.names {
		if !isBackend(name) {
			continue
		}
		if c.files[name].Mode().Perm()&0o111 == 0 {
			faults = append(faults, Fault{File: name, Text: "it cannot be executed: pack it with its mode"})
		}
		if strings.Contains(name, "debug") {
			faults = append(faults, Fault{File: name, Text: "a debug build does not belong into the package"})
		}
		found, err := checkELF(c, name)
		if err != nil {
			return nil, err
		}
		faults = append(faults, found...)
	}
	return faults, nil
}

// isBackend tells a backend binary by its name, which begins with gpx_ for every plugin.
func isBackend(name string) bool { return strings.HasPrefix(path.Base(name), "gpx_") }

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// checkELF wants a Linux binary that is of the system it names and needs no library of it.
func checkELF(c *contents, name string) ([]Fault, error) {
	platform := regexp.MustCompile(`_linux_(\w+)$`).FindStringSubmatch(name)
	if platform == nil {
		return nil, nil
	}
	text, err := fs.ReadFile(c.fsys, name)
	if err != nil {
		return nil, err
	}
	binary, err := elf.NewFile(bytes.NewReader(text))
	if err != nil {
		return []Fault{{File: name, Text: "it is no Linux program: " + err.Error()}}, nil //nolint:nilerr // the error is the fault
	}
	if want := machines[platform[1]]; binary.Machine != want {
		return []Fault{{File: name, Text: fmt.Sprintf("it is built for %v", binary.Machine)}}, nil
	}
	if libraries, err := binary.ImportedLibraries(); err == nil && len(libraries) > 0 {
		return []Fault{{File: name, Text: fmt.Sprintf("it needs %s, which a container may not have", strings.Join(libraries, ", "))}}, nil
	}
	return nil, nil
}

var manifestLine = regexp.MustCompile(`^[0-9a-f]{64}:\S.*\.go$`)

// checkManifest wants the list of the Go sources that the backend was built from.
func checkManifest(c *contents, _ Options) ([]Fault, error) {
	const name = "go_plugin_build_manifest"
	if !c.has(name) {
		return []Fault{{File: name, Text: "it is missing: the backend was not built with the plugin SDK's build"}}, nil
	}
	text, err := fs.ReadFile(c.fsys, name)
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if !manifestLine.MatchString(line) {
			return []Fault{{File: name, Text: fmt.Sprintf("line %d is not a digest and a Go file", n+1)}}, nil
		}
	}
	if !strings.Contains(string(text), ":pkg/main.go") {
		return []Fault{{File: name, Text: "it does not name pkg/main.go"}}, nil
	}
	return nil, nil
}

// texts are the files that are read by people or browsers.
var texts = []string{".js", ".map", ".json", ".md", ".svg", ".css", ".html", ".txt"}

// checkHostPaths wants no folder of the machine that built the package, neither in texts nor in binaries.
func checkHostPaths(c *contents, opt Options) ([]Fault, error) {
	var faults []Fault
	for _, name := range c.names {
		if !slices.Contains(texts, path.Ext(name)) && !isBackend(name) {
			continue
		}
		text, err := fs.ReadFile(c.fsys, name)
		if err != nil {
			return nil, err
		}
		for _, host := range opt.HostPaths {
			if bytes.Contains(text, []byte(host+"/")) {
				faults = append(faults, Fault{File: name, Text: fmt.Sprintf("it names %s, a folder of the machine that built it", host)})
			}
		}
	}
	return faults, nil
}
