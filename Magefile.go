//go:build mage

// The targets of Replay Evidence. Options are environment variables; `go tool mage -h <target>` explains one.
package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/magefile/mage/mg"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
	reference "github.com/replaylab/replay-evidence/lab/evidence"
	"github.com/replaylab/replay-evidence/lab/runner"
)

// Default is the target of a plain `go tool mage`.
var Default = Help

// Aliases: `lab` runs everything that the namespace offers.
var Aliases = map[string]any{
	"lab": Lab.All,
}

// Help lists the targets.
func Help() error { return build.Help(os.Stdout) }

// Check runs every test: formatting, vet, linters, Go tests with the race detector, the front end's tests, the browser tests, the lab end to end. What is missing on the machine is installed where that is allowed.
func Check(ctx context.Context) error {
	return withRoot(ctx, func(ctx context.Context, root string) error {
		con := console.New(os.Stdout)
		return build.RunSteps(ctx, con, slices.Concat(
			[]build.Step{runner.SetUpStep(con)},
			build.GoSteps(con, root),
			build.FrontendSteps(con, root),
			[]build.Step{{Name: "Browser tests of the built plugin", Run: func(ctx context.Context, counts *build.Counts) error {
				return build.BrowserTest(ctx, con, root, counts)
			}}},
			[]build.Step{{Name: "Package: the plugin catalogue's rules", Run: func(ctx context.Context, _ *build.Counts) error {
				return build.PackageCheck(ctx, con, root)
			}}},
			runner.CheckSteps(con, root),
		))
	})
}

// Build builds the plugin, front end and backend, into dist, ready to mount into Grafana.
func Build(ctx context.Context) error {
	return withConsole(ctx, func(ctx context.Context, con *console.Console, root string) error {
		if err := build.FrontendBuild(ctx, con, root); err != nil {
			return err
		}
		return build.Backend(root)
	})
}

// BuildBackend builds the backend for this system into dist.
func BuildBackend(ctx context.Context) error {
	return withRoot(ctx, func(_ context.Context, root string) error { return build.Backend(root) })
}

// BuildAll builds the backend for every system that a packed plugin serves.
func BuildAll(ctx context.Context) error {
	return withRoot(ctx, func(_ context.Context, root string) error { return build.BackendAll(root) })
}

// Package builds the plugin for every system, packs it as replaylab-evidence-app-<version>.zip and holds it against the plugin catalogue's rules.
func Package(ctx context.Context) error { return withConsole(ctx, build.Package) }

// Test runs the tests of Go and front end without the race detector and without whole runs: the quick round while working.
func Test(ctx context.Context) error {
	return withConsole(ctx, func(ctx context.Context, con *console.Console, root string) error {
		var counts build.Counts
		return errors.Join(
			build.GoTest(ctx, con, root, build.GoTestOptions{Counts: &counts}),
			build.FrontendTest(ctx, con, root, &counts),
		)
	})
}

// BrowserTest runs the browser tests of the built plugin in Chromium: on the test host, or on the Grafana that GRAFANA_URL names, signed in as GRAFANA_USER (admin) with GRAFANA_PASSWORD (admin). BROWSER_SPECS picks some of them.
func BrowserTest(ctx context.Context) error {
	return withConsole(ctx, func(ctx context.Context, con *console.Console, root string) error {
		var counts build.Counts
		return build.BrowserTest(ctx, con, root, &counts)
	})
}

// Preview serves the built plugin in a test host on lab/out until Ctrl-C: PREVIEW_ADDR (127.0.0.1:3003), PREVIEW_ROOTS (name=path, ...), PREVIEW_PROMETHEUS (the lab's server while it runs).
func Preview(ctx context.Context) error {
	return withConsole(ctx, func(ctx context.Context, con *console.Console, root string) error {
		prometheus := os.Getenv("PREVIEW_PROMETHEUS")
		if prometheus == "" {
			opt, err := runner.OptionsFromEnv(root, os.Getenv)
			if err != nil {
				return status(err)
			}
			prometheus = runner.RunningPrometheus(ctx, opt.Out)
		}
		return build.Preview(ctx, con, root, build.PreviewOptions{
			Addr: os.Getenv("PREVIEW_ADDR"), Roots: os.Getenv("PREVIEW_ROOTS"), Prometheus: prometheus,
		})
	})
}

// Bench runs every benchmark; BENCH_TIME is the time for each.
func Bench(ctx context.Context) error { return withConsole(ctx, build.Bench) }

// Fuzz runs every fuzz target for FUZZ_TIME (30s).
func Fuzz(ctx context.Context) error { return withConsole(ctx, build.Fuzz) }

// Lint runs the linters.
func Lint(ctx context.Context) error { return withConsole(ctx, build.Lint) }

// Fmt formats every Go file.
func Fmt(ctx context.Context) error { return withConsole(ctx, build.Format) }

// Lab plays the seed system's scenario: one target for all of it, and one for each step by hand.
type Lab mg.Namespace

