// Package service holds what every service of the lab does alike: read URLs from the environment, serve
// until it is told to stop, and let requests in flight finish.
package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long requests in flight may take at shutdown; the slowest of the lab takes a second.
const grace = 5 * time.Second

// Main runs a service with the process's environment until SIGINT or SIGTERM, logs as JSON to standard error
// and exits with 1 when it fails.
func Main(name string, run func(ctx context.Context, log *slog.Logger, getenv func(string) string) error) {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, log, os.Getenv)
	stop()
	if err != nil {
		log.Error(name+" stopped", "error", err)
		os.Exit(1)
	}
}

// Listen takes the address; setting is the variable that names another one.
func Listen(ctx context.Context, addr, setting string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening on %s (%s names another address): %w", addr, setting, err)
	}
	return listener, nil
}

// Serve serves handler on listener, which it closes, until ctx ends, then lets requests in flight finish.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			log.Warn("requests were cut off at shutdown", "error", err)
		}
	})
	err := server.Serve(listener)
	if !stop() {
		// Shutdown is running or over: it is done when the last request is.
		<-done
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving on %s: %w", listener.Addr(), err)
	}
	return nil
}

// URL reads the http or https URL in a variable, or fallback when it is empty; both empty is no URL.
func URL(getenv func(string) string, variable, fallback string) (*url.URL, error) {
	text := getenv(variable)
	if text == "" {
		text = fallback
	}
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", variable, err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%s is %q: give a URL such as http://localhost:8090", variable, text)
	}
	return u, nil
}

// Proxy reads HTTP_PROXY, else http_proxy. The services honour it for localhost, too, which Go's default
// transport does not; nil means no proxy.
func Proxy(getenv func(string) string) (*url.URL, error) {
	return URL(getenv, "HTTP_PROXY", getenv("http_proxy"))
}
