package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	sdk "github.com/grafana/grafana-plugin-sdk-go/build"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// BrowserTest runs the browser tests of the built plugin in Chromium: on a Grafana that GRAFANA_URL names, else on the
// test host with the synthetic lab and an in-memory Prometheus.
func BrowserTest(ctx context.Context, con *console.Console, root string, counts *Counts) error {
	if err := Ensure(ctx, con, Chromium()); err != nil {
		return err
	}
	var testErr error
	if os.Getenv("GRAFANA_URL") != "" {
		if err := FrontendInstall(ctx, con, root); err != nil {
			return err
		}
		testErr = npm(ctx, con, root, "e2e", strings.Fields(os.Getenv("BROWSER_SPECS"))...)
	} else {
		if err := hostReady(ctx, con, root); err != nil {
			return err
		}
		testErr = proc.Run(ctx, proc.Command{
			Name: "browser tests", Path: "go", Dir: root, Stdout: con.Out(), Stderr: con.Out(), Env: []string{"BROWSER_TEST=1"},
			Args: []string{"test", "-tags", Tags, "-count", "1", "-timeout", "15m", "-run", "^TestBrowser$", "-v", "./internal/host/browsertest"},
		})
	}
	var report struct {
		Stats struct {
			Expected   int `json:"expected"`
			Unexpected int `json:"unexpected"`
			Flaky      int `json:"flaky"`
			Skipped    int `json:"skipped"`
		} `json:"stats"`
	}
	if err := readReport(filepath.Join(root, "test-results", "report.json"), &report); err != nil {
		return errors.Join(testErr, err)
	}
	stats := report.Stats
	add(counts, Counts{Passed: stats.Expected, Failed: stats.Unexpected + stats.Flaky, Skipped: stats.Skipped})
	if testErr != nil {
		return fmt.Errorf("the browser tests failed; their report is above, pictures and traces are in test-results: %w", testErr)
	}
	return nil
}

// hostReady builds all that the test host serves.
func hostReady(ctx context.Context, con *console.Console, root string) error {
	if err := FrontendBuild(ctx, con, root); err != nil {
		return err
	}
	if err := HostPage(ctx, con, root); err != nil {
		return err
	}
	// The SDK works in the current folder.
	if err := os.Chdir(root); err != nil {
		return fmt.Errorf("build the backend: %w", err)
	}
	if err := (sdk.Build{}).Custom(runtime.GOOS, runtime.GOARCH); err != nil {
		return fmt.Errorf("build the backend for this machine: %w", err)
	}
	return nil
}

// PreviewOptions say what Preview shows.
type PreviewOptions struct {
	// Addr is the loopback address to listen on; empty means 127.0.0.1:3003.
	Addr string
	// Roots are the operator's roots, name=path separated by commas; empty means the lab's results.
	Roots string
	// Prometheus is the address of a server that still has the runs; empty shows what evidence.json froze.
	Prometheus string
	// Profiles are profile files; empty means those of the lab.
	Profiles []string
}

// Preview serves the built plugin in the test host until ctx ends, so that the pages can be seen without Docker or
// Grafana.
func Preview(ctx context.Context, con *console.Console, root string, o PreviewOptions) error {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:3003"
	}
	if o.Roots == "" {
		o.Roots = "lab=" + filepath.Join(root, "lab", "out")
		if !exists(root, "lab", "out") {
			con.Warn("lab/out has no results yet; `go tool mage lab` makes them")
		}
	}
	if len(o.Profiles) == 0 {
		found, err := filepath.Glob(filepath.Join(root, "lab", "profiles", "*.yaml"))
		if err != nil {
			return err
		}
		o.Profiles = found
	}
	if err := hostReady(ctx, con, root); err != nil {
		return err
	}
	host := filepath.Join(root, CacheDir, "bin", Exe("testhost"))
	out, err := proc.Output(ctx, proc.Command{
		Name: "go build testhost", Path: "go", Dir: root,
		// The flags of the tests, whose compiled packages this shares.
		Args: []string{"build", "-tags", Tags, "-o", host, "./internal/host/cmd/testhost"},
	})
	if err != nil {
		return fmt.Errorf("build the test host: %w\n%s", err, out)
	}
	org, err := previewOrg(root, o)
	if err != nil {
		return err
	}
	con.Step("Preview at http://%s/ — Ctrl-C ends it", o.Addr)
	con.Note("as another user: http://%s/host/visit?role=Viewer&to=/ — light theme: add ?theme=light to any page", o.Addr)
	err = proc.Run(ctx, proc.Command{
		Name: "test host", Path: host, Dir: root, Stdout: con.Out(), Log: filepath.Join(root, CacheDir, "preview.log"),
		Args: []string{"-root", root, "-addr", o.Addr, "-roots", o.Roots, "-org", org},
	})
	if ctx.Err() == nil { // Ctrl-C is how a preview ends
		return err
	}
	return nil
}

// previewOrg writes what the host's organisation starts with: the profiles, and Prometheus as a data source.
func previewOrg(root string, o PreviewOptions) (string, error) {
	type profile struct {
		YAML string `json:"yaml"`
	}
	profiles := make([]profile, 0, len(o.Profiles))
	for _, path := range slices.Sorted(slices.Values(o.Profiles)) {
		text, err := os.ReadFile(filepath.Clean(path))
		if err != nil {
			return "", fmt.Errorf("read a profile for the preview: %w", err)
		}
		profiles = append(profiles, profile{string(text)})
	}
	settings := map[string]any{"profiles": profiles}
	sources := []map[string]string{}
	if o.Prometheus != "" {
		settings["prometheus"] = map[string]string{"datasourceUid": "prometheus"}
		sources = append(sources, map[string]string{
			"uid": "prometheus", "name": "Prometheus", "type": "prometheus", "url": strings.TrimRight(o.Prometheus, "/"),
		})
	}
	raw, err := json.Marshal(map[string]any{"jsonData": settings, "dataSources": sources})
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, CacheDir, "preview-org.json")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return "", fmt.Errorf("write the preview's organisation: %w", err)
	}
	return path, nil
}
