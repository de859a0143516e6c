package replay

import (
	"fmt"
	"regexp"
	"strconv"
)

var conditionForm = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9.\-]*)\s*(!=|==|<=|>=|=|<|>)\s*(-?[0-9]+(?:\.[0-9]+)?)\s*$`)

// Condition is one --fail-if: the run fails when it holds for the aggregate.
type Condition struct {
	text, metric, operator string
	value                  float64
}

// ParseCondition reads "requests.failed!=0".
func ParseCondition(text string) (Condition, error) {
	parts := conditionForm.FindStringSubmatch(text)
	if parts == nil {
		return Condition{}, fmt.Errorf("--fail-if %q: give it as requests.failed!=0 or latency.p95>200", text)
	}
	value, err := strconv.ParseFloat(parts[3], 64)
	if err != nil {
		return Condition{}, fmt.Errorf("--fail-if %q: %w", text, err)
	}
	return Condition{text: text, metric: parts[1], operator: parts[2], value: value}, nil
}

// check says whether the condition holds, with the line to print. A metric that
// was not measured cannot pass a gate, so it counts as holding.
func (c Condition) check(metrics map[string]float64) (failed bool, line string) {
	observed, ok := metrics[c.metric]
	if !ok {
		return true, fmt.Sprintf("✘ failed eval %q - %s was not measured in this run", c.text, c.metric)
	}
	holds := false
	switch c.operator {
	case "!=":
		holds = observed != c.value
	case "=", "==":
		holds = observed == c.value
	case "<":
		holds = observed < c.value
	case "<=":
		holds = observed <= c.value
	case ">":
		holds = observed > c.value
	case ">=":
		holds = observed >= c.value
	}
	if !holds {
		return false, fmt.Sprintf("✔ passed eval %q", c.text)
	}
	return true, fmt.Sprintf("✘ failed eval %q - observed %s was %s", c.text, c.metric, strconv.FormatFloat(observed, 'f', -1, 64))
}
