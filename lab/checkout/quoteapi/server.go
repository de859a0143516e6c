package quoteapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// shutdownGrace is how long requests in flight may take after the stop signal.
const shutdownGrace = 5 * time.Second

// Handler builds the whole API: quotes, metrics and health. The returned
// function closes its connections to the dependency.
func Handler(cfg Config, log *slog.Logger) (http.Handler, func()) {
	m := newMetrics()
	pricing := newPricingClient(cfg, m.connWait)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	mux.Handle("GET /metrics", m.handler())
	mux.Handle("GET "+quoteRoute, m.observe(&quoteHandler{pricing: pricing, offsetCents: cfg.PriceOffsetCents, log: log}))
	return mux, pricing.close
}

// Run serves the API on cfg.Addr until ctx ends, then lets requests in flight
// finish.
func Run(ctx context.Context, cfg Config, log *slog.Logger) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Addr)
	if err != nil {
		return fmt.Errorf("listening for quotes on %s (APP_ADDR names another address): %w", cfg.Addr, err)
	}
	handler, closeClient := Handler(cfg, log)
	defer closeClient()
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
		defer cancel()
		if err := server.Shutdown(grace); err != nil {
			log.Warn("requests were cut off at shutdown", "error", err)
		}
	})
	log.Info("checkout listens", "addr", listener.Addr().String(), "pricing", cfg.PricingURL.String(),
		"budget", cfg.Budget, "through_proxy", cfg.ProxyURL != nil)
	err = server.Serve(listener)
	if !stop() {
		// Shutdown is running or over: it is done when the last request is.
		<-done
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving quotes: %w", err)
	}
	log.Info("checkout stopped")
	return nil
}
