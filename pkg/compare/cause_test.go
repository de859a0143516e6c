package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// parts are the seconds per request of one side.
type parts struct{ mean, wait, cpu float64 }

// spent gives a side another account; what is left over is unexplained.
func spent(s evidence.Side, p parts) evidence.Side {
	n := float64(*s.Load.Requests)
	m := &s.Metrics
	sum := p.mean * n
	m.RequestDuration.SumSeconds, m.RequestDuration.MeanSeconds = &sum, &p.mean
	m.Waits = append([]evidence.Wait{}, m.Waits...)
	m.Waits[0].SecondsPerRequest, m.Waits[0].Share = &p.wait, comparetest.Ptr(p.wait/p.mean)
	m.CPU.SecondsPerRequest = &p.cpu
	m.Breakdown.Parts = []evidence.Part{{Kind: "wait", Name: m.Waits[0].Name, Seconds: p.wait, Share: p.wait / p.mean}, {Kind: "cpu", Name: "CPU", Seconds: p.cpu, Share: p.cpu / p.mean},
		{Kind: "unexplained", Name: "not explained by the profile's metrics", Seconds: p.mean - p.wait - p.cpu, Share: 1 - (p.wait+p.cpu)/p.mean}}
	m.Breakdown.TotalSeconds, m.Breakdown.QueueingSeconds = &p.mean, comparetest.Ptr(p.mean-0.044)
	return s
}

func TestCause(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		baseline, candidate parts
		want                compare.Answer
		mechanism           string
		next                string
		reason              string
	}{
		"all of it was waiting": {parts{.107, .063, .001}, parts{.044, 0, .001}, compare.CauseWait, compare.MechanismPool, "absorbs the new peak of 8 calls at once, 2 before", "CPU is ruled out"},
		"all of it was CPU":     {parts{.107, .001, .080}, parts{.044, .001, .017}, compare.CauseWork, compare.MechanismCPU, "take a CPU profile", "waiting is ruled out"},
		"half and half":         {parts{.107, .040, .040}, parts{.044, .008, .010}, compare.CauseWaitAndWork, compare.MechanismPool, "take a CPU profile", "were CPU time"},
		"neither":               {parts{.107, .002, .002}, parts{.044, .001, .001}, compare.Unexplained, "", "eBPF", "the waits of the profile cover 1.6 % of that and CPU 1.6 %"},
		"the wait rose meanwhile": {parts{.107, .001, .001}, parts{.044, .030, .001}, compare.Inconclusive, "", "window holds its own run alone",
			"the wait histogram moved by +29 ms per request"},
		"a third was waiting, the rest nobody knows": {parts{.107, .022, .001}, parts{.044, .001, .001}, compare.Unexplained, "", "eBPF", "neither"},
		"the mean moved against the p95":             {parts{.040, .010, .001}, parts{.044, .001, .001}, compare.Unexplained, "", "distribution", "the account explains the mean only"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := judge(t, spent(comparetest.Baseline(), test.baseline), spent(comparetest.Candidate(), test.candidate))
			require.Equal(t, compare.Improved, c.Verdict.Speed.Answer)
			j := c.Verdict.Cause
			assert.Equal(t, test.want, j.Answer, j.Headline)
			assert.Equal(t, test.mechanism, j.Mechanism)
			assert.Contains(t, j.Next, test.next)
			assert.Contains(t, j.Headline+"\n"+texts(j.Judgement), test.reason)
		})
	}
}

// The two witnesses for wait are named when they disagree.
func TestWitnessesDisagree(t *testing.T) {
	t.Parallel()
	b := comparetest.Baseline()
	b.Metrics.Breakdown.QueueingSeconds = comparetest.Ptr(0.020)
	c := judge(t, b, comparetest.Candidate())
	assert.Equal(t, compare.CauseWait, c.Verdict.Cause.Answer)
	assert.Contains(t, codes(c.Verdict.Cause.Judgement), compare.CodeWitnessesDisagree)
	found := false
	for _, f := range c.Findings {
		found = found || f.Code == compare.CodeWitnessesDisagree
	}
	assert.True(t, found)
}

// A wait without a pool is a wait for a dependency.
func TestWaitWithoutPool(t *testing.T) {
	t.Parallel()
	free := func(s evidence.Side) evidence.Side {
		s.Metrics.Waits[0].Pool, s.Metrics.Waits[0].Name = "", "database statements"
		s.Saturation.Pools = []evidence.PoolUtilisation{}
		return s
	}
	c := judge(t, free(comparetest.Baseline()), free(comparetest.Candidate()))
	assert.Equal(t, compare.MechanismDependency, c.Verdict.Cause.Mechanism)
	assert.Equal(t, "Wait: database statements", c.Verdict.Cause.Headline)
	assert.NotContains(t, limits(c), compare.LimitWaitIsAcquisition)
}

