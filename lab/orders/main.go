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

	"github.com/replaylab/replay-evidence/lab/orders/orderapi"
	"github.com/replaylab/replay-evidence/lab/service"
)

func main() {
	service.Main("orders", func(ctx context.Context, log *slog.Logger, getenv func(string) string) error {
		return run(ctx, log, getenv, os.Args[1:])
	})
}

func run(ctx context.Context, log *slog.Logger, getenv func(string) string, args []string) error {
	cfg, err := orderapi.ConfigFromEnv(getenv)
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
