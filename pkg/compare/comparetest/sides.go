// Package comparetest makes measured sides by hand for tests: the checkout lab before and after its
// fix, and the orders service with and without its N+1. All of it is synthetic; the figures are those
// that the public guides print, the bucket counts are chosen to give them.
package comparetest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// Now is the time stamp of comparisons in tests.
var Now = time.Date(2026, 8, 13, 15, 5, 0, 0, time.UTC)

// Ptr returns a pointer to v.
func Ptr[T any](v T) *T { return &v }

// RequestBounds and WaitBounds are the bucket bounds of the checkout lab, in seconds, without +Inf.
func RequestBounds() []float64 {
	return []float64{.01, .025, .05, .075, .1, .15, .2, .25, .3, .4, .5, .75, 1, 2.5}
}

// WaitBounds are the bounds of the lab's wait histogram, in seconds, without +Inf.
func WaitBounds() []float64 {
	return []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .15, .2, .3, .5, 1, 2.5}
}

// Histogram makes a measured histogram from bounds and counts per bucket, the last one being +Inf.
func Histogram(metric string, q float64, bounds []float64, counts []int64, sum float64, queryID string) evidence.Histogram {
	h := evidence.Histogram{Metric: metric, State: evidence.StateOK}
	var total int64
	upper, cumulative := []float64{}, []int64{}
	for _, n := range counts {
		total += n
	}
	var seen int64
	lower := 0.0
	for i, n := range counts {
		seen += n
		b := evidence.Bucket{Lower: lower, Count: n, Share: float64(n) / float64(total)}
		if i < len(bounds) {
			b.Upper, lower = Ptr(bounds[i]), bounds[i]
			upper = append(upper, bounds[i])
		} else {
			b.Reasons = evidence.Reasons{"upper": evidence.ReasonOpenBucket}
			upper = append(upper, inf())
		}
		cumulative = append(cumulative, seen)
		h.Buckets = append(h.Buckets, b)
	}
	h.Count, h.SumSeconds, h.MeanSeconds = &total, &sum, Ptr(sum/float64(total))
	buckets, err := stat.NewBuckets(upper, cumulative)
	if err != nil {
		panic(err)
	}
	h.P95Seconds = Quantile(buckets, q, queryID)
	return h
}

// Quantile turns the quantile of a histogram into its measured form.
func Quantile(buckets stat.Buckets, q float64, queryID string) evidence.Quantile {
	r, err := buckets.Quantile(q, stat.DefaultAlpha)
	if err != nil {
		panic(err)
	}
	out := evidence.Quantile{Q: q, PromQL: Ptr(r.Interpolated), Lower: r.Sample.LowerPtr(), Upper: r.Sample.UpperPtr(), QueryID: queryID}
	out.Text = evidence.FormatRange(out.Lower, out.Upper)
	if out.Upper == nil {
		out.Reasons = reason(out.Reasons, "upper", evidence.ReasonOpenBucket)
	}
	if r.Interval == nil {
		out.Reasons = reason(reason(out.Reasons, "ciLower", evidence.ReasonInsufficient), "ciUpper", evidence.ReasonInsufficient)
		out.CIText = "too few observations"
		return out
	}
	out.CILower, out.CIUpper = r.Interval.LowerPtr(), r.Interval.UpperPtr()
	out.CIText = evidence.FormatRange(out.CILower, out.CIUpper)
	if out.CIUpper == nil {
		out.Reasons = reason(out.Reasons, "ciUpper", evidence.ReasonOpenBucket)
	}
	return out
}

func inf() float64 { return stat.Range{Upper: 0}.Upper + 1/zero }

var zero = 0.0

func reason(r evidence.Reasons, field, code string) evidence.Reasons {
	if r == nil {
		r = evidence.Reasons{}
	}
	r[field] = code
	return r
}

// Spec is what a synthetic checkout side is made from.
type Spec struct {
	ID       string
	Start    time.Time
	Budget   float64
	Requests int64
	// Counts are per request bucket, Waits per wait bucket, both with +Inf last.
	Counts, Waits   []int64
	Sum, WaitSum    float64
	CPU             float64 // seconds in all
	AvgMs, P50, P95 float64
	P99, Max        float64
	PerSecond       float64
	Window          int64
	Total           int64 // total_cents of the answer
	LimitedBy       string
	Limit           string
}

