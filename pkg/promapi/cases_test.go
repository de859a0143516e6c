package promapi_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// at is a moment of a load script, whose first sample is at 0 s.
func at(seconds float64) time.Time {
	return time.UnixMilli(int64(seconds * 1000)).UTC()
}

func newClient(t testing.TB, s *promtest.Server) *promapi.Client {
	t.Helper()
	c, err := promapi.New(promapi.Config{Address: s.URL, RetryDelay: time.Millisecond})
	require.NoError(t, err)
	return c
}

// selectorsFor returns the raw series of a profile for one histogram of job "j".
func selectorsFor(t testing.TB, edit func(*profile.Profile)) profile.Selectors {
	t.Helper()
	p := &profile.Profile{Name: "case", Target: profile.Target{Job: "j"}, Request: profile.Request{Metric: "h", Code: "code"}}
	if edit != nil {
		edit(p)
	}
	require.NoError(t, p.Validate())
	s, err := p.Selectors()
	require.NoError(t, err)
	return s
}

func gateOf(t testing.TB, e *promapi.Exact, code, subject string) promapi.Gate {
	t.Helper()
	for _, g := range e.Gates {
		if g.Code == code && g.Subject == subject {
			return g
		}
	}
	require.Failf(t, "no such gate", "%s %q in %+v", code, subject, e.Gates)
	return promapi.Gate{}
}

// number evaluates a query with the real engine and returns its single value.
func number(t testing.TB, c *promapi.Client, query string, seconds float64) *float64 {
	t.Helper()
	a, err := c.Instant(context.Background(), query, at(seconds))
	require.NoError(t, err)
	return a.Value
}

// counterCase is a case about one counter: what the engine says of it, and what the raw samples prove.
type counterCase struct {
	load string
	// queries are evaluated by the engine at a time; nil means an empty answer.
	engine []engineAnswer
	// start and end of the run, seconds.
	start, end float64
	// metric is the counter, as h_count of the profile's histogram.
	want  int64
	gates map[string]promapi.GateState
	// words must appear in the detail of the first failed or noted gate of that code.
	words    map[string]string
	expected int64
	known    []promapi.KnownTraffic
	check    func(t *testing.T, e *promapi.Exact)
}

type engineAnswer struct {
	query string
	at    float64
	want  *float64
}

const up60 = `
  up{job="j",instance="a"} 1x60`

