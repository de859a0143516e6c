package promapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// TargetSpan is the part of one target's scrapes that carries a run: from the last good scrape at or
// before the start to the first good one at or after the end.
type TargetSpan struct {
	// Labels are those of the target's up series, without the metric name.
	Labels map[string]string `json:"labels"`
	// Base and Final are the two scrapes; nil when there is none, and the gates say so.
	Base  *time.Time `json:"base"`
	Final *time.Time `json:"final"`
	// Interval is the median gap between scrapes in seconds; 0 when fewer than two were seen.
	Interval float64 `json:"interval"`
	// Seen and Expected are the good scrapes from Base to Final, and how many the interval promises.
	Seen     int `json:"seen"`
	Expected int `json:"expected"`
	// MaxGap is the longest time between two good scrapes, seconds.
	MaxGap float64 `json:"maxGap"`
	// Down counts failed scrapes (up = 0) between Base and Final.
	Down int `json:"down"`

	// times are the good scrapes from Base to Final, milliseconds.
	times []int64
	// before is the scrape attempt before Base, milliseconds: samples after it and up to Base belong
	// to the base scrape, also when an exporter writes its own timestamps.
	before int64
	// soFar is the same span up to its last good scrape, when there is a base but no final one.
	soFar *TargetSpan
}

// complete says that both scrapes are there, so that deltas can be taken.
func (s TargetSpan) complete() bool { return s.Base != nil && s.Final != nil }

// Instance is the target's instance label.
func (s TargetSpan) Instance() string { return s.Labels["instance"] }

// Locate finds the base and the final scrape of every target for a run from start to end, from raw
// up samples that reach at least two scrape intervals beyond the run on both sides. Targets that were
// gone before the run or came after it are left out. The gates are G1, G2 and G3.
func Locate(up []Series, start, end time.Time) ([]TargetSpan, []Gate) {
	startMs, endMs := start.UnixMilli(), ceilMilli(end)
	l := locator{startMs: startMs, endMs: endMs}
	var spans []TargetSpan
	for _, s := range up {
		if span, ok := l.span(s); ok {
			spans = append(spans, span)
		}
	}
	return spans, l.gates(spans)
}

// ceilMilli is the first whole millisecond at or after t: samples carry whole milliseconds.
func ceilMilli(t time.Time) int64 {
	ms := t.UnixMilli()
	if time.UnixMilli(ms).Before(t) {
		ms++
	}
	return ms
}

// locator collects what the gates have to say over all targets.
type locator struct {
	startMs, endMs int64
	noBase         []string
	noFinal        []string
	gaps           []string
	notes          []string
	// down are the targets that were never up.
	down []string
}

func (l *locator) span(s Series) (TargetSpan, bool) {
	span := TargetSpan{Labels: without(s.Labels)}
	who := span.Instance()
	if len(s.Points) == 0 {
		return span, false
	}
	interval := medianGap(s.Points)
	span.Interval = float64(interval) / 1000
	first, last := s.Points[0].T, s.Points[len(s.Points)-1].T
	if ago := l.startMs - last; interval > 0 && ago > interval+interval/2 {
		// Gone before the run. A target that went away just before it may have served some of it, so
		// that one stays and fails G2.
		if ago <= 3*interval {
			l.notes = append(l.notes, fmt.Sprintf("%s was last scraped %s before the start and is left out", who, seconds(ago)))
		}
		return span, false
	}
	if first > l.endMs {
		l.notes = append(l.notes, fmt.Sprintf("%s was first scraped %s after the end and is left out", who, seconds(first-l.endMs)))
		return span, false
	}
	inside := 0
	everUp := false
	var lastGoodBefore, lastGood int64 = -1, -1
	for _, p := range s.Points {
		everUp = everUp || (p.V == 1 && p.T > l.startMs-2*interval)
		if p.T > l.startMs && p.T < l.endMs {
			inside++
		}
		if p.V != 1 {
			continue
		}
		lastGood = p.T
		if p.T <= l.startMs {
			lastGoodBefore = p.T
		}
		if p.T >= l.endMs && span.Final == nil {
			t := time.UnixMilli(p.T).UTC()
			span.Final = &t
		}
	}
	if !everUp {
		l.down = append(l.down, who+" was down for the whole window")
		return span, false
	}
	circumstances := fmt.Sprintf("scrape interval %s, window %s, %s inside", intervalText(interval), seconds(l.endMs-l.startMs), count(inside, "sample"))
	switch {
	case lastGoodBefore < 0:
		l.noBase = append(l.noBase, fmt.Sprintf("%s: no successful scrape at or before the start (%s)", who, circumstances))
	case interval > 0 && l.startMs-lastGoodBefore > 2*interval:
		l.noBase = append(l.noBase, fmt.Sprintf("%s: the last successful scrape was %s before the start, more than two intervals (%s)", who, seconds(l.startMs-lastGoodBefore), circumstances))
	default:
		t := time.UnixMilli(lastGoodBefore).UTC()
		span.Base = &t
	}
	if span.Final == nil {
		l.noFinal = append(l.noFinal, fmt.Sprintf("%s: no successful scrape after the end, the last was %s before it (%s)", who, seconds(l.endMs-lastGood), circumstances))
	}
	switch {
	case span.complete():
		l.cover(&span, s.Points, interval)
	case span.Base != nil && lastGood > span.Base.UnixMilli():
		part, t := span, time.UnixMilli(lastGood).UTC()
		part.Final = &t
		l.cover(&part, s.Points, interval)
		span.soFar = &part
	}
	return span, true
}

