package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/stat"
)

func mean(events []Event, figure func(Event) float64) float64 {
	var s float64
	for _, e := range events {
		s += figure(e)
	}
	return s / float64(len(events))
}

func TestLabRuns(t *testing.T) {
	t.Parallel()
	slow, fast := Run(Lab(2, 1)), Run(Lab(16, 1))
	require.Len(t, slow, 1200)
	require.Len(t, fast, 1200)
	// Eight users on two connections: three quarters of the time is waiting (Little's law).
	share := mean(slow, Wait) / mean(slow, Duration)
	assert.InDelta(t, .74, share, .02)
	assert.InDelta(t, .165, mean(slow, Duration), .005)
	assert.InDelta(t, 0, mean(fast, Wait), 1e-9)
	// A pool of two that is always busy serves 2 per service time.
	assert.InDelta(t, 1200*.0415/2, Length(slow), .3)
	q, err := Histogram(slow, RequestBounds(), Duration).Quantile(.95, stat.DefaultAlpha)
	require.NoError(t, err)
	assert.Equal(t, stat.Range{Lower: .15, Upper: .2}, *q.Interval)
	q, err = Histogram(fast, RequestBounds(), Duration).Quantile(.95, stat.DefaultAlpha)
	require.NoError(t, err)
	assert.Equal(t, stat.Range{Lower: .025, Upper: .05}, *q.Interval)
}

func TestRunsRepeatAndNoiseDiffers(t *testing.T) {
	t.Parallel()
	cfg := Lab(2, 7)
	assert.Equal(t, Run(cfg), Run(cfg))
	cfg.MachineNoise = .03
	noisy := cfg
	noisy.Seed = 8
	assert.NotEqual(t, mean(Run(cfg), Duration), mean(Run(noisy), Duration))
}

func TestRecordEndsAtTheTruth(t *testing.T) {
	t.Parallel()
	events := Run(Lab(16, 3))
	series := Record(events, Scrape{Job: "j", Instance: "i", Start: 1_000_000, Interval: 1000, Phase: 137, Before: 3000, After: 3000})
	byName := map[string]Series{}
	for _, s := range series {
		if s.Labels["le"] == "" || s.Labels["le"] == "+Inf" {
			byName[s.Labels["__name__"]] = s
		}
	}
	count := byName["checkout_request_duration_seconds_count"]
	require.NotEmpty(t, count.Samples)
	assert.InDelta(t, 1200, count.Samples[len(count.Samples)-1].V, 0)
	up := byName["up"]
	assert.Greater(t, len(up.Samples), len(count.Samples), "the labelled series is born inside the run")
	for _, s := range up.Samples {
		assert.EqualValues(t, 137, s.T%1000)
	}
	wait := byName["pricing_conn_wait_seconds_count"]
	assert.Len(t, wait.Samples, len(up.Samples))
}

// TestIdenticalRunsAreNeverApart is the study behind the rule that a verdict needs a bucket between
// two intervals: identical code, machine noise up to 3 %, p95 on an edge and off it.
func TestIdenticalRunsAreNeverApart(t *testing.T) {
	t.Parallel()
	onEdge := Lab(16, 0)
	onEdge.ServiceMin, onEdge.ServiceMax = .045, .0503 // p95 at 50 ms
	situations := map[string]Config{"pool of two": Lab(2, 0), "pool of sixteen": Lab(16, 0), "p95 on the 50 ms edge": onEdge}
	touching := 0
	for name, cfg := range situations {
		for _, noise := range []float64{0, .005, .01, .03} {
			for pair := range uint64(35) {
				var intervals [2]stat.Range
				for side := range intervals {
					run := cfg
					run.MachineNoise, run.Seed = noise, pair*2+uint64(side)+1
					q, err := Histogram(Run(run), RequestBounds(), Duration).Quantile(.95, stat.DefaultAlpha)
					require.NoError(t, err)
					require.NotNil(t, q.Interval)
					intervals[side] = *q.Interval
				}
				change := stat.Compare(intervals[0], intervals[1])
				assert.NotEqual(t, stat.Below, change.Relation, "%s, noise %v, pair %d", name, noise, pair)
				assert.NotEqual(t, stat.Above, change.Relation, "%s, noise %v, pair %d", name, noise, pair)
				if change.Relation == stat.Touching {
					touching++
				}
			}
		}
	}
	assert.Positive(t, touching, "the study must contain pairs that a rule without a gap would have called a change")
}
