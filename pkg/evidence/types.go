// Package evidence measures one side: the replay's own figures, what Prometheus saw in exactly the
// side's window, and the statements of its recordings. It never looks at another side.
//
// The types here are the contract of evidence.json, of the plugin's resources and of the generated
// TypeScript types. One rule holds everywhere: a figure that is not known is null, and the object
// that holds it carries the reason code under the field's name in "reasons". Missing is never zero.
package evidence

import "github.com/replaylab/replay-evidence/pkg/catalog"

// State of a measure.
type State string

// The states of a measure (rules of evidence 11).
const (
	StateOK           State = "ok"
	StateAbsent       State = "absent"
	StateNoTraffic    State = "no traffic"
	StateUnreachable  State = "unreachable"
	StateRefused      State = "refused"
	StateFailed       State = "failed"
	StateInsufficient State = "insufficient samples"
	StateExpired      State = "expired"
	// StateFuture: the window ends after the server's now.
	StateFuture        State = "in the future"
	StateNotConfigured State = "not configured"
)

// Reasons maps the name of a null figure to a stable code that says why it is null.
type Reasons map[string]string

// Reason codes of null figures.
const (
	ReasonNoObservations   = "no_observations"
	ReasonAbsentSeries     = "absent_series"
	ReasonUnreachable      = "unreachable"
	ReasonRefused          = "refused"
	ReasonQueryFailed      = "query_failed"
	ReasonInsufficient     = "insufficient_samples"
	ReasonExpired          = "expired"
	ReasonFuture           = "window_in_future"
	ReasonNotConfigured    = "not_configured"
	ReasonNoPrometheus     = "no_prometheus"
	ReasonNoWindow         = "no_window"
	ReasonGateFailed       = "gate_failed"
	ReasonOpenBucket       = "above_highest_bound"
	ReasonNotReported      = "not_reported"
	ReasonNotScored        = "not_scored"
	ReasonNoRun            = "no_run"
	ReasonPoolUnknown      = "pool_size_not_declared"
	ReasonComparisonSource = "comparison_source"
	ReasonUnknown          = "unknown"
)

// Side is one side measured.
type Side struct {
	ID       string            `json:"id"`
	Label    string            `json:"label"`
	Declared *catalog.SideFile `json:"declared"`
	// Window is that of the load run, else of the functional run, else of the recording in a side that was not replayed.
	Window     *catalog.Window `json:"window"`
	Load       *Load           `json:"load"`
	Functional *Functional     `json:"functional"`
	Metrics    Metrics         `json:"metrics"`
	Saturation Saturation      `json:"saturation"`
	Gates      []Gate          `json:"gates"`
	Queries    []Query         `json:"queries"`
	// Endpoints are the per-endpoint figures of the load run (of the functional run without one).
	Endpoints []Endpoint `json:"endpoints"`
	// Statements is nil when the side holds no recording with statements; Statements.State explains.
	Statements *Statements `json:"statements"`
	Mock       *Mock       `json:"mock"`
	// Repeats are further load runs of the side, oldest first, the measured one included.
	Repeats []Load `json:"repeats"`
	// Recording identifies what was replayed.
	Recording RecordingIdentity `json:"recording"`
	// Frozen is true when Metrics were read from an evidence.json because the server no longer keeps
	// the window; FrozenFrom names the file.
	Frozen     bool              `json:"frozen"`
	FrozenFrom string            `json:"frozenFrom,omitempty"`
	Problems   []catalog.Problem `json:"problems"`

	// Responses are the functional run's pairs, for the response diff; they never go on the wire.
	Responses []Response `json:"-"`
}

// Load holds the replay's own figures of a load run. Latencies are whole milliseconds as proxymock
// reports them; 1 means "at most 1 ms".
type Load struct {
	RunID             string   `json:"runId"`
	Requests          *int64   `json:"requests"`
	Failed            *int64   `json:"failed"`
	P50Ms             *float64 `json:"p50Ms"`
	P90Ms             *float64 `json:"p90Ms"`
	P95Ms             *float64 `json:"p95Ms"`
	P99Ms             *float64 `json:"p99Ms"`
	AvgMs             *float64 `json:"avgMs"`
	MinMs             *float64 `json:"minMs"`
	MaxMs             *float64 `json:"maxMs"`
	RequestsPerSecond *float64 `json:"requestsPerSecond"`
	// ActiveSeconds is requests / requestsPerSecond: first request to last response.
	ActiveSeconds *float64 `json:"activeSeconds"`
	// PaddingSeconds is the window minus the active seconds: idle time inside the window.
	PaddingSeconds *float64 `json:"paddingSeconds"`
	// HarnessBound is proxymock's own mark that the harness, not the app, was the limit.
	HarnessBound *bool `json:"harnessBound"`
	// HarnessNotes are proxymock's remarks, such as the quantisation note.
	HarnessNotes []string `json:"harnessNotes"`
	// GateFailed is true when the run's own --fail-if tripped.
	GateFailed bool    `json:"gateFailed"`
	Reasons    Reasons `json:"reasons,omitempty"`
}

