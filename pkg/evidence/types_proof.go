package evidence

import "time"

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
