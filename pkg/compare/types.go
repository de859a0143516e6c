// Package compare judges two measured sides: are they comparable, is the behaviour unchanged, is it
// faster, was the time work or wait. It does not know where the sides came from.
//
// Doubt is data here: a gate that failed, a figure that is missing or a workload that differs becomes
// a reason of an answer, a finding or a limitation, never an error.
package compare

import (
	"time"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// SchemaVersion of evidence.json. The major number changes when a reader of the old one would
// misread the new one; additions keep it.
const SchemaVersion = "1.0"

// Answer is one of the words of the three verdicts.
type Answer string

// The words of behaviour.
const (
	Unchanged Answer = "unchanged"
	Changed   Answer = "changed"
)

// The words of speed.
const (
	Improved         Answer = "improved"
	Regressed        Answer = "regressed"
	NoProvableChange Answer = "no provable change"
	// Withheld is not an answer of its own: a withheld speed reads inconclusive with this reason code.
)

// The words of cause.
const (
	CauseWait        Answer = "wait"
	CauseWork        Answer = "work"
	CauseWaitAndWork Answer = "wait and work"
	Unexplained      Answer = "unexplained"
)

// Inconclusive belongs to all three; its reasons say what would settle it.
const Inconclusive Answer = "inconclusive"

// Comparison is the whole result: what evidence.json holds and what every front end shows.
type Comparison struct {
	SchemaVersion string    `json:"schemaVersion"`
	GeneratedAt   time.Time `json:"generatedAt"`
	Generator     Generator `json:"generator"`
	Profile       Profile   `json:"profile"`
	Verdict       Verdict   `json:"verdict"`
	// Comparable is false when an identity item breaks the comparison; speed is then withheld.
	Comparable bool           `json:"comparable"`
	Identity   []IdentityItem `json:"identity"`
	// Table is the guide's evidence table, row for row, and the rows added to it.
	Table       []Row            `json:"table"`
	Responses   Responses        `json:"responses"`
	Endpoints   []EndpointChange `json:"endpoints"`
	Statements  *Statements      `json:"statements"`
	Findings    []Finding        `json:"findings"`
	Limitations []Limitation     `json:"limitations"`
	// Repeats is the noise floor over several runs per side; null with one run per side.
	Repeats *Repeats `json:"repeats"`
	// Tests are distribution tests: detail, never the verdict.
	Tests []Test `json:"tests"`
	Sides Sides  `json:"sides"`
}

// Generator names the program that made the comparison.
type Generator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Profile is what the comparison was asked with.
type Profile struct {
	Name             string   `json:"name"`
	Quantile         float64  `json:"quantile"`
	TolerancePercent float64  `json:"tolerancePercent"`
	ToleranceMs      float64  `json:"toleranceMs"`
	RequestMetric    string   `json:"requestMetric"`
	Ignore           []string `json:"ignore"`
}

// Sides are the two measured sides.
type Sides struct {
	Baseline  evidence.Side `json:"baseline"`
	Candidate evidence.Side `json:"candidate"`
}

// Verdict is the three answers. Never one blended score.
type Verdict struct {
	Behaviour Judgement      `json:"behaviour"`
	Speed     SpeedJudgement `json:"speed"`
	Cause     CauseJudgement `json:"cause"`
}

// Judgement is one answer with its proof in words.
type Judgement struct {
	Answer Answer `json:"answer"`
	// Headline is one short sentence, such as "Improved, p95 lower by at least 100 ms".
	Headline string `json:"headline"`
	// Basis says what the answer rests on.
	Basis   string   `json:"basis"`
	Reasons []Reason `json:"reasons"`
	// Next is the next step; for inconclusive, what would settle it.
	Next string `json:"next"`
}

// Reason is one sentence with a stable code.
type Reason struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Bases of the speed answer.
const (
	BasisHistogram = "histogram intervals"
	BasisReplay    = "replay percentiles"
	BasisNone      = "none"
)

// SpeedJudgement adds the bounds of the change. Seconds; negative means lower (faster).
type SpeedJudgement struct {
	Judgement
	// AtLeastSeconds and AtMostSeconds bound the size of the change of the quantile between the two
	// intervals; null unless the answer is improved or regressed on a basis that bounds it.
	AtLeastSeconds *float64 `json:"atLeastSeconds"`
	AtMostSeconds  *float64 `json:"atMostSeconds"`
	// RatioLower and RatioUpper bound candidate / baseline.
	RatioLower *float64 `json:"ratioLower"`
	RatioUpper *float64 `json:"ratioUpper"`
	// MeanChangeSeconds is candidate mean minus baseline mean, exact.
	MeanChangeSeconds *float64         `json:"meanChangeSeconds"`
	NullReasons       evidence.Reasons `json:"nullReasons,omitempty"`
}

// CauseJudgement adds the additive accounts of the change, in seconds per request.
type CauseJudgement struct {
	Judgement
	// Mechanism is pool, dependency, query count, cpu or empty.
	Mechanism string `json:"mechanism"`
	// Moved lists what moved per request, largest first; it includes what was ruled out.
	Moved []Moved `json:"moved"`
}

// Moved is one part of the mean in both sides, seconds per request.
type Moved struct {
	Kind      string   `json:"kind"`
	Name      string   `json:"name"`
	Baseline  *float64 `json:"baseline"`
	Candidate *float64 `json:"candidate"`
	Change    *float64 `json:"change"`
	// RuledOut is true when the part did not move enough to explain the change.
	RuledOut bool             `json:"ruledOut"`
	Text     string           `json:"text"`
	Reasons  evidence.Reasons `json:"reasons,omitempty"`
}

// IdentityItem is one line of the identity card.
type IdentityItem struct {
	Code string `json:"code"`
	Name string `json:"name"`
	// State is same, differs or unknown.
	State     string `json:"state"`
	Baseline  string `json:"baseline"`
	Candidate string `json:"candidate"`
	// Breaks is true when this difference makes the sides not comparable.
	Breaks bool   `json:"breaks"`
	Text   string `json:"text"`
	Next   string `json:"next,omitempty"`
}

// The states of an identity item.
const (
	Same    = "same"
	Differs = "differs"
	Unknown = "unknown"
)

// Row is one row of the evidence table, ready to show: no front end calculates.
type Row struct {
	Key   string `json:"key"`
	Label string `json:"label"`
	// Guide is true for the rows of the guide's own table.
	Guide     bool   `json:"guide"`
	Baseline  Cell   `json:"baseline"`
	Candidate Cell   `json:"candidate"`
	Change    string `json:"change"`
	// Direction is better, worse, same or unknown; colour is never its only carrier.
	Direction string `json:"direction"`
	// Bounds are the bounds and the source in words.
	Bounds string `json:"bounds"`
}

// Cell is one figure as text, with its value, bounds and proof.
type Cell struct {
	Text  string   `json:"text"`
	Value *float64 `json:"value"`
	// Unit is requests, s, ms, req/s, cores, ratio, percent or empty.
	Unit string `json:"unit"`
	// Guide is the figure as the guide's own query gives it, e.g. "190 ms"; empty when there is none.
	Guide string `json:"guide"`
	// QueryIDs name entries of the side's queries[].
	QueryIDs []string         `json:"queryIds"`
	Reasons  evidence.Reasons `json:"reasons,omitempty"`
}

// Responses is the response diff of the two functional runs.
type Responses struct {
	// State is compared, partly compared or not compared.
	State string `json:"state"`
	// Pairs is the number of distinct recorded pairs compared, Expected how many should have been.
	Pairs    int64  `json:"pairs"`
	Expected *int64 `json:"expected"`
	// Compared counts response comparisons over all repeats.
	Compared int64 `json:"compared"`
	// Unscored is the number of load requests nobody scored.
	Unscored    *int64                  `json:"unscored"`
	Differences []ResponseDifference    `json:"differences"`
	Ignored     []evidence.IgnoredField `json:"ignored"`
	// Truncated is the number of differences beyond the listed ones.
	Truncated int64            `json:"truncated"`
	Text      string           `json:"text"`
	Reasons   evidence.Reasons `json:"reasons,omitempty"`
}

// ResponseDifference is one stable field that differs. Values are masked unless asked for.
type ResponseDifference struct {
	RefUUID  string `json:"refUuid"`
	Endpoint string `json:"endpoint"`
	// Field is where: "status", "header Content-Type", "body .total_cents".
	Field string `json:"field"`
	// Kind is status_changed, value_changed, type_changed, field_added, field_removed, body_changed, header_*.
	Kind          string `json:"kind"`
	Baseline      string `json:"baseline"`
	Candidate     string `json:"candidate"`
	Masked        bool   `json:"masked"`
	Count         int64  `json:"count"`
	BaselinePath  string `json:"baselinePath"`
	CandidatePath string `json:"candidatePath"`
}

// EndpointChange is one endpoint in both sides.
type EndpointChange struct {
	Name string `json:"name"`
	// State is both, added (candidate only) or removed (baseline only).
	State     string             `json:"state"`
	Baseline  *evidence.Endpoint `json:"baseline"`
	Candidate *evidence.Endpoint `json:"candidate"`
	// Answer is improved, regressed, no provable change or inconclusive; basis: replay percentiles.
	Answer Answer `json:"answer"`
	Text   string `json:"text"`
	// MovedSecondsPerRequest is the change of the mean of this endpoint's requests, seconds.
	MovedSecondsPerRequest *float64 `json:"movedSecondsPerRequest"`
	// MovedSecondsTotal is that times the endpoint's requests: what it cost the whole run.
	MovedSecondsTotal *float64         `json:"movedSecondsTotal"`
	Reasons           evidence.Reasons `json:"reasons,omitempty"`
}

// Statements compares two statement inventories.
type Statements struct {
	State State `json:"state"`
	// Totals of executions.
	BaselineExecutions  *int64            `json:"baselineExecutions"`
	CandidateExecutions *int64            `json:"candidateExecutions"`
	Changes             []StatementChange `json:"changes"`
	// PerEndpoint are all statements together per inbound call of each endpoint.
	PerEndpoint []StatementsPerCall `json:"perEndpoint"`
	// NPlusOne lists executions that grow with the rows another statement returned.
	NPlusOne []NPlusOne       `json:"nPlusOne"`
	Text     string           `json:"text"`
	Reasons  evidence.Reasons `json:"reasons,omitempty"`
}

// StatementsPerCall is how many statements one inbound call of an endpoint executes on average.
type StatementsPerCall struct {
	Endpoint  string           `json:"endpoint"`
	Baseline  *float64         `json:"baseline"`
	Candidate *float64         `json:"candidate"`
	Reasons   evidence.Reasons `json:"reasons,omitempty"`
}

// State of a comparison part.
type State = evidence.State

// StatementChange is one fingerprint in both sides, below one endpoint or over all.
type StatementChange struct {
	Fingerprint string `json:"fingerprint"`
	SQL         string `json:"sql"`
	// Endpoint is empty for the totals.
	Endpoint string   `json:"endpoint"`
	Tables   []string `json:"tables"`
	// State is both, only in baseline or only in candidate.
	State               string           `json:"state"`
	Baseline            *int64           `json:"baseline"`
	Candidate           *int64           `json:"candidate"`
	PerCallBaseline     *float64         `json:"perCallBaseline"`
	PerCallCandidate    *float64         `json:"perCallCandidate"`
	MovedSecondsPerCall *float64         `json:"movedSecondsPerCall"`
	Text                string           `json:"text"`
	Reasons             evidence.Reasons `json:"reasons,omitempty"`
}

// NPlusOne is one N+1: a child statement executed once per row of its parent.
type NPlusOne struct {
	// Side is baseline or candidate.
	Side              string  `json:"side"`
	Endpoint          string  `json:"endpoint"`
	ParentFingerprint string  `json:"parentFingerprint"`
	ParentSQL         string  `json:"parentSql"`
	ChildFingerprint  string  `json:"childFingerprint"`
	ChildSQL          string  `json:"childSql"`
	ParentPerCall     float64 `json:"parentPerCall"`
	ChildPerCall      float64 `json:"childPerCall"`
	RowsPerCall       float64 `json:"rowsPerCall"`
	Text              string  `json:"text"`
}

// Finding is one ranked statement with its evidence.
type Finding struct {
	Rank int    `json:"rank"`
	Code string `json:"code"`
	// Kind is moved, behaviour, identity, coverage, disagreement or ruled out.
	Kind string `json:"kind"`
	Text string `json:"text"`
	// SecondsPerRequest is what the ranking used first; null when it does not apply.
	SecondsPerRequest *float64 `json:"secondsPerRequest"`
	Count             *int64   `json:"count"`
	// Proof names what proves it: table keys, query ids ("baseline:q3"), files.
	Proof   []string         `json:"proof"`
	Reasons evidence.Reasons `json:"reasons,omitempty"`
}

// Limitation is something the evidence does not show, present only where it applies.
type Limitation struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Repeats is the measured noise floor over several load runs per side.
type Repeats struct {
	Baseline  []float64 `json:"baseline"`
	Candidate []float64 `json:"candidate"`
	// Measure is what the lists hold, e.g. "load p95, ms".
	Measure string `json:"measure"`
	// NoiseFloor is the largest relative spread within one side, 0..1.
	NoiseFloor float64 `json:"noiseFloor"`
	// PValue is of an exact two-sided permutation test over runs; null when too few runs.
	PValue *float64 `json:"pValue"`
	// SmallestP is the smallest p-value that this many runs can reach.
	SmallestP float64          `json:"smallestP"`
	Text      string           `json:"text"`
	Reasons   evidence.Reasons `json:"reasons,omitempty"`
}

// Test is the result of one distribution test.
type Test struct {
	Name       string           `json:"name"`
	Statistic  *float64         `json:"statistic"`
	PValue     *float64         `json:"pValue"`
	Effect     *float64         `json:"effect"`
	EffectLow  *float64         `json:"effectLow"`
	EffectHigh *float64         `json:"effectHigh"`
	Text       string           `json:"text"`
	Reasons    evidence.Reasons `json:"reasons,omitempty"`
}
