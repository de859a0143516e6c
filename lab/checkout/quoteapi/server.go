package quoteapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/replaylab/replay-evidence/lab/service"
)

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
	listener, err := service.Listen(ctx, cfg.Addr, "APP_ADDR")
	if err != nil {
		return err
	}
	handler, closeClient := Handler(cfg, log)
	defer closeClient()
	log.Info("checkout listens", "addr", listener.Addr().String(), "pricing", cfg.PricingURL.String(),
		"budget", cfg.Budget, "through_proxy", cfg.ProxyURL != nil)
	if err := service.Serve(ctx, listener, handler, log); err != nil {
		return err
	}
	log.Info("checkout stopped")
	return nil
}
