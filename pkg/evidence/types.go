// Package evidence measures one side: the replay's own figures, what Prometheus saw in exactly the
// side's window, and the statements of its recordings. It never looks at another side.
//
// The types here are the contract of evidence.json, of the plugin's resources and of the generated
// TypeScript types. One rule holds everywhere: a figure that is not known is null, and the object
// that holds it carries the reason code under the field's name in "reasons". Missing is never zero.
package evidence

import (
	"time"

	"github.com/replaylab/replay-evidence/pkg/catalog"
)

// State of a measure.
type State string

// The states of a measure (rules of evidence 11).
const (
	StateOK            State = "ok"
	StateAbsent        State = "absent"
	StateNoTraffic     State = "no traffic"
	StateUnreachable   State = "unreachable"
	StateRefused       State = "refused"
	StateFailed        State = "failed"
	StateInsufficient  State = "insufficient samples"
	StateExpired       State = "expired"
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
	// Window is that of the load run; of the functional run when there is no load run.
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

// Metrics is what Prometheus saw.
type Metrics struct {
	// State is ok when the exact figures could be measured; else why not, with Message and Next.
	State   State  `json:"state"`
	Message string `json:"message,omitempty"`
	Next    string `json:"next,omitempty"`
	// Server names the Prometheus-compatible server and its version, without credentials.
	Server          string         `json:"server,omitempty"`
	RequestDuration Histogram      `json:"requestDuration"`
	Waits           []Wait         `json:"waits"`
	CPU             CPU            `json:"cpu"`
	Errors          Errors         `json:"errors"`
	Reconciliation  Reconciliation `json:"reconciliation"`
	Breakdown       Breakdown      `json:"breakdown"`
	Coverage        Coverage       `json:"coverage"`
	// Elapsed are the figures per scrape step over elapsed time since the start of the run.
	Elapsed []ElapsedPoint `json:"elapsed"`
	// Extra are the profile's own named queries.
	Extra []Extra `json:"extra"`
}

// Histogram is one classic histogram measured over the run. Durations are seconds.
type Histogram struct {
	Metric string `json:"metric"`
	State  State  `json:"state"`
	// Count is the exact number of observations.
	Count       *int64   `json:"count"`
	SumSeconds  *float64 `json:"sumSeconds"`
	MeanSeconds *float64 `json:"meanSeconds"`
	// P95Seconds is the profile's quantile (0.95 unless the profile says otherwise; see Quantile).
	P95Seconds Quantile `json:"p95Seconds"`
	Buckets    []Bucket `json:"buckets"`
	Reasons    Reasons  `json:"reasons,omitempty"`
}

// Quantile is a quantile as the histogram knows it: a bucket, not a number. All values are seconds.
type Quantile struct {
	// Q is the level, 0.95 for p95.
	Q float64 `json:"q"`
	// PromQL is what histogram_quantile over increase() interpolates; shown beside the bounds, never alone.
	PromQL *float64 `json:"promql"`
	// Lower and Upper are the bucket that holds the sample quantile: (lower, upper].
	Lower *float64 `json:"lower"`
	Upper *float64 `json:"upper"`
	// CILower and CIUpper are the edges of the buckets of the 95 % order-statistic ranks.
	CILower *float64 `json:"ciLower"`
	CIUpper *float64 `json:"ciUpper"`
	// Text reads like "150-200 ms", "above 2.5 s", "at most 10 ms".
	Text   string `json:"text"`
	CIText string `json:"ciText"`
	// QueryID names the entry of queries[] that proves the PromQL figure.
	QueryID string  `json:"queryId,omitempty"`
	Reasons Reasons `json:"reasons,omitempty"`
}

// Bucket is one bucket of a histogram with its exact count over the run. Upper is null for +Inf.
type Bucket struct {
	Lower float64  `json:"lower"`
	Upper *float64 `json:"upper"`
	Count int64    `json:"count"`
	// Share is Count / total, 0..1.
	Share   float64 `json:"share"`
	Reasons Reasons `json:"reasons,omitempty"`
}

// Wait is one wait histogram of the profile.
type Wait struct {
	Name string `json:"name"`
	Pool string `json:"pool,omitempty"`
	Histogram
	// Share is sum(wait) / sum(duration), 0..1 (additive, exact from counters).
	Share *float64 `json:"share"`
	// ShareError is the standard error of Share from batches per scrape; null below 10 batches.
	ShareError *float64 `json:"shareError"`
	// SecondsPerRequest is sum(wait) / requests of the service (not per acquisition).
	SecondsPerRequest *float64 `json:"secondsPerRequest"`
	// MeanWaiting is sum(wait) / active seconds: how many requests waited on average.
	MeanWaiting *float64 `json:"meanWaiting"`
	// PerRequest is acquisitions per request.
	PerRequest *float64 `json:"perRequest"`
}

// CPU is the process's CPU time.
type CPU struct {
	State             State    `json:"state"`
	SecondsPerRequest *float64 `json:"secondsPerRequest"`
	// AverageCores is the guide's figure: increase() over the padded window.
	AverageCores *float64 `json:"averageCores"`
	// ActiveCores is the exact delta over the replay's own active seconds.
	ActiveCores  *float64 `json:"activeCores"`
	DeltaSeconds *float64 `json:"deltaSeconds"`
	// Share is CPU seconds / sum(duration), 0..1.
	Share   *float64 `json:"share"`
	QueryID string   `json:"queryId,omitempty"`
	Reasons Reasons  `json:"reasons,omitempty"`
}

// Errors are the requests that match the profile's error selector.
type Errors struct {
	State State `json:"state"`
	// Count is exact; 0 is stated only when the total is accounted for.
	Count *int64 `json:"count"`
	// PromQL is the extrapolated figure of the guide's fourth query; null when no error series exists.
	PromQL *float64 `json:"promql"`
	// UpperRate is the 95 % upper limit of the true error rate (rule of three at 0), 0..1.
	UpperRate *float64         `json:"upperRate"`
	ByCode    map[string]int64 `json:"byCode"`
	Note      string           `json:"note,omitempty"`
	QueryID   string           `json:"queryId,omitempty"`
	Reasons   Reasons          `json:"reasons,omitempty"`
}

// Reconciliation compares Prometheus' exact count with the replay's own.
type Reconciliation struct {
	Expected *int64 `json:"expected"`
	Seen     *int64 `json:"seen"`
	// State is reconciled, more, fewer, explained or unknown.
	State string `json:"state"`
	// Extrapolated is what increase() says, with Factor = Extrapolated / Seen.
	Extrapolated *float64 `json:"extrapolated"`
	Factor       *float64 `json:"factor"`
	// Text reads "Prometheus saw 1,200 of 1,200 requests".
	Text    string  `json:"text"`
	Reasons Reasons `json:"reasons,omitempty"`
}

// Breakdown is where one request's time goes, in seconds per request. Parts add up to Total.
type Breakdown struct {
	State State `json:"state"`
	// TotalSeconds is the mean request duration.
	TotalSeconds *float64 `json:"totalSeconds"`
	Parts        []Part   `json:"parts"`
	// UnloadedSeconds is the functional run's mean in seconds (the unloaded floor), the second witness.
	UnloadedSeconds *float64 `json:"unloadedSeconds"`
	// QueueingSeconds is the loaded mean minus the unloaded mean.
	QueueingSeconds *float64 `json:"queueingSeconds"`
	// Witness says whether the two witnesses for wait agree, in words.
	Witness       string  `json:"witness"`
	WitnessAgrees *bool   `json:"witnessAgrees"`
	Reasons       Reasons `json:"reasons,omitempty"`
}

// Part is one additive part of the mean.
type Part struct {
	// Kind is wait, cpu or unexplained.
	Kind    string  `json:"kind"`
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"`
}

// Coverage says which scrapes carried the figures.
type Coverage struct {
	Targets []Target `json:"targets"`
	// IntervalSeconds is the median gap between scrapes.
	IntervalSeconds *float64 `json:"intervalSeconds"`
	ScrapesSeen     int64    `json:"scrapesSeen"`
	ScrapesExpected int64    `json:"scrapesExpected"`
	// ClockSkewSeconds is the server's clock minus ours.
	ClockSkewSeconds *float64 `json:"clockSkewSeconds"`
	Reasons          Reasons  `json:"reasons,omitempty"`
}

// Target is one scraped instance with the base and final scrape that were used.
type Target struct {
	Instance  string     `json:"instance"`
	Base      *time.Time `json:"base"`
	Final     *time.Time `json:"final"`
	Scrapes   int64      `json:"scrapes"`
	Requests  *int64     `json:"requests"`
	Restarted bool       `json:"restarted"`
	Reasons   Reasons    `json:"reasons,omitempty"`
}

// ElapsedPoint is one scrape step: exact deltas between two scrapes, by seconds since the run's start.
type ElapsedPoint struct {
	// Seconds is the end of the step since the start of the run.
	Seconds           float64  `json:"seconds"`
	StepSeconds       float64  `json:"stepSeconds"`
	RequestsPerSecond *float64 `json:"requestsPerSecond"`
	// P95Lower and P95Upper bound the quantile of the step; P95 is interpolated for drawing only.
	P95Lower    *float64 `json:"p95Lower"`
	P95Upper    *float64 `json:"p95Upper"`
	MeanSeconds *float64 `json:"meanSeconds"`
	// Waiting is the mean number of requests that waited during the step, summed over waits.
	Waiting *float64 `json:"waiting"`
	Cores   *float64 `json:"cores"`
	Reasons Reasons  `json:"reasons,omitempty"`
}

// Extra is the answer to one of the profile's own queries.
type Extra struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit,omitempty"`
	State   State    `json:"state"`
	Value   *float64 `json:"value"`
	QueryID string   `json:"queryId,omitempty"`
	Reasons Reasons  `json:"reasons,omitempty"`
}

