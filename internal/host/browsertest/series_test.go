package browsertest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// load is one load run of the synthetic lab as the service saw it. Counts are cumulative by upper bound in seconds and
// grow evenly between first and last; the sums and counts are those of the public guide.
type load struct {
	first, last time.Time
	requests    float64
	durations   map[float64]float64
	durationSum float64
	waits       map[float64]float64
	waitSum     float64
	cpu         float64
}

var (
	requestBounds = []float64{.01, .025, .05, .075, .1, .15, .2, .25, .3, .4, .5, .75, 1, 2.5, math.Inf(1)}
	waitBounds    = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .15, .2, .3, .5, 1, 2.5, math.Inf(1)}
)

func instant(clock string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, "2026-08-13T"+clock+"Z")
	if err != nil {
		panic(err) // a typing error in this file
	}
	return t
}

func labLoads() []load {
	return []load{
		{
			first: instant("14:59:55.9"), last: instant("15:00:21.74"), requests: 1200, durationSum: 128.4, waitSum: 79.2, cpu: 1.33,
			durations: map[float64]float64{.05: 150, .075: 240, .1: 500, .15: 840, .2: 1185, .25: 1200},
			waits:     map[float64]float64{.0005: 140, .01: 150, .025: 200, .05: 400, .1: 780, .15: 1190, .2: 1200},
		},
		{
			first: instant("15:01:23.8"), last: instant("15:01:30.586"), requests: 1200, durationSum: 52.8, waitSum: 0.3, cpu: 0.92,
			durations: map[float64]float64{.05: 1193, .075: 1200},
			waits:     map[float64]float64{.0005: 1190, .001: 1196, .05: 1200},
		},
	}
}

// functionalRequests were sent before each load run: three passes of the one recorded request, about 43 ms each.
const functionalRequests = 3

// labSeries are the scrapes of the lab's service, one a second. Each side is a process of its own, hence an instance of
// its own, as in the lab.
func labSeries() []promtest.Series {
	var all []promtest.Series
	for number, run := range labLoads() {
		instance := fmt.Sprintf("checkout-%d:8080", number)
		add := func(name string, labels map[string]string, value func(done float64) float64) {
			one := promtest.Series{Labels: map[string]string{"__name__": name, "job": "checkout-api", "instance": instance}}
			maps.Copy(one.Labels, labels)
			start := run.first.Truncate(time.Second).Add(-20*time.Second + 300*time.Millisecond)
			for at := start; at.Before(run.last.Add(20 * time.Second)); at = at.Add(time.Second) {
				done := at.Sub(run.first).Seconds() / run.last.Sub(run.first).Seconds()
				one.Points = append(one.Points, promtest.Point{T: at.UnixMilli(), V: value(min(1, max(0, done)))})
			}
			all = append(all, one)
		}
		histogram := func(name string, labels map[string]string, bounds []float64, counts map[float64]float64, sum float64) {
			for _, bound := range bounds {
				count, before := below(counts, bound, run.requests), 0.0
				if bound >= .05 || name != requestMetric {
					before = functionalRequests
				}
				le := maps.Clone(labels)
				le["le"] = fmt.Sprint(bound)
				add(name+"_bucket", le, func(done float64) float64 { return before + math.Round(done*count) })
			}
			add(name+"_count", labels, func(done float64) float64 { return functionalRequests + math.Round(done*run.requests) })
			add(name+"_sum", labels, func(done float64) float64 { return functionalRequests*0.043 + done*sum })
		}
		add("up", nil, func(float64) float64 { return 1 })
		add("process_start_time_seconds", nil, func(float64) float64 { return float64(run.first.Add(-time.Minute).Unix()) })
		add("app_cpu_seconds_total", nil, func(done float64) float64 { return 0.2 + done*run.cpu })
		histogram(requestMetric, map[string]string{"route": "/api/quote", "method": "GET", "code": "200"},
			requestBounds, run.durations, run.durationSum)
		histogram("pricing_conn_wait_seconds", map[string]string{}, waitBounds, run.waits, run.waitSum)
	}
	return all
}

const requestMetric = "checkout_request_duration_seconds"

// below is the cumulative count at a bound that counts may not name.
func below(counts map[float64]float64, bound, total float64) float64 {
	if math.IsInf(bound, 1) {
		return total
	}
	count := 0.0
	for _, known := range slices.Sorted(maps.Keys(counts)) {
		if known <= bound {
			count = counts[known]
		}
	}
	return count
}
