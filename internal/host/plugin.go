package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Plugin is one built plugin: the app, or a panel or data source nested in it.
type Plugin struct {
	// ID, Type and Name are those of plugin.json.
	ID   string `json:"id"`
	Type string `json:"type"`
	Name string `json:"name"`
	// Backend is true when the plugin has a process of its own.
	Backend    bool   `json:"backend"`
	Executable string `json:"executable"`
	Info       struct {
		Version string `json:"version"`
	} `json:"info"`
	// Dir is the folder that holds plugin.json and module.js.
	Dir string `json:"-"`
	// Meta is plugin.json as it is.
	Meta json.RawMessage `json:"-"`
}

// Binary is the path of the plugin's backend on this system, as Grafana derives it. A nested plugin may name
// its parent's binary as "../gpx_x".
func (p Plugin) Binary() string {
	name := fmt.Sprintf("%s_%s_%s", p.Executable, runtime.GOOS, runtime.GOARCH)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(p.Dir, name)
}

// Discover finds the app in dist and the plugins nested directly below it; the app comes first.
func Discover(dist string) ([]Plugin, error) {
	app, err := readPlugin(dist)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no built plugin; build it with `go tool mage build`: %w", dist, err)
	}
	if err != nil {
		return nil, err
	}
	plugins := []Plugin{app}
	entries, err := os.ReadDir(dist)
	if err != nil {
		return nil, fmt.Errorf("look for nested plugins in %s: %w", dist, err)
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		nested, err := readPlugin(filepath.Join(dist, entry.Name()))
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			plugins = append(plugins, nested)
		}
	}
	return plugins, nil
}

func readPlugin(dir string) (Plugin, error) {
	path := filepath.Join(dir, "plugin.json")
	raw, err := os.ReadFile(path) //nolint:gosec // the folder is the one the developer built
	if err != nil {
		return Plugin{}, fmt.Errorf("read the built plugin: %w", err)
	}
	p := Plugin{Dir: dir, Meta: raw}
	if err := json.Unmarshal(raw, &p); err != nil {
		return Plugin{}, fmt.Errorf("read %s: %w", path, err)
	}
	if p.ID == "" {
		return Plugin{}, fmt.Errorf("read %s: it has no id", path)
	}
	return p, nil
}
