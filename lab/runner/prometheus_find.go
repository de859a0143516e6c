package runner

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
	labprom "github.com/replaylab/replay-evidence/lab/prometheus"
)

// prometheusTool is the server that is built when the machine offers none that fits.
func prometheusTool() build.Tool {
	return build.Tool{
		Name: "prometheus", Package: labprom.Package, Version: labprom.Module,
		Tags: labprom.Tags, LDFlags: labprom.LDFlags, Folder: "prometheus",
		Takes: "some minutes and about 170 MB of module downloads",
	}
}

// server is a Prometheus binary and where it came from.
type server struct {
	path    string
	version string
	origin  string
}

// findPrometheus returns a 3.x server: the named one, one on PATH, or the pinned one, which it
// builds when the cache does not have it yet.
func findPrometheus(ctx context.Context, con *console.Console, root, named string) (server, error) {
	if named != "" {
		v, err := prometheusVersion(ctx, named)
		if err != nil {
			return server{}, &UsageError{fmt.Errorf("PROMETHEUS_BIN: %w", err)}
		}
		return server{named, v, "PROMETHEUS_BIN"}, nil
	}
	if path, err := exec.LookPath("prometheus"); err == nil {
		v, err := prometheusVersion(ctx, path)
		if err == nil {
			return server{path, v, "PATH"}, nil
		}
		con.Note("not using the Prometheus on PATH: %v", err)
	}
	path, err := build.Install(ctx, con, root, prometheusTool())
	if err != nil {
		return server{}, fmt.Errorf("no Prometheus 3.x is installed, and building one failed: %w\nset PROMETHEUS_BIN to a 3.x binary, or LAB_PROMETHEUS to the URL of a running one", err)
	}
	v, err := prometheusVersion(ctx, path)
	if err != nil {
		return server{}, fmt.Errorf("the built Prometheus cannot be used: %w", err)
	}
	return server{path, v, "built from " + labprom.Package + "@" + labprom.Module}, nil
}

func prometheusVersion(ctx context.Context, path string) (string, error) {
	out, err := proc.Output(ctx, proc.Command{Name: path, Path: path, Args: []string{"--version"}})
	if err != nil {
		return "", fmt.Errorf("ask %s for its version: %w", path, err)
	}
	v, err := usablePrometheus(out)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

var prometheusBanner = regexp.MustCompile(`(?m)^prometheus, version (\d\S*)`)

// usablePrometheus reads the output of `prometheus --version` and refuses what is not 3.x. Release
// 3.0 made ranges open on the left, which the windows of the lab are made for, and stores `le`
// labels in one spelling.
func usablePrometheus(output string) (string, error) {
	m := prometheusBanner.FindStringSubmatch(output)
	if m == nil {
		return "", fmt.Errorf("it does not say which Prometheus it is; the lab needs 3.x")
	}
	v, ok := findVersion(m[1])
	if !ok || v[0] != 3 {
		return "", fmt.Errorf("it is Prometheus %s; the lab needs 3.x (ranges changed in 3.0)", m[1])
	}
	return m[1], nil
}
