// Command replay-evidence judges two replays of the same recorded traffic: did the candidate answer the
// same, is it faster, was the time work or wait. It reads what the replay program wrote, asks Prometheus
// about exactly those windows, and prints the evidence.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/replaylab/replay-evidence/pkg/cmd/replay-evidence/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Run(ctx, os.Args[1:], cli.Terminal())
}
