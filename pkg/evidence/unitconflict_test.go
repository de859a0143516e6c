package evidence_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// Milliseconds in a metric of seconds, and a holding time that no pool has, are named and never a figure.
func TestUnitConflicts(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change  func(*workload)
		profile string
		reason  func(*evidence.Side) string
		says    string
	}{
		"request sum":  {func(w *workload) { w.durationSum *= 1000 }, checkout, func(s *evidence.Side) string { return s.Metrics.RequestDuration.Reasons["meanSeconds"] }, "outside its own buckets"},
		"wait sum":     {func(w *workload) { w.waitSum *= 1000 }, checkout, func(s *evidence.Side) string { return s.Metrics.Waits[0].Reasons["secondsPerRequest"] }, "cannot be"},
		"holding time": {func(*workload) {}, strings.Replace(checkout, "hold: 40ms", "hold: 1h", 1), func(s *evidence.Side) string { return s.Saturation.Reasons["utilisation"] }, "holding time"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			load := baselineLoad()
			tc.change(&load)
			side := measured(t, c, "baseline", tc.profile, promtest.NewServerWith(t, load.series("app:8080")))
			if got := tc.reason(side); got != evidence.ReasonUnitConflict || !problemSays(side, tc.says) {
				t.Errorf("reason is %q, problems %v", got, side.Problems)
			}
		})
	}
}

// What a conflict takes back is taken back everywhere: in the steps, the parts of the mean, the shares, the
// saturation and the words, each with the code.
func TestUnitConflictReachesEveryFigure(t *testing.T) {
	t.Parallel()
	milliseconds := func(counts map[float64]int64) map[float64]int64 {
		out := map[float64]int64{}
		for bound, n := range counts {
			out[bound*1000] = n
		}
		return out
	}
	request := func(s *evidence.Side) map[string]evidence.Reasons {
		m := &s.Metrics
		return map[string]evidence.Reasons{"sumSeconds": m.RequestDuration.Reasons, "meanSeconds": m.RequestDuration.Reasons, "totalSeconds": m.Breakdown.Reasons}
	}
	cases := map[string]struct {
		change    func(*workload)
		conflicts func(*evidence.Side) map[string]evidence.Reasons
		check     func(*testing.T, *evidence.Side)
	}{
		"request sum": {func(w *workload) { w.durationSum *= 1000 }, request, func(t *testing.T, s *evidence.Side) {
			for _, p := range s.Metrics.Elapsed {
				if p.MeanSeconds != nil || p.Reasons["meanSeconds"] != evidence.ReasonUnitConflict {
					t.Fatalf("step %v has the mean %v (%v)", p.Seconds, p.MeanSeconds, p.Reasons)
				}
			}
			w := s.Metrics.Waits[0]
			if w.Reasons["share"] != evidence.ReasonUnitConflict || w.Reasons["shareError"] != evidence.ReasonUnitConflict || w.SecondsPerRequest == nil {
				t.Errorf("wait is %+v, want its seconds without a share", w)
			}
			if s.Metrics.RequestDuration.P95Seconds.Lower == nil {
				t.Error("the buckets agree with the replay, their p95 is to stay")
			}
		}},
		"wait sum": {func(w *workload) { w.waitSum *= 1000 }, func(s *evidence.Side) map[string]evidence.Reasons {
			w := s.Metrics.Waits[0].Reasons
			return map[string]evidence.Reasons{"sumSeconds": w, "meanSeconds": w, "secondsPerRequest": w, "share": w, "shareError": w, "meanWaiting": w,
				"witnessAgrees": s.Metrics.Breakdown.Reasons}
		}, func(t *testing.T, s *evidence.Side) {
			for _, p := range s.Metrics.Elapsed {
				if p.Waiting != nil || p.Reasons["waiting"] != evidence.ReasonUnitConflict {
					t.Fatalf("step %v says that %v waited (%v)", p.Seconds, p.Waiting, p.Reasons)
				}
			}
			if s.Metrics.Waits[0].P95Seconds.Lower == nil {
				t.Error("the buckets may be in seconds, their p95 is to stay")
			}
			for _, part := range s.Metrics.Breakdown.Parts {
				if part.Kind == evidence.PartWait {
					t.Errorf("the mean has the part %+v", part)
				}
			}
			if text := s.Metrics.Breakdown.Witness; !strings.Contains(text, "in conflict") {
				t.Errorf("the witness says %q", text)
			}
		}},
		"wait in milliseconds": {func(w *workload) { w.waitSum, w.waits, w.waitBounds = w.waitSum*1000, milliseconds(w.waits), 1000 }, func(s *evidence.Side) map[string]evidence.Reasons {
			w, q := s.Metrics.Waits[0].Reasons, s.Metrics.Waits[0].P95Seconds.Reasons
			return map[string]evidence.Reasons{"sumSeconds": w, "secondsPerRequest": w, "lower": q, "upper": q, "ciLower": q, "ciUpper": q, "promql": q}
		}, func(t *testing.T, s *evidence.Side) {
			if w := s.Metrics.Waits[0]; len(w.Buckets) != 0 || w.P95Seconds.Text != "unknown" || w.Count == nil || w.P95Seconds.QueryID == "" {
				t.Errorf("wait is %+v, want its count and its query alone", w)
			}
		}},
		"request in milliseconds": {func(w *workload) {
			w.durationSum, w.durations, w.requestBounds = w.durationSum*1000, milliseconds(w.durations), 1000
		}, request, func(t *testing.T, s *evidence.Side) {
			m := s.Metrics
			if !strings.Contains(m.Message, "milliseconds") || strings.Contains(m.Message, "of one run") || m.RequestDuration.P95Seconds.Lower != nil || len(m.Elapsed) != 0 {
				t.Errorf("metrics are %s: %q with %+v", m.State, m.Message, m.RequestDuration.P95Seconds)
			}
			if g := gateOf(t, s, "G9"); g.State == evidence.GateFailed {
				t.Errorf("G9 is %+v: the workload is not at fault", g)
			}
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			load := baselineLoad()
			tc.change(&load)
			side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, load.series("app:8080")))
			for field, reasons := range tc.conflicts(side) {
				if reasons[field] != evidence.ReasonUnitConflict {
					t.Errorf("%s is missing because of %q, want %s", field, reasons[field], evidence.ReasonUnitConflict)
				}
			}
			if text := side.Saturation.LimitedBy; name != "request in milliseconds" && !strings.Contains(text, "in conflict") {
				t.Errorf("the limit reads %q", text)
			}
			tc.check(t, side)
		})
	}
}

