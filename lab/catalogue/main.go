// Command catalogue serves the project catalogue that the orders service depends on. It stands in for a
// hosted API while traffic is recorded. Setting: CATALOGUE_ADDR (default ":8091").
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
	"syscall"
	"time"

	"github.com/replaylab/replay-evidence/lab/catalogue/projects"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	addr := os.Getenv("CATALOGUE_ADDR")
	if addr == "" {
		addr = ":8091"
	}
	if err := run(ctx, log, addr); err != nil {
		log.Error("catalogue stopped", "error", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, log *slog.Logger, addr string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listening for catalogue calls on %s (CATALOGUE_ADDR names another address): %w", addr, err)
	}
	server := &http.Server{Handler: projects.Handler(), ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := server.Shutdown(grace); err != nil {
			log.Warn("calls were cut off at shutdown", "error", err)
		}
	})
	log.Info("catalogue listens", "addr", listener.Addr().String())
	err = server.Serve(listener)
	if !stop() {
		<-done
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the catalogue: %w", err)
	}
	return nil
}
