package promapi

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/prometheus/common/model"
)

// Point is one raw sample.
type Point struct {
	// T is milliseconds since 1970.
	T int64
	V float64
}

// HistogramPoint is one raw sample of a native histogram.
type HistogramPoint struct {
	// T is milliseconds since 1970.
	T     int64
	Count float64
	Sum   float64
	// Buckets are not cumulative; empty ones are left out by the server.
	Buckets []NativeBucket
}

// NativeBucket is one bucket of a native histogram.
type NativeBucket struct{ Lower, Upper, Count float64 }

// Series is one raw series in the order of time. It holds numbers or native histograms, not both:
// a series that holds both is refused.
type Series struct {
	Labels     map[string]string
	Points     []Point
	Histograms []HistogramPoint
}

// name is the metric name of the series.
func (s Series) name() string { return s.Labels[model.MetricNameLabel] }

// ErrMixedKinds says that one series holds numbers and native histograms in one window, as happens
// while a server changes its way of storing them.
var ErrMixedKinds = errors.New("a series mixes numbers and native histograms")

func fromMatrix(m model.Matrix) ([]Series, error) {
	out := make([]Series, 0, len(m))
	for _, stream := range m {
		s := Series{Labels: labelMap(stream.Metric)}
		for _, p := range stream.Values {
			s.Points = append(s.Points, Point{T: int64(p.Timestamp), V: float64(p.Value)})
		}
		for _, p := range stream.Histograms {
			if p.Histogram == nil {
				return nil, fmt.Errorf("series %s: a histogram sample is empty", labelText(s.Labels))
			}
			h := HistogramPoint{T: int64(p.Timestamp), Count: float64(p.Histogram.Count), Sum: float64(p.Histogram.Sum)}
			for _, b := range p.Histogram.Buckets {
				h.Buckets = append(h.Buckets, NativeBucket{Lower: float64(b.Lower), Upper: float64(b.Upper), Count: float64(b.Count)})
			}
			s.Histograms = append(s.Histograms, h)
		}
		if len(s.Points) > 0 && len(s.Histograms) > 0 {
			return nil, fmt.Errorf("series %s: %w", labelText(s.Labels), ErrMixedKinds)
		}
		if !slices.IsSortedFunc(s.Points, func(a, b Point) int { return int(a.T - b.T) }) {
			return nil, fmt.Errorf("series %s: samples are not in the order of time", labelText(s.Labels))
		}
		out = append(out, s)
	}
	// The order of a matrix is not promised; ours is.
	sort.SliceStable(out, func(i, j int) bool { return labelText(out[i].Labels) < labelText(out[j].Labels) })
	return out, nil
}

// labelText writes labels as Prometheus does, name first.
func labelText(labels map[string]string) string {
	keys := make([]string, 0, len(labels))
	for k := range labels {
		if k != model.MetricNameLabel {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = fmt.Sprintf("%s=%q", k, labels[k])
	}
	return labels[model.MetricNameLabel] + "{" + strings.Join(parts, ",") + "}"
}

// without copies labels and leaves some out, the metric name always.
func without(labels map[string]string, names ...string) map[string]string {
	out := make(map[string]string, len(labels))
	for k, v := range labels {
		if k != model.MetricNameLabel && !slices.Contains(names, k) {
			out[k] = v
		}
	}
	return out
}

// subset says whether every label of part has the same value in whole.
func subset(part, whole map[string]string) bool {
	for k, v := range part {
		if k != model.MetricNameLabel && whole[k] != v {
			return false
		}
	}
	return true
}

// samplesOf counts the samples of several series.
func samplesOf(series []Series) int {
	n := 0
	for _, s := range series {
		n += len(s.Points) + len(s.Histograms)
	}
	return n
}

// wholeNumber returns v as a whole number. Counters of events are whole; sums are not.
func wholeNumber(v float64) (int64, bool) {
	r := math.Round(v)
	if math.IsNaN(v) || math.Abs(r) > 1<<53 || math.Abs(v-r) > 1e-6 {
		return 0, false
	}
	return int64(r), true
}