// What is left of the mean holds a wait that could not be measured: its name says which one and why.
func TestRestOfTheMeanNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	without := func(prefix string) func(*workload) []promtest.Series {
		return func(w *workload) []promtest.Series {
			return slices.DeleteFunc(w.series("app:8080"), func(s promtest.Series) bool { return strings.HasPrefix(s.Labels["__name__"], prefix) })
		}
	}
	cases := map[string]struct {
		series func(*workload) []promtest.Series
		want   string
	}{
		"all measured": {func(w *workload) []promtest.Series { return w.series("app:8080") }, "unexplained"},
		"wait in another unit": {func(w *workload) []promtest.Series { w.waitSum *= 1000; return w.series("app:8080") },
			"unexplained, or the wait pricing connection (unit_conflict), which could not be measured"},
		"wait not there": {without("pricing_"), "unexplained, or the wait pricing connection (absent_series), which could not be measured"},
		"CPU not there":  {without("app_cpu"), "unexplained, or CPU time (absent_series), which could not be measured"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := lab(t)
			load := baselineLoad()
			side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, tc.series(&load)))
			rest := side.Metrics.Breakdown.Parts[len(side.Metrics.Breakdown.Parts)-1]
			if rest.Kind != evidence.PartUnexplained || rest.Name != tc.want {
				t.Errorf("the rest is %q, want %q", rest.Name, tc.want)
			}
		})
	}
}

// A holding time that contradicts its own buckets is not one; a wait or a sum that is not there makes no zero in
// the steps.
func TestMissingSumsAreNoZeros(t *testing.T) {
	t.Parallel()
	without := func(names ...string) []promtest.Series {
		return slices.DeleteFunc(baselineLoad().series("app:8080"), func(s promtest.Series) bool {
			return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(s.Labels["__name__"], name) })
		})
	}
	t.Run("steps", func(t *testing.T) {
		t.Parallel()
		c, _ := lab(t)
		side := measured(t, c, "baseline", checkout, promtest.NewServerWith(t, without("pricing_", "checkout_request_duration_seconds_sum")))
		if len(side.Metrics.Elapsed) == 0 {
			t.Fatal("there are no steps")
		}
		for _, p := range side.Metrics.Elapsed {
			if p.Waiting != nil || p.Reasons["waiting"] != evidence.ReasonAbsentSeries {
				t.Fatalf("%v waited in a step without the wait histogram (%v)", p.Waiting, p.Reasons)
			}
			if p.MeanSeconds != nil || (*p.RequestsPerSecond > 0 && p.Reasons["meanSeconds"] != evidence.ReasonAbsentSeries) {
				t.Fatalf("a step without a sum has the mean %v (%v)", p.MeanSeconds, p.Reasons)
			}
		}
	})
	t.Run("hold that is not there", func(t *testing.T) {
		t.Parallel()
		c, _ := lab(t)
		side := measured(t, c, "baseline", strings.Replace(checkout, "hold: 40ms", "hold: no_such_seconds", 1), promtest.NewServerWith(t, loadsOf("baseline")))
		if p := side.Saturation.Pools[0]; p.HoldSource != evidence.HoldRemainder || !problemSays(side, "no_such_seconds gives no holding time") {
			t.Errorf("pool is %+v, problems %v", p, side.Problems)
		}
	})
	t.Run("hold", func(t *testing.T) {
		t.Parallel()
		c, _ := lab(t)
		series := baselineLoad().series("app:8080")
		for _, s := range without("up", "process", "app", "go", "checkout") {
			hold := promtest.Series{Labels: maps.Clone(s.Labels), Points: slices.Clone(s.Points)}
			hold.Labels["__name__"] = strings.Replace(s.Labels["__name__"], "conn_wait", "conn_hold", 1)
			if strings.HasSuffix(s.Labels["__name__"], "_sum") {
				for i := range hold.Points {
					hold.Points[i].V *= 1000
				}
			}
			series = append(series, hold)
		}
		side := measured(t, c, "baseline", strings.Replace(checkout, "hold: 40ms", "hold: pricing_conn_hold_seconds", 1), promtest.NewServerWith(t, series))
		if p := side.Saturation.Pools[0]; p.HoldSource == evidence.HoldHistogram || !problemSays(side, "pricing_conn_hold_seconds") {
			t.Errorf("pool is %+v, problems %v", p, side.Problems)
		}
	})
}
