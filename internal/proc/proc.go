package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// DefaultGrace is how long a child may take to end after the polite signal. Mage gives its targets
// five seconds after Ctrl-C; the lab has three children that must end one after the other in them.
const DefaultGrace = 1500 * time.Millisecond

// Command describes one child process.
type Command struct {
	// Name is what messages call the child, such as "pricing".
	Name string
	// Path is the program, Args its arguments without the program itself.
	Path string
	Args []string
	// Dir is the working directory; empty means ours.
	Dir string
	// Env holds KEY=value entries that are added to our own environment.
	Env []string
	// Log names the file that takes standard error, and standard output unless Stdout is set.
	// It is created with its folder, and appended to when it exists. Empty discards the output.
	Log string
	// Stdout takes standard output when it is set.
	Stdout io.Writer
	// Stderr takes standard error when it is set; the log then holds standard output only.
	Stderr io.Writer
	// StopSignal is the polite signal; nil means SIGTERM.
	StopSignal os.Signal
	// Grace replaces DefaultGrace when it is positive.
	Grace time.Duration
}

// ExitError says that a child ended otherwise than by our own signal and exit status 0.
type ExitError struct {
	// Name is the child's name, Code its exit status, or -1 when a signal ended it.
	Name string
	Code int
	// Log is the log file, empty when there is none, and Tail its last lines.
	Log  string
	Tail []string
	// Err is what os/exec reported.
	Err error
}

func (e *ExitError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s ended with %v", e.Name, e.Err)
	if e.Log == "" {
		return b.String()
	}
	if len(e.Tail) == 0 {
		fmt.Fprintf(&b, "; its log %s is empty", e.Log)
		return b.String()
	}
	fmt.Fprintf(&b, "; the last lines of %s:", e.Log)
	for _, line := range e.Tail {
		b.WriteString("\n  | " + line)
	}
	return b.String()
}

// Unwrap gives access to the *exec.ExitError.
func (e *ExitError) Unwrap() error { return e.Err }

// Process is a running child.
type Process struct {
	cmd     Command
	exec    *exec.Cmd
	logSize int64
	done    chan struct{}
	err     error // valid after done is closed

	mu      sync.Mutex
	stopped bool
}

// Start starts the child. It does not tie the child to a context: whoever starts it must call
// [Process.Stop], which a [Supervisor] does.
func Start(c Command) (*Process, error) {
	p := &Process{cmd: c, done: make(chan struct{})}
	p.exec = exec.Command(c.Path, c.Args...)
	p.exec.Dir = c.Dir
	p.exec.Env = append(os.Environ(), c.Env...)
	p.exec.Stdout, p.exec.Stderr = c.Stdout, c.Stderr
	ownGroup(p.exec)

	var log *os.File
	if c.Log != "" {
		if err := os.MkdirAll(filepath.Dir(c.Log), 0o755); err != nil {
			return nil, fmt.Errorf("make the log folder of %s: %w", c.Name, err)
		}
		var err error
		if log, err = os.OpenFile(c.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
			return nil, fmt.Errorf("open the log of %s: %w", c.Name, err)
		}
		// The child keeps its own copy of the descriptor.
		defer func() { _ = log.Close() }()
		if info, err := log.Stat(); err == nil {
			p.logSize = info.Size()
		}
		if c.Stdout == nil {
			p.exec.Stdout = log
		}
		if c.Stderr == nil {
			p.exec.Stderr = log
		}
	}
	if err := p.exec.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	go p.wait()
	return p, nil
}

func (p *Process) wait() {
	defer close(p.done)
	err := p.exec.Wait()
	if err == nil {
		return
	}
	code := -1
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	p.err = &ExitError{Name: p.cmd.Name, Code: code, Log: p.cmd.Log, Tail: p.Tail(12), Err: err}
}

// PID is the child's process id.
func (p *Process) PID() int { return p.exec.Process.Pid }

// Name is the name from the Command.
func (p *Process) Name() string { return p.cmd.Name }

// Done is closed when the child has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is how the child ended: nil for exit status 0, else an *ExitError. It is valid once Done is closed.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Wait waits until the child has ended or ctx is done, in which case it stops the child and
// returns the context's error.
func (p *Process) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		p.Stop()
		return fmt.Errorf("%s was stopped: %w", p.cmd.Name, context.Cause(ctx))
	}
}

// Stop ends the child and whatever is left of its group, and returns when the child is gone. It may
// be called more than once and after the child has ended by itself.
func (p *Process) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		<-p.done
		return
	}
	p.stopped = true
	select {
	case <-p.done:
	default:
		p.politely()
	}
	// A child that died without ending its own children leaves them in its group.
	killGroup(p.exec.Process)
	<-p.done
}

func (p *Process) politely() {
	sig := p.cmd.StopSignal
	if sig == nil {
		sig = terminate
	}
	if err := p.exec.Process.Signal(sig); err != nil {
		return // already gone, or a platform without signals: the kill follows
	}
	grace := p.cmd.Grace
	if grace <= 0 {
		grace = DefaultGrace
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	}
}

// Tail returns the last n lines that this run of the child wrote to its log.
func (p *Process) Tail(n int) []string {
	if p.cmd.Log == "" {
		return nil
	}
	return tail(p.cmd.Log, p.logSize, n)
}

// tailBytes bounds what tail reads: enough for a dozen long log lines.
const tailBytes = 16 << 10

func tail(path string, from int64, n int) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	from = max(from, info.Size()-tailBytes)
	data, err := io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	if err != nil {
		return nil
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[max(0, len(lines)-n):]
}
