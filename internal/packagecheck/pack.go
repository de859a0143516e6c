package packagecheck

import (
	"archive/zip"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Ready says whether dist holds a plugin that Grafana could load on this system: every plugin.json, module and backend
// binary. The error names each file that is missing. Grafana itself stops at start when provisioning names an app that
// is not there, so this is asked before it is started.
func Ready(dist, platform string) error {
	c, err := readDist(dist)
	if err != nil {
		return err
	}
	var missing []error
	for _, r := range []rule{{"modules", checkModules}, {"backend", checkBackend}, {"nested plugins", checkNested}} {
		found, err := r.check(c, Options{Platforms: []string{platform}})
		if err != nil {
			return fmt.Errorf("look at the built plugin in %s: %w", dist, err)
		}
		for _, f := range found {
			missing = append(missing, fmt.Errorf("%s: %s", filepath.Join(dist, filepath.FromSlash(f.File)), f.Text))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the plugin is not built for %s; run `go tool mage build`:\n%w", platform, errors.Join(missing...))
	}
	return nil
}

// Platform is this system as a binary's name has it, such as linux_amd64.
func Platform() string { return runtime.GOOS + "_" + runtime.GOARCH }

func readDist(dist string) (*contents, error) {
	root, err := os.OpenRoot(dist)
	if err != nil {
		return nil, fmt.Errorf("the plugin is not built: %s is missing; run `go tool mage build`: %w", dist, err)
	}
	defer func() { _ = root.Close() }() // opened for reading
	text, err := root.ReadFile("plugin.json")
	if err != nil {
		return nil, fmt.Errorf("the plugin is not built: %s is missing; run `go tool mage build`: %w", filepath.Join(dist, "plugin.json"), err)
	}
	var meta metadata
	if err := json.Unmarshal(text, &meta); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dist, "plugin.json"), err)
	}
	c, faults, err := read(under{meta.ID, os.DirFS(dist)})
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, errors.New(faults[0].String())
	}
	return c, nil
}

// under is a file system that holds another one in a folder, as the archive holds dist.
type under struct {
	folder string
	fsys   fs.FS
}

// Open implements fs.FS.
func (u under) Open(name string) (fs.File, error) {
	if name == "." {
		return &lone{name: u.folder}, nil
	}
	if name == u.folder {
		return u.fsys.Open(".")
	}
	inner, found := strings.CutPrefix(name, u.folder+"/")
	if !found {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.fsys.Open(inner)
}

// lone is a folder that holds one folder.
type lone struct {
	name string
	done bool
}

func (l *lone) Stat() (fs.FileInfo, error) { return folderInfo{"."}, nil }
func (l *lone) Close() error               { return nil }

func (l *lone) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: ".", Err: errors.New("is a directory")}
}

func (l *lone) ReadDir(n int) ([]fs.DirEntry, error) {
	if l.done {
		if n > 0 {
			return nil, io.EOF
		}
		return nil, nil
	}
	l.done = true
	return []fs.DirEntry{fs.FileInfoToDirEntry(folderInfo{l.name})}, nil
}

type folderInfo struct{ name string }

func (f folderInfo) Name() string       { return f.name }
func (f folderInfo) Size() int64        { return 0 }
func (f folderInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (f folderInfo) ModTime() time.Time { return time.Time{} }
func (f folderInfo) IsDir() bool        { return true }
func (f folderInfo) Sys() any           { return nil }

// Pack writes dist as folder/<id>-<version>.zip, every file below a folder with the plugin's id as Grafana wants it,
// and returns its path. Of the binaries, only those of the platforms are packed: dist may hold older ones of others.
// Files keep their modes; times are all the same, so that the same files make the same archive.
func Pack(dist, folder string, platforms []string) (file string, err error) {
	c, err := readDist(dist)
	if err != nil {
		return "", err
	}
	app := c.plugins["."]
	file = filepath.Join(folder, fmt.Sprintf("%s-%s.zip", app.ID, app.Info.Version))
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return "", fmt.Errorf("pack the plugin: %w", err)
	}
	out, err := os.Create(file) //nolint:gosec // the folder is the caller's
	if err != nil {
		return "", fmt.Errorf("pack the plugin: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	archive := zip.NewWriter(out)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for _, name := range c.names {
		if isBackend(name) && !slices.ContainsFunc(platforms, func(p string) bool { return strings.HasSuffix(strings.TrimSuffix(name, ".exe"), "_"+p) }) {
			continue
		}
		if err := pack(archive, c, app.ID, name); err != nil {
			return "", fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return "", fmt.Errorf("pack the plugin: %w", err)
	}
	return file, nil
}

// oldest is the first time that an archive can hold.
var oldest = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

func pack(archive *zip.Writer, c *contents, folder, name string) error {
	header := &zip.FileHeader{Name: path.Join(folder, name), Method: zip.Deflate, Modified: oldest}
	header.SetMode(c.files[name].Mode().Perm())
	to, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	from, err := c.fsys.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // opened for reading
	_, err = io.Copy(to, from)
	return err
}
