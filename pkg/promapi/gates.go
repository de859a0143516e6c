package promapi

import "slices"

// GateState is the outcome of one gate.
type GateState string

// The outcomes of a gate.
const (
	GatePassed GateState = "passed"
	// GateFailed makes the figures that depend on the gate inconclusive.
	GateFailed GateState = "failed"
	// GateNoted passes with a remark that belongs beside the figures.
	GateNoted        GateState = "noted"
	GateNotEvaluated GateState = "not evaluated"
)

// The codes of the gates that raw samples decide. G8 (size) belongs to the quantile and G9
// (workload) to the comparison.
const (
	GateBase    = "G1"
	GateFinal   = "G2"
	GateGaps    = "G3"
	GateRestart = "G4"
	GateCount   = "G5"
	GateLayout  = "G6"
	GateNotes   = "G7"
)

// GateName is the word for the code of a gate; empty for a code that raw samples do not decide.
func GateName(code string) string { return gateNames[code] }

var gateNames = map[string]string{
	GateBase:    "base scrape",
	GateFinal:   "final scrape",
	GateGaps:    "gaps",
	GateRestart: "restart",
	GateCount:   "count",
	GateLayout:  "bucket layout",
	GateNotes:   "warnings",
}

// Gate is one check with its outcome in words and numbers.
type Gate struct {
	Code string `json:"code"`
	Name string `json:"name"`
	// Subject names what was checked when it is not the whole measurement: request, or a wait's name.
	Subject string    `json:"subject,omitempty"`
	State   GateState `json:"state"`
	// Detail says what was found, with numbers.
	Detail string `json:"detail"`
	// Next says what would settle it.
	Next string `json:"next,omitempty"`
}

func gate(code, subject string, state GateState, detail, next string) Gate {
	return Gate{Code: code, Name: gateNames[code], Subject: subject, State: state, Detail: detail, Next: next}
}

// Failed returns the codes of failed gates, each once, in order of appearance.
func Failed(gates []Gate) []string {
	var out []string
	seen := map[string]bool{}
	for _, g := range gates {
		if g.State == GateFailed && !seen[g.Code] {
			seen[g.Code] = true
			out = append(out, g.Code)
		}
	}
	return out
}

// worst returns the worst outcome of the gates with a code; GateNotEvaluated when there is none.
func worst(gates []Gate, code string) GateState {
	rank := []GateState{GatePassed, GateNoted, GateNotEvaluated, GateFailed}
	at := -1
	for _, g := range gates {
		if g.Code == code {
			at = max(at, slices.Index(rank, g.State))
		}
	}
	if at < 0 {
		return GateNotEvaluated
	}
	return rank[at]
}
