package promapi

import (
	"strings"
	"testing"
	"time"
)

// A server whose clock is ahead scraped "0s ago", never a negative time ago.
func TestTargetSentenceOfAnEarlierNow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 8, 13, 15, 0, 0, 0, time.UTC)
	if got := (Target{Health: "up", LastScrape: now.Add(10 * time.Second)}).Sentence(now); !strings.Contains(got, "last scraped 0s ago") {
		t.Error(got)
	}
}
