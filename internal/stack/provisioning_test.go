package stack

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	labprometheus "github.com/replaylab/replay-evidence/lab/prometheus"
	"github.com/replaylab/replay-evidence/pkg/plugin"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/store"
)

func readYAML(t *testing.T, into any, elem ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{root, "provisioning"}, elem...)...))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, into))
}

// settings are those parts of jsonData which the tests look into.
type settings struct {
	Prometheus struct {
		URL string `yaml:"url"`
	} `yaml:"prometheus"`
	Profiles []struct {
		YAML string `yaml:"yaml"`
	} `yaml:"profiles"`
}

type dataSource struct {
	Name     string         `yaml:"name"`
	UID      string         `yaml:"uid"`
	Type     string         `yaml:"type"`
	URL      string         `yaml:"url"`
	JSONData map[string]any `yaml:"jsonData"`
}

func dataSources(t *testing.T) map[string]dataSource {
	t.Helper()
	var file struct {
		DataSources []dataSource `yaml:"datasources"`
	}
	readYAML(t, &file, "datasources", "datasources.yaml")
	out := map[string]dataSource{}
	for _, ds := range file.DataSources {
		out[ds.UID] = ds
	}
	return out
}

type app struct {
	Type     string         `yaml:"type"`
	Disabled bool           `yaml:"disabled"`
	JSONData map[string]any `yaml:"jsonData"`
}

func provisionedApp(t *testing.T) app {
	t.Helper()
	var file struct {
		Apps []app `yaml:"apps"`
	}
	readYAML(t, &file, "plugins", "apps.yaml")
	require.Len(t, file.Apps, 1)
	return file.Apps[0]
}

func as(t *testing.T, jsonData map[string]any) settings {
	t.Helper()
	text, err := yaml.Marshal(jsonData)
	require.NoError(t, err)
	var s settings
	require.NoError(t, yaml.Unmarshal(text, &s))
	return s
}

// pluginIDs are the ids of the app, the panel and the data source.
func pluginIDs(t *testing.T) (appID, panelID, dataSourceID string) {
	t.Helper()
	id := func(elem ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{root, "src"}, elem...)...))
		require.NoError(t, err)
		var meta struct {
			ID string `json:"id"`
		}
		require.NoError(t, json.Unmarshal(text, &meta))
		require.NotEmpty(t, meta.ID)
		return meta.ID
	}
	return id("plugin.json"), id("panel", "plugin.json"), id("datasource", "plugin.json")
}

func TestProvisionedPlugins(t *testing.T) {
	t.Parallel()
	appID, _, dataSourceID := pluginIDs(t)
	app := provisionedApp(t)
	require.Equal(t, appID, app.Type)
	require.False(t, app.Disabled)
	sources := dataSources(t)
	require.Equal(t, "prometheus", sources["prometheus"].Type)
	require.Equal(t, dataSourceID, sources["replay-evidence"].Type)
	require.Equal(t, sources["prometheus"].URL, as(t, app.JSONData).Prometheus.URL)
	require.Equal(t, app.JSONData, sources["replay-evidence"].JSONData, "the data source answers as the app does")
}

// Grafana replaces $NAME in provisioning files by an environment variable, most of all by nothing.
func TestNothingIsTakenForAnEnvironmentVariable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, "provisioning", "*", "*.yaml"))
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Clean(file))
		require.NoError(t, err)
		require.NotContains(t, string(text), "$", file)
	}
}

// The provisioned profiles ask what those below lab/profiles ask, though the texts differ.
func TestProvisionedProfiles(t *testing.T) {
	t.Parallel()
	given := as(t, provisionedApp(t).JSONData)
	names := []string{"checkout.yaml", "orders.yaml"}
	require.Len(t, given.Profiles, len(names))
	for n, name := range names {
		text, err := os.ReadFile(filepath.Join(root, "lab", "profiles", name))
		require.NoError(t, err)
		want, err := profile.Parse(strings.NewReader(string(text)), name)
		require.NoError(t, err)
		got, err := profile.Parse(strings.NewReader(given.Profiles[n].YAML), name)
		require.NoError(t, err)
		// The extra queries hold $window, which Grafana would take for a variable of its environment.
		want.Extra = nil
		require.Equal(t, want, got)
	}
}

