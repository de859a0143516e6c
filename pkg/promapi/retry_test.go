package promapi

import (
	"testing"
	"time"
)

// Only a time whose last scrape may still land is waited for.
func TestPauseBeforeARepeat(t *testing.T) {
	t.Parallel()
	c := &Client{cfg: Config{RetryDelay: time.Second}}
	now := time.Date(2026, 8, 13, 15, 0, 24, 0, time.UTC)
	for name, tc := range map[string]struct {
		at   time.Time
		want time.Duration
	}{
		"ends now":            {now, time.Second},
		"clock behind":        {now.Add(time.Minute), time.Second},
		"one slow scrape ago": {now.Add(-90 * time.Second), time.Second},
		"no scrape is late":   {now.Add(-landing), 0},
		"long past":           {now.Add(-time.Hour), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.pause(tc.at, now); got != tc.want {
				t.Errorf("pause is %s, want %s", got, tc.want)
			}
		})
	}
}