// With metrics and statements: the wait is measured, the statements say what it was for, CPU as measured.
func TestQueryCountWithMetrics(t *testing.T) {
	t.Parallel()
	measured := func(orders, checkout evidence.Side, p parts) evidence.Side {
		orders.Metrics = spent(checkout, p).Metrics
		orders.Metrics.Waits[0].Pool, orders.Metrics.Waits[0].Name = "", "database statements"
		orders.Metrics.Reconciliation.Expected, orders.Metrics.Reconciliation.Seen = orders.Load.Requests, orders.Load.Requests
		return orders
	}
	// Both request histograms lie in the same bucket: the aggregate cannot show the move.
	fast := measured(comparetest.Orders(false), comparetest.Candidate(), parts{.0010, .0003, .0002})
	for name, test := range map[string]struct {
		slow parts
		want compare.Answer
	}{
		"mostly waiting":               {parts{.0016, .0008, .00025}, compare.CauseWait},
		"waiting with some CPU":        {parts{.0016, .0006, .00040}, compare.CauseWait},
		"the mean did not follow":      {parts{.0008, .0003, .0002}, compare.CauseWait},
		"the profile's waits miss it":  {parts{.0016, .0003, .0002}, compare.CauseWait},
		"the processor was the reason": {parts{.0016, .0003, .0008}, compare.CauseWork},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := judge(t, fast, measured(comparetest.Orders(true), comparetest.Candidate(), test.slow))
			assert.Equal(t, compare.Regressed, c.Verdict.Speed.Answer, c.Verdict.Speed.Headline)
			j := c.Verdict.Cause
			assert.Equal(t, test.want, j.Answer, j.Headline)
			if test.want == compare.CauseWait {
				assert.Equal(t, compare.MechanismQueryCount, j.Mechanism)
				assert.Equal(t, "Wait: query count of GET /orders", j.Headline)
			}
			assert.Contains(t, texts(j.Judgement), "1 → 41 statements per call of GET /orders")
			assert.Contains(t, texts(j.Judgement), "CPU")
			for _, m := range j.Moved {
				if m.Kind == compare.PartQueryCount {
					assert.Nil(t, m.Change, "the measured waits hold the statements' time already")
				}
			}
		})
	}
}

// Statements that could not be decoded are not zero statements.
func TestUnreadableStatements(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Orders(false), comparetest.Orders(true)
	c.Statements = &evidence.Statements{State: evidence.StateFailed, Message: "the pairs hold opaque bytes", Inventory: []evidence.Statement{}, ByEndpoint: []evidence.EndpointStatement{}}
	for _, f := range []string{"executions", "messages", "reads", "writes", "errors"} {
		if c.Statements.Reasons == nil {
			c.Statements.Reasons = evidence.Reasons{}
		}
		c.Statements.Reasons[f] = evidence.ReasonQueryFailed
	}
	out := judge(t, b, c)
	assert.Equal(t, evidence.StateFailed, out.Statements.State)
	assert.Contains(t, out.Statements.Text, "this is not the same as no statements")
	assert.Nil(t, out.Statements.CandidateExecutions)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Cause.Answer)
}

// Tables that grew between the runs: the same read, as often, returned more rows.
func TestTablesGrew(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Orders(false), comparetest.Orders(true)
	for i := range c.Statements.Inventory {
		if c.Statements.Inventory[i].Fingerprint == comparetest.S7 {
			c.Statements.Inventory[i].Rows = 80
		}
	}
	out := judge(t, b, c)
	it := item(out, compare.IdentityTables)
	assert.Equal(t, compare.Differs, it.State)
	assert.Contains(t, it.Text, "SELECT of orders returned 40 rows in the baseline, 80 in the candidate, in 41 executions each")
	assert.Contains(t, it.Next, "truncate")
	assert.True(t, out.Comparable, "an annotation, not a refusal")
}

// Names can be longer than a headline may be; the reasons below it say them in full.
func TestHeadlineOfALongEndpoint(t *testing.T) {
	t.Parallel()
	const long = "GET /v1/organisations/{organisation}/projects/{project}/orders/{id}"
	rename := func(s evidence.Side) evidence.Side {
		for i := range s.Endpoints {
			if s.Endpoints[i].Name == "GET /orders" {
				s.Endpoints[i].Name = long
			}
		}
		for i := range s.Statements.ByEndpoint {
			if s.Statements.ByEndpoint[i].Endpoint == "GET /orders" {
				s.Statements.ByEndpoint[i].Endpoint = long
			}
		}
		return s
	}
	j := judge(t, rename(comparetest.Orders(false)), rename(comparetest.Orders(true))).Verdict.Cause
	assert.Contains(t, j.Headline, "Wait: query count of GET /v1/organisations")
	assert.Contains(t, texts(j.Judgement), long)
}

// Recordings of both sides may be made at the same time; only replays must not overlap.
func TestRecordingsMayOverlap(t *testing.T) {
	t.Parallel()
	recorded := func(s evidence.Side) evidence.Side {
		s.Load, s.Functional, s.Endpoints = nil, nil, []evidence.Endpoint{}
		s.Window = comparetest.Baseline().Window
		return s
	}
	out := compare.Compare(recorded(comparetest.Orders(false)), recorded(comparetest.Orders(true)), comparetest.Profile(), options)
	for _, it := range out.Identity {
		assert.NotEqual(t, compare.IdentityWindows, it.Code, it.Text)
	}
}
