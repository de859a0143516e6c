package packagecheck

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
)

// Fault is one broken rule.
type Fault struct {
	// Rule names the rule, File the file inside the package or the repository, Text what is wrong and what to do.
	Rule, File, Text string
}

func (f Fault) String() string { return fmt.Sprintf("%s: %s: %s", f.Rule, f.File, f.Text) }

// Options say what the package is compared with.
type Options struct {
	// Version is that of package.json.
	Version string
	// Platforms are the systems whose binaries the package must hold, such as "linux_amd64".
	Platforms []string
	// HostPaths are folders of the building machine that must not be named in the package.
	HostPaths []string
}

// rule finds what is wrong with a package; an error means that the package could not be read.
type rule struct {
	name  string
	check func(*contents, Options) ([]Fault, error)
}

var rules = []rule{
	{"files", checkFiles},
	{"metadata", checkMetadata},
	{"nested plugins", checkNested},
	{"modules", checkModules},
	{"backend", checkBackend},
	{"manifest", checkManifest},
	{"images", checkImages},
	{"documents", checkDocuments},
	{"host paths", checkHostPaths},
}

// CheckZip holds a packed plugin against the rules. The error says that the archive cannot be read.
func CheckZip(file string, opt Options) (_ []Fault, err error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return nil, fmt.Errorf("open the package %s: %w", file, err)
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	// zip.Reader as a file system passes over names that leave the archive; whoever unpacks it does not.
	var faults []Fault
	for _, f := range archive.File {
		if !fs.ValidPath(strings.TrimSuffix(f.Name, "/")) {
			faults = append(faults, Fault{"files", f.Name, "the name is not relative and clean"})
		}
	}
	more, err := Check(archive, opt)
	return append(faults, more...), err
}

// Check holds a packed plugin, as it unpacks, against the rules.
func Check(archive fs.FS, opt Options) ([]Fault, error) {
	c, faults, err := read(archive)
	if err != nil || len(faults) > 0 {
		return faults, err
	}
	for _, r := range rules {
		found, err := r.check(c, opt)
		if err != nil {
			return faults, fmt.Errorf("check %s: %w", r.name, err)
		}
		for _, f := range found {
			f.Rule = r.name
			faults = append(faults, f)
		}
	}
	return faults, nil
}

// contents is the folder of the plugin inside the package.
type contents struct {
	fsys fs.FS
	// files are the regular files by name, root plugin first.
	files map[string]fs.FileInfo
	// names are the keys of files, sorted.
	names []string
	// plugins are the plugins by folder; "." is the app.
	plugins map[string]*metadata
}

func read(archive fs.FS) (*contents, []Fault, error) {
	fault := func(name, text string) []Fault { return []Fault{{"files", name, text}} }
	entries, err := fs.ReadDir(archive, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("read the package: %w", err)
	}
	if len(entries) != 1 || !entries[0].IsDir() {
		return nil, fault(".", "the package must hold one folder with the plugin's id as its name"), nil
	}
	folder := entries[0].Name()
	fsys, err := fs.Sub(archive, folder)
	if err != nil {
		return nil, nil, err
	}
	c := &contents{fsys: fsys, files: map[string]fs.FileInfo{}, plugins: map[string]*metadata{}}
	err = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		c.files[name] = info
		c.names = append(c.names, name)
		if path.Base(name) != "plugin.json" {
			return nil
		}
		meta, err := readMetadata(fsys, name)
		c.plugins[path.Dir(name)] = meta
		return err
	})
	if err != nil {
		return nil, fault(folder, err.Error()), nil
	}
	sort.Strings(c.names)
	app, found := c.plugins["."]
	switch {
	case !found:
		return nil, fault("plugin.json", "it is missing: the front end is not built; run `go tool mage build`"), nil
	case app.ID != folder:
		return nil, fault(folder, fmt.Sprintf("the folder must be called %q, as the plugin is", app.ID)), nil
	}
	return c, nil, nil
}

func (c *contents) has(name string) bool {
	_, found := c.files[name]
	return found
}

// folders are the folders of plugins, the app's first.
func (c *contents) folders() []string {
	out := make([]string, 0, len(c.plugins))
	for folder := range c.plugins {
		out = append(out, folder)
	}
	sort.Strings(out)
	return out
}

// inside joins a path that plugin.json of a folder names. The second result is false when it leaves the package.
func inside(folder, name string) (string, bool) {
	joined := path.Join(folder, name)
	return joined, !path.IsAbs(name) && fs.ValidPath(joined)
}