// All captures one request, replays it against baseline and candidate under a real Prometheus, and compares them. LAB_OUT names the results folder, LAB_PROMETHEUS a running server, PROMETHEUS_BIN a server binary, PROXYMOCK proxymock or "stand-in".
func (Lab) All(ctx context.Context) error {
	return inLab(ctx, func(ctx context.Context, l *runner.Lab) error { return l.All(ctx) })
}

// Test runs the tests of the checkout API, its dependency and the lab's tools.
func (Lab) Test(ctx context.Context) error {
	return withRoot(ctx, func(ctx context.Context, root string) error {
		return build.GoTest(ctx, console.New(os.Stdout), root, build.GoTestOptions{Packages: []string{"./lab/..."}})
	})
}

// Up starts Prometheus on 127.0.0.1:9091 and leaves it running until lab:down.
func (Lab) Up(ctx context.Context) error {
	return inLab(ctx, func(ctx context.Context, l *runner.Lab) error { return l.Up(ctx) })
}

// Capture records one request and its dependency call into RECORDING_DIR (lab/out/proxymock/recording).
func (Lab) Capture(ctx context.Context) error {
	return inLab(ctx, func(ctx context.Context, l *runner.Lab) error { return l.Capture(ctx) })
}

// Mock serves the checkout API on 127.0.0.1:8080 with the recorded dependency, LAB_BUDGET connections (2), until Ctrl-C.
func (Lab) Mock(ctx context.Context) error {
	return inLab(ctx, func(ctx context.Context, l *runner.Lab) error { return l.Mock(ctx, os.Stdout) })
}

// FunctionalReplay replays 3 passes into RESULTS_DIR/functional and scores every answer.
func (Lab) FunctionalReplay(ctx context.Context) error {
	return inLab(ctx, func(ctx context.Context, l *runner.Lab) error { return l.FunctionalReplay(ctx) })
}

// LoadReplay replays 8 users x 150 passes into RESULTS_DIR/load; it is refused unless the functional gate passed.
func (Lab) LoadReplay(ctx context.Context) error {
	return inLab(ctx, func(ctx context.Context, l *runner.Lab) error { return l.LoadReplay(ctx) })
}

// Verify checks both gates and both windows of RESULTS_DIR.
func (Lab) Verify(ctx context.Context) error {
	return inLab(ctx, func(_ context.Context, l *runner.Lab) error { return l.Verify() })
}

// Orders plays the second scenario: an N+1 that hides in the aggregate, found on a real PostgreSQL. LAB_USERS and LAB_PASSES are the workload (4, 30); results lie in LAB_OUT/orders.
func (Lab) Orders(ctx context.Context) error {
	return withLab(ctx, runner.OrdersOptionsFromEnv, func(ctx context.Context, l *runner.Lab) error { return l.Orders(ctx) })
}

// Reference takes the figures of the last run over into lab/evidence/reference.json and the README's table.
func (Lab) Reference(ctx context.Context) error {
	return withRoot(ctx, func(_ context.Context, root string) error {
		opt, err := runner.OptionsFromEnv(root, os.Getenv)
		if err != nil {
			return status(err)
		}
		return reference.Update(root, filepath.Join(opt.Out, "evidence.json"))
	})
}

// Down ends what lab:up started, and nothing else.
func (Lab) Down(ctx context.Context) error {
	return inLab(ctx, func(ctx context.Context, l *runner.Lab) error { return l.Down(ctx) })
}

// inLab runs f with the options of the environment; Ctrl-C ends every child, and the kind of an
// error becomes the exit status.
func inLab(ctx context.Context, f func(context.Context, *runner.Lab) error) error {
	return withLab(ctx, runner.OptionsFromEnv, f)
}

// withLab is inLab with other options.
func withLab(ctx context.Context, options func(string, func(string) string) (runner.Options, error), f func(context.Context, *runner.Lab) error) error {
	return withRoot(ctx, func(ctx context.Context, root string) error {
		opt, err := options(root, os.Getenv)
		if err != nil {
			return status(err)
		}
		l := runner.New(opt, console.New(os.Stdout))
		defer l.Close()
		return status(f(ctx, l))
	})
}

func withRoot(ctx context.Context, f func(context.Context, string) error) error {
	ctx, stop := proc.Interruptible(ctx)
	defer stop()
	root, err := build.Root()
	if err != nil {
		return err
	}
	return f(ctx, root)
}

func withConsole(ctx context.Context, f func(context.Context, *console.Console, string) error) error {
	return withRoot(ctx, func(ctx context.Context, root string) error { return f(ctx, console.New(os.Stdout), root) })
}

func status(err error) error {
	if err == nil {
		return nil
	}
	if runner.Status(err) == runner.StatusInterrupted {
		return mg.Fatal(runner.StatusInterrupted, "interrupted: everything that was started has ended")
	}
	return mg.Fatal(runner.Status(err), err)
}
