package runner

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// Summary is the aggregate row of a replay result, as far as the gates read it.
type Summary struct {
	// Total and Failed count requests.
	Total  int
	Failed int
	// MatchPct is the share of answers that match the recording, in percent; nil under --load-test,
	// which does not score answers.
	MatchPct *float64
	// P95Ms is the 95th percentile in whole milliseconds, PerSecond the rate over the active time.
	P95Ms     float64
	PerSecond float64
}

// parseSummary reads the result that `replay --output json` prints.
func parseSummary(r io.Reader) (Summary, error) {
	result, err := proxymock.ParseResult(r)
	if err != nil {
		return Summary{}, err
	}
	return summaryOf(result)
}

// summaryOf takes the aggregate row out of a result.
func summaryOf(result *proxymock.Result) (Summary, error) {
	all := result.Aggregate
	if all == nil {
		return Summary{}, errors.New("the replay result has no aggregate row (-ALL-)")
	}
	if all.Total == nil || all.Failed == nil {
		return Summary{}, errors.New("the aggregate row of the replay result has no request counts")
	}
	s := Summary{Total: int(*all.Total), Failed: int(*all.Failed), MatchPct: all.MatchPct}
	if all.Latency.P95 != nil {
		s.P95Ms = *all.Latency.P95
	}
	if all.PerSecond != nil {
		s.PerSecond = *all.PerSecond
	}
	return s, nil
}

func readSummary(path string) (Summary, error) {
	f, err := os.Open(path)
	if err != nil {
		return Summary{}, err
	}
	defer func() { _ = f.Close() }()
	s, err := parseSummary(f)
	if err != nil {
		return Summary{}, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Conditions that fail a replay, as --fail-if takes them.
const (
	failOnFailed   = "requests.failed!=0"
	failOnMismatch = "requests.result-match-pct!=100"
)

// functionalGate passes when nothing failed and every answer matched. It returns what tripped it,
// or an empty string. No scored answers is a trip: a gate must not pass for want of evidence.
func functionalGate(s Summary, want int) string {
	var trips []string
	if t := loadGate(s, want); t != "" {
		trips = append(trips, t)
	}
	switch {
	case s.MatchPct == nil:
		trips = append(trips, "no answers were scored")
	case *s.MatchPct != 100:
		trips = append(trips, fmt.Sprintf("%.4g %% of the answers match the recording, all must", *s.MatchPct))
	}
	return strings.Join(trips, "; ")
}

// loadGate passes when every one of the wanted requests was sent and none failed.
func loadGate(s Summary, want int) string {
	var trips []string
	if s.Failed != 0 {
		trips = append(trips, fmt.Sprintf("%d of %d requests failed", s.Failed, s.Total))
	}
	if s.Total != want {
		trips = append(trips, fmt.Sprintf("%d requests were sent instead of %d", s.Total, want))
	}
	return strings.Join(trips, "; ")
}
