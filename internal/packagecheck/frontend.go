package packagecheck

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

type pattern struct {
	find *regexp.Regexp
	// unless, where set, excuses a line that it matches.
	unless *regexp.Regexp
	text   string
}

var patterns = []pattern{
	{find: regexp.MustCompile(`\bconsole\.\w+\(`), text: "it writes to the console"},
	{find: regexp.MustCompile(`\bwindow\.open\(`), unless: regexp.MustCompile(`noopener`), text: "it opens a window that can reach back; pass noopener"},
	{find: regexp.MustCompile(`(^|[^.\w])(window\.)?(alert|confirm|prompt)\(`), text: "it opens a dialog of the browser; use Grafana's"},
	{find: regexp.MustCompile(`^\s*import\s[^'"]*['"][^'"]+\.(css|scss|less)['"]`), text: "it imports a style sheet, which would apply to all of Grafana; use emotion"},
	{find: regexp.MustCompile(`/api/ds/query|/api/tsdb/query`), text: "it asks Grafana's query endpoint itself; use the data source"},
	{find: regexp.MustCompile(`\btestDatasource\s*[(=]`), text: "a data source with a backend leaves its test to the backend"},
	{find: regexp.MustCompile(`@ts-(ignore|nocheck)\b`), text: "it switches the type check off"},
	{find: regexp.MustCompile(`\bdangerouslySetInnerHTML\b|\.innerHTML\s*=`), text: "it writes HTML past React"},
	{find: regexp.MustCompile(`\b(eval|Function)\(`), unless: regexp.MustCompile(`\b\w+Function\(`), text: "it runs text as a program"},
	{find: regexp.MustCompile(`\bwindow\.location\b|\bdocument\.location\b`), unless: regexp.MustCompile(`location\.(origin|href\b[^=]*$)`), text: "it changes the address past Grafana; use locationService"},
	{find: regexp.MustCompile(`\b(localStorage|sessionStorage)\.`), text: "it keeps something in the browser that is not the user's alone"},
}

// CheckFrontend holds the front end's sources below src of a repository against the rules. Tests are left out.
func CheckFrontend(repository fs.FS) ([]Fault, error) {
	var faults []Fault
	err := fs.WalkDir(repository, "src", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !slices.Contains([]string{".ts", ".tsx", ".js", ".mjs"}, path.Ext(name)) || strings.Contains(name, ".test.") || path.Base(name) == "generate.mjs" {
			return nil
		}
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(text), "\n") {
			for _, p := range patterns {
				if p.find.MatchString(line) && (p.unless == nil || !p.unless.MatchString(line)) {
					faults = append(faults, Fault{"front end sources", fmt.Sprintf("%s:%d", name, n+1), p.text})
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("check the front end's sources: %w", err)
	}
	return faults, nil
}

// sdkModule is the module of Grafana's plugin SDK.
const sdkModule = "github.com/grafana/grafana-plugin-sdk-go"

// CheckVersions wants the plugin SDK as it is published, and one version for all plugins, filled in by the build.
func CheckVersions(repository fs.FS) (version string, faults []Fault, err error) {
	text, err := fs.ReadFile(repository, "package.json")
	if err != nil {
		return "", nil, fmt.Errorf("read the version: %w", err)
	}
	var pkg struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &pkg); err != nil {
		return "", nil, fmt.Errorf("read package.json: %w", err)
	}
	if !semver.MatchString(pkg.Version) {
		faults = append(faults, Fault{"versions", "package.json", fmt.Sprintf("%q is no version", pkg.Version)})
	}
	mod, err := fs.ReadFile(repository, "go.mod")
	if err != nil {
		return "", nil, fmt.Errorf("read the Go modules: %w", err)
	}
	if !regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(sdkModule) + ` v\d+\.\d+\.\d+( // indirect)?$`).Match(mod) {
		faults = append(faults, Fault{"versions", "go.mod", "it does not require a release of the plugin SDK"})
	}
	if regexp.MustCompile(`(?m)^\s*(replace\s+)?` + regexp.QuoteMeta(sdkModule) + `\s.*=>`).Match(mod) {
		faults = append(faults, Fault{"versions", "go.mod", "it replaces the plugin SDK"})
	}
	return pkg.Version, faults, nil
}
