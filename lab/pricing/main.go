// Command pricing serves the price list that the checkout API depends on, with
// a fixed delay. Settings: PRICING_ADDR (default ":8090") and PRICING_DELAY_MS
// (default 40).
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/replaylab/replay-evidence/lab/pricing/catalogue"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, log, os.Getenv); err != nil {
		log.Error("pricing stopped", "error", err)
		stop()
		os.Exit(1)
	}
}

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
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listening for price look-ups on %s (PRICING_ADDR names another address): %w", addr, err)
	}
	server := &http.Server{Handler: catalogue.Handler(delay), ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = server.Shutdown(grace)
	})
	log.Info("pricing listens", "addr", listener.Addr().String(), "delay_ms", delay.Milliseconds())
	err = server.Serve(listener)
	if !stop() {
		<-done // answers in flight are finished first
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving price look-ups: %w", err)
	}
	return nil
}
