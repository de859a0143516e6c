package proc

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"
)

// Supervisor owns a set of children and ends them in reverse order of their start.
type Supervisor struct {
	mu       sync.Mutex
	children []*Process
	closed   bool
}

// Start starts a child that lives until it ends by itself or the supervisor is closed.
func (s *Supervisor) Start(c Command) (*Process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, context.Canceled
	}
	p, err := Start(c)
	if err != nil {
		return nil, err
	}
	s.children = append(s.children, p)
	return p, nil
}

// Close stops every child, the last one first. Nothing can be started afterwards.
func (s *Supervisor) Close() {
	s.mu.Lock()
	children := s.children
	s.children, s.closed = nil, true
	s.mu.Unlock()
	for i := len(children) - 1; i >= 0; i-- {
		children[i].Stop()
	}
}

// Interruptible returns a context that ends on Ctrl-C, SIGTERM or SIGHUP, and when our parent
// process goes away: mage runs targets in a child of its own, which would otherwise live on, with
// all that it started, when somebody ends mage alone. The caller must call stop.
func Interruptible(ctx context.Context) (_ context.Context, stop func()) {
	ctx, release := signal.NotifyContext(ctx, stopSignals...)
	ctx, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() {
		parent := os.Getppid()
		ticker := time.NewTicker(500 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if os.Getppid() != parent {
					cancel()
					return
				}
			}
		}
	})
	return ctx, func() {
		cancel()
		release()
		watch.Wait()
	}
}
