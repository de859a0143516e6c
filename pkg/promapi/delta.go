package promapi

import (
	"math"
	"sort"
)

// SeriesDelta is what one counter gained from a span's base scrape to its final one.
type SeriesDelta struct {
	// Value is the gain. Drops are counted as restarts from zero.
	Value float64
	// Base is the value at the base scrape, 0 when the series was not there.
	Base float64
	// Resets is how often the value dropped.
	Resets int
	// Born: the target was scraped at the base without this series, which therefore counted from zero.
	Born bool
	// Vanished: the series was there but not at the final scrape.
	Vanished bool
	// Samples is how many samples were used, the base included.
	Samples int
	// Steps is the gain per scrape of the span after the base.
	Steps []float64
	// NotFinite: a sample was NaN or infinite; Value is then meaningless and 0.
	NotFinite bool
}

// Delta takes the gain of one counter over a span, which must have a base and a final scrape. The
// value at the base is that of the sample that belongs to the base scrape; a series that is not there
// at a successful scrape was zero (a labelled child exists only after its first event). Samples after
// the base up to the final scrape are walked; on a drop the new value is added, as the counter
// restarted from zero.
func Delta(s Series, span TargetSpan) SeriesDelta {
	out := SeriesDelta{}
	if !span.complete() {
		return out
	}
	base, final := span.Base.UnixMilli(), span.Final.UnixMilli()
	out.Steps = make([]float64, max(0, len(span.times)-1))
	out.Born = true
	previous, step := 0.0, 0
	var last float64
	lastAt := int64(math.MinInt64)
	for _, p := range s.Points {
		if p.T <= span.before || p.T > final {
			continue
		}
		if math.IsNaN(p.V) || math.IsInf(p.V, 0) {
			return SeriesDelta{NotFinite: true, Steps: make([]float64, len(out.Steps))}
		}
		out.Samples++
		lastAt = p.T
		last = p.V
		if p.T <= base {
			out.Base, out.Born, previous = p.V, false, p.V
			continue
		}
		gain := p.V - previous
		if gain < 0 {
			gain = p.V
			out.Resets++
		}
		out.Value += gain
		previous = p.V
		for step < len(out.Steps)-1 && p.T > span.times[step+1] {
			step++
		}
		if len(out.Steps) > 0 {
			out.Steps[step] += gain
		}
	}
	if out.Samples == 0 {
		out.Born = false
		return out
	}
	if out.Resets == 0 {
		// One subtraction instead of many keeps sums of fractions exact to the last bit.
		out.Value = last - out.Base
	}
	// The final scrape's samples lie after the scrape before it.
	if n := len(span.times); n > 1 {
		out.Vanished = lastAt <= span.times[n-2]
	}
	return out
}

// spanFor returns the index of the span whose target labels a series carries, the most specific
// first, or -1.
func spanFor(s Series, spans []TargetSpan) int {
	best := -1
	for i, span := range spans {
		if subset(span.Labels, s.Labels) && (best < 0 || len(span.Labels) > len(spans[best].Labels)) {
			best = i
		}
	}
	return best
}

// Counter is the gain of a counter over all its series and targets.
type Counter struct {
	// State is StateAbsent when no series of it was seen around the run.
	State State
	Value float64
	// Series are the parts, in the order of their labels.
	Series []CounterSeries
}

// CounterSeries is the part of one series.
type CounterSeries struct {
	Labels map[string]string
	SeriesDelta
	// span is the index of the target.
	span int
}

// SumDeltas takes the gain of every series that belongs to a span with base and final scrape.
func SumDeltas(series []Series, spans []TargetSpan) Counter {
	out := Counter{State: StateAbsent}
	for _, s := range series {
		i := spanFor(s, spans)
		if i < 0 || !spans[i].complete() {
			continue
		}
		d := Delta(s, spans[i])
		if d.Samples == 0 && !d.NotFinite {
			continue
		}
		out.State = StateOK
		out.Value += d.Value
		out.Series = append(out.Series, CounterSeries{Labels: without(s.Labels), SeriesDelta: d, span: i})
	}
	sort.SliceStable(out.Series, func(i, j int) bool { return labelText(out.Series[i].Labels) < labelText(out.Series[j].Labels) })
	return out
}
