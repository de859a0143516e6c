// Command orders is a small shop; package orderapi lists its settings.
//
//	orders            serves the shop
//	orders migrate    creates the tables that are missing
//	orders truncate   empties the tables
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/replaylab/replay-evidence/lab/orders/orderapi"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, log, os.Args[1:]); err != nil {
		log.Error("orders stopped", "error", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, log *slog.Logger, args []string) error {
	cfg, err := orderapi.ConfigFromEnv(os.Getenv)
	if err != nil {
		return err
	}
	switch {
	case len(args) == 0:
		return orderapi.Run(ctx, cfg, log)
	case len(args) == 1 && args[0] == "migrate":
		return orderapi.Migrate(ctx, cfg.DatabaseURL)
	case len(args) == 1 && args[0] == "truncate":
		return orderapi.Truncate(ctx, cfg.DatabaseURL)
	}
	return fmt.Errorf("unknown arguments %q: give none to serve, or migrate, or truncate", args)
}
