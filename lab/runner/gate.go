package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
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

// parseSummary reads the raw result that `replay --output json` prints. Rows are never added up:
// the aggregate is the row called -ALL-, wherever it stands.
func parseSummary(data []byte) (Summary, error) {
	obj, err := firstObject(data)
	if err != nil {
		return Summary{}, err
	}
	var result struct {
		Endpoints []struct {
			URL     string              `json:"url"`
			Metrics map[string]*float64 `json:"metrics"`
		} `json:"endpoints"`
	}
	if err := json.Unmarshal(obj, &result); err != nil {
		return Summary{}, fmt.Errorf("read the replay result: %w", err)
	}
	for _, row := range result.Endpoints {
		if row.URL != "-ALL-" {
			continue
		}
		total, failed := row.Metrics["requests.total"], row.Metrics["requests.failed"]
		if total == nil || failed == nil {
			return Summary{}, fmt.Errorf("the aggregate row of the replay result has no request counts")
		}
		s := Summary{Total: int(*total), Failed: int(*failed), MatchPct: row.Metrics["requests.result-match-pct"]}
		if v := row.Metrics["latency.p95"]; v != nil {
			s.P95Ms = *v
		}
		if v := row.Metrics["requests.per-second"]; v != nil {
			s.PerSecond = *v
		}
		return s, nil
	}
	return Summary{}, fmt.Errorf("the replay result has no aggregate row (-ALL-)")
}

func readSummary(path string) (Summary, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Summary{}, err
	}
	s, err := parseSummary(data)
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