// ini reads the sections of grafana.ini.
func ini(t *testing.T) map[string]map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(root, "provisioning", "grafana", "grafana.ini"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	sections, section := map[string]map[string]string{}, ""
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "" || strings.HasPrefix(line, ";"):
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
			sections[section] = map[string]string{}
		default:
			key, value, found := strings.Cut(line, "=")
			require.True(t, found, line)
			sections[section][strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	require.NoError(t, lines.Err())
	return sections
}

func TestOperatorConfiguration(t *testing.T) {
	t.Parallel()
	appID, panelID, dataSourceID := pluginIDs(t)
	sections := ini(t)
	require.ElementsMatch(t, []string{appID, panelID, dataSourceID},
		strings.Split(sections["plugins"]["allow_loading_unsigned_plugins"], ","))
	for _, id := range []string{appID, dataSourceID} {
		specs, err := store.ParseSpec(sections["plugin."+id]["roots"])
		require.NoError(t, err)
		require.Equal(t, []store.Spec{{Name: "lab", Path: results}}, specs, id)
	}
}

// The plugin itself finds nothing wrong with what is provisioned. Whether a Prometheus answers is not asked here.
func TestTheBackendTakesTheSettings(t *testing.T) {
	t.Parallel()
	d, err := plugin.NewDispatcher(plugin.Operator{Roots: "lab=" + t.TempDir()})
	require.NoError(t, err)
	jsonData, err := json.Marshal(provisionedApp(t).JSONData)
	require.NoError(t, err)
	for name, pc := range map[string]backend.PluginContext{
		"app": {OrgID: 1, AppInstanceSettings: &backend.AppInstanceSettings{JSONData: jsonData, Updated: time.Unix(1, 0)}},
		"data source": {OrgID: 1, DataSourceInstanceSettings: &backend.DataSourceInstanceSettings{
			ID: 1, UID: "replay-evidence", JSONData: jsonData, Updated: time.Unix(1, 0),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			got, err := d.CheckHealth(ctx, &backend.CheckHealthRequest{PluginContext: pc})
			require.NoError(t, err)
			var details plugin.HealthDetails
			require.NoError(t, json.Unmarshal(got.JSONDetails, &details))
			require.Empty(t, details.Problems)
			require.NotEqual(t, "not_configured", details.Prometheus)
		})
	}
}

// The stack's Prometheus scrapes as the native ones do, only elsewhere, and both services.
func TestPrometheusConfiguration(t *testing.T) {
	t.Parallel()
	type configuration struct {
		Global  map[string]string `yaml:"global"`
		Scrapes []map[string]any  `yaml:"scrape_configs"`
	}
	var got, want configuration
	readYAML(t, &got, "prometheus", "prometheus.yml")
	project := load(t)
	for _, s := range []struct{ job, service string }{{labprometheus.Job, "lab"}, {"orders-api", "lab-orders"}} {
		_, port, found := strings.Cut(*project.Services[s.service].Environment["LAB_APP_ADDR"], ":")
		require.True(t, found)
		text, err := labprometheus.Config(s.job, s.service+":"+port, labprometheus.Interval)
		require.NoError(t, err)
		var native configuration
		require.NoError(t, yaml.Unmarshal([]byte(text), &native))
		want.Global, want.Scrapes = native.Global, append(want.Scrapes, native.Scrapes...)
	}
	require.Equal(t, want, got)

	flags := labprometheus.Flags("/etc/prometheus/prometheus.yml", "/prometheus", "")
	command := project.Services["prometheus"].Command
	for _, flag := range flags {
		if !strings.HasPrefix(flag, "--web.listen-address") { // the container's own network
			require.Contains(t, []string(command), flag)
		}
	}
	require.Equal(t, "http://prometheus:9090", *project.Services["lab"].Environment["LAB_PROMETHEUS"])
}
