package packagecheck

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// metadata is what the rules need of a plugin.json.
type metadata struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Name       string `json:"name"`
	Backend    bool   `json:"backend"`
	Executable string `json:"executable"`
	Alerting   bool   `json:"alerting"`
	Info       struct {
		Author struct {
			Name string `json:"name"`
		} `json:"author"`
		Description string   `json:"description"`
		Keywords    []string `json:"keywords"`
		Version     string   `json:"version"`
		Updated     string   `json:"updated"`
		Logos       struct {
			Small string `json:"small"`
			Large string `json:"large"`
		} `json:"logos"`
		Screenshots []struct {
			Name string `json:"name"`
			Path string `json:"path"`
		} `json:"screenshots"`
	} `json:"info"`
	Includes []struct {
		Type   string `json:"type"`
		Name   string `json:"name"`
		Path   string `json:"path"`
		Role   string `json:"role"`
		Action string `json:"action"`
	} `json:"includes"`
	Roles []struct {
		Role struct {
			Name        string `json:"name"`
			Permissions []struct {
				Action string `json:"action"`
			} `json:"permissions"`
		} `json:"role"`
	} `json:"roles"`
	IAM *struct {
		Permissions []struct {
			Action string `json:"action"`
			Scope  string `json:"scope"`
		} `json:"permissions"`
	} `json:"iam"`
	Dependencies struct {
		Grafana string `json:"grafanaDependency"`
	} `json:"dependencies"`

	text string
}

func readMetadata(fsys fs.FS, name string) (*metadata, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	m := &metadata{text: string(text)}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s is not the JSON of a plugin: %w", name, err)
	}
	return m, nil
}

var (
	pluginID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*-(app|panel|datasource)$`)
	semver   = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	// single is a range of exactly one version.
	single = regexp.MustCompile(`^=?\s*v?\d+(\.\d+){0,2}(-[0-9A-Za-z.]+)?$`)
)

func checkMetadata(c *contents, opt Options) ([]Fault, error) {
	var faults []Fault
	for _, folder := range c.folders() {
		m, file := c.plugins[folder], path.Join(folder, "plugin.json")
		wrong := func(bad bool, format string, args ...any) {
			if bad {
				faults = append(faults, Fault{File: file, Text: fmt.Sprintf(format, args...)})
			}
		}
		wrong(!pluginID.MatchString(m.ID), "the id %q is not lower case words that end with the type", m.ID)
		wrong(!slices.Contains([]string{"app", "panel", "datasource"}, m.Type), "the type %q is not known", m.Type)
		wrong(!strings.HasSuffix(m.ID, "-"+m.Type), "the id %q does not end with the type %q", m.ID, m.Type)
		for field, value := range map[string]string{
			"name": m.Name, "info.author.name": m.Info.Author.Name, "info.description": m.Info.Description,
			"info.logos.small": m.Info.Logos.Small, "info.logos.large": m.Info.Logos.Large,
		} {
			wrong(strings.TrimSpace(value) == "", "%s is missing", field)
		}
		wrong(len(m.Info.Keywords) == 0, "info.keywords is empty: nobody would find the plugin")
		wrong(!semver.MatchString(m.Info.Version), "info.version %q is no version; the build fills it in", m.Info.Version)
		wrong(opt.Version != "" && m.Info.Version != opt.Version, "info.version is %q, package.json says %q: build again", m.Info.Version, opt.Version)
		_, err := time.Parse(time.DateOnly, m.Info.Updated)
		wrong(err != nil, "info.updated %q is no date; the build fills it in", m.Info.Updated)
		wrong(m.Dependencies.Grafana == "", "dependencies.grafanaDependency is missing")
		wrong(single.MatchString(m.Dependencies.Grafana), "dependencies.grafanaDependency %q admits one version only", m.Dependencies.Grafana)
		wrong(m.Backend && m.Executable == "", "a backend needs an executable")
		wrong(m.Alerting && !m.Backend, "alert rules need a backend")
		for _, mark := range []string{"%VERSION%", "%TODAY%"} {
			wrong(strings.Contains(m.text, mark), "%s was not filled in by the build", mark)
		}
		granted := map[string]bool{}
		for _, role := range m.Roles {
			wrong(len(role.Role.Permissions) == 0, "the role %q has no permissions: they stand inside role", role.Role.Name)
			for _, p := range role.Role.Permissions {
				granted[p.Action] = true
				wrong(!strings.HasPrefix(p.Action, m.ID), "the action %q does not begin with the plugin's id", p.Action)
			}
		}
		for _, include := range m.Includes {
			wrong(include.Action != "" && !granted[include.Action], "no role grants the action %q: nobody would see %q", include.Action, include.Name)
		}
		if m.IAM != nil {
			for _, p := range m.IAM.Permissions {
				wrong(p.Action == "" || p.Scope == "", "a permission needs action and scope")
			}
		}
	}
	return faults, nil
}

// nestable are the types of plugins that an app may hold.
var nestable = []string{"panel", "datasource"}

// checkNested wants every nested plugin declared by the app with its own type, and nothing declared that is not there.
func checkNested(c *contents, _ Options) ([]Fault, error) {
	var faults []Fault
	app := c.plugins["."]
	declared := map[string]string{}
	for _, include := range app.Includes {
		if include.Type == "page" {
			if include.Role == "" && include.Action == "" {
				faults = append(faults, Fault{File: "plugin.json", Text: fmt.Sprintf("the page %q says neither role nor action: it would be everyone's", include.Name)})
			}
			continue
		}
		name, ok := inside(".", include.Path)
		if !ok || !c.has(name) {
			faults = append(faults, Fault{File: "plugin.json", Text: fmt.Sprintf("includes names %q, which is not in the package", include.Path)})
			continue
		}
		declared[path.Dir(name)] = include.Type
	}
	org := strings.SplitN(app.ID, "-", 2)[0]
	for _, folder := range c.folders() {
		if folder == "." {
			continue
		}
		m, file := c.plugins[folder], path.Join(folder, "plugin.json")
		kind, found := declared[folder]
		switch {
		case app.Type != "app":
			faults = append(faults, Fault{File: file, Text: "only an app may hold other plugins"})
		case !found:
			faults = append(faults, Fault{File: file, Text: "the app's includes does not declare this plugin"})
		case kind != m.Type:
			faults = append(faults, Fault{File: file, Text: fmt.Sprintf("the app's includes declares a %s, this is a %s", kind, m.Type)})
		}
		if !slices.Contains(nestable, m.Type) {
			faults = append(faults, Fault{File: file, Text: fmt.Sprintf("a plugin of the type %q cannot be nested", m.Type)})
		}
		if !strings.HasPrefix(m.ID, org+"-") {
			faults = append(faults, Fault{File: file, Text: fmt.Sprintf("the id %q is of another organisation than %q", m.ID, app.ID)})
		}
		if m.Info.Version != app.Info.Version {
			faults = append(faults, Fault{File: file, Text: fmt.Sprintf("version %q differs from the app's %q", m.Info.Version, app.Info.Version)})
		}
	}
	return faults, nil
}
