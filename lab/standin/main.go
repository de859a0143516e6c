// Command standin stands in for proxymock in the lab: the sub-commands and flags
// the lab needs, and the files proxymock 2.5.842 would write, signed as its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/lab/standin/internal/replay"
)

// formats is the release of proxymock whose files are written.
const formats = "2.5.842"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	stop()
	if err == nil {
		return
	}
	if !errors.Is(err, replay.ErrGate) {
		// A tripped gate has already been printed with what was observed.
		fmt.Fprintln(os.Stderr, "stand-in:", err)
	}
	os.Exit(1)
}

// newRoot builds the command tree.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "standin",
		Short:         "A stand-in for proxymock: record, mock and replay HTTP traffic of a local application",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(newVersionCommand(), newRecordCommand(), newMockCommand(), newReplayCommand())
	return root
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print which formats are written",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "stand-in for proxymock %s formats\n", formats)
			return err
		},
	}
}
