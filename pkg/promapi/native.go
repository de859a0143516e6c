package promapi

import (
	"math"
	"slices"
	"strconv"

	"github.com/prometheus/common/model"
)

// expandNative turns native histograms into cumulative counters at bounds, so that births, resets and
// merging follow the same rules as for classic ones. The bounds are those of every bucket that any
// sample uses, less those that lie inside a bucket of another sample: resolutions that changed, or
// differ between series, are then read at the bounds they share, which is exact. Source of the format:
// the histogram field of the Prometheus HTTP API, whose counts are per bucket and not cumulative.
func expandNative(series []Series) (bucket, counts, sums []Series) {
	bounds := nativeBounds(series)
	for _, s := range series {
		if len(s.Histograms) == 0 {
			continue
		}
		base := without(s.Labels)
		base[model.MetricNameLabel] = s.name()
		count := Series{Labels: base}
		sum := Series{Labels: base}
		lines := make([]Series, len(bounds)+1)
		for i := range lines {
			u := math.Inf(1)
			if i < len(bounds) {
				u = bounds[i]
			}
			labels := without(s.Labels)
			labels[model.MetricNameLabel] = s.name()
			labels["le"] = strconv.FormatFloat(u, 'g', -1, 64)
			lines[i] = Series{Labels: labels}
		}
		for _, h := range s.Histograms {
			count.Points = append(count.Points, Point{T: h.T, V: h.Count})
			sum.Points = append(sum.Points, Point{T: h.T, V: h.Sum})
			for i, u := range bounds {
				var below float64
				for _, b := range h.Buckets {
					if b.Upper <= u {
						below += b.Count
					}
				}
				lines[i].Points = append(lines[i].Points, Point{T: h.T, V: below})
			}
			lines[len(bounds)].Points = append(lines[len(bounds)].Points, Point{T: h.T, V: h.Count})
		}
		bucket = append(bucket, lines...)
		counts = append(counts, count)
		sums = append(sums, sum)
	}
	return bucket, counts, sums
}

// nativeBounds returns the finite bounds at which every sample is exact, ascending.
func nativeBounds(series []Series) []float64 {
	type edge struct{ lower, upper float64 }
	edges := map[edge]bool{}
	for _, s := range series {
		for _, h := range s.Histograms {
			for _, b := range h.Buckets {
				if b.Count != 0 {
					edges[edge{b.Lower, b.Upper}] = true
				}
			}
		}
	}
	candidates := map[float64]bool{}
	for e := range edges {
		for _, u := range []float64{e.lower, e.upper} {
			// Bounds below 0 are the far edge of the zero bucket; durations have nothing there.
			if !math.IsInf(u, 0) && u >= 0 {
				candidates[u] = true
			}
		}
	}
	var out []float64
	for u := range candidates {
		inside := false
		for e := range edges {
			if e.lower < u && u < e.upper {
				inside = true
				break
			}
		}
		if !inside {
			out = append(out, u)
		}
	}
	slices.Sort(out)
	// The lower edge of a first custom bucket is 0: no duration is at or below it.
	return slices.DeleteFunc(out, func(u float64) bool { return u == 0 })
}