// Functional holds the scored run.
type Functional struct {
	RunID    string   `json:"runId"`
	Requests *int64   `json:"requests"`
	Failed   *int64   `json:"failed"`
	MatchPct *float64 `json:"matchPct"`
	AvgMs    *float64 `json:"avgMs"`
	// PairsCompared and StableDifferences are filled by the comparison: distinct recorded pairs whose
	// responses were compared, and the stable fields that differ. In the baseline they are null with
	// the reason comparison_source.
	PairsCompared     *int64         `json:"pairsCompared"`
	StableDifferences *int64         `json:"stableDifferences"`
	IgnoredFields     []IgnoredField `json:"ignoredFields"`
	// VerdictMismatches is what replay-verdict.json says of this run against its recording.
	VerdictMismatches *int64 `json:"verdictMismatches"`
	// PairsRead is how many replayed pairs could be read; PairsExpected what the result states.
	PairsRead     int64   `json:"pairsRead"`
	PairsExpected *int64  `json:"pairsExpected"`
	GateFailed    bool    `json:"gateFailed"`
	Reasons       Reasons `json:"reasons,omitempty"`
}

// IgnoredField is a response field left out of the comparison, with the reason.
type IgnoredField struct {
	// Field is "header Date" or "body .total.at" style: where it is.
	Field string `json:"field"`
	// Reason is one of: fixed list, profile, differs among the baseline's repeats.
	Reason string `json:"reason"`
}

// Endpoint is one endpoint of a run: the replay's own figures.
type Endpoint struct {
	// Name is the normalised join key, e.g. "GET /orders/{id}".
	Name   string `json:"name"`
	Method string `json:"method"`
	URL    string `json:"url"`
	// Share is the endpoint's requests / all requests, 0..1.
	Share    *float64 `json:"share"`
	Requests *int64   `json:"requests"`
	Failed   *int64   `json:"failed"`
	AvgMs    *float64 `json:"avgMs"`
	P50Ms    *float64 `json:"p50Ms"`
	P95Ms    *float64 `json:"p95Ms"`
	P99Ms    *float64 `json:"p99Ms"`
	MaxMs    *float64 `json:"maxMs"`
	PerSec   *float64 `json:"perSecond"`
	// Tiny is true when there are too few requests for the p95 (below 20).
	Tiny    bool    `json:"tiny"`
	Reasons Reasons `json:"reasons,omitempty"`
}

// Mock is how faithfully the dependency was mocked.
type Mock struct {
	State        State    `json:"state"`
	Source       string   `json:"source,omitempty"`
	Hits         *int64   `json:"hits"`
	Misses       *int64   `json:"misses"`
	Passthroughs *int64   `json:"passthroughs"`
	Details      []string `json:"details"`
	Reasons      Reasons  `json:"reasons,omitempty"`
}

// RecordingIdentity says which recording a side replayed.
type RecordingIdentity struct {
	// Path is relative to the root when the recording could be found there.
	Path string `json:"path,omitempty"`
	// Digest is a SHA-256 over the sorted uuids of the recorded inbound pairs.
	Digest string `json:"digest,omitempty"`
	// Source says where the identity comes from: recording, verdict, pairs or unknown.
	Source       string   `json:"source"`
	InboundPairs *int64   `json:"inboundPairs"`
	RefUUIDs     []string `json:"-"`
	Reasons      Reasons  `json:"reasons,omitempty"`
}

// Response is one replayed response, reduced to what the comparison needs.
type Response struct {
	// RefUUID is the recorded pair; Ordinal counts the repeats of one RefUUID in order of sending.
	RefUUID  string
	Ordinal  int
	Endpoint string
	Status   int
	Headers  map[string][]string
	Body     []byte
	// Path is the file, relative to the root.
	Path string
	// Match is the replay's own score against the recording: pass, fail or empty.
	Match string
	// ChaosAffected pairs are left out of comparisons.
	ChaosAffected bool
}
