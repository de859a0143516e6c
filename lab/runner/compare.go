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
	"github.com/replaylab/replay-evidence/pkg/report"
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
		"compare", "--root", "lab=" + l.opt.Out, "--baseline", baselineLabel, "--candidate", candidateLabel,
		"--prometheus", out.PrometheusURL, "--profile", filepath.Join(l.opt.Root, "lab", "profiles", "checkout.yaml"), "--format", "json",
	}, l.opt.CompareArgs...)
	err = proc.Run(ctx, proc.Command{
		Name: "replay-evidence compare", Path: bin, Args: args, Dir: l.opt.Out, Stdout: &result, Log: l.opt.log("compare"),
	})
	var exit *proc.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.Code > StatusNotComparable || result.Len() == 0) {
		return fmt.Errorf("compare the two sides: %w", err)
	}
	if err := l.show(result.Bytes()); err != nil {
		return err
	}
	switch {
	case len(out.Gates) > 0:
		return out.Gates[0]
	case exit != nil:
		return &StatusError{Code: exit.Code, Text: "see the answers above"}
	}
	return nil
}

// show prints the comparison and stores it beside the runs. It was made once, by the command line:
// screen, evidence.json and evidence.md are three views of the same answers.
func (l *Lab) show(evidence []byte) error {
	comparison, err := report.ReadJSON(bytes.NewReader(evidence))
	if err != nil {
		return fmt.Errorf("read what the comparison printed: %w", err)
	}
	var markdown bytes.Buffer
	if err := report.Markdown(&markdown, comparison); err != nil {
		return fmt.Errorf("write the comparison as Markdown: %w", err)
	}
	for name, content := range map[string][]byte{"evidence.json": evidence, "evidence.md": markdown.Bytes()} {
		if err := os.WriteFile(filepath.Join(l.opt.Out, name), content, 0o644); err != nil {
			return fmt.Errorf("store the evidence: %w", err)
		}
	}
	opts := report.TextOptions{Width: l.con.Width(), Colour: l.con.Live() && os.Getenv("NO_COLOR") == ""}
	if err := report.Table(l.con.Out(), comparison, opts); err != nil {
		return fmt.Errorf("print the comparison: %w", err)
	}
	l.con.Step("Stored")
	l.con.Note("%s\n%s", filepath.Join(l.opt.Out, "evidence.json"), filepath.Join(l.opt.Out, "evidence.md"))
	return nil
}
