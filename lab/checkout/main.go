// Command checkout serves quotes; package quoteapi lists its settings.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/replaylab/replay-evidence/lab/checkout/quoteapi"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := quoteapi.ConfigFromEnv(os.Getenv)
	if err == nil {
		err = quoteapi.Run(ctx, cfg, log)
	}
	if err != nil {
		log.Error("checkout stopped", "error", err)
		stop()
		os.Exit(1)
	}
}
