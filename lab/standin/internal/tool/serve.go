package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Servers runs HTTP servers and plain TCP ports and ends them together.
type Servers struct {
	// Log receives errors of single connections.
	Log *slog.Logger

	ctx    context.Context // of requests in flight; ends after the grace period
	cancel context.CancelFunc
	https  []*http.Server
	ports  []net.Listener
	group  sync.WaitGroup
}

// NewServers returns an empty set.
func NewServers(log *slog.Logger) *Servers {
	ctx, cancel := context.WithCancel(context.Background())
	return &Servers{Log: log, ctx: ctx, cancel: cancel}
}

// HTTP serves handler on listener. connContext may be nil.
func (s *Servers) HTTP(listener net.Listener, handler http.Handler, connContext func(context.Context, net.Conn) context.Context) {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ConnContext:       connContext,
		BaseContext:       func(net.Listener) context.Context { return s.ctx },
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	s.https = append(s.https, server)
	s.group.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.Log.Error("port stopped", "addr", listener.Addr(), "error", err)
		}
	})
}

// TCP hands every connection of listener to serve, which closes it.
func (s *Servers) TCP(listener net.Listener, serve func(context.Context, net.Conn)) {
	s.ports = append(s.ports, listener)
	s.group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				if !errors.Is(err, net.ErrClosed) {
					s.Log.Error("port stopped", "addr", listener.Addr(), "error", err)
				}
				return
			}
			s.group.Go(func() { serve(s.ctx, conn) })
		}
	})
}

// Close lets requests in flight finish for a moment, then ends everything and
// waits for it.
func (s *Servers) Close() {
	grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	for _, port := range s.ports {
		_ = port.Close()
	}
	for _, server := range s.https {
		if server.Shutdown(grace) != nil {
			_ = server.Close()
		}
	}
	s.cancel()
	s.group.Wait()
}

// App is the application that record and mock wrap.
type App struct {
	// Command starts it; empty means that it is started elsewhere.
	Command []string
	// Env is added to its environment.
	Env []string
	// Port and HealthPath say where it answers; Port 0 waits for nothing.
	Port       int
	HealthPath string
	// ReadyTimeout bounds the wait.
	ReadyTimeout time.Duration
	// Ready is called once, when the application answers or the wait is over.
	Ready func(err error)
	// Stdout and Stderr receive its output.
	Stdout, Stderr io.Writer
}

// Run starts the application, reports when it is ready, and returns after ctx
// has ended and the application with it. It fails when the application ends by
// itself with an error.
func (a *App) Run(ctx context.Context, log *slog.Logger) error {
	var ended <-chan struct{} // nil blocks for ever: nothing is wrapped
	var child *Child
	if len(a.Command) > 0 {
		var err error
		if child, err = StartChild(a.Command, a.Env, a.Stdout, a.Stderr); err != nil {
			return err
		}
		ended = child.Done()
		log.Info("started user application", "command", fmt.Sprint(a.Command), "pid", child.PID())
		defer func() {
			child.Stop(StopGrace)
			log.Info("user application exited", "status", exitText(child.Err()))
		}()
	}
	var ready error
	if a.Port != 0 {
		waitCtx, cancel := context.WithTimeout(ctx, a.ReadyTimeout)
		ready = WaitReady(waitCtx, a.Port, a.HealthPath, ended)
		cancel()
	}
	if ctx.Err() == nil && !errors.Is(ready, ErrChildEnded) {
		a.Ready(ready)
	}
	select {
	case <-ctx.Done():
		log.Info("gracefully stopping your app")
		return nil
	case <-ended:
		if err := child.Err(); err != nil {
			return fmt.Errorf("the application %v ended by itself: %w", a.Command, err)
		}
		return nil
	}
}

func exitText(err error) string {
	if err == nil {
		return "0"
	}
	return err.Error()
}
