package replay

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// plainEvery is the distance of progress lines where there is no terminal.
const plainEvery = 5 * time.Second

// reportProgress shows requests done, rate and time left until ctx ends: a bar on
// a terminal, lines elsewhere. total is 0 for a timed run, whose end is deadline.
func reportProgress(ctx context.Context, out io.Writer, terminal bool, total int64, length time.Duration, done func() int64) {
	start := time.Now()
	every := plainEvery
	var bar *progressbar.ProgressBar
	if terminal {
		every = 200 * time.Millisecond
		bar = progressbar.NewOptions64(max(total, 1), progressbar.OptionSetWriter(out), progressbar.OptionSetDescription("replaying"),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("req"),
			progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		if total == 0 {
			bar.ChangeMax64(int64(length.Seconds() * 10))
		}
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			if bar != nil {
				_ = bar.Finish() // a terminal that is gone needs no bar
			}
			return
		case <-ticker.C:
		}
		n, elapsed := done(), time.Since(start)
		switch {
		case bar != nil && total == 0:
			_ = bar.Set64(min(int64(elapsed.Seconds()*10), int64(length.Seconds()*10)))
		case bar != nil:
			_ = bar.Set64(n)
		default:
			fmt.Fprintln(out, progressLine(n, total, elapsed, length))
		}
	}
}

// progressLine is one line of plain progress.
func progressLine(done, total int64, elapsed, length time.Duration) string {
	rate := float64(done) / elapsed.Seconds()
	if total == 0 {
		return fmt.Sprintf("replayed %d requests, %.1f/s, %s left", done, rate, max(0, length-elapsed).Round(time.Second))
	}
	left := "unknown time"
	if rate > 0 {
		left = time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second).String()
	}
	return fmt.Sprintf("replayed %d of %d requests, %.1f/s, %s left", done, total, rate, left)
}
