// Package cli is the command line of Replay Evidence: the same answers as the plugin, in a terminal and
// in CI. It has no logic of its own.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit statuses.
const (
	// StatusOK: compared, and the behaviour is unchanged or inconclusive.
	StatusOK = 0
	// StatusHeld: the behaviour changed, a gate failed (the replay's own, or one of G1 to G9 on either side), or
	// a --fail-if held.
	StatusHeld = 1
	// StatusNotComparable: the sides are not comparable, a configured Prometheus could not be asked, a
	// --fail-if could not be decided, or the work broke.
	StatusNotComparable = 2
	// StatusUsage: a flag, a root, the name of a side, a profile or an expression is wrong.
	StatusUsage = 64
	// StatusInterrupted: Ctrl-C.
	StatusInterrupted = 130
)

// IO is where a command reads and writes.
type IO struct {
	Out, Err io.Writer
	// Width is the number of columns of Out; 0 when it is no terminal.
	Width int
	// Colour says whether Out shows colour.
	Colour bool
	// Now is the clock.
	Now func() time.Time
}

// Terminal returns the process's own standard streams.
func Terminal() IO {
	streams := IO{Out: os.Stdout, Err: os.Stderr, Now: time.Now}
	fd := int(os.Stdout.Fd())
	if !term.IsTerminal(fd) {
		return streams
	}
	if w, _, err := term.GetSize(fd); err == nil {
		streams.Width = w
	}
	// https://no-color.org
	streams.Colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return streams
}

// usageError is a mistake on the command line or in what it names.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usage(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// statusError ends a command with a status of its own after it has said everything.
type statusError struct {
	code int
	text string
}

func (e *statusError) Error() string { return e.text }

// Run runs one command and returns its exit status.
func Run(ctx context.Context, args []string, streams IO) int {
	root := command(streams)
	// cobra takes the process's own arguments for nil.
	root.SetArgs(append([]string{}, args...))
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	err := root.ExecuteContext(ctx)
	var status *statusError
	var wrong *usageError
	switch {
	case err == nil:
		return StatusOK
	case ctx.Err() != nil:
		fmt.Fprintln(streams.Err, "interrupted")
		return StatusInterrupted
	case errors.As(err, &status):
		if status.text != "" {
			fmt.Fprintln(streams.Err, status.text)
		}
		return status.code
	case errors.As(err, &wrong) || cobraUsage(err):
		fmt.Fprintf(streams.Err, "error: %v\n", err)
		return StatusUsage
	}
	fmt.Fprintf(streams.Err, "error: %v\n", err)
	return StatusNotComparable
}

// cobraUsage recognises the errors that cobra makes for wrong commands and arguments.
func cobraUsage(err error) bool {
	for _, p := range []string{"unknown command", "accepts "} {
		if strings.HasPrefix(err.Error(), p) {
			return true
		}
	}
	return false
}

func command(streams IO) *cobra.Command {
	root := &cobra.Command{
		Use:           "replay-evidence",
		Short:         "Judge two replays of the same recorded traffic",
		Long:          rootHelp,
		Example:       rootExample,
		SilenceUsage:  true,
		SilenceErrors: true,
		// A bare call is a question.
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%w (see %s --help)", err, cmd.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(runsCommand(streams), windowCommand(streams), pairsCommand(streams), evidenceCommand(streams),
		compareCommand(streams), profileCommand(streams), versionCommand(streams))
	return root
}

// oneOf checks the value of a flag. An empty word among the allowed ones means that the flag may be left out.
func oneOf(flag, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	words := slices.DeleteFunc(slices.Clone(allowed), func(a string) bool { return a == "" })
	last := len(words) - 1
	return usage("--%s %q: use %s or %s", flag, value, strings.Join(words[:last], ", "), words[last])
}
