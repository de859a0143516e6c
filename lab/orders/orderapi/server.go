package orderapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// shutdownGrace is how long requests in flight may take after the stop signal.
const shutdownGrace = 5 * time.Second

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
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Addr)
	if err != nil {
		return fmt.Errorf("listening for orders on %s (PORT names another port): %w", cfg.Addr, err)
	}
	handler, closeAll, err := Handler(ctx, cfg, log)
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer closeAll()
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
	log.Info("orders listens", "addr", listener.Addr().String(), "version", cfg.Version, "slow", cfg.Slow,
		"catalogue", cfg.CatalogueURL.String(), "through_proxy", cfg.ProxyURL != nil)
	err = server.Serve(listener)
	if !stop() {
		// Shutdown is running or over: it is done when the last request is.
		<-done
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving orders: %w", err)
	}
	log.Info("orders stopped")
	return nil
}
