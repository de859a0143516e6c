package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// quantileCell shows the bucket of a quantile, with the guide's interpolated figure beside it.
func quantileCell(m evidence.Metrics, h evidence.Histogram) Cell {
	q := h.P95Seconds
	c := Cell{Unit: "s", QueryIDs: ids(q.QueryID, h.QueryIDs...)}
	if v, ok := num(q.PromQL); ok {
		c.Guide = duration(v)
		c.Value = &v
	} else {
		c.Reasons = evidence.Reasons{"value": metricCode(m, q.Reasons, "promql", h.State)}
	}
	_, okL := num(q.Lower)
	_, okU := num(q.Upper)
	if !okL && !okU {
		c.Text = missingText(metricCode(m, q.Reasons, "lower", h.State))
		return c
	}
	c.Text = evidence.FormatRange(finitePtr(q.Lower), finitePtr(q.Upper))
	return c
}

// ids lists what proves a figure, each entry once: the guide's query, if any, and the raw samples.
func ids(guide string, raw ...string) []string {
	out := []string{}
	for _, id := range append([]string{guide}, raw...) {
		if id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// proved names the raw samples behind both figures of a row.
func (in *input) proved(r Row, raw func(evidence.Side) []string) Row {
	r.Baseline.QueryIDs, r.Candidate.QueryIDs = ids("", raw(in.base)...), ids("", raw(in.cand)...)
	return r
}

// requestIDs and cpuIDs are the raw samples of the request histogram and of the CPU counter.
func requestIDs(s evidence.Side) []string { return s.Metrics.RequestDuration.QueryIDs }
func cpuIDs(s evidence.Side) []string     { return s.Metrics.CPU.QueryIDs }

// waitProved names the raw samples behind a figure that divides a wait by the requests.
func (in *input) waitProved(r Row, j joinedWait) Row {
	of := func(w *evidence.Wait, s evidence.Side) []string {
		if w == nil {
			return ids("")
		}
		return ids("", slices.Concat(w.QueryIDs, requestIDs(s))...)
	}
	r.Baseline.QueryIDs, r.Candidate.QueryIDs = of(j.base, in.base), of(j.cand, in.cand)
	return r
}

// quantileChange says how far two quantiles are provably apart.
func quantileChange(b, c evidence.Histogram) (string, string) {
	x, okX := interval(b.P95Seconds)
	y, okY := interval(c.P95Seconds)
	if !okX || !okY || !sameLayout(b.Buckets, c.Buckets) {
		return "–", UnknownDirection
	}
	switch ch := stat.Compare(x, y); ch.Relation {
	case stat.Below:
		return "≥ " + duration(ch.AtLeast) + " lower", Better
	case stat.Above:
		return "≥ " + duration(ch.AtLeast) + " higher", Worse
	}
	return "not provable", SameDirection
}

func quantileBounds(b, c Cell) string {
	if b.Guide == "" && c.Guide == "" {
		return ""
	}
	or := func(s string) string {
		if s == "" {
			return "–"
		}
		return s
	}
	return "exact counts; PromQL (interpolated) " + shareUnit(or(b.Guide), or(c.Guide))
}

func (in *input) durationRow() Row {
	b, k := in.base.Metrics, in.cand.Metrics
	r := Row{Key: "requestQuantile", Label: "Prometheus " + percentile(in.profile.Quantile) + " request duration", Guide: true,
		Baseline: quantileCell(b, b.RequestDuration), Candidate: quantileCell(k, k.RequestDuration)}
	r.Change, r.Direction = quantileChange(b.RequestDuration, k.RequestDuration)
	r.Bounds = quantileBounds(r.Baseline, r.Candidate)
	return r
}

// waitLabel names a wait in the guide's words: "connection wait".
func waitLabel(name string) string {
	if name == "" {
		return "wait"
	}
	if strings.Contains(strings.ToLower(name), "wait") {
		return name
	}
	return name + " wait"
}

func (in *input) waitRows() []Row {
	joined := in.joinedWaits()
	label := "Prometheus " + percentile(in.profile.Quantile) + " "
	if len(joined) == 0 {
		// The guide's table always has this row; without a wait in the profile it says so.
		code := evidence.ReasonNotConfigured
		return []Row{{Key: "waitQuantile", Label: label + "connection wait", Guide: true, Change: "–", Direction: UnknownDirection,
			Bounds:   "no wait histogram in the profile",
			Baseline: value(nil, "s", duration, code), Candidate: value(nil, "s", duration, code)}}
	}
	var rows []Row
	for i, j := range joined {
		r := Row{Key: "waitQuantile", Label: label + waitLabel(j.name), Guide: i == 0}
		if i > 0 {
			r.Key = fmt.Sprintf("waitQuantile%d", i+1)
		}
		hb, hc := histogramOfWait(j.base), histogramOfWait(j.cand)
		r.Baseline, r.Candidate = quantileCell(in.base.Metrics, hb), quantileCell(in.cand.Metrics, hc)
		r.Change, r.Direction = quantileChange(hb, hc)
		r.Bounds = quantileBounds(r.Baseline, r.Candidate)
		rows = append(rows, r)
	}
	return rows
}

func histogramOfWait(w *evidence.Wait) evidence.Histogram {
	if w == nil {
		return evidence.Histogram{State: evidence.StateAbsent}
	}
	return w.Histogram
}
