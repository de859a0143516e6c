package sim

import (
	"math"
	"slices"

	"github.com/replaylab/replay-evidence/pkg/stat"
)

func sortByEnd(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int {
		switch {
		case a.End < b.End:
			return -1
		case a.End > b.End:
			return 1
		}
		return 0
	})
}

// Length is the time from the first start to the last end, seconds.
func Length(events []Event) float64 {
	var last float64
	for _, e := range events {
		last = math.Max(last, e.End)
	}
	return last
}

// Sample is one sample of a scraped series.
type Sample struct {
	// T is milliseconds since the scraper's epoch.
	T int64
	V float64
}

// Series is one scraped series. Labels include __name__.
type Series struct {
	Labels  map[string]string
	Samples []Sample
}

// Scrape describes how a run is scraped into the lab's metrics.
type Scrape struct {
	// Job and Instance are the target labels.
	Job, Instance string
	// Start is the moment of the run's start, milliseconds since 1970.
	Start int64
	// Interval and Phase say when scrapes happen: at every whole Interval plus Phase, milliseconds.
	Interval, Phase int64
	// Before and After are how long the target is scraped beyond the run, milliseconds.
	Before, After int64
	// Warm are observations that the process had made before: they show from the first scrape on.
	// Without any, the request series are born inside the run.
	Warm []Event
	// CPUPerRequest and IdleCores make the CPU counter.
	CPUPerRequest, IdleCores float64
	// Missed drops the scrapes for which it returns true; up is then 0. It may be nil.
	Missed func(t int64) bool
}

// Record scrapes a run and returns all series of the target: up, the request histogram with the
// labels route, method and code, the wait histogram, and the CPU counter.
func Record(events []Event, s Scrape) []Series {
	target := func(name string, more ...string) map[string]string {
		l := map[string]string{"__name__": name, "job": s.Job, "instance": s.Instance}
		for i := 0; i+1 < len(more); i += 2 {
			l[more[i]] = more[i+1]
		}
		return l
	}
	up := Series{Labels: target("up")}
	cpu := Series{Labels: target("app_cpu_seconds_total")}
	route := []string{"route", "/api/quote", "method", "GET", "code", "200"}
	request := newHistogramSeries("checkout_request_duration_seconds", requestBounds, target, route, Duration)
	wait := newHistogramSeries("pricing_conn_wait_seconds", waitBounds, target, nil, Wait)

	first := s.Start - s.Before
	last := s.Start + int64(math.Ceil(Length(events)*1000)) + s.After
	t := first - floorMod(first-s.Phase, s.Interval) + s.Interval
	for ; t <= last; t += s.Interval {
		if s.Missed != nil && s.Missed(t) {
			up.Samples = append(up.Samples, Sample{t, 0})
			continue
		}
		up.Samples = append(up.Samples, Sample{t, 1})
		seen := append([]Event(nil), s.Warm...)
		for _, e := range events {
			if s.Start+int64(math.Ceil(e.End*1000)) > t {
				break
			}
			seen = append(seen, e)
		}
		cpu.Samples = append(cpu.Samples, Sample{t, 1 + s.CPUPerRequest*float64(len(seen)) + s.IdleCores*float64(t-first)/1000})
		request.scrape(t, seen)
		// The wait histogram has no labels, so it exists from the start of the process.
		wait.always = true
		wait.scrape(t, seen)
	}
	out := []Series{up, cpu}
	out = append(out, request.series()...)
	return append(out, wait.series()...)
}

func floorMod(a, b int64) int64 { return ((a % b) + b) % b }

// histogramSeries collects the series of one classic histogram.
type histogramSeries struct {
	bounds  []float64
	figure  func(Event) float64
	buckets []Series
	count   Series
	sum     Series
	// always: the series exist before the first observation.
	always bool
}

func newHistogramSeries(name string, bounds []float64, target func(string, ...string) map[string]string, labels []string, figure func(Event) float64) *histogramSeries {
	h := &histogramSeries{bounds: withInf(bounds), figure: figure}
	for _, u := range h.bounds {
		h.buckets = append(h.buckets, Series{Labels: target(name+"_bucket", append(slices.Clone(labels), "le", stat.FormatBound(u))...)})
	}
	h.count = Series{Labels: target(name+"_count", labels...)}
	h.sum = Series{Labels: target(name+"_sum", labels...)}
	return h
}

func (h *histogramSeries) scrape(t int64, seen []Event) {
	if len(seen) == 0 && !h.always {
		return
	}
	counts := Histogram(seen, h.bounds, h.figure)
	for i := range h.buckets {
		h.buckets[i].Samples = append(h.buckets[i].Samples, Sample{t, float64(counts.Cumulative[i])})
	}
	var sum float64
	for _, e := range seen {
		sum += h.figure(e)
	}
	h.count.Samples = append(h.count.Samples, Sample{t, float64(len(seen))})
	h.sum.Samples = append(h.sum.Samples, Sample{t, sum})
}

func (h *histogramSeries) series() []Series {
	return append(slices.Clone(h.buckets), h.count, h.sum)
}
