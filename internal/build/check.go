package build

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/replaylab/replay-evidence/internal/console"
)

// Step is one part of check.
type Step struct {
	Name string
	// Run does the step; it adds the tests it ran to the counts.
	Run func(context.Context, *Counts) error
}

// RunSteps runs every step, also after one has failed, and ends with a line for each step and one
// for the tests: whoever reads the end of a long log sees all of it.
func RunSteps(ctx context.Context, con *console.Console, steps []Step) error {
	var total Counts
	var lines, failed []string
	for _, s := range steps {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		con.Step("%s", s.Name)
		start := time.Now()
		var counts Counts
		err := s.Run(ctx, &counts)
		total = total.Add(counts)
		state := "ok  "
		if err != nil {
			state = "FAIL"
			failed = append(failed, s.Name)
			con.Warn("%v", err)
		}
		line := fmt.Sprintf("%s  %-34s %s", state, s.Name, console.Duration(time.Since(start)))
		if counts != (Counts{}) {
			line += "  (" + counts.String() + ")"
		}
		lines = append(lines, line)
	}
	con.Step("check")
	con.Note("%s", strings.Join(lines, "\n"))
	// A plain line at the very end, without a mark before it.
	if _, err := fmt.Fprintln(con.Out(), total); err != nil {
		return err
	}
	if len(failed) > 0 {
		return errors.New("failed: " + strings.Join(failed, ", "))
	}
	return nil
}
