package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// evidenceFiles are what the comparison leaves below LAB_OUT.
var evidenceFiles = []string{"evidence.json", "evidence.md"}

// comparison is what the command line is asked.
type comparison struct {
	// baseline and candidate name sides below LAB_OUT, profile a file in lab/profiles.
	baseline, candidate, profile string
	prometheusURL                string
	// gates are those that tripped.
	gates []*GateError
}

// checkConditions has the command line check the conditions of LAB_FAIL_IF before anything runs: a slip of the pen
// found after the replays would cost all of them.
func (l *Lab) checkConditions(ctx context.Context) error {
	if len(l.opt.CompareArgs) == 0 {
		return nil
	}
	bin, err := build.Program(ctx, l.opt.Root, "./pkg/cmd/replay-evidence")
	if err != nil {
		return err
	}
	var said bytes.Buffer
	err = proc.Run(ctx, proc.Command{
		Name: "replay-evidence compare --dry-run", Path: bin, Args: append([]string{"compare", "--dry-run"}, l.opt.CompareArgs...),
		Dir: l.opt.Root, Stdout: &said, Stderr: &said,
	})
	var exit *proc.ExitError
	if errors.As(err, &exit) && exit.Code == StatusUsage {
		return &UsageError{fmt.Errorf("LAB_FAIL_IF cannot be used: %s", strings.TrimSpace(said.String()))}
	}
	return err
}

// compare compares the two sides of the checkout scenario.
func (l *Lab) compare(ctx context.Context, out Outcome) error {
	return l.compareSides(ctx, comparison{
		baseline: baselineLabel, candidate: candidateLabel, profile: "checkout.yaml",
		prometheusURL: out.PrometheusURL, gates: out.Gates,
	})
}

// compareSides runs the command line over what was measured and ends with its exit status. A gate
// that tripped makes it 1 whatever the comparison says.
func (l *Lab) compareSides(ctx context.Context, c comparison) error {
	l.con.Step("Comparing the candidate with the baseline")
	bin, err := build.Program(ctx, l.opt.Root, "./pkg/cmd/replay-evidence")
	if err != nil {
		return err
	}
	args := []string{
		"compare", "--root", "lab=" + l.opt.Out, "--baseline", c.baseline, "--candidate", c.candidate,
		"--prometheus", c.prometheusURL, "--profile", filepath.Join(l.opt.Root, "lab", "profiles", c.profile),
		"--format", "table",
	}
	for _, name := range evidenceFiles {
		args = append(args, "--out", filepath.Join(l.opt.Out, name))
	}
	err = proc.Run(ctx, proc.Command{
		Name: "replay-evidence compare", Path: bin, Args: append(args, l.opt.CompareArgs...), Dir: l.opt.Root,
		// It writes to the terminal itself, and so knows its width and colours.
		Stdout: l.con.Out(), Stderr: l.con.Out(),
	})
	if ctx.Err() != nil {
		return err
	}
	return l.verdict(err, c.gates)
}

// verdict turns how the command line ended into the status of the lab.
func (l *Lab) verdict(err error, gates []*GateError) error {
	var exit *proc.ExitError
	code := 0
	switch {
	case errors.As(err, &exit) && (exit.Code == StatusChanged || exit.Code == StatusNotComparable || exit.Code == StatusUsage):
		code = exit.Code
	case err != nil:
		return fmt.Errorf("compare the two sides: %w", err)
	}
	l.con.Step("Results, logs and evidence are in %s", l.opt.Out)
	switch {
	case len(gates) > 0:
		return gates[0]
	case code == StatusChanged:
		return &StatusError{code, "the behaviour changed, a gate failed, or a --fail-if condition held; the lines above say which"}
	case code == StatusNotComparable:
		return &StatusError{code, "the sides are not comparable, or Prometheus could not be asked; the answers above say what to do"}
	case code == StatusUsage:
		return &StatusError{code, "an option of the comparison cannot be used; its message is above"}
	}
	return nil
}
