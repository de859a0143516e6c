package proxymock

import (
	"encoding/json"
	"fmt"
	"io"
)

// Shape names which of the known layouts of a summary file was found. It is detected by the keys of
// the object, never by the file's name.
type Shape string

const (
	// ShapeRaw is what `replay --output json` prints.
	ShapeRaw Shape = "raw"
	// ShapeFlattened is the load-test script's summary; it has no p75, no resources, and per endpoint only p99.
	ShapeFlattened Shape = "flattened"
	// ShapeTuning is the replay-tuning script's summary: mock hit rates, no latencies.
	ShapeTuning Shape = "tuning"
	// ShapeSnapshot is the traffic summary inside a snapshot folder; it is not a replay result.
	ShapeSnapshot Shape = "snapshot"
)

// AggregateName is the url and method that the aggregate row carries instead of an endpoint.
const AggregateName = "-ALL-"

// Latency holds the percentiles of one row in milliseconds. proxymock prints whole milliseconds and
// reports everything below one as 1; with few samples its percentiles leave out the maximum.
type Latency struct {
	Avg, Min, P50, P75, P90, P95, P99, Max *float64
}

// Endpoint is one row of a result: the aggregate or one endpoint.
type Endpoint struct {
	// Method is an HTTP verb or the command of another protocol.
	Method string
	// URL is the writer's path template without a query, or SQL text when a database was replayed against.
	URL     string
	Latency Latency
	// Total, Succeeded and Failed count requests. Failed means transport failures and time-outs only.
	Total, Succeeded, Failed *int64
	// PerSecond and PerMinute are requests per second and minute of active time, not of the window.
	PerSecond, PerMinute *float64
	// ResponsePct and MatchPct are percentages from 0 to 100. MatchPct is absent under --load-test.
	ResponsePct, MatchPct *float64
}

// Name is the endpoint's normalised name, see [EndpointName].
func (e Endpoint) Name() string { return EndpointName(e.Method, e.URL) }

// Resources is the CPU attribution that load runs carry since v2.5.824. Percentages are of one core
// unless said otherwise.
type Resources struct {
	GeneratorMaxCPUPct, MockMaxCPUPct, HarnessMaxCPUPct *float64
	AppMaxCPUPct, AppAvgCPUPct                          *float64
	// HostIdleMinPct is a percentage of the whole host.
	HostIdleMinPct *float64
	// RPSPerAppCore is requests per second per core of the application; meaningless with few samples.
	RPSPerAppCore *float64
	// SampleCount is the number of CPU samples, about one per second.
	SampleCount    *int64
	MockAttributed *bool
	// HarnessBound says that the measured throughput is a floor, not the application's limit. nil on
	// older builds means unknown.
	HarnessBound *bool
	Notes        []string
}

// Result is one parsed summary file.
type Result struct {
	Shape Shape
	// Aggregate is the -ALL- row; nil when the file has none. It is never substituted by an endpoint.
	Aggregate *Endpoint
	// Endpoints holds every row but the aggregate, in the file's order.
	Endpoints []Endpoint
	Resources *Resources
	// FailIfExitCode is the replay's exit code as the load-test script keeps it: 0, or 1 when a
	// --fail-if held or the run broke.
	FailIfExitCode *int
	// MatchNote says why a flattened summary has no match rate.
	MatchNote string
	// Mock is filled in the tuning shape only.
	Mock *MockCounts
	// SkippedLines are the lines before the JSON object (at most 100, each clipped to 400 bytes).
	SkippedLines []string
	// ContextCanceledLines counts skipped lines that speak of a cancelled context: older builds print
	// one per virtual user at teardown and count them as failed requests.
	ContextCanceledLines int
	// Problems are contradictions inside the file, in words.
	Problems []string
}

// ActiveSeconds is how long requests were in flight: total requests divided by requests per second of
// the aggregate, first request to last response. False when the aggregate does not state both.
func (r *Result) ActiveSeconds() (float64, bool) {
	if r == nil || r.Aggregate == nil || r.Aggregate.Total == nil || r.Aggregate.PerSecond == nil {
		return 0, false
	}
	if *r.Aggregate.PerSecond <= 0 || *r.Aggregate.Total <= 0 {
		return 0, false
	}
	return float64(*r.Aggregate.Total) / *r.Aggregate.PerSecond, true
}

// ParseResult reads a summary in any of the four shapes. Lines before the first one that begins with
// "{" are kept as SkippedLines; what follows the JSON value is ignored. An empty or truncated file is
// [ErrIncomplete], JSON of another kind of file [ErrOtherFile].
func ParseResult(r io.Reader) (*Result, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read replay result: %w", err)
	}
	object, skipped, err := locateObject(data)
	result := &Result{}
	result.addSkipped(skipped)
	if err != nil {
		return nil, fmt.Errorf("replay result: %w", err)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(object, &keys); err != nil {
		return nil, fmt.Errorf("replay result: %w: %w", ErrMalformed, err)
	}
	if result.Shape, err = detectShape(keys); err != nil {
		return nil, err
	}
	switch result.Shape {
	case ShapeRaw:
		result.readRaw(keys)
	case ShapeFlattened:
		result.readFlattened(keys)
	case ShapeTuning:
		result.readTuning(keys)
	case ShapeSnapshot:
		return result, nil
	}
	result.check()
	return result, nil
}

// detectShape decides by keys. Keys of other known files are refused rather than read as a snapshot.
func detectShape(keys map[string]json.RawMessage) (Shape, error) {
	has := func(names ...string) bool {
		for _, name := range names {
			if _, ok := keys[name]; ok {
				return true
			}
		}
		return false
	}
	switch {
	case has("msgType"):
		return "", fmt.Errorf("object is a request/response pair, not a replay result: %w", ErrOtherFile)
	case has("perEndpoint", "latencyMs"):
		return ShapeFlattened, nil
	case has("endpoints") && !has("requestLoad", "inventory"):
		return ShapeRaw, nil
	case has("hitRate", "observedMockRequests", "matchCounts"):
		return ShapeTuning, nil
	case has("pairs") && has("verdict", "schemaVersion"):
		return "", fmt.Errorf("object is a replay verdict, not a replay result: %w", ErrOtherFile)
	case has("start", "capture_start", "query_start"):
		return "", fmt.Errorf("object is a window, not a replay result: %w", ErrOtherFile)
	case len(keys) == 0:
		return "", fmt.Errorf("object has no keys: %w", ErrOtherFile)
	default:
		return ShapeSnapshot, nil
	}
}
