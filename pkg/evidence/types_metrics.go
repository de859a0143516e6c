package evidence

import "time"

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
	// QueryIDs name the entries of queries[] whose raw samples prove the exact figures.
	QueryIDs []string `json:"queryIds,omitempty"`
	Reasons  Reasons  `json:"reasons,omitempty"`
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
	Share *float64 `json:"share"`
	// QueryID names the entry of queries[] that proves AverageCores, QueryIDs those of the exact figures.
	QueryID  string   `json:"queryId,omitempty"`
	QueryIDs []string `json:"queryIds,omitempty"`
	Reasons  Reasons  `json:"reasons,omitempty"`
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
	// QueryID names the entry of queries[] that proves PromQL, QueryIDs those of Count and ByCode.
	QueryID  string   `json:"queryId,omitempty"`
	QueryIDs []string `json:"queryIds,omitempty"`
	Reasons  Reasons  `json:"reasons,omitempty"`
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
	Text string `json:"text"`
	// QueryID names the entry of queries[] that proves Extrapolated, QueryIDs those of Seen.
	QueryID  string   `json:"queryId,omitempty"`
	QueryIDs []string `json:"queryIds,omitempty"`
	Reasons  Reasons  `json:"reasons,omitempty"`
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
	Kind string `json:"kind"`
	// Name of the unexplained part lists every part that could not be measured, with its reason code.
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
	// QueryIDs name the entries of queries[] that hold the scrapes and the process start times.
	QueryIDs []string `json:"queryIds,omitempty"`
	Reasons  Reasons  `json:"reasons,omitempty"`
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
	// QueryIDs name the entries of queries[] whose raw samples prove the acquisitions and the holding time.
	QueryIDs []string `json:"queryIds,omitempty"`
	Reasons  Reasons  `json:"reasons,omitempty"`
}
