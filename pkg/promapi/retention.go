package promapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// Retention says whether the server still keeps a window.
type Retention struct {
	// Expired is true when the window is older than what the server keeps.
	Expired bool `json:"expired"`
	// Detail is the proof in words.
	Detail string `json:"detail"`
}

// Expired asks whether a window lies before what the server keeps. It reads the server's stated
// retention and oldest block, and where these are not to be had falls back to the data: no up series
// at all at the time of the window while newer ones exist. A window that ends in the future never is expired.
func (c *Client) Expired(ctx context.Context, start, end time.Time) (Retention, error) {
	if end.After(time.Now()) {
		return Retention{Detail: "the window has not ended yet"}, nil
	}
	var runtime struct {
		StorageRetention string    `json:"storageRetention"`
		StartTime        time.Time `json:"startTime"`
	}
	if err := c.get(ctx, "/api/v1/status/runtimeinfo", nil, &runtime); err == nil {
		if keep, ok := parseRetention(runtime.StorageRetention); ok {
			oldest := time.Now().Add(-keep)
			if end.Before(oldest) {
				return Retention{Expired: true, Detail: fmt.Sprintf("the window ended %s, the server keeps %s (since %s)",
					end.UTC().Format(time.RFC3339), runtime.StorageRetention, oldest.UTC().Format(time.RFC3339))}, nil
			}
		}
	} else if !isAnswered(err) && !isRefused(err) {
		return Retention{}, err
	}
	// One hour around the window tells an outage of one target from data that is gone.
	const around = time.Hour
	then, err := c.Instant(ctx, fmt.Sprintf("count(last_over_time(up[%ds]))", int64((end.Sub(start)+2*around)/time.Second)), end.Add(around))
	if err != nil {
		return Retention{}, err
	}
	if then.State != StateAbsent {
		return Retention{Detail: "the server holds scrapes from around the window"}, nil
	}
	now, err := c.Instant(ctx, "count(last_over_time(up[1h]))", time.Now())
	if err != nil {
		return Retention{}, err
	}
	if now.State == StateAbsent {
		return Retention{Detail: "the server holds no scrapes from around the window, and none from the last hour either: it may be another server, or scrape nothing"}, nil
	}
	return Retention{Expired: true, Detail: fmt.Sprintf("the server holds scrapes from the last hour but none from around the window (%s to %s): its storage was removed or started later",
		start.UTC().Format(time.RFC3339), end.UTC().Format(time.RFC3339))}, nil
}

func isRefused(err error) bool {
	var q *QueryError
	return errors.As(err, &q) && q.State == StateRefused
}

// parseRetention reads texts such as "15d" and "15d or 10GiB"; a size alone gives nothing.
func parseRetention(s string) (time.Duration, bool) {
	for _, part := range strings.Split(s, " or ") {
		if d, err := model.ParseDuration(strings.TrimSpace(part)); err == nil && d > 0 {
			return time.Duration(d), true
		}
	}
	return 0, false
}

// WaitProgress is told to the observer of WaitForFinalScrape while it waits.
type WaitProgress struct {
	// Missing are the instances that have no successful scrape at or after the end yet.
	Missing []string
	// Left is the time until the wait gives up.
	Left time.Duration
}

// WaitForFinalScrape polls the raw up series until every target that was scraped before end has a
// successful scrape at or after it, or until the bound has passed. It returns the instances that are
// still missing, which is not an error: gate G2 says what follows. The observer may be nil.
func (c *Client) WaitForFinalScrape(ctx context.Context, upSelector string, end time.Time, bound time.Duration, observe func(WaitProgress)) ([]string, error) {
	deadline := time.Now().Add(bound)
	const back = 5 * time.Minute
	for {
		// Evaluating a little after the server's now would hide nothing, but now is always right.
		length := back + max(0, time.Since(end)) + bound
		series, _, err := c.Raw(ctx, upSelector, time.Time{}, length)
		if err != nil {
			return nil, fmt.Errorf("waiting for the scrape after the end of the run: %w", err)
		}
		missing, interval := missingFinal(series, end)
		left := time.Until(deadline)
		if len(series) == 0 {
			missing = []string{upSelector}
		}
		if len(missing) == 0 || left <= 0 {
			return missing, nil
		}
		if observe != nil {
			observe(WaitProgress{Missing: missing, Left: left})
		}
		pause := min(max(interval/2, 200*time.Millisecond), 5*time.Second, left)
		if err := sleep(ctx, pause); err != nil {
			return missing, fmt.Errorf("waiting for the scrape after the end of the run: %w", err)
		}
	}
}

// missingFinal returns the instances without a successful scrape at or after end, and the shortest
// scrape interval seen.
func missingFinal(up []Series, end time.Time) (missing []string, interval time.Duration) {
	for _, s := range up {
		gap := medianGap(s.Points)
		if d := time.Duration(gap) * time.Millisecond; d > 0 && (interval == 0 || d < interval) {
			interval = d
		}
		landed, alive := false, false
		for _, p := range s.Points {
			landed = landed || (p.T >= end.UnixMilli() && p.V == 1)
			// A target that went away long before the end will not come back for it.
			alive = alive || p.T >= end.UnixMilli()-max(2*gap, 10_000)
		}
		if !landed && alive {
			missing = append(missing, s.Labels["instance"])
		}
	}
	return missing, interval
}
