package runner

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// readyTimeout bounds how long a program may take to answer its first request. A machine with
// other work is slow to start a process, not minutes slow.
const readyTimeout = 30 * time.Second

// pollEvery is the pause between two looks at something that gets ready.
const pollEvery = 50 * time.Millisecond

// poll calls ready until it says nil, the process ends, the time is over or ctx is done. p may be nil.
func poll(ctx context.Context, what string, timeout time.Duration, p *proc.Process, ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("not ready after %s", timeout))
	defer cancel()
	var ended <-chan struct{}
	if p != nil {
		ended = p.Done()
	}
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			if err := p.Err(); err != nil {
				return fmt.Errorf("%s is not ready: %w", what, err)
			}
			return fmt.Errorf("%s is not ready: %s ended by itself with exit status 0", what, p.Name())
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w (last answer: %w)", what, context.Cause(ctx), err)
		case <-ticker.C:
		}
	}
}

// answers reports whether url answers with the wanted status.
func answers(ctx context.Context, url string, want int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	// The body is drained so that the connection can be used again; its content does not matter.
	_, _ = io.Copy(io.Discard, res.Body)
	if res.StatusCode != want {
		return fmt.Errorf("%s answered %s, expected %d", url, res.Status, want)
	}
	return nil
}

// accepts reports whether something listens on a loopback port.
func accepts(ctx context.Context, port int) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	return conn.Close()
}

// sleep waits for d or until ctx is done.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
