package compare

import (
	"fmt"
	"math"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// queryCount is a moved number of statement executions on an endpoint whose latency moved the same way.
type queryCount struct {
	endpoint string
	text     string
	// covers is true when the statements' own time covers most of the endpoint's change, or when that
	// time is not known and only the counts speak.
	covers bool
	// timed is true when the statements' time is known.
	timed bool
	moved Moved
}

// queryCount looks for statements that moved together with the latency: an N+1 that one side has and
// the other has not, on an endpoint whose own figures moved in the same direction.
func (in *input) queryCount(speed SpeedJudgement, endpoints []EndpointChange, st *Statements) *queryCount {
	if st == nil || st.State != evidence.StateOK {
		return nil
	}
	for _, e := range endpoints {
		side, direction := "candidate", 1.0
		switch {
		case e.Answer == Regressed:
		case e.Answer == Improved:
			side, direction = "baseline", -1
		case len(endpoints) == 1 && speed.Answer == Regressed:
		case len(endpoints) == 1 && speed.Answer == Improved:
			side, direction = "baseline", -1
		default:
			continue
		}
		for _, n := range newNPlusOne(st.NPlusOne, side) {
			if n.Endpoint == e.Name {
				return describeQueryCount(e, n, st, direction)
			}
		}
	}
	return nil
}

func describeQueryCount(e EndpointChange, n NPlusOne, st *Statements, direction float64) *queryCount {
	q := &queryCount{endpoint: e.Name}
	per := ""
	for _, p := range st.PerEndpoint {
		if b, c, ok := both(p.Baseline, p.Candidate); ok && p.Endpoint == e.Name {
			per = fmt.Sprintf("%s statements per call of %s; ", arrow(perCall(b), perCall(c)), e.Name)
		}
	}
	q.text = per + n.Text
	if direction < 0 {
		q.text += "; the candidate no longer does"
	}
	var time float64
	known := false
	for _, ch := range st.Changes {
		if ch.Endpoint != e.Name {
			continue
		}
		v, ok := num(ch.MovedSecondsPerCall)
		if !ok {
			known = false
			break
		}
		time, known = time+v, true
	}
	q.moved = Moved{Kind: PartQueryCount, Name: "statements of " + e.Name, Text: q.text}
	for _, f := range []string{"baseline", "candidate"} {
		// The statements were counted in a recording of its own, not in the measured load run.
		q.moved.Reasons = withReason(q.moved.Reasons, f, ReasonNotApplicable)
	}
	share, shareOK := shareOf(e)
	q.timed = known && time*direction > 0
	if q.timed && shareOK {
		// Per request over all endpoints, so that it stands beside the other parts.
		q.moved.Change = figure(time * share)
	} else {
		q.moved.Reasons = withReason(q.moved.Reasons, "change", evidence.ReasonUnknown)
	}
	if q.timed {
		q.text += fmt.Sprintf("; in the recordings, which are runs of their own, their time moved by %s per call", signedDuration(time))
		q.moved.Text = q.text
	}
	d, moved := num(e.MovedSecondsPerRequest)
	q.covers = !q.timed || !moved || math.Abs(time) >= mostOfTheChange*math.Abs(d)
	return q
}

// fromStatements answers from the statement recordings, where the metrics do not reach: more
// executions per call are more waits for the database.
func (in *input) fromStatements(c *CauseJudgement, q queryCount, a account) {
	c.Answer, c.Mechanism = CauseWait, MechanismQueryCount
	c.Headline = "Wait: query count of " + q.endpoint
	c.Basis = "statement executions per call, from the two statement recordings"
	c.Reasons = append(c.Reasons, Reason{CodeQueryCount, q.text})
	switch {
	case q.timed && !q.covers:
		c.Answer, c.Headline = Unexplained, "Unexplained: too little in the statements of "+q.endpoint
		c.Reasons = append(c.Reasons, Reason{CodeUnexplainedMoved, "the statements moved, but their time covers less than half of the endpoint's change"})
	case !q.timed:
		c.Reasons = append(c.Reasons, Reason{CodeQueryCount, "the time of the statements is not known; their number moved together with the endpoint's latency"})
	}
	if x, y, ok := both(in.base.Metrics.CPU.SecondsPerRequest, in.cand.Metrics.CPU.SecondsPerRequest); ok && a.ok {
		text := fmt.Sprintf("CPU: %s per request over all endpoints, %s of the mean's change", arrow(duration(x), duration(y)), percent(share(y-x, a.cand-a.base)))
		c.Reasons = append(c.Reasons, Reason{CodeCPUMoved, text})
	} else {
		c.Reasons = append(c.Reasons, Reason{CodeNoMetrics, "CPU time was not measured for these runs; work is not ruled out"})
	}
	c.Next = "fetch the rows in one statement (a join, or a list of ids) and compare again"
	if c.Answer == Unexplained {
		c.Next = "measure the service's own waits and CPU with Prometheus, or take a CPU profile of the endpoint"
	}
}
