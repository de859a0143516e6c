package replay

import (
	"context"
	"math"
	"sync"
	"time"
)

// Resources says how busy the processes and the host were during a load run.
// Percentages of a process are of one core. What could not be measured is
// absent, never 0.
type Resources struct {
	GeneratorMaxCPUPct *float64 `json:"generatorMaxCpuPct,omitempty"`
	MockMaxCPUPct      *float64 `json:"mockMaxCpuPct,omitempty"`
	HarnessMaxCPUPct   *float64 `json:"harnessMaxCpuPct,omitempty"`
	AppMaxCPUPct       *float64 `json:"appMaxCpuPct,omitempty"`
	AppAvgCPUPct       *float64 `json:"appAvgCpuPct,omitempty"`
	HostIdleMinPct     *float64 `json:"hostIdleMinPct,omitempty"`
	RPSPerAppCore      *float64 `json:"rpsPerAppCore,omitempty"`
	SampleCount        int      `json:"sampleCount"`
	MockAttributed     bool     `json:"mockAttributed"`
	HarnessBound       *bool    `json:"harnessBound,omitempty"`
	Notes              []string `json:"notes,omitempty"`
}

// minInterval is the shortest span a share is computed over when there are
// longer ones: the kernel counts CPU time in hundredths of a second.
const minInterval = 500 * time.Millisecond

// cpuSample is cumulative CPU time in seconds at one instant; nil is unknown.
type cpuSample struct {
	at                   time.Time
	generator, mock, app *float64
	hostIdle, hostTotal  *float64
}

// sampler takes CPU samples once a second.
type sampler struct {
	source  cpuSource
	cancel  context.CancelFunc
	done    sync.WaitGroup
	samples []cpuSample
}

// cpuSource reads counters of this machine.
type cpuSource interface{ sample() cpuSample }

func startSampler(ctx context.Context, source cpuSource) *sampler {
	ctx, cancel := context.WithCancel(ctx)
	s := &sampler{source: source, cancel: cancel, samples: []cpuSample{source.sample()}}
	s.done.Go(func() {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				s.samples = append(s.samples, source.sample())
			}
		}
	})
	return s
}

// finish takes the last sample and evaluates all of them. rps is of the run.
func (s *sampler) finish(rps, p99 float64) *Resources {
	s.cancel()
	s.done.Wait()
	s.samples = append(s.samples, s.source.sample())
	return evaluate(s.samples, rps, p99)
}

// evaluate turns samples into shares. The rules of harnessBound and
// rpsPerAppCore are proxymock's published ones.
func evaluate(samples []cpuSample, rps, p99 float64) *Resources {
	r := &Resources{SampleCount: len(samples), Notes: []string{producedBy}}
	if p99 < 5 {
		r.Notes = append(r.Notes, "latency percentiles are integer milliseconds; differences below about 5 ms are rounding, not signal")
	}
	samples = usable(samples)
	var generator, mock, harness, app, idle peak
	for i := 1; i < len(samples); i++ {
		a, b := samples[i-1], samples[i]
		seconds := b.at.Sub(a.at).Seconds()
		generator.high(share(a.generator, b.generator, seconds))
		mock.high(share(a.mock, b.mock, seconds))
		harness.high(sum(share(a.generator, b.generator, seconds), share(a.mock, b.mock, seconds)))
		app.high(share(a.app, b.app, seconds))
		if a.hostTotal != nil && b.hostTotal != nil {
			idle.low(share(a.hostIdle, b.hostIdle, *b.hostTotal-*a.hostTotal))
		}
	}
	r.GeneratorMaxCPUPct, r.MockMaxCPUPct, r.HarnessMaxCPUPct = generator.rounded(), mock.rounded(), harness.rounded()
	r.AppMaxCPUPct, r.HostIdleMinPct = app.rounded(), idle.rounded()
	r.MockAttributed = r.MockMaxCPUPct != nil
	if len(samples) > 1 {
		first, last := samples[0], samples[len(samples)-1]
		if average := share(first.app, last.app, last.at.Sub(first.at).Seconds()); average != nil {
			r.AppAvgCPUPct = rounded(*average)
			if *average > 0 {
				r.RPSPerAppCore = rounded(rps / (*average / 100))
			}
		}
	}
	if idle.value != nil && *idle.value < 20 {
		r.HarnessBound = new(true)
	} else if idle.value != nil && harness.value != nil && app.value != nil {
		r.HarnessBound = new(*harness.value >= 100 && *harness.value > 2**app.value)
	}
	return r
}

// usable merges intervals that are too short for the kernel's clock into their
// predecessor, as long as one interval remains.
func usable(samples []cpuSample) []cpuSample {
	out := make([]cpuSample, 0, len(samples))
	for _, sample := range samples {
		if len(out) > 1 && sample.at.Sub(out[len(out)-1].at) < minInterval {
			out[len(out)-1] = sample
			continue
		}
		out = append(out, sample)
	}
	return out
}

// share is a counter's growth in percent of span; nil when either is unknown.
func share(before, after *float64, span float64) *float64 {
	if before == nil || after == nil || span <= 0 || *after < *before {
		return nil
	}
	return new(100 * (*after - *before) / span)
}

func sum(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	return new(*a + *b)
}

// peak keeps the highest or lowest known value.
type peak struct{ value *float64 }

func (p *peak) high(v *float64) {
	if v != nil && (p.value == nil || *v > *p.value) {
		p.value = v
	}
}

func (p *peak) low(v *float64) {
	if v != nil && (p.value == nil || *v < *p.value) {
		p.value = v
	}
}

func (p *peak) rounded() *float64 {
	if p.value == nil {
		return nil
	}
	return rounded(*p.value)
}

// rounded keeps one decimal, as the files do.
func rounded(v float64) *float64 { return new(math.Round(10*v) / 10) }
