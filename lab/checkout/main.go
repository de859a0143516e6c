// Command checkout serves quotes; package quoteapi lists its settings.
package main

import (
	"context"
	"log/slog"

	"github.com/replaylab/replay-evidence/lab/checkout/quoteapi"
	"github.com/replaylab/replay-evidence/lab/service"
)

func main() { service.Main("checkout", run) }

func run(ctx context.Context, log *slog.Logger, getenv func(string) string) error {
	cfg, err := quoteapi.ConfigFromEnv(getenv)
	if err != nil {
		return err
	}
	return quoteapi.Run(ctx, cfg, log)
}
