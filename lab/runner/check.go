package runner

import (
	"context"
	"log/slog"
	"os"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/lab/pg"
)

// e2eVariable asks the tests of this package for whole runs, which take a minute or more.
const e2eVariable = "LAB_E2E"

// SetUpStep installs what the tests need where that is allowed. A C compiler and a browser are
// demanded; without PostgreSQL the tests of the orders service skip and say so.
func SetUpStep(con *console.Console) build.Step {
	return build.Step{Name: "What the machine must have", Run: func(ctx context.Context, _ *build.Counts) error {
		log := slog.New(slog.NewTextHandler(con.Out(), nil))
		if _, err := pg.Ensure(ctx, log); err != nil {
			con.Warn("the tests of the orders service will be skipped: %v", err)
		}
		return build.Ensure(ctx, con, build.CCompiler(), build.Chromium())
	}}
}

// CheckSteps are the steps of check that run the lab end to end. They are not raced: the measured
// programs are children, built without the detector, and the runner's own parts are raced apart.
func CheckSteps(con *console.Console, root string) []build.Step {
	return []build.Step{{Name: "The lab, end to end", Run: func(ctx context.Context, counts *build.Counts) error {
		srv, err := findPrometheus(ctx, con, root, os.Getenv("PROMETHEUS_BIN"))
		if err != nil {
			return err
		}
		return build.GoTest(ctx, con, root, build.GoTestOptions{
			Packages: []string{"./lab/runner"}, Counts: counts,
			Args: []string{"-run", "^Test(Whole)?Lab", "-timeout", "30m"},
			Env:  []string{e2eVariable + "=1", "PROMETHEUS_BIN=" + srv.path},
		})
	}}}
}
