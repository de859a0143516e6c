// Command pricing serves the price list that the checkout API depends on, with
// a fixed delay. Settings: PRICING_ADDR (default ":8090") and PRICING_DELAY_MS
// (default 40).
package main

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/replaylab/replay-evidence/lab/pricing/catalogue"
	"github.com/replaylab/replay-evidence/lab/service"
)

func main() { service.Main("pricing", run) }

// run serves until ctx ends; getenv supplies the settings.
func run(ctx context.Context, log *slog.Logger, getenv func(string) string) error {
	addr := getenv("PRICING_ADDR")
	if addr == "" {
		addr = ":8090"
	}
	delay := catalogue.DefaultDelay
	if text := getenv("PRICING_DELAY_MS"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms < 0 {
			return fmt.Errorf("PRICING_DELAY_MS is %q: give whole milliseconds, 0 or more", text)
		}
		delay = time.Duration(ms) * time.Millisecond
	}
	listener, err := service.Listen(ctx, addr, "PRICING_ADDR")
	if err != nil {
		return err
	}
	log.Info("pricing listens", "addr", listener.Addr().String(), "delay_ms", delay.Milliseconds())
	return service.Serve(ctx, listener, catalogue.Handler(delay), log)
}
