package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// withoutWait takes away the measure of the only wait, as a misspelt metric name does.
func withoutWait(s evidence.Side) evidence.Side {
	w := &s.Metrics.Waits[0]
	*w = evidence.Wait{Name: w.Name, Pool: w.Pool, Histogram: evidence.Histogram{Metric: "pricing_con_wait_seconds", State: evidence.StateAbsent, Buckets: []evidence.Bucket{},
		Reasons:    reasons("count", "sumSeconds", "meanSeconds"),
		P95Seconds: evidence.Quantile{Q: .95, Reasons: reasons("promql", "lower", "upper", "ciLower", "ciUpper")}}}
	for k, v := range reasons("share", "shareError", "secondsPerRequest", "meanWaiting", "perRequest") {
		w.Reasons[k] = v
	}
	return s
}

func withoutCPU(s evidence.Side) evidence.Side {
	s.Metrics.CPU = evidence.CPU{State: evidence.StateAbsent, Reasons: reasons("secondsPerRequest", "averageCores", "activeCores", "deltaSeconds", "share")}
	return s
}

func reasons(names ...string) evidence.Reasons {
	r := evidence.Reasons{}
	for _, n := range names {
		r[n] = evidence.ReasonAbsentSeries
	}
	return r
}

// A measure that is not there is neither 0 nor ruled out.
func TestUnmeasuredPartsOfTheCause(t *testing.T) {
	t.Parallel()
	same := func(s evidence.Side) evidence.Side { return s }
	for name, test := range map[string]struct {
		strip       func(evidence.Side) evidence.Side
		base, cand  parts
		want        compare.Answer
		says, never string
	}{
		"no wait, little CPU":           {withoutWait, parts{.107, .063, .001}, parts{.044, 0, .001}, compare.Inconclusive, "the wait pricing connection wait was not measured: no such series", "cover 0 %"},
		"no wait, CPU covers most":      {withoutWait, parts{.107, .001, .080}, parts{.044, .001, .017}, compare.CauseWork, "was not measured", "waiting is ruled out"},
		"no CPU, the wait covers most":  {withoutCPU, parts{.107, .063, .001}, parts{.044, 0, .001}, compare.CauseWait, "work is not ruled out", "CPU is ruled out"},
		"no CPU, little waiting":        {withoutCPU, parts{.107, .002, .001}, parts{.044, .001, .001}, compare.Inconclusive, "CPU time was not measured: no such series", "and CPU 0 %"},
		"all measured, and none covers": {same, parts{.107, .002, .002}, parts{.044, .001, .001}, compare.Unexplained, "CPU 1.6 %", "not measured"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := judge(t, test.strip(spent(comparetest.Baseline(), test.base)), test.strip(spent(comparetest.Candidate(), test.cand)))
			j := c.Verdict.Cause
			assert.Equal(t, test.want, j.Answer, j.Headline)
			assert.Contains(t, j.Headline+"\n"+texts(j.Judgement), test.says)
			assert.NotContains(t, j.Headline+"\n"+texts(j.Judgement), test.never)
		})
	}
}
