package runner

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// compare compares the slow version with the fast one and prints the result block below the answers.
func (o *orders) compare(ctx context.Context, prometheusURL string, gates []*GateError) error {
	err := o.compareSides(ctx, comparison{
		baseline: ordersVersions[0].side(), candidate: ordersVersions[1].side(), profile: "orders.yaml",
		prometheusURL: prometheusURL, gates: gates,
	})
	if ctx.Err() != nil {
		return err
	}
	if printErr := printResult(o.con.Out(), filepath.Join(o.opt.Out, "evidence.md")); printErr != nil {
		return firstOf(err, printErr)
	}
	return err
}

// resultHeading begins the result block of a report.
const resultHeading = "### Result"

// printResult prints the result block of a Markdown report.
func printResult(w io.Writer, path string) error {
	report, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the report: %w", err)
	}
	_, block, found := bytes.Cut(report, []byte(resultHeading+"\n"))
	if !found {
		return fmt.Errorf("%s has no result block", path)
	}
	block, _, _ = bytes.Cut(block, []byte("\n##"))
	_, err = fmt.Fprintf(w, "\n%s\n\n%s\n", resultHeading, bytes.TrimSpace(block))
	return err
}
