package evidence_test

import (
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// Every exact figure names the raw samples that it was taken from, by the ids of questions that can be repeated by
// hand: text, time, range and how many samples came back.
func TestExactFiguresNameTheirSamples(t *testing.T) {
	t.Parallel()
	c, _ := lab(t)
	side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, loadsOf("baseline")))
	m := side.Metrics
	const request, wait = `checkout_request_duration_seconds_%{job="checkout-api",route="/api/quote"}`, `pricing_conn_wait_seconds_%{job="checkout-api"}`
	histogram := func(pattern string) []string {
		var out []string
		for _, part := range []string{"bucket", "count", "sum"} {
			out = append(out, strings.Replace(pattern, "%", part, 1))
		}
		return out
	}
	cases := map[string]struct {
		ids   []string
		wants []string // what the texts start with
	}{
		"request":        {m.RequestDuration.QueryIDs, histogram(request)},
		"wait":           {m.Waits[0].QueryIDs, histogram(wait)},
		"cpu":            {m.CPU.QueryIDs, []string{`app_cpu_seconds_total{job="checkout-api"}`}},
		"errors":         {m.Errors.QueryIDs, histogram(request)[1:2]},
		"reconciliation": {m.Reconciliation.QueryIDs, histogram(request)[1:2]},
		"coverage":       {m.Coverage.QueryIDs, []string{`up{job="checkout-api"}`, `process_start_time_seconds{job="checkout-api"}`}},
		"pool":           {side.Saturation.Pools[0].QueryIDs, histogram(wait)[1:2]},
	}
	asked := map[string]evidence.Query{}
	for _, q := range side.Queries {
		asked[q.ID] = q
	}
	for name, tc := range cases {
		if len(tc.ids) != len(tc.wants) {
			t.Errorf("%s names %v, want %v", name, tc.ids, tc.wants)
			continue
		}
		for i, id := range tc.ids {
			q := asked[id]
			if !strings.HasPrefix(q.PromQL, tc.wants[i]+"[") || q.Samples == 0 || q.RangeSeconds <= 29 || !q.Time.After(side.Window.End) || q.State != evidence.StateOK {
				t.Errorf("%s names %s, which is %+v; want the samples of %s", name, id, q, tc.wants[i])
			}
		}
	}
	if q := asked[m.Reconciliation.QueryID]; q.Result == nil || *q.Result != *m.Reconciliation.Extrapolated {
		t.Errorf("the extrapolated count is proved by %+v", q)
	}
}

// Figures that were not taken name no samples.
func TestNoSamplesNoIDs(t *testing.T) {
	t.Parallel()
	c, _ := lab(t)
	for name, server := range map[string]*promtest.Server{"no server": nil, "nothing scraped": promtest.NewServer(t, "")} {
		side := measured(t, c, "baseline", checkout, server)
		if m := side.Metrics; len(m.RequestDuration.QueryIDs)+len(m.CPU.QueryIDs)+len(m.Coverage.QueryIDs)+len(side.Saturation.Pools[0].QueryIDs) != 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
}
