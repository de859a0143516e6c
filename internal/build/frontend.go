package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// minNode is the oldest major version of Node.js that the tools of the front end run on.
const minNode = 20

// FrontendInstall installs the front end's packages exactly as the lock file has them, once for each lock file.
func FrontendInstall(ctx context.Context, con *console.Console, root string) error {
	if err := checkNode(ctx); err != nil {
		return err
	}
	in := inputs{root, []string{"package.json", "package-lock.json", ".npmrc"}}
	return once(root, "node_modules", in, []string{"node_modules/.package-lock.json"}, func() error {
		con.Note("installing the front end's packages with npm ci, once; this takes one to three minutes")
		done := con.Elapsed("npm ci")
		defer done()
		out, err := proc.Output(ctx, proc.Command{
			Name: "npm ci", Path: "npm", Dir: root, Args: []string{"ci", "--no-audit", "--no-fund", "--loglevel=error"},
		})
		if err != nil {
			return fmt.Errorf("install the front end's packages: %w\n%s", err, lastLines(out, 20))
		}
		return nil
	})
}

func checkNode(ctx context.Context) error {
	out, err := proc.Output(ctx, proc.Command{Name: "node", Path: "node", Args: []string{"--version"}})
	if err != nil {
		return fmt.Errorf("the front end needs Node.js %d or newer with npm: %w", minNode, err)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(out, "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < minNode {
		return fmt.Errorf("the front end needs Node.js %d or newer, this is %s", minNode, out)
	}
	return nil
}

// npm runs a script of package.json with its output on the console.
func npm(ctx context.Context, con *console.Console, root, script string, args ...string) error {
	all := []string{"run", "--silent", script}
	if len(args) > 0 {
		all = append(append(all, "--"), args...)
	}
	if err := visible(ctx, con, root, "npm", all...); err != nil {
		return fmt.Errorf("npm run %s: %w", script, err)
	}
	return nil
}

// FrontendSteps are the steps of check that concern the front end alone.
func FrontendSteps(con *console.Console, root string) []Step {
	script := func(name string) func(context.Context, *Counts) error {
		return func(ctx context.Context, _ *Counts) error {
			if err := FrontendInstall(ctx, con, root); err != nil {
				return err
			}
			return npm(ctx, con, root, name)
		}
	}
	return []Step{
		{Name: "Front end: types fit the Go structs", Run: script("check:types")},
		{Name: "Front end: type check", Run: script("typecheck")},
		{Name: "Front end: eslint", Run: script("lint")},
		{Name: "Front end: formatting", Run: script("format:check")},
		{Name: "Front end: unit tests", Run: func(ctx context.Context, counts *Counts) error {
			return FrontendTest(ctx, con, root, counts)
		}},
	}
}

// FrontendCheck runs every step of FrontendSteps and reports all that failed.
func FrontendCheck(ctx context.Context, con *console.Console, root string, counts *Counts) error {
	var all error
	for _, step := range FrontendSteps(con, root) {
		con.Step("%s", step.Name)
		if err := step.Run(ctx, counts); err != nil {
			all = errors.Join(all, err)
		}
	}
	return all
}

// FrontendTest runs the unit tests of the front end and adds them to counts.
func FrontendTest(ctx context.Context, con *console.Console, root string, counts *Counts) error {
	if err := FrontendInstall(ctx, con, root); err != nil {
		return err
	}
	record := filepath.Join(root, CacheDir, "jest.json")
	testErr := npm(ctx, con, root, "test:ci", "--json", "--outputFile", record)
	var report struct {
		Passed  int `json:"numPassedTests"`
		Failed  int `json:"numFailedTests"`
		Pending int `json:"numPendingTests"`
	}
	if err := readReport(record, &report); err != nil {
		return errors.Join(testErr, err)
	}
	add(counts, Counts{Passed: report.Passed, Failed: report.Failed, Skipped: report.Pending})
	return testErr
}

// FrontendBuild builds the front end into dist unless it is there already, made from the same files.
func FrontendBuild(ctx context.Context, con *console.Console, root string) error {
	if err := FrontendInstall(ctx, con, root); err != nil {
		return err
	}
	in := inputs{root, []string{
		"src", ".config", "webpack.config.ts", "tsconfig.json", "package.json", "package-lock.json", "README.md", "CHANGELOG.md", "LICENSE",
	}}
	return once(root, "frontend", in, []string{"dist/module.js", "dist/plugin.json"}, func() error {
		return npm(ctx, con, root, "build")
	})
}

// HostPage builds the page on which the test host shows the plugin, unless it is there already.
func HostPage(ctx context.Context, con *console.Console, root string) error {
	if err := FrontendInstall(ctx, con, root); err != nil {
		return err
	}
	in := inputs{root, []string{"tests/host", "package-lock.json"}}
	return once(root, "host-page", in, []string{CacheDir + "/host/index.html"}, func() error {
		done := con.Elapsed("bundling the host page")
		defer done()
		return npm(ctx, con, root, "build:host")
	})
}

func readReport(path string, into any) error {
	raw, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return fmt.Errorf("read the report of the tests: %w", err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read the report of the tests, %s: %w", path, err)
	}
	return nil
}

func add(counts *Counts, more Counts) {
	if counts != nil {
		*counts = counts.Add(more)
	}
}
