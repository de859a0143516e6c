//go:build unix

package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// StopGrace is how long a wrapped application may take to end after the
// interrupt before it is killed.
const StopGrace = 5 * time.Second

// Child is a wrapped application in a process group of its own, so that a
// signal reaches it once and reaches what it started as well.
type Child struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error // of Wait; read after done is closed
}

// StartChild starts args with env added to the environment.
func StartChild(args, env []string, stdout, stderr io.Writer) (*Child, error) {
	// The application is ended by Stop with a grace period, not by a context.
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %q: %w", strings.Join(args, " "), err)
	}
	child := &Child{cmd: cmd, done: make(chan struct{})}
	go func() {
		child.err = cmd.Wait()
		close(child.done)
	}()
	return child, nil
}

// PID is the process id of the application's first process.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Done is closed when the application has ended.
func (c *Child) Done() <-chan struct{} { return c.done }

// Err is how the application ended; it is valid once Done is closed.
func (c *Child) Err() error { return c.err }

// Stop interrupts the application, waits up to grace, then kills its process
// group. It returns when the application has ended.
func (c *Child) Stop(grace time.Duration) {
	select {
	case <-c.done:
		return
	default:
	}
	group := -c.cmd.Process.Pid
	_ = syscall.Kill(group, syscall.SIGINT) // it may have ended meanwhile
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
		_ = syscall.Kill(group, syscall.SIGKILL)
		<-c.done
	}
}

// ErrChildEnded says that the application ended before it was ready.
var ErrChildEnded = errors.New("the application ended before it was ready")

// WaitReady waits until the application on localhost answers: GET healthPath
// with a status below 400, or, without a path, an open port. It gives up with
// the context, and at once when ended is closed (nil: never).
func WaitReady(ctx context.Context, port int, healthPath string, ended <-chan struct{}) error {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	var last error
	for {
		err := probe(ctx, port, healthPath)
		if err == nil {
			return nil
		}
		if last == nil || ctx.Err() == nil {
			last = err // a probe that was cut off says nothing of the application
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for the application on port %d (--app-port and --app-health-endpoint say where it answers): %w; last attempt: %w", port, ctx.Err(), last)
		case <-ended:
			return ErrChildEnded
		case <-ticker.C:
		}
	}
}

func probe(ctx context.Context, port int, healthPath string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	address := fmt.Sprintf("localhost:%d", port)
	if healthPath == "" {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return err
		}
		return conn.Close()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/"+strings.TrimPrefix(healthPath, "/"), nil)
	if err != nil {
		return err
	}
	// A transport of its own: the probe must not go through a proxy.
	transport := &http.Transport{DisableKeepAlives: true}
	res, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("health answered %s", res.Status)
	}
	return nil
}