func TestCounterCases(t *testing.T) {
	t.Parallel()
	cases := map[string]counterCase{
		// C01: an error counter that is born at 5 reads 0 in PromQL.
		"C01 error series born at 5": {
			load: `load 1s` + up60 + `
  h_count{job="j",instance="a",code="200"} 100+40x30
  h_count{job="j",instance="a",code="500"} _x11 5x19`,
			engine: []engineAnswer{
				{`sum(increase(h_count{code!="200"}[29s]))`, 30, new(0.0)},
				{`sum(increase(h_count{code!="200"}[29s] anchored))`, 30, new(0.0)},
			},
			start: 1, end: 30, want: 29*40 + 5, expected: 29*40 + 5,
			gates: map[string]promapi.GateState{"G1": promapi.GatePassed, "G2": promapi.GatePassed, "G5": promapi.GatePassed},
			check: func(t *testing.T, e *promapi.Exact) {
				t.Helper()
				require.NotNil(t, e.Errors)
				assert.EqualValues(t, 5, *e.Errors)
				require.Len(t, e.BornErrors, 1, "the series was first seen inside the window")
				assert.Equal(t, "500", e.BornErrors[0]["code"])
				assert.Equal(t, map[string]int64{"200": 1160, "500": 5}, e.ByCode)
			},
		},
		// C02: a counter that was not there at a good scrape was zero.
		"C02 everything before the first scrape": {
			load: `load 1s` + up60 + `
  h_count{job="j",instance="a"} _ _ _ 30 40 50 60 60 60`,
			engine: []engineAnswer{
				{`increase(h_count[8s])`, 8, new(33.0)},
				{`increase(h_count[8s] anchored)`, 8, new(30.0)},
			},
			start: 1.2, end: 7.5, want: 60, expected: 60,
			gates: map[string]promapi.GateState{"G5": promapi.GatePassed},
		},
		// C03: increase() makes fractions of whole numbers.
		"C03 fractions": {
			load: `load 1s` + up60 + `
  h_count{job="j",instance="a"} 3 3 203 403 603 803 1003 1203 1203 1203`,
			engine: []engineAnswer{
				{`increase(h_count[8s])`, 9, new(8000.0 / 7)},
				{`increase(h_count[8s] anchored)`, 9, new(1200.0)},
			},
			start: 1.1, end: 7, want: 1200, expected: 1200,
			gates: map[string]promapi.GateState{"G5": promapi.GatePassed},
		},
		// C04: the window is no longer than the scrape interval.
		"C04 window below the interval": {
			load: `load 15s` + up60 + `
  h_count{job="j",instance="a"} 3 3 603 1203 1203`,
			engine: []engineAnswer{
				{`increase(h_count[14s])`, 59, nil},
				{`increase(h_count[29s])`, 44, nil},
				{`increase(h_count[29s])`, 45, new(1160.0)},
			},
			start: 20, end: 40, want: 1200, expected: 1200,
			gates: map[string]promapi.GateState{"G1": promapi.GatePassed, "G2": promapi.GatePassed, "G5": promapi.GatePassed},
		},
		"C04 window below the interval, final scrape missing": {
			load: `load 15s
  up{job="j",instance="a"} 1 1 1
  h_count{job="j",instance="a"} 3 3 603`,
			start: 22, end: 36, want: -1, expected: 1200,
			gates: map[string]promapi.GateState{"G2": promapi.GateFailed, "G3": promapi.GateNotEvaluated},
			words: map[string]string{"G2": "scrape interval 15 s, window 14 s, 1 sample inside"},
		},
		// C15: evaluated past the newest sample.
		"C15 no sample after the end": {
			load: `load 1s
  up{job="j",instance="a"} 1x10
  h_count{job="j",instance="a"} 0+40x10`,
			engine: []engineAnswer{
				{`increase(h_count[5s])`, 10, new(200.0)},
				{`increase(h_count[5s])`, 14, nil},
				{`increase(h_count[5s])`, 15, nil},
			},
			start: 2, end: 11.2, want: -1, expected: 400,
			gates: map[string]promapi.GateState{"G1": promapi.GatePassed, "G2": promapi.GateFailed, "G5": promapi.GateFailed},
			words: map[string]string{"G2": "1.2 s before it", "G5": "320 of 400 requests up to its last scrape"},
			check: func(t *testing.T, e *promapi.Exact) {
				t.Helper()
				require.NotNil(t, e.SeenSoFar)
				assert.EqualValues(t, 320, *e.SeenSoFar)
				assert.Nil(t, e.Request.Count, "a lower limit is not a count")
				assert.Contains(t, e.Message, "320 of 400")
			},
		},
		// C16: two targets with different offsets; stop each at its own first scrape after the end.
		"C16 asked before the final scrapes": {
			load: `load 1s
  up{job="j",instance="a"} 1x5
  up{job="j",instance="b"} 1x5
  h_count{job="j",instance="a"} 0 0 200 400 600 600
  h_count{job="j",instance="b"} 0 0 200 400 500 500`,
			start: 1, end: 5.5, want: -1, expected: 1100,
			gates: map[string]promapi.GateState{"G2": promapi.GateFailed},
		},
		"C16 foreign requests": {
			load: `load 1s
  up{job="j",instance="a"} 1x8
  up{job="j",instance="b"} 1x6
  h_count{job="j",instance="a"} 0 0 200 400 600 600 650 700 750
  h_count{job="j",instance="b"} 0 0 200 400 500 500 500`,
			engine: []engineAnswer{
				{`sum(increase(h_count[5s]))`, 6, new(937.5)},
				{`sum(increase(h_count[5s] anchored))`, 6, new(1150.0)},
			},
			start: 1, end: 5.5, want: 1150, expected: 1100,
			gates: map[string]promapi.GateState{"G1": promapi.GatePassed, "G2": promapi.GatePassed, "G5": promapi.GateFailed},
			words: map[string]string{"G5": "50 requests more than the replay sent"},
			check: func(t *testing.T, e *promapi.Exact) {
				t.Helper()
				require.Len(t, e.PerTarget, 2)
				assert.EqualValues(t, 650, e.PerTarget[0].Requests)
				assert.EqualValues(t, 500, e.PerTarget[1].Requests)
			},
		},
		"surplus of the functional replay": {
			load: `load 1s` + up60 + `
  h_count{job="j",instance="a"} 0 0 3 403 803 1203 1203`,
			start: 1.5, end: 5, want: 1203, expected: 1200,
			known: []promapi.KnownTraffic{{Name: "functional replay", Requests: 3}},
			gates: map[string]promapi.GateState{"G5": promapi.GateNoted},
			words: map[string]string{"G5": "Prometheus saw 1,203 of 1,200 requests: the surplus of 3 is that of the functional replay"},
		},
		"two replicas that are not deduplicated": {
			load: `load 1s
  up{job="j",instance="a",replica="0"} 1x10
  up{job="j",instance="a",replica="1"} 1x10
  h_count{job="j",instance="a",replica="0"} 0 0 400 800 1200x6
  h_count{job="j",instance="a",replica="1"} 0 0 400 800 1200x6`,
			start: 1, end: 5, want: 2400, expected: 1200,
			gates: map[string]promapi.GateState{"G5": promapi.GateFailed},
			words: map[string]string{"G5": "exactly 2 times as many"},
		},
		"restart inside the window": {
			load: `load 1s` + up60 + `
  h_count{job="j",instance="a"} 3 3 203 403 0 100 300 500 800 800`,
			start: 1.5, end: 8, want: 1200, expected: 1200,
			gates: map[string]promapi.GateState{"G4": promapi.GateFailed, "G5": promapi.GatePassed},
			words: map[string]string{"G4": "reset inside the window"},
		},
		"restart hidden by fast counting": {
			load: `load 1s` + up60 + `
  process_start_time_seconds{job="j",instance="a"} 5 5 5 9 9 9 9 9 9
  h_count{job="j",instance="a"} 3 3 103 203 303 403 503 503 503`,
			start: 1.5, end: 6, want: 500, expected: 600,
			gates: map[string]promapi.GateState{"G4": promapi.GateFailed, "G5": promapi.GateFailed},
			words: map[string]string{"G4": "process start time changed", "G5": "100 are missing; the process restarted"},
		},
		"lost tail": {
			load: `load 1s` + up60 + `
  h_count{job="j",instance="a"} 0 0 400 800 1025x20`,
			start: 1.5, end: 5, want: 1025, expected: 1200,
			gates: map[string]promapi.GateState{"G5": promapi.GateFailed},
			words: map[string]string{"G5": "Prometheus saw 1,025 of 1,200 requests: 175 are missing"},
		},
		"base older than two intervals": {
			load: `load 1s
  up{job="j",instance="a"} 1 1 0 0 0 0 1 1 1 1 1
  h_count{job="j",instance="a"} 7 7 _ _ _ _ 400 800 1207 1207 1207`,
			start: 4.5, end: 8.5, want: -1, expected: 1200,
			gates: map[string]promapi.GateState{"G1": promapi.GateFailed},
			words: map[string]string{"G1": "3.5 s before the start, more than two intervals"},
		},
		"gaps lose nothing when the count reconciles": {
			load: `load 1s
  up{job="j",instance="a"} 1 1 0 0 1 0 1 1 1 1 1
  h_count{job="j",instance="a"} 0 0 _ _ 500 _ 800 1200 1200 1200 1200`,
			start: 1.2, end: 7.5, want: 1200, expected: 1200,
			gates: map[string]promapi.GateState{"G3": promapi.GateNoted, "G5": promapi.GatePassed},
			words: map[string]string{"G3": "3 failed"},
		},
		"gaps beside a wrong count": {
			load: `load 1s
  up{job="j",instance="a"} 1 1 0 0 1 0 1 1 1 1 1
  h_count{job="j",instance="a"} 0 0 _ _ 500 _ 800 1100 1100 1100 1100`,
			start: 1.2, end: 7.5, want: 1100, expected: 1200,
			gates: map[string]promapi.GateState{"G3": promapi.GateFailed, "G5": promapi.GateFailed},
		},
		"an old pod is left out, a new one counts from zero": {
			load: `load 1s
  up{job="j",instance="old"} 1 1 1 _x20
  up{job="j",instance="new"} _ _ _ _ 1x10
  h_count{job="j",instance="old"} 900 900 900 _x20
  h_count{job="j",instance="new"} _ _ _ _ 0 0 300 600x10`,
			start: 5, end: 8, want: 600, expected: 600,
			gates: map[string]promapi.GateState{"G1": promapi.GateNoted, "G5": promapi.GatePassed},
			words: map[string]string{"G1": "old was last scraped 3 s before the start and is left out"},
		},
		"a second target that is down all the time": {
			load: `load 1s
  up{job="j",instance="a"} 1x20
  up{job="j",instance="b"} 0x20
  h_count{job="j",instance="a"} 0 0 300 600x20`,
			start: 1, end: 4, want: 600, expected: 600,
			gates: map[string]promapi.GateState{"G1": promapi.GateNoted, "G3": promapi.GateNoted, "G5": promapi.GatePassed},
			words: map[string]string{"G1": "b was down for the whole window"},
		},
		"another job with the same metric": {
			load: `load 1s` + up60 + `
  up{job="other",instance="a"} 1x20
  h_count{job="other",instance="a"} 0+100x20
  h_count{job="j",instance="a"} 0 0 300 600x20`,
			start: 1, end: 4, want: 600, expected: 600,
			gates: map[string]promapi.GateState{"G5": promapi.GatePassed},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := promtest.NewServer(t, c.load)
			client := newClient(t, s)
			for _, q := range c.engine {
				got := number(t, client, q.query, q.at)
				if q.want == nil {
					assert.Nil(t, got, "%s at %v", q.query, q.at)
					continue
				}
				require.NotNil(t, got, "%s at %v", q.query, q.at)
				assert.InDelta(t, *q.want, *got, 1e-6, "%s at %v", q.query, q.at)
			}
			e, err := client.Measure(context.Background(), promapi.ExactRequest{
				Selectors: selectorsFor(t, func(p *profile.Profile) { p.Errors = `code!="200"`; p.Request.Code = "code" }),
				Quantile:  .95, Start: at(c.start), End: at(c.end), Expected: &c.expected, Known: c.known,
			})
			require.NoError(t, err)
			if c.want < 0 {
				assert.Equal(t, promapi.StateInsufficient, e.State)
				assert.NotEmpty(t, e.Next)
			} else {
				require.NotNil(t, e.Request.Count)
				assert.Equal(t, c.want, *e.Request.Count)
			}
			for code, want := range c.gates {
				states := []promapi.GateState{}
				var details []string
				for _, g := range e.Gates {
					if g.Code == code {
						states = append(states, g.State)
						details = append(details, g.Detail)
					}
				}
				assert.Contains(t, states, want, "%s: %s", code, strings.Join(details, " | "))
				if word := c.words[code]; word != "" {
					assert.Contains(t, strings.Join(details, " | "), word)
				}
			}
			if c.check != nil {
				c.check(t, e)
			}
		})
	}
}
