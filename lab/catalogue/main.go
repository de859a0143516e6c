// Command catalogue serves the project catalogue that the orders service depends on. It stands in for a
// hosted API while traffic is recorded. Setting: CATALOGUE_ADDR (default ":8091").
package main

import (
	"context"
	"log/slog"

	"github.com/replaylab/replay-evidence/lab/catalogue/projects"
	"github.com/replaylab/replay-evidence/lab/service"
)

func main() { service.Main("catalogue", run) }

func run(ctx context.Context, log *slog.Logger, getenv func(string) string) error {
	addr := getenv("CATALOGUE_ADDR")
	if addr == "" {
		addr = ":8091"
	}
	listener, err := service.Listen(ctx, addr, "CATALOGUE_ADDR")
	if err != nil {
		return err
	}
	log.Info("catalogue listens", "addr", listener.Addr().String())
	return service.Serve(ctx, listener, projects.Handler(), log)
}
