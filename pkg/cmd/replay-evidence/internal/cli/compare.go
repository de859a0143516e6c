package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/report"
)

// compareFlags are those of compare.
type compareFlags struct {
	measureFlags
	baseline, candidate string
	format              string
	failIf              []string
	out                 []string
	showValues          bool
	dryRun              bool
}

func compareCommand(streams IO) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Compare a candidate with a baseline and print the evidence",
		Long:  compareHelp, Example: compareExample,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), streams) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "`side` to compare with, such as results/baseline")
	cmd.Flags().StringVar(&f.candidate, "candidate", "", "`side` to judge, such as results/candidate")
	cmd.Flags().StringVar(&f.format, "format", "table", "table, json or markdown")
	cmd.Flags().StringArrayVar(&f.failIf, "fail-if", nil, "`expression` that ends with status 1 when it holds; repeatable")
	cmd.Flags().StringArrayVar(&f.out, "out", nil, "`file` to write as well; .json, .md or .txt says in which format; repeatable")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "check the flags, the profile and the expressions, then end; no run is read and nobody is asked")
	cmd.Flags().BoolVar(&f.showValues, "show-values", false, "show the values of differing response fields; they can hold secrets")
	return cmd
}

func (f *compareFlags) run(ctx context.Context, streams IO) error {
	if err := oneOf("format", f.format, "table", "json", "markdown"); err != nil {
		return err
	}
	for _, name := range f.out {
		if writerFor(name) == nil {
			return usage("--out %s: the name must end in .json, .md or .txt", name)
		}
	}
	conditions, err := compileAll(f.failIf)
	if err != nil {
		return err
	}
	set, err := f.read()
	if err != nil {
		return err
	}
	if f.dryRun {
		fmt.Fprintf(streams.Out, "the flags are fine, %d --fail-if among them; nothing was compared\n", len(conditions))
		return nil
	}
	c, done, err := f.roots.open()
	if err != nil {
		return err
	}
	defer done()
	base, err := side(ctx, c, "baseline", f.baseline)
	if err != nil {
		return err
	}
	cand, err := side(ctx, c, "candidate", f.candidate)
	if err != nil {
		return err
	}
	measured, err := evidence.MeasureSides(ctx,
		func(ctx context.Context) (evidence.Side, error) { return f.measure(ctx, streams, c, base, set) },
		func(ctx context.Context) (evidence.Side, error) { return f.measure(ctx, streams, c, cand, set) },
	)
	if err != nil {
		return err
	}
	result := compare.Compare(measured[0], measured[1], set.profile, compare.Options{
		Now: streams.Now(), ShowValues: f.showValues, Generator: compare.Generator{Name: "replay-evidence", Version: Version()},
	})
	if err := f.print(streams, result); err != nil {
		return err
	}
	return join(f.writeFiles(result), verdict(result, conditions))
}

// join says both what could not be written and how the comparison ended; the status is that of the comparison
// unless only the writing failed.
func join(written, ended error) error {
	var status *statusError
	if written == nil || !errors.As(ended, &status) {
		return firstOf(written, ended)
	}
	return &statusError{status.code, "error: " + written.Error() + "\n" + status.text}
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

type writer func(io.Writer, compare.Comparison) error

// writerFor chooses the format of a file by the end of its name.
func writerFor(name string) writer {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json":
		return report.JSON
	case ".md", ".markdown":
		return report.Markdown
	case ".txt":
		return func(w io.Writer, c compare.Comparison) error { return report.Table(w, c, report.TextOptions{}) }
	}
	return nil
}

// writeFiles writes every file that it can: one that cannot be written costs none of the others.
func (f *compareFlags) writeFiles(c compare.Comparison) error {
	var failed []error
	for _, name := range f.out {
		if err := writeFile(name, c); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (f *compareFlags) print(streams IO, c compare.Comparison) error {
	switch f.format {
	case "json":
		return report.JSON(streams.Out, c)
	case "markdown":
		return report.Markdown(streams.Out, c)
	}
	return report.Table(streams.Out, c, textOptions(streams))
}

// writeFile replaces a file as a whole, so that a reader never meets half of one.
func writeFile(name string, c compare.Comparison) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.tmp")
	if err != nil {
		return fmt.Errorf("--out %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	if err := writerFor(name)(tmp, c); err != nil {
		_ = tmp.Close()
		return fmt.Errorf("--out %s: %w", name, err)
	}
	if err := tmp.Chmod(0o644); err != nil {
		_ = tmp.Close()
		return fmt.Errorf("--out %s: %w", name, err)
	}
	if err := tmp.Close(); err != nil {
		return fmt.Errorf("--out %s: %w", name, err)
	}
	if err := os.Rename(tmp.Name(), name); err != nil {
		return fmt.Errorf("--out %s: %w", name, err)
	}
	return nil
}