// Baseline is the checkout lab with a pool of two connections.
func Baseline() evidence.Side {
	return Checkout(Spec{ID: "lab/results/baseline", Start: time.Date(2026, 8, 13, 14, 59, 55, 400e6, time.UTC), Budget: 2, Requests: 1200,
		Counts: []int64{0, 0, 150, 90, 260, 340, 345, 15, 0, 0, 0, 0, 0, 0, 0}, Sum: 128.4,
		Waits: []int64{150, 0, 0, 0, 0, 90, 130, 300, 520, 10, 0, 0, 0, 0, 0}, WaitSum: 75.6,
		CPU: 1.334, AvgMs: 107, P50: 90, P95: 173, P99: 174, Max: 251, PerSecond: 46.436, Window: 29, Total: 5697,
		Limit: "pool", LimitedBy: "the pool of 2 pricing connections, 93 % busy"})
}

// Candidate is the checkout lab with a pool of sixteen connections.
func Candidate() evidence.Side {
	return Checkout(Spec{ID: "lab/results/candidate", Start: time.Date(2026, 8, 13, 15, 1, 23, 100e6, time.UTC), Budget: 16, Requests: 1200,
		Counts: []int64{0, 0, 1193, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, Sum: 52.8,
		Waits: []int64{1130, 60, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, WaitSum: 0.24,
		CPU: 0.94, AvgMs: 44, P50: 44, P95: 46, P99: 47, Max: 53, PerSecond: 176.839, Window: 10, Total: 5697,
		Limit: "users", LimitedBy: "the 8 users, not the service"})
}

// Checkout makes a side of the checkout lab.
func Checkout(s Spec) evidence.Side {
	active := float64(s.Requests) / s.PerSecond
	start, end := s.Start, s.Start.Add(time.Duration(active*float64(time.Second)))
	n := float64(s.Requests)
	side := evidence.Side{
		ID: s.ID, Label: s.ID,
		Declared: &catalog.SideFile{
			Label: s.ID, Changed: fmt.Sprintf("pool of %g pricing connections", s.Budget), Pools: map[string]float64{"pricing": s.Budget},
			Workload:   &catalog.Workload{Users: 8, Passes: int(s.Requests / 8), FunctionalPasses: 3, Mode: "load-test", Recording: "recording"},
			Harness:    &catalog.Harness{Name: "stand-in for proxymock"},
			Dependency: &catalog.Dependency{Mocked: true, Timing: "40x"},
		},
		Window: &catalog.Window{Start: start, End: end, QueryStart: start.Truncate(time.Second), QueryEnd: start.Truncate(time.Second).Add(time.Duration(s.Window) * time.Second),
			WindowSeconds: s.Window, Source: catalog.SourceWindowFile},
		Load: &evidence.Load{RunID: s.ID + "/load", Requests: &s.Requests, Failed: Ptr(int64(0)), P50Ms: &s.P50, P90Ms: &s.P95, P95Ms: &s.P95, P99Ms: &s.P99, AvgMs: &s.AvgMs,
			MinMs: Ptr(41.0), MaxMs: &s.Max, RequestsPerSecond: &s.PerSecond, ActiveSeconds: &active, PaddingSeconds: Ptr(float64(s.Window) - active), HarnessBound: Ptr(false), HarnessNotes: []string{}},
		Functional: &evidence.Functional{RunID: s.ID + "/functional", Requests: Ptr(int64(3)), Failed: Ptr(int64(0)), MatchPct: Ptr(100.0), AvgMs: Ptr(44.0), IgnoredFields: []evidence.IgnoredField{},
			VerdictMismatches: Ptr(int64(0)), PairsRead: 3, PairsExpected: Ptr(int64(3)),
			Reasons: evidence.Reasons{"pairsCompared": evidence.ReasonComparisonSource, "stableDifferences": evidence.ReasonComparisonSource}},
		Recording: evidence.RecordingIdentity{Path: "recording", Digest: "4f813cf3f9d64b2d8680349835e13062", Source: "recording", InboundPairs: Ptr(int64(1)), RefUUIDs: []string{"00000000-0000-4000-8000-000000000001"}},
		Repeats:   []evidence.Load{}, Problems: []catalog.Problem{}, Queries: queries(s, start),
		Endpoints: []evidence.Endpoint{{Name: "GET /api/quote", Method: "GET", URL: "/api/quote", Share: Ptr(1.0), Requests: &s.Requests, Failed: Ptr(int64(0)),
			AvgMs: &s.AvgMs, P50Ms: &s.P50, P95Ms: &s.P95, P99Ms: &s.P99, MaxMs: &s.Max, PerSec: &s.PerSecond}},
	}
	for i := range 3 {
		side.Responses = append(side.Responses, QuoteResponse(s.ID, i, s.Total))
	}
	mean, waitPer, cpuPer := s.Sum/n, s.WaitSum/n, s.CPU/n
	rest := mean - waitPer - cpuPer
	wait := evidence.Wait{Name: "pricing connection wait", Pool: "pricing", Histogram: Histogram("pricing_conn_wait_seconds", 0.95, WaitBounds(), s.Waits, s.WaitSum, "q2"),
		Share: Ptr(s.WaitSum / s.Sum), ShareError: Ptr(0.0013), SecondsPerRequest: &waitPer, MeanWaiting: Ptr(s.WaitSum / active), PerRequest: Ptr(1.0)}
	side.Metrics = evidence.Metrics{
		State: evidence.StateOK, Server: "Prometheus 3.16.0",
		RequestDuration: Histogram("checkout_request_duration_seconds", 0.95, RequestBounds(), s.Counts, s.Sum, "q1"),
		Waits:           []evidence.Wait{wait},
		CPU: evidence.CPU{State: evidence.StateOK, SecondsPerRequest: &cpuPer, AverageCores: Ptr(s.CPU / float64(s.Window)), ActiveCores: Ptr(s.CPU / active), DeltaSeconds: &s.CPU,
			Share: Ptr(s.CPU / s.Sum), QueryID: "q3"},
		Errors: evidence.Errors{State: evidence.StateOK, Count: Ptr(int64(0)), UpperRate: Ptr(0.0025), ByCode: map[string]int64{}, Note: "no error series; the total is accounted for", QueryID: "q4",
			Reasons: evidence.Reasons{"promql": evidence.ReasonAbsentSeries}},
		Reconciliation: evidence.Reconciliation{Expected: &s.Requests, Seen: &s.Requests, State: "reconciled", Extrapolated: Ptr(n * 1.03), Factor: Ptr(1.03), Text: "Prometheus saw 1,200 of 1,200 requests"},
		Breakdown: evidence.Breakdown{State: evidence.StateOK, TotalSeconds: &mean, UnloadedSeconds: Ptr(0.044), QueueingSeconds: Ptr(mean - 0.044), Witness: "the two witnesses agree", WitnessAgrees: Ptr(true),
			Parts: []evidence.Part{{Kind: "wait", Name: wait.Name, Seconds: waitPer, Share: waitPer / mean}, {Kind: "cpu", Name: "CPU", Seconds: cpuPer, Share: cpuPer / mean},
				{Kind: "unexplained", Name: "not explained by the profile's metrics", Seconds: rest, Share: rest / mean}}},
		Coverage: evidence.Coverage{Targets: []evidence.Target{}, IntervalSeconds: Ptr(1.0), ScrapesSeen: s.Window, ScrapesExpected: s.Window, ClockSkewSeconds: Ptr(0.0)},
		Elapsed:  []evidence.ElapsedPoint{}, Extra: []evidence.Extra{},
	}
	used := s.PerSecond * 0.04
	side.Saturation = evidence.Saturation{InFlight: Ptr(s.PerSecond * mean), Utilisation: Ptr(used / s.Budget), LimitedBy: s.LimitedBy, Limit: s.Limit, Users: Ptr(int64(8)), UsersCeiling: Ptr(8 / (mean - waitPer)),
		Pools: []evidence.PoolUtilisation{{Name: "pricing", Size: &s.Budget, SizeSource: "side.json", HoldSeconds: Ptr(0.04), HoldSource: "declared", InUse: &used, Utilisation: Ptr(used / s.Budget), Ceiling: Ptr(s.Budget / 0.04)}}}
	side.Gates = Gates()
	return side
}

// Gates are all gates, passed.
func Gates() []evidence.Gate {
	out := []evidence.Gate{}
	for _, g := range [][2]string{{"G1", "base scrape"}, {"G2", "final scrape"}, {"G3", "gaps"}, {"G4", "restart"}, {"G5", "count"}, {"G6", "bucket layout"}, {"G7", "notes"}, {"G8", "sample size"}} {
		out = append(out, evidence.Gate{Code: g[0], Name: g[1], State: evidence.GatePassed, Detail: "ok"})
	}
	return out
}

func queries(s Spec, start time.Time) []evidence.Query {
	at := start.Truncate(time.Second).Add(time.Duration(s.Window) * time.Second)
	out := []evidence.Query{}
	for i, q := range []string{
		`histogram_quantile(0.95, sum by (le) (increase(checkout_request_duration_seconds_bucket{route="/api/quote"}[%ds])))`,
		`histogram_quantile(0.95, sum by (le) (increase(pricing_conn_wait_seconds_bucket[%ds])))`,
		`increase(app_cpu_seconds_total[%ds]) / ` + fmt.Sprint(s.Window),
		`sum(increase(checkout_request_duration_seconds_count{route="/api/quote",code!="200"}[%ds]))`,
	} {
		out = append(out, evidence.Query{ID: fmt.Sprintf("q%d", i+1), Name: []string{"p95 request duration", "p95 wait", "average cores", "errors"}[i], PromQL: fmt.Sprintf(q, s.Window), Time: at, RangeSeconds: float64(s.Window),
			State: evidence.StateOK, Result: Ptr(0.1), Series: 1, Warnings: []string{}, Infos: []string{}, Attempts: 1})
	}
	return out
}

// QuoteResponse is one functional answer of the checkout lab. The Date header differs between repeats.
func QuoteResponse(side string, ordinal int, total int64) evidence.Response {
	body, err := json.Marshal(map[string]any{"sku": "SSC-4110", "quantity": 3, "unit_price_cents": total / 3, "total_cents": total, "currency": "USD"})
	if err != nil {
		panic(err)
	}
	return evidence.Response{RefUUID: "00000000-0000-4000-8000-000000000001", Ordinal: ordinal, Endpoint: "GET /api/quote", Status: 200, Match: "pass",
		Headers: map[string][]string{"Content-Type": {"application/json"}, "Date": {fmt.Sprintf("Thu, 13 Aug 2026 15:00:%02d GMT", ordinal)}},
		Body:    body, Path: fmt.Sprintf("%s/functional/localhost/%d.md", side, ordinal)}
}

// Profile is the checkout lab's profile as far as a comparison reads it.
func Profile() profile.Profile {
	return profile.Profile{Name: "checkout", Request: profile.Request{Metric: "checkout_request_duration_seconds"}, Quantile: 0.95, Tolerance: profile.Tolerance{Percent: 10, Milliseconds: 2}}
}

// Unmeasured strips what Prometheus saw from a side and says why it is not there.
func Unmeasured(s evidence.Side, state evidence.State, message, next string) evidence.Side {
	code := map[evidence.State]string{evidence.StateUnreachable: evidence.ReasonUnreachable, evidence.StateNotConfigured: evidence.ReasonNoPrometheus, evidence.StateExpired: evidence.ReasonExpired}[state]
	if code == "" {
		code = evidence.ReasonUnknown
	}
	all := func(names ...string) evidence.Reasons {
		r := evidence.Reasons{}
		for _, n := range names {
			r[n] = code
		}
		return r
	}
	s.Metrics = evidence.Metrics{State: state, Message: message, Next: next,
		RequestDuration: evidence.Histogram{Metric: s.Metrics.RequestDuration.Metric, State: state, Buckets: []evidence.Bucket{}, Reasons: all("count", "sumSeconds", "meanSeconds"),
			P95Seconds: evidence.Quantile{Q: 0.95, Text: "unknown", CIText: "unknown", Reasons: all("promql", "lower", "upper", "ciLower", "ciUpper")}},
		Waits: []evidence.Wait{}, CPU: evidence.CPU{State: state, Reasons: all("secondsPerRequest", "averageCores", "activeCores", "deltaSeconds", "share")},
		Errors:         evidence.Errors{State: state, ByCode: map[string]int64{}, Reasons: all("count", "promql", "upperRate")},
		Reconciliation: evidence.Reconciliation{Expected: s.Load.Requests, State: "unknown", Text: "not measured", Reasons: all("seen", "extrapolated", "factor")},
		Breakdown:      evidence.Breakdown{State: state, Parts: []evidence.Part{}, Reasons: all("totalSeconds", "unloadedSeconds", "queueingSeconds", "witnessAgrees")},
		Coverage:       evidence.Coverage{Targets: []evidence.Target{}, Reasons: all("intervalSeconds", "clockSkewSeconds")},
		Elapsed:        []evidence.ElapsedPoint{}, Extra: []evidence.Extra{}}
	s.Saturation = evidence.Saturation{Limit: "unknown", Pools: []evidence.PoolUtilisation{}, Users: s.Saturation.Users, Reasons: all("inFlight", "utilisation", "usersCeiling")}
	if s.Saturation.Users == nil {
		s.Saturation.Reasons["users"] = evidence.ReasonNotReported
	}
	s.Gates, s.Queries = []evidence.Gate{}, []evidence.Query{}
	return s
}
