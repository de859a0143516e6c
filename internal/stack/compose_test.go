package stack

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// results is where Grafana sees the lab's results.
const results = "/var/lib/replay-evidence/lab"

func load(t *testing.T) *types.Project {
	t.Helper()
	dir, err := filepath.Abs(root)
	require.NoError(t, err)
	options, err := cli.NewProjectOptions([]string{filepath.Join(dir, "docker-compose.yml")},
		cli.WithWorkingDirectory(dir), cli.WithProfiles([]string{"orders"}))
	require.NoError(t, err)
	project, err := options.LoadProject(context.Background())
	require.NoError(t, err)
	return project
}

// A second file of the scaffold's name would be read by some tools and not by others.
func TestThereIsOneComposeFile(t *testing.T) {
	t.Parallel()
	found, err := filepath.Glob(filepath.Join(root, "*compose*.y*ml"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(root, "docker-compose.yml")}, found)
}

func TestServices(t *testing.T) {
	t.Parallel()
	project := load(t)
	require.ElementsMatch(t, []string{"prometheus", "lab", "grafana", "postgres", "lab-orders"}, project.ServiceNames())
	for name, service := range project.Services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotEqual(t, service.Image == "", service.Build == nil, "a service has an image or a build")
			if service.Image != "" {
				requirePinned(t, service.Image)
			}
			require.False(t, service.Privileged)
			require.Equal(t, []string{"ALL"}, service.CapDrop)
			require.Empty(t, service.CapAdd)
			require.Contains(t, service.SecurityOpt, "no-new-privileges:true")
			require.Empty(t, service.NetworkMode, "no service shares the host's network")
			require.Empty(t, service.Pid)
			require.Empty(t, service.Devices)
			for _, port := range service.Ports {
				require.Equal(t, "127.0.0.1", port.HostIP, "port %s is open to the network", port.Published)
			}
			for _, mount := range service.Volumes {
				require.NotContains(t, mount.Source, "docker.sock")
				if mount.Type == types.VolumeTypeBind {
					require.True(t, mount.ReadOnly, "%s can be written to", mount.Source)
					require.FileExistsf(t, existing(t, mount.Source), "Docker would make a folder of %s", mount.Source)
				}
			}
		})
	}
}

// existing is the file itself, or any file below a folder: a bind of nothing makes Docker create an empty folder.
func existing(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	if !info.IsDir() {
		return path
	}
	entries, err := os.ReadDir(path)
	require.NoError(t, err)
	require.NotEmpty(t, entries, path)
	return filepath.Join(path, entries[0].Name())
}

func TestHealth(t *testing.T) {
	t.Parallel()
	project := load(t)
	for name, path := range map[string]string{"prometheus": "http://127.0.0.1:9090/-/ready", "grafana": "http://127.0.0.1:3000/api/health"} {
		service := project.Services[name]
		require.NotNil(t, service.HealthCheck, name)
		require.Contains(t, service.HealthCheck.Test, path, name)
		require.NotNil(t, service.HealthCheck.Interval, name)
		require.NotNil(t, service.HealthCheck.Retries, name)
	}
	lab := project.Services["lab"]
	require.True(t, lab.HealthCheck.Disable, "the lab ends by itself; its exit status is its verdict")
	require.Equal(t, "no", lab.Restart)
	for _, name := range []string{"lab", "lab-orders", "grafana"} {
		require.Equal(t, types.ServiceConditionHealthy, project.Services[name].DependsOn["prometheus"].Condition, name)
	}
}

func TestPorts(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	for name, service := range load(t).Services {
		for _, port := range service.Ports {
			got[name] = port.Published
		}
	}
	require.Equal(t, map[string]string{"prometheus": "9091", "grafana": "3003"}, got)
}

// The second guide runs only when it is asked for, on the official image and on the database it waits for.
func TestOrdersLab(t *testing.T) {
	t.Parallel()
	project := load(t)
	db, lab := project.Services["postgres"], project.Services["lab-orders"]
	require.Equal(t, []string{"orders"}, db.Profiles)
	require.Equal(t, []string{"orders"}, lab.Profiles)
	require.True(t, strings.HasPrefix(db.Image, "postgres:"), "the official image")
	require.NotNil(t, db.HealthCheck)
	require.Equal(t, types.ServiceConditionHealthy, lab.DependsOn["postgres"].Condition)
	u, err := url.Parse(*lab.Environment["LAB_DATABASE_URL"])
	require.NoError(t, err)
	password, _ := u.User.Password()
	require.Equal(t, "postgres:5432", u.Host)
	for variable, got := range map[string]string{"POSTGRES_USER": u.User.Username(), "POSTGRES_PASSWORD": password, "POSTGRES_DB": u.Path[1:]} {
		require.Equal(t, *db.Environment[variable], got, variable)
	}
	require.Equal(t, types.ShellCommand{"go", "tool", "mage", "lab:orders"}, lab.Command)
}

// The results are written by the lab and only read by Grafana.
func TestResults(t *testing.T) {
	t.Parallel()
	project := load(t)
	mount := func(service, volume string) types.ServiceVolumeConfig {
		for _, m := range project.Services[service].Volumes {
			if m.Source == volume {
				return m
			}
		}
		require.Failf(t, "no such mount", "%s has no %s", service, volume)
		return types.ServiceVolumeConfig{}
	}
	written := mount("lab", "results")
	require.False(t, written.ReadOnly)
	require.Equal(t, *project.Services["lab"].Environment["LAB_OUT"], written.Target)
	read := mount("grafana", "results")
	require.True(t, read.ReadOnly)
	require.Equal(t, results, read.Target)
}

// PostgreSQL counts with two numbers since version 10.
var pinned = regexp.MustCompile(`(^postgres:\d+\.\d+|:v?\d+\.\d+\.\d+)(-[a-z0-9.]+)?(@sha256:[0-9a-f]{64})?$`)

func requirePinned(t *testing.T, image string) {
	t.Helper()
	require.Regexp(t, pinned, image, "an image needs a whole version: what is started must not change by itself")
}

func TestVersions(t *testing.T) {
	t.Parallel()
	require.True(t, strings.HasPrefix(load(t).Services["prometheus"].Image, "prom/prometheus:v3.12."))
	require.Contains(t, dockerfile(t).images, "grafana/grafana:13.1.0")
}
