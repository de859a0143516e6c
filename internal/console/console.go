// Package console shows a person how long steps go: a live line on a terminal, plain lines
// elsewhere, so that a log file stays readable.
package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Console writes steps, notes and progress. It is safe for concurrent use.
type Console struct {
	out  io.Writer
	live bool
	// every is the pause between two plain progress lines.
	every time.Duration

	mu sync.Mutex
}

// New returns a console on f: live when f is a terminal.
func New(f *os.File) *Console {
	live := isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
	return &Console{out: f, live: live, every: 5 * time.Second}
}

// Plain returns a console that writes plain lines to w, progress every so often.
func Plain(w io.Writer, every time.Duration) *Console {
	return &Console{out: w, every: every}
}

// Out is the writer below, for output that is printed as it is. Write to it between steps only.
func (c *Console) Out() io.Writer { return c.out }

// Step announces what happens next.
func (c *Console) Step(format string, args ...any) {
	c.println("==> " + fmt.Sprintf(format, args...))
}

// Note adds a detail to the current step; further lines are indented alike.
func (c *Console) Note(format string, args ...any) {
	c.println("    " + strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n    "))
}

// Warn adds what the reader should not overlook.
func (c *Console) Warn(format string, args ...any) {
	c.println("  ! " + strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n    "))
}

func (c *Console) println(s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// A console that cannot be written to has nobody left to tell.
	_, _ = fmt.Fprintln(c.out, s)
}

// Count formats a whole number with thousands separators: 1,200.
func Count(n int) string { return message.NewPrinter(language.English).Sprintf("%d", n) }

// Duration formats a duration for people: 4 s, 2 min 5 s.
func Duration(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s < 60 {
		return fmt.Sprintf("%d s", s)
	}
	return fmt.Sprintf("%d min %d s", s/60, s%60)
}

// Elapsed shows that a step of unknown length is alive, until the returned function is called.
func (c *Console) Elapsed(label string) (done func()) {
	start := time.Now()
	if !c.live {
		return c.background(3*c.every, func(context.Context) {
			c.Note("%s: %s so far", label, Duration(time.Since(start)))
		})
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(c.out), progressbar.OptionSetDescription("    "+label),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionSpinnerType(14), progressbar.OptionClearOnFinish())
	stop := c.background(200*time.Millisecond, func(context.Context) { _ = bar.Add(1) })
	return func() {
		stop()
		_ = bar.Clear()
	}
}

// Track shows requests done, rate and time left, until the returned function is called. It asks
// done for the number of finished requests out of total; done says false when it cannot tell.
func (c *Console) Track(label string, total int, done func(context.Context) (int, bool)) (stop func()) {
	start := time.Now()
	if !c.live {
		return c.background(c.every, func(ctx context.Context) {
			if n, ok := done(ctx); ok && n > 0 {
				c.Note("%s", trackLine(label, min(n, total), total, time.Since(start)))
			}
		})
	}
	// The bar's own rate is that of its last steps, and wild after the first; ours is over all of it.
	bar := progressbar.NewOptions(total, progressbar.OptionSetWriter(c.out), progressbar.OptionSetDescription("    "+label),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionSetWidth(24),
		progressbar.OptionClearOnFinish())
	halt := c.background(time.Second, func(ctx context.Context) {
		if n, ok := done(ctx); ok && n > 0 {
			_ = bar.Set(min(n, total))
			bar.Describe("    " + trackLine(label, min(n, total), total, time.Since(start)))
		}
	})
	return func() {
		halt()
		_ = bar.Clear()
	}
}

// settled is how long a rate must have been watched before it says anything about the time left.
const settled = 3 * time.Second

func trackLine(label string, n, total int, elapsed time.Duration) string {
	rate := float64(n) / elapsed.Seconds()
	line := fmt.Sprintf("%s: %s of %s requests, %.0f a second", label, Count(n), Count(total), rate)
	if elapsed < settled {
		return line
	}
	left := time.Duration(float64(total-n) / rate * float64(time.Second))
	return line + ", about " + Duration(left) + " left"
}

// background calls f now and then until the returned function is called, which waits for it.
func (c *Console) background(every time.Duration, f func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				f(ctx)
			}
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}