// Saturation is arithmetic over the load run (Little's law; Denning and Buzen 1978).
type Saturation struct {
	// InFlight is throughput times mean duration: requests in the service on average.
	InFlight *float64 `json:"inFlight"`
	// Utilisation is that of the busiest pool, 0..1; see Pools.
	Utilisation *float64 `json:"utilisation"`
	// LimitedBy is the sentence "what limits you now".
	LimitedBy string `json:"limitedBy"`
	// Limit is pool, users, cpu or unknown.
	Limit string            `json:"limit"`
	Pools []PoolUtilisation `json:"pools"`
	// Users is the declared number of virtual users; UsersCeiling is users / (mean - wait).
	Users        *int64   `json:"users"`
	UsersCeiling *float64 `json:"usersCeiling"`
	Reasons      Reasons  `json:"reasons,omitempty"`
}

// PoolUtilisation is one pool's arithmetic.
type PoolUtilisation struct {
	Name string `json:"name"`
	// Size is declared in side.json, or inferred; SizeSource says which.
	Size       *float64 `json:"size"`
	SizeSource string   `json:"sizeSource"`
	// HoldSeconds is how long one acquisition holds the pool; HoldSource is histogram, declared or remainder.
	HoldSeconds *float64 `json:"holdSeconds"`
	HoldSource  string   `json:"holdSource"`
	// InUse is acquisitions per second times HoldSeconds.
	InUse       *float64 `json:"inUse"`
	Utilisation *float64 `json:"utilisation"`
	// Ceiling is size / hold in acquisitions per second.
	Ceiling *float64 `json:"ceiling"`
	Reasons Reasons  `json:"reasons,omitempty"`
}

