package proxymock

import (
	"fmt"
	"math"
)

// check puts contradictions inside a result into Problems: total against succeeded and failed, the two
// rates against each other, the endpoints' sums against the aggregate, percentages outside 0 to 100.
func (r *Result) check() {
	if r.Aggregate == nil && r.Shape != ShapeTuning {
		r.problem("no aggregate: the %s row is missing, so totals, rates and overall percentiles are unknown", AggregateName)
	}
	rows := r.Endpoints
	if r.Aggregate != nil {
		rows = append([]Endpoint{*r.Aggregate}, rows...)
	}
	for i := range rows {
		r.checkRow(&rows[i])
	}
	if r.Aggregate != nil && len(r.Endpoints) > 0 {
		r.checkSum("requests", r.Aggregate.Total, func(e *Endpoint) *int64 { return e.Total })
		r.checkSum("failed requests", r.Aggregate.Failed, func(e *Endpoint) *int64 { return e.Failed })
	}
}

func (r *Result) checkRow(e *Endpoint) {
	name := e.Name()
	if e.Total != nil && e.Succeeded != nil && e.Failed != nil && *e.Total != *e.Succeeded+*e.Failed {
		r.problem("%s: total %d is not succeeded %d plus failed %d", name, *e.Total, *e.Succeeded, *e.Failed)
	}
	if e.PerSecond != nil && e.PerMinute != nil {
		// Half a unit in the second decimal on either side covers summaries that round their rates.
		tolerance := 60*0.005 + 0.005 + 1e-6**e.PerMinute
		if r.Shape == ShapeRaw {
			tolerance = 1e-6 * math.Max(1, *e.PerMinute)
		}
		if math.Abs(*e.PerMinute-60**e.PerSecond) > tolerance {
			r.problem("%s: %v requests per minute is not 60 times %v per second", name, *e.PerMinute, *e.PerSecond)
		}
	}
	r.checkPct(name+": response rate", e.ResponsePct)
	r.checkPct(name+": match rate", e.MatchPct)
	if problem := e.Latency.disorder(); problem != "" {
		r.problem("%s: %s", name, problem)
	}
}

func (r *Result) checkPct(what string, v *float64) {
	if v != nil && *v > 100 {
		r.problem("%s %v %% is above 100 %%", what, *v)
	}
}

func (r *Result) checkSum(what string, aggregate *int64, field func(*Endpoint) *int64) {
	if aggregate == nil {
		return
	}
	var sum int64
	for i := range r.Endpoints {
		v := field(&r.Endpoints[i])
		if v == nil {
			return
		}
		sum += *v
	}
	if sum != *aggregate {
		r.problem("the endpoints add up to %d %s, the aggregate says %d", sum, what, *aggregate)
	}
}

// disorder names the first two figures that contradict each other. A p99 below the average is not one:
// percentiles of few samples leave out the maximum.
func (l Latency) disorder() string {
	steps := []struct {
		name string
		v    *float64
	}{{"min", l.Min}, {"p50", l.P50}, {"p75", l.P75}, {"p90", l.P90}, {"p95", l.P95}, {"p99", l.P99}, {"max", l.Max}}
	last := -1
	for i, step := range steps {
		if step.v == nil {
			continue
		}
		if last >= 0 && *step.v < *steps[last].v {
			return fmt.Sprintf("latency %s (%v ms) is below %s (%v ms)", step.name, *step.v, steps[last].name, *steps[last].v)
		}
		last = i
	}
	return ""
}
