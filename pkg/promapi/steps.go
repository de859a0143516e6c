package promapi

import (
	"math"
	"slices"

	"github.com/replaylab/replay-evidence/pkg/stat"
)

// Step is what one scrape step added, over all targets.
type Step struct {
	// Start and End are seconds since the start of the run; the first step may start before it.
	Start float64
	End   float64
	// Count and Sum are requests and seconds of request duration.
	Count int64
	Sum   float64
	// Buckets are the requests of the step at the merged bounds; nil when the layout is not known or
	// nothing was observed.
	Buckets *stat.Buckets
	// Waits are in the order of the profile.
	Waits []WaitStep
	// CPU are seconds of CPU time; nil when there is no CPU counter.
	CPU *float64
}

// WaitStep is what one wait histogram added in one step.
type WaitStep struct {
	Count int64
	Sum   float64
}

// stepper sorts gains per scrape into steps: with one target, its scrapes; with several, whose
// scrapes are at different moments, a grid of the median interval.
type stepper struct {
	spans []TargetSpan
	start int64
	ends  []int64 // the end of each step, milliseconds
	first int64   // the start of the first step
}

func newStepper(spans []TargetSpan, startMs int64) *stepper {
	s := &stepper{spans: spans, start: startMs}
	var used []TargetSpan
	for _, span := range spans {
		if span.complete() && len(span.times) > 1 {
			used = append(used, span)
		}
	}
	if len(used) == 0 {
		return s
	}
	if len(used) == 1 {
		s.first = used[0].times[0]
		s.ends = slices.Clone(used[0].times[1:])
		return s
	}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	intervals := make([]float64, 0, len(used))
	for _, span := range used {
		first = min(first, span.times[0])
		last = max(last, span.times[len(span.times)-1])
		intervals = append(intervals, span.Interval)
	}
	slices.Sort(intervals)
	width := max(int64(intervals[len(intervals)/2]*1000), 1)
	s.first = first
	for t := first + width; ; t += width {
		s.ends = append(s.ends, t)
		if t >= last {
			return s
		}
	}
}

// index returns the step of the scrape number k (0 is the first after the base) of a span.
func (s *stepper) index(span, k int) int {
	i, _ := slices.BinarySearch(s.ends, s.spans[span].times[k+1])
	return min(i, len(s.ends)-1)
}

// add sorts the gains of one series into dst, one entry per step.
func (s *stepper) add(dst []float64, span int, gains []float64) {
	if len(s.ends) == 0 {
		return
	}
	for k, g := range gains {
		dst[s.index(span, k)] += g
	}
}

// totals adds up one kind of gain over the parts of a histogram.
func (s *stepper) totals(parts []childSteps, pick func(childSteps) []float64) []float64 {
	out := make([]float64, len(s.ends))
	for _, p := range parts {
		s.add(out, p.span, pick(p))
	}
	return out
}

// steps returns the elapsed view of a measurement.
func (s *stepper) steps(request HistogramDelta, waits []HistogramDelta, cpu Counter) []Step {
	n := len(s.ends)
	out := make([]Step, n)
	counts := s.totals(request.steps, func(c childSteps) []float64 { return c.count })
	sums := s.totals(request.steps, func(c childSteps) []float64 { return c.sum })
	var cores []float64
	if cpu.State == StateOK {
		cores = make([]float64, n)
		for _, part := range cpu.Series {
			s.add(cores, part.span, part.Steps)
		}
	}
	begin := s.first
	for i := range out {
		out[i] = Step{
			Start: float64(begin-s.start) / 1000,
			End:   float64(s.ends[i]-s.start) / 1000,
			Count: int64(math.Round(counts[i])),
			Sum:   sums[i],
		}
		begin = s.ends[i]
		if cores != nil {
			out[i].CPU = &cores[i]
		}
	}
	for _, w := range waits {
		wc := s.totals(w.steps, func(c childSteps) []float64 { return c.count })
		ws := s.totals(w.steps, func(c childSteps) []float64 { return c.sum })
		for i := range out {
			out[i].Waits = append(out[i].Waits, WaitStep{Count: int64(math.Round(wc[i])), Sum: ws[i]})
		}
	}
	s.buckets(out, request)
	return out
}

// buckets fills in the histogram of each step.
func (s *stepper) buckets(out []Step, request HistogramDelta) {
	if request.Buckets == nil {
		return
	}
	bounds := request.Buckets.Upper
	perBound := make([][]float64, len(bounds))
	for b := range bounds {
		perBound[b] = s.totals(request.steps, func(c childSteps) []float64 {
			if b >= len(c.cumulative) {
				return nil
			}
			return c.cumulative[b]
		})
	}
	for i := range out {
		cumulative := make([]int64, len(bounds))
		for b := range bounds {
			cumulative[b] = int64(math.Round(perBound[b][i]))
		}
		if cumulative[len(bounds)-1] == 0 {
			continue
		}
		// A step can be out of order when a scrape caught the process between two counters; then
		// the step has no distribution, while the whole window still has.
		if h, err := stat.NewBuckets(bounds, cumulative); err == nil {
			out[i].Buckets = &h
		}
	}
}

// Ratio estimates numerator/denominator over the steps, one batch per step, with its uncertainty:
// for instance the share of waiting in all request time.
func Ratio(steps []Step, numerator, denominator func(Step) float64) (stat.RatioResult, error) {
	batches := make([]stat.Batch, len(steps))
	for i, s := range steps {
		batches[i] = stat.Batch{Numerator: numerator(s), Denominator: denominator(s)}
	}
	return stat.Ratio(batches, stat.DefaultAlpha)
}