// cover counts the scrapes from base to final.
func (l *locator) cover(span *TargetSpan, points []Point, interval int64) {
	base, final := span.Base.UnixMilli(), span.Final.UnixMilli()
	span.before = base - max(interval, 1)
	for _, p := range points {
		switch {
		case p.T < base:
			span.before = p.T
		case p.T > final:
		case p.V == 1:
			if n := len(span.times); n > 0 {
				span.MaxGap = max(span.MaxGap, float64(p.T-span.times[n-1])/1000)
			}
			span.times = append(span.times, p.T)
		default:
			span.Down++
		}
	}
	span.Seen = len(span.times)
	span.Expected = span.Seen
	if interval > 0 {
		span.Expected = max(span.Seen, int((final-base+interval/2)/interval)+1)
	}
	if span.Down > 0 || float64(span.Seen) < 0.9*float64(span.Expected) {
		l.gaps = append(l.gaps, fmt.Sprintf("%s: %d of %d scrapes, %d failed, longest gap %.3g s", span.Instance(), span.Seen, span.Expected, span.Down, span.MaxGap))
	}
}

func (l *locator) gates(spans []TargetSpan) []Gate {
	const waitNext = "Wait two scrape intervals between starting the app and starting the load, then run again."
	const holdNext = "Keep the app up until one scrape after the end has landed, then evaluate again."
	if len(spans) == 0 {
		detail, next := "no target was scraped around the run", "Check the profile's target.job and that the server scrapes it."
		if len(l.down) > 0 {
			detail, next = "no target was up around the run", "Keep the service up and reachable for the server from before the load until one scrape after it, and run again."
		}
		missing := gate(GateGaps, "", GateNotEvaluated, detail, "")
		if why := slices.Concat(l.down, l.notes); len(why) > 0 {
			detail += ": " + enumerate(why)
		}
		return []Gate{gate(GateBase, "", GateFailed, detail, next), gate(GateFinal, "", GateFailed, detail, next), missing}
	}
	base := gate(GateBase, "", GatePassed, fmt.Sprintf("%s with a scrape within two intervals before the start", count(len(spans), "target")), "")
	if len(l.noBase) > 0 {
		base = gate(GateBase, "", GateFailed, enumerate(l.noBase), waitNext)
	} else if notes := slices.Concat(l.down, l.notes); len(notes) > 0 {
		base.State, base.Detail = GateNoted, base.Detail+"; "+enumerate(notes)
	}
	final := gate(GateFinal, "", GatePassed, fmt.Sprintf("%s with a scrape at or after the end", count(len(spans), "target")), "")
	if len(l.noFinal) > 0 {
		final = gate(GateFinal, "", GateFailed, enumerate(l.noFinal), holdNext)
	}
	seen, expected := 0, 0
	for _, s := range spans {
		seen += s.Seen
		expected += s.Expected
	}
	gaps := gate(GateGaps, "", GatePassed, fmt.Sprintf("%d of %d scrapes", seen, expected), "")
	switch {
	case len(l.noBase) > 0 || len(l.noFinal) > 0:
		gaps.State, gaps.Detail = GateNotEvaluated, "base or final scrape missing"
	case len(l.gaps) > 0:
		gaps.State, gaps.Detail = GateFailed, enumerate(l.gaps)
		gaps.Next = "Look at the target's scrape errors and durations, then run again."
	case len(l.down) > 0:
		gaps.State, gaps.Detail = GateNoted, gaps.Detail+"; "+enumerate(l.down)+" and adds nothing"
	}
	return []Gate{base, final, gaps}
}

// settleGaps turns a failed G3 into a note when base, final, restart and count passed: then the
// missing scrapes lost nothing.
func settleGaps(gates []Gate) {
	for _, code := range []string{GateBase, GateFinal, GateRestart, GateCount} {
		if state := worst(gates, code); state != GatePassed && state != GateNoted {
			return
		}
	}
	for i := range gates {
		if gates[i].Code == GateGaps && gates[i].State == GateFailed {
			gates[i].State = GateNoted
			gates[i].Detail += "; nothing was lost, because the count reconciles"
			gates[i].Next = ""
		}
	}
}

// medianGap is the median time between neighbouring samples in milliseconds; 0 below two samples.
func medianGap(points []Point) int64 {
	if len(points) < 2 {
		return 0
	}
	gaps := make([]int64, 0, len(points)-1)
	for i := 1; i < len(points); i++ {
		gaps = append(gaps, points[i].T-points[i-1].T)
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

func seconds(ms int64) string { return fmt.Sprintf("%.3g s", float64(ms)/1000) }

func intervalText(ms int64) string {
	if ms == 0 {
		return "unknown"
	}
	return seconds(ms)
}

// count writes "1 sample", "2 samples".
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// enumerate joins the first three texts and counts the rest.
func enumerate(texts []string) string {
	const shown = 3
	if len(texts) <= shown {
		return strings.Join(texts, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(texts[:shown], "; "), len(texts)-shown)
}

// longestInterval is the longest of the targets' median scrape intervals.
func longestInterval(up []Series) time.Duration {
	var out int64
	for _, s := range up {
		out = max(out, medianGap(s.Points))
	}
	return time.Duration(out) * time.Millisecond
}

// until keeps the points at or before a moment.
func until(series []Series, end time.Time) []Series {
	out := make([]Series, 0, len(series))
	for _, s := range series {
		n, _ := slices.BinarySearchFunc(s.Points, end.UnixMilli()+1, func(p Point, t int64) int { return cmp.Compare(p.T, t) })
		if n > 0 {
			out = append(out, Series{Labels: s.Labels, Points: s.Points[:n]})
		}
	}
	return out
}
