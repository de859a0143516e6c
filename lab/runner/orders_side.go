package runner

import (
	"fmt"
	"os"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// databasePool is the name of the service's connection pool, which holds poolSize of them.
const (
	databasePool = "database"
	poolSize     = 5
)

// ordersSide is side.json of this scenario: what the lab set.
type ordersSide struct {
	Label      string         `json:"label"`
	Version    string         `json:"version"`
	Commit     string         `json:"commit,omitempty"`
	Changed    string         `json:"changed,omitempty"`
	Pools      map[string]int `json:"pools"`
	Workload   *Workload      `json:"workload,omitempty"`
	Harness    Harness        `json:"harness"`
	Dependency *Dependency    `json:"dependency,omitempty"`
	// Tables holds the number of rows by table before the run.
	Tables tables `json:"tables,omitempty"`
}

func (o *orders) sideOf(v ordersVersion) ordersSide {
	s := ordersSide{
		Label: "slow=" + v.flag(), Version: v.String(), Commit: o.commit,
		Pools: map[string]int{databasePool: poolSize}, Harness: o.harness,
	}
	if v.slow {
		s.Changed = "APP_SLOW 0 -> 1"
	}
	return s
}

// readResult reads a replay's result of any layout.
func readResult(path string) (*proxymock.Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	r, err := proxymock.ParseResult(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// flatSummary is the summary that the load-test script writes beside the raw result. The keys are
// sorted, as the script sorts them.
type flatSummary struct {
	FailIfExitCode int            `json:"failIfExitCode"`
	Failed         int64          `json:"failed"`
	Latency        flatLatency    `json:"latencyMs"`
	MatchPct       *float64       `json:"matchPct"`
	MatchPctNote   string         `json:"matchPctNote,omitempty"`
	PerEndpoint    []flatEndpoint `json:"perEndpoint"`
	ResponsePct    *float64       `json:"responsePct"`
	ResultJSON     string         `json:"resultJson"`
	PerMinute      *float64       `json:"rpm"`
	PerSecond      *float64       `json:"rps"`
	Succeeded      int64          `json:"succeeded"`
	Target         *string        `json:"target"`
	Total          int64          `json:"totalRequests"`
}

type flatLatency struct {
	Avg *float64 `json:"avg"`
	Max *float64 `json:"max"`
	Min *float64 `json:"min"`
	P50 *float64 `json:"p50"`
	P90 *float64 `json:"p90"`
	P95 *float64 `json:"p95"`
	P99 *float64 `json:"p99"`
}

type flatEndpoint struct {
	Failed   *int64   `json:"failed"`
	MatchPct *float64 `json:"matchPct"`
	Method   string   `json:"method"`
	P99Ms    *float64 `json:"p99Ms"`
	Total    *int64   `json:"total"`
	URL      string   `json:"url"`
}

// flatten turns a raw result into the script's layout. resultJSON names the raw file, relative to the
// lab's folder: the script writes an absolute path, which means nothing on another machine.
func flatten(r *proxymock.Result, exitCode int, resultJSON string) flatSummary {
	s := flatSummary{FailIfExitCode: exitCode, PerEndpoint: []flatEndpoint{}, ResultJSON: resultJSON}
	if all := r.Aggregate; all != nil {
		s.Failed, s.Succeeded, s.Total = valueOf(all.Failed), valueOf(all.Succeeded), valueOf(all.Total)
		l := all.Latency
		s.Latency = flatLatency{Avg: l.Avg, Max: l.Max, Min: l.Min, P50: l.P50, P90: l.P90, P95: l.P95, P99: l.P99}
		s.MatchPct, s.ResponsePct, s.PerMinute, s.PerSecond = all.MatchPct, all.ResponsePct, all.PerMinute, all.PerSecond
	}
	if s.MatchPct == nil {
		s.MatchPctNote = "null: --load-test skips the scoring of responses"
	}
	for _, e := range r.Endpoints {
		s.PerEndpoint = append(s.PerEndpoint, flatEndpoint{
			Failed: e.Failed, MatchPct: e.MatchPct, Method: e.Method, P99Ms: e.Latency.P99, Total: e.Total, URL: e.URL,
		})
	}
	return s
}

// valueOf is 0 for an absent count, as in the script.
func valueOf(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}
