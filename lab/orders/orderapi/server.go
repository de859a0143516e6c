package orderapi

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/replaylab/replay-evidence/lab/service"
)

// Handler builds the whole service: orders, catalogue, health and metrics. It connects to the database
// with the first request that needs it. The returned function closes its connections.
func Handler(ctx context.Context, cfg Config, log *slog.Logger) (http.Handler, func(), error) {
	m := newMetrics()
	store, err := openStore(ctx, cfg, tracer{m: m, held: &sync.Map{}})
	if err != nil {
		return nil, nil, err
	}
	catalogue := newCatalogue(cfg)
	a := &api{
		store: store, catalogue: catalogue, version: cfg.Version, newID: idSource(cfg.IDSeed), now: time.Now, log: log,
	}
	mux := http.NewServeMux()
	for _, e := range []struct {
		method, route string
		handler       http.HandlerFunc
	}{
		{"GET", "/healthz", a.health},
		{"GET", "/catalog", a.listCatalogue},
		{"POST", "/orders", a.createOrder},
		{"GET", "/orders", a.listOrders},
		{"GET", "/orders/{id}", a.readOrder},
		{"GET", "/orders/{id}/status", a.readStatus},
	} {
		mux.HandleFunc(e.method+" "+e.route, m.observe(e.route, e.handler))
	}
	mux.Handle("GET /metrics", m.handler())
	return mux, func() { catalogue.close(); store.close() }, nil
}

// Run serves on cfg.Addr until ctx ends, then lets requests in flight finish.
func Run(ctx context.Context, cfg Config, log *slog.Logger) error {
	listener, err := service.Listen(ctx, cfg.Addr, "PORT")
	if err != nil {
		return err
	}
	handler, closeAll, err := Handler(ctx, cfg, log)
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer closeAll()
	log.Info("orders listens", "addr", listener.Addr().String(), "version", cfg.Version, "slow", cfg.Slow,
		"catalogue", cfg.CatalogueURL.String(), "through_proxy", cfg.ProxyURL != nil)
	if err := service.Serve(ctx, listener, handler, log); err != nil {
		return err
	}
	log.Info("orders stopped")
	return nil
}