// Gate is one check that must pass before the figures that depend on it are used (G1 to G9).
type Gate struct {
	Code string `json:"code"`
	Name string `json:"name"`
	// State is passed, failed, noted or not evaluated.
	State  string `json:"state"`
	Detail string `json:"detail"`
	Next   string `json:"next,omitempty"`
}

// The states of a gate.
const (
	GatePassed       = "passed"
	GateFailed       = "failed"
	GateNoted        = "noted"
	GateNotEvaluated = "not evaluated"
)

// Query is one question that was sent, with its exact time and range and what came back.
type Query struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// PromQL is the text as sent.
	PromQL string    `json:"promql"`
	Time   time.Time `json:"time"`
	// RangeSeconds is the range inside the text; 0 for none.
	RangeSeconds float64 `json:"rangeSeconds"`
	State        State   `json:"state"`
	// Result is the scalar answer; null for raw samples (see Samples) and absent answers.
	Result   *float64 `json:"result"`
	Series   int64    `json:"series"`
	Samples  int64    `json:"samples"`
	Warnings []string `json:"warnings"`
	Infos    []string `json:"infos"`
	// Attempts is how often the identical question was sent.
	Attempts int     `json:"attempts"`
	Error    string  `json:"error,omitempty"`
	Reasons  Reasons `json:"reasons,omitempty"`
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

// Statements is the statement inventory of a side's recording.
type Statements struct {
	State   State  `json:"state"`
	Message string `json:"message,omitempty"`
	RunID   string `json:"runId,omitempty"`
	// Executions counts Query and Execute Prepared Statement pairs without transaction control.
	Executions *int64 `json:"executions"`
	// Messages counts all SQL messages; detail only, never compared across drivers.
	Messages   *int64              `json:"messages"`
	Reads      *int64              `json:"reads"`
	Writes     *int64              `json:"writes"`
	Errors     *int64              `json:"errors"`
	Inventory  []Statement         `json:"inventory"`
	ByEndpoint []EndpointStatement `json:"byEndpoint"`
	// Linking says how statements were tied to requests: trace id, time containment, mixed or none.
	Linking  string            `json:"linking"`
	Problems []catalog.Problem `json:"problems"`
	Reasons  Reasons           `json:"reasons,omitempty"`
}

// Statement is one fingerprint of a statement inventory.
type Statement struct {
	Fingerprint string   `json:"fingerprint"`
	SQL         string   `json:"sql"`
	Verb        string   `json:"verb"`
	Tables      []string `json:"tables"`
	Executions  int64    `json:"executions"`
	Rows        int64    `json:"rows"`
	Errors      int64    `json:"errors"`
	// SpanSeconds is the time from the first message of each group to its end, summed; null if unknown.
	SpanSeconds *float64 `json:"spanSeconds"`
	Reasons     Reasons  `json:"reasons,omitempty"`
}

// EndpointStatement is one fingerprint below one endpoint.
type EndpointStatement struct {
	Endpoint    string `json:"endpoint"`
	Fingerprint string `json:"fingerprint"`
	// Calls is the number of inbound requests of the endpoint in the recording.
	Calls      int64   `json:"calls"`
	Executions int64   `json:"executions"`
	PerCall    float64 `json:"perCall"`
	MaxPerCall int64   `json:"maxPerCall"`
	// GuessedExecutions were tied by time containment while requests overlapped.
	GuessedExecutions int64 `json:"guessedExecutions"`
	// ParentFingerprint names the statement whose returned rows the executions grow with (N+1).
	ParentFingerprint string   `json:"parentFingerprint,omitempty"`
	RowsOfParent      int64    `json:"rowsOfParent"`
	SpanSeconds       *float64 `json:"spanSeconds"`
	Reasons           Reasons  `json:"reasons,omitempty"`
}
