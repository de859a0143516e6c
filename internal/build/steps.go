package build

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// apart are tests that start whole programs and that steps of their own run: the lab's and the browser's.
const apart = "^(TestWholeLab.*|TestLabOrders.*|TestBrowser)$"

// GoSteps are the steps of check that concern Go code alone.
func GoSteps(con *console.Console, root string) []Step {
	return []Step{
		{Name: "Formatting", Run: func(ctx context.Context, _ *Counts) error { return CheckFormat(ctx, root) }},
		{Name: "go vet", Run: func(ctx context.Context, _ *Counts) error { return Vet(ctx, con, root) }},
		{Name: "golangci-lint", Run: func(ctx context.Context, _ *Counts) error { return Lint(ctx, con, root) }},
		{Name: "Go tests with the race detector", Run: func(ctx context.Context, counts *Counts) error {
			return GoTest(ctx, con, root, GoTestOptions{Race: true, Args: []string{"-timeout", "20m", "-skip", apart}, Counts: counts})
		}},
	}
}

// Bench runs every benchmark of the repository. BENCH_TIME replaces Go's one second each.
func Bench(ctx context.Context, con *console.Console, root string) error {
	args := []string{"test", "-tags", Tags, "-run", "^$", "-bench", ".", "-benchmem", "-p", "1"}
	if t := os.Getenv("BENCH_TIME"); t != "" {
		args = append(args, "-benchtime", t)
	}
	return visible(ctx, con, root, "go", append(args, "./...")...)
}

// Fuzz runs every fuzz target for FUZZ_TIME (30s) each, one after the other.
func Fuzz(ctx context.Context, con *console.Console, root string) error {
	seconds := os.Getenv("FUZZ_TIME")
	if seconds == "" {
		seconds = "30s"
	}
	packages, err := proc.Output(ctx, proc.Command{Name: "go list", Path: "go", Dir: root, Args: []string{"list", "-tags", Tags, "./..."}})
	if err != nil {
		return fmt.Errorf("list the packages: %w\n%s", err, packages)
	}
	for pkg := range strings.FieldsSeq(packages) {
		targets, err := fuzzTargets(ctx, root, pkg)
		if err != nil {
			return err
		}
		for _, target := range targets {
			con.Step("%s in %s, for %s", target, pkg, seconds)
			err := visible(ctx, con, root, "go", "test", "-tags", Tags, "-run", "^$", "-fuzz", "^"+target+"$", "-fuzztime", seconds, pkg)
			if err != nil {
				return fmt.Errorf("%s in %s found an input that breaks it; it is stored below testdata/fuzz there: %w", target, pkg, err)
			}
		}
	}
	return nil
}

func fuzzTargets(ctx context.Context, root, pkg string) ([]string, error) {
	var out, diagnostics bytes.Buffer
	err := proc.Run(ctx, proc.Command{
		Name: "go test -list", Path: "go", Dir: root, Stdout: &out, Stderr: &diagnostics,
		Args: []string{"test", "-tags", Tags, "-list", "^Fuzz", pkg},
	})
	if err != nil {
		return nil, fmt.Errorf("list the fuzz targets of %s: %w\n%s%s", pkg, err, out.String(), diagnostics.String())
	}
	var targets []string
	for line := range strings.Lines(out.String()) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Fuzz") {
			targets = append(targets, name)
		}
	}
	return targets, nil
}
