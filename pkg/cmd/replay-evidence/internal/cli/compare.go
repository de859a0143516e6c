package cli

import (
	"context"
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
}

func compareCommand(streams IO) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Compare a candidate with a baseline and print the evidence",
		Long: `Compare a candidate with a baseline: behaviour, speed and cause, each with its proof.

--fail-if takes an expression over evidence.json and ends with status 1 when it holds.
Short names: behaviour, speed and cause (the three answers), baseline and candidate (the two
sides). An expression over a missing figure cannot be decided and ends with status 2.
Expressions: https://expr-lang.org/docs/language-definition

Exit status: 0 compared, and the behaviour is unchanged (or inconclusive, as an annotation);
1 the behaviour changed, a gate of the candidate failed, or a --fail-if held; 2 not
comparable, or a configured Prometheus could not be asked; 64 usage.`,
		Example: `  replay-evidence compare --root lab=results --baseline baseline --candidate candidate \
      --fail-if 'speed.answer == "regressed"' \
      --fail-if 'candidate.load.p95Ms > 1.2 * baseline.load.p95Ms' \
      --out evidence.json --out evidence.md`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), streams) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "side to compare with, such as lab/baseline; join directories with +")
	cmd.Flags().StringVar(&f.candidate, "candidate", "", "side to judge, such as lab/candidate")
	cmd.Flags().StringVar(&f.format, "format", "table", "table, json or markdown")
	cmd.Flags().StringArrayVar(&f.failIf, "fail-if", nil, "expression that ends with status 1 when it holds; repeatable")
	cmd.Flags().StringArrayVar(&f.out, "out", nil, "also write a file; .json, .md or .txt says which format; repeatable")
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
	var measured [2]evidence.Side
	if measured[0], err = f.measure(ctx, streams, c, base, set); err != nil {
		return err
	}
	if measured[1], err = f.measure(ctx, streams, c, cand, set); err != nil {
		return err
	}
	result := compare.Compare(measured[0], measured[1], set.profile, compare.Options{
		Now: streams.Now(), ShowValues: f.showValues, Generator: compare.Generator{Name: "replay-evidence", Version: Version()},
	})
	if err := f.write(streams, result); err != nil {
		return err
	}
	return verdict(result, conditions)
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

func (f *compareFlags) write(streams IO, c compare.Comparison) error {
	for _, name := range f.out {
		if err := writeFile(name, c); err != nil {
			return err
		}
	}
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

// verdict turns the comparison and the conditions into the exit status. What is wrong with the candidate
// comes before what could not be judged.
func verdict(c compare.Comparison, conditions []condition) error {
	var held, undecided []string
	for _, cond := range conditions {
		ok, err := cond.holds(c)
		switch {
		case err != nil:
			undecided = append(undecided, err.Error())
		case ok:
			held = append(held, fmt.Sprintf("--fail-if held: %s", cond.text))
		}
	}
	behaviour := c.Verdict.Behaviour
	if behaviour.Answer == compare.Changed {
		held = append(held, "behaviour: "+behaviour.Headline)
	}
	if f := c.Sides.Candidate.Functional; f != nil && f.GateFailed && behaviour.Answer != compare.Changed {
		held = append(held, "the candidate's functional gate failed")
	}
	if l := c.Sides.Candidate.Load; l != nil && l.GateFailed && behaviour.Answer != compare.Changed {
		held = append(held, "the candidate's load gate failed")
	}
	if len(held) > 0 {
		return &statusError{StatusHeld, strings.Join(append(held, undecided...), "\n")}
	}
	if !c.Comparable {
		text := "not comparable"
		for _, it := range c.Identity {
			if it.Breaks {
				text += "\n" + it.Name + ": " + it.Text
				if it.Next != "" {
					text += "; " + it.Next
				}
			}
		}
		undecided = append([]string{text}, undecided...)
	}
	if text := notAsked(c.Sides.Baseline, c.Sides.Candidate); text != "" {
		undecided = append(undecided, text)
	}
	if len(undecided) > 0 {
		return &statusError{StatusNotComparable, strings.Join(undecided, "\n")}
	}
	return nil
}
