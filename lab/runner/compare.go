package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// compare runs the command line over what was measured and ends with its exit status.
func (l *Lab) compare(ctx context.Context, out Outcome) error {
	l.con.Step("Comparing candidate with baseline")
	if !exists(filepath.Join(l.opt.Root, "pkg", "cmd", "replay-evidence")) {
		l.con.Note("the command line that compares is not part of this tree yet; results are in %s", l.opt.results())
		return nil
	}
	bin, err := build.Program(ctx, l.opt.Root, "./pkg/cmd/replay-evidence")
	if err != nil {
		return err
	}
	var result bytes.Buffer
	args := append([]string{
		"compare", "--root", "lab=" + l.opt.results(), "--baseline", "lab/" + baselineLabel, "--candidate", "lab/" + candidateLabel,
		"--prometheus", out.PrometheusURL, "--profile", filepath.Join(l.opt.Root, "lab", "profiles", "checkout.yaml"), "--format", "json",
	}, l.opt.CompareArgs...)
	err = proc.Run(ctx, proc.Command{
		Name: "replay-evidence compare", Path: bin, Args: args, Dir: l.opt.Out, Stdout: &result, Log: l.opt.log("compare"),
	})
	var exit *proc.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.Code > StatusNotComparable || result.Len() == 0) {
		return fmt.Errorf("compare the two sides: %w", err)
	}
	if err := os.WriteFile(filepath.Join(l.opt.Out, "evidence.json"), result.Bytes(), 0o644); err != nil {
		return fmt.Errorf("store the evidence: %w", err)
	}
	switch {
	case len(out.Gates) > 0:
		return out.Gates[0]
	case exit != nil:
		return &StatusError{Code: exit.Code, Text: "see the answers above"}
	}
	return nil
}
