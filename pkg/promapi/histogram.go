package promapi

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/stat"
)

// The kinds of histogram. Figures of different kinds are never mixed.
const (
	// KindClassic: one counter per bound, with the label le.
	KindClassic = "classic"
	// KindNative: native histograms, also those with custom buckets.
	KindNative = "native"
)

// HistogramDelta is the gain of one histogram over all its series and targets.
type HistogramDelta struct {
	// Metric is the name without suffix.
	Metric string
	// Kind is KindClassic or KindNative; empty when the histogram is absent.
	Kind string
	// State is StateOK, StateAbsent (no series around the run) or StateNoTraffic (nothing observed).
	State State
	// Buckets are the merged counts; nil unless State is StateOK and the layout allows them.
	Buckets *stat.Buckets
	// Count is the exact number of observations; nil when absent.
	Count *int64
	// Sum is the sum of all observations in the histogram's unit; nil when there is no sum series.
	Sum *float64
	// Children are the parts: one per target and label set.
	Children []HistogramChild

	// steps are the gains per scrape of each child, aligned with Buckets.
	steps []childSteps
}

// Mean is Sum / Count, or nil when one of them is missing or nothing was observed.
func (h HistogramDelta) Mean() *float64 {
	if h.Sum == nil || h.Count == nil || *h.Count == 0 {
		return nil
	}
	m := *h.Sum / float64(*h.Count)
	return &m
}

// HistogramChild is the part of one target and label set.
type HistogramChild struct {
	// Labels are those of the series without le.
	Labels map[string]string
	Count  int64
	// Sum is nil when the child has no sum series.
	Sum *float64
	// Born: first seen inside the window and counted from zero.
	Born bool
	// Resets is how often any of its series dropped.
	Resets int

	span int
}

// childSteps are the gains of one child per scrape of its span.
type childSteps struct {
	span  int
	count []float64
	sum   []float64
	// cumulative[i] are the gains at the i-th merged bound.
	cumulative [][]float64
}

// RawHistogram are the raw series of one histogram.
type RawHistogram struct {
	// Subject names it in gates: request, or a wait's name.
	Subject string
	Metric  string
	// Bucket, Count and Sum are the series of a classic histogram.
	Bucket, Count, Sum []Series
	// Native are the series of a native one. They are used only when Bucket is empty.
	Native []Series
}

// child collects the series of one target and label set.
type child struct {
	labels map[string]string
	span   int
	bounds map[float64]SeriesDelta
	texts  map[float64]string
	count  *SeriesDelta
	sum    *SeriesDelta
}

// Histogram takes the gain of a histogram over the spans and merges it over label sets and targets,
// on the bounds that every part has, which is exact for cumulative counts. The gates are G4 (restart,
// from counter resets) and G6 (layout).
func Histogram(raw RawHistogram, spans []TargetSpan) (HistogramDelta, []Gate) {
	out := HistogramDelta{Metric: raw.Metric, State: StateAbsent}
	b := &histogramBuilder{subject: raw.Subject, spans: spans, children: map[string]*child{}}
	switch {
	case len(raw.Bucket) > 0 || len(raw.Native) == 0:
		out.Kind = KindClassic
		b.add(raw.Bucket, raw.Count, raw.Sum)
	default:
		out.Kind = KindNative
		bucket, counts, sums := expandNative(raw.Native)
		b.add(bucket, counts, sums)
	}
	if len(b.children) == 0 {
		out.Kind = ""
		return out, []Gate{
			gate(GateRestart, raw.Subject, GateNotEvaluated, "no series of "+raw.Metric+" around the run", ""),
			gate(GateLayout, raw.Subject, GateNotEvaluated, "no series of "+raw.Metric+" around the run", ""),
		}
	}
	b.finish(&out)
	return out, []Gate{b.restartGate(), b.layoutGate()}
}

type histogramBuilder struct {
	subject  string
	spans    []TargetSpan
	children map[string]*child
	order    []string
	// faults make the layout gate fail; notes are remarks.
	faults, notes []string
	resets        []string
}

// at returns the child of a series, or nil when the series belongs to no complete span.
func (b *histogramBuilder) at(s Series) *child {
	i := spanFor(s, b.spans)
	if i < 0 || !b.spans[i].complete() {
		return nil
	}
	labels := without(s.Labels, "le")
	key := strconv.Itoa(i) + labelText(labels)
	c := b.children[key]
	if c == nil {
		c = &child{labels: labels, span: i, bounds: map[float64]SeriesDelta{}, texts: map[float64]string{}}
		b.children[key] = c
		b.order = append(b.order, key)
	}
	return c
}

func (b *histogramBuilder) add(bucket, counts, sums []Series) {
	for _, s := range bucket {
		c := b.at(s)
		if c == nil {
			continue
		}
		text := s.Labels["le"]
		bound, err := ParseBound(text)
		if err != nil {
			b.faults = append(b.faults, err.Error())
			continue
		}
		d := Delta(s, b.spans[c.span])
		if d.Samples == 0 && !d.NotFinite {
			continue
		}
		if first, twice := c.texts[bound]; twice {
			b.faults = append(b.faults, fmt.Sprintf("bound %s is written as le=%q and le=%q in one histogram", stat.FormatBound(bound), first, text))
			continue
		}
		c.texts[bound], c.bounds[bound] = text, d
	}
	for _, s := range counts {
		if c := b.at(s); c != nil {
			if d := Delta(s, b.spans[c.span]); d.Samples > 0 || d.NotFinite {
				c.count = &d
			}
		}
	}
	for _, s := range sums {
		if c := b.at(s); c != nil {
			if d := Delta(s, b.spans[c.span]); d.Samples > 0 || d.NotFinite {
				c.sum = &d
			}
		}
	}
	// A child whose series all ended before the run says nothing.
	for key, c := range b.children {
		if len(c.bounds) == 0 && c.count == nil && c.sum == nil {
			delete(b.children, key)
		}
	}
	b.order = slices.DeleteFunc(b.order, func(key string) bool { return b.children[key] == nil })
	sort.Strings(b.order)
}

// ParseBound reads the text of an le label as a number, so that 1 and 1.0 are one bound.
func ParseBound(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("bucket bound le=%q is not a number", text)
	}
	if math.IsNaN(f) {
		return 0, fmt.Errorf("bucket bound le=%q is not a number", text)
	}
	return f, nil
}

// finish merges the children.
func (b *histogramBuilder) finish(out *HistogramDelta) {
	var layouts [][]float64
	var total int64
	sum, haveSum := 0.0, true
	for _, key := range b.order {
		c := b.children[key]
		bounds := sortedBounds(c.bounds)
		if len(bounds) > 0 {
			layouts = append(layouts, bounds)
		}
		n := b.check(c, bounds)
		part := HistogramChild{Labels: c.labels, Count: n, span: c.span, Resets: b.countResets(c)}
		part.Born = (c.count != nil && c.count.Born) || (c.count == nil && c.bounds[math.Inf(1)].Born)
		if c.sum != nil && !c.sum.NotFinite {
			v := c.sum.Value
			part.Sum = &v
			sum += v
		} else if n > 0 {
			haveSum = false
		}
		total += n
		out.Children = append(out.Children, part)
	}
	out.Count = &total
	if haveSum {
		out.Sum = &sum
	}
	out.State = StateOK
	if total == 0 {
		out.State = StateNoTraffic
	}
	b.merge(out, stat.SharedBounds(layouts...), layouts)
}

// check finds faults of one child's layout and returns its number of observations.
func (b *histogramBuilder) check(c *child, bounds []float64) int64 {
	who := b.who(c)
	previous, previousBound := int64(0), 0.0
	for i, u := range bounds {
		d := c.bounds[u]
		n, whole := wholeNumber(d.Value)
		if d.NotFinite || !whole {
			b.faults = append(b.faults, fmt.Sprintf("%sthe count at le=%s is not a whole number", who, stat.FormatBound(u)))
			continue
		}
		if i > 0 && n < previous {
			b.faults = append(b.faults, who+(&stat.NotCumulativeError{From: previousBound, To: u, FromCount: previous, ToCount: n}).Error())
		}
		previous, previousBound = n, u
	}
	top, haveTop := c.bounds[math.Inf(1)]
	if len(bounds) > 0 && !haveTop {
		b.faults = append(b.faults, who+"the +Inf bucket is missing: an incomplete histogram has no quantiles")
	}
	if c.count == nil {
		n, _ := wholeNumber(top.Value)
		return n
	}
	if len(bounds) == 0 && c.count.Value > 0 {
		b.faults = append(b.faults, who+"there are no bucket series beside the count: quantiles are not known")
	}
	n, whole := wholeNumber(c.count.Value)
	if c.count.NotFinite || !whole {
		b.faults = append(b.faults, who+"the count series is not a whole number")
		return 0
	}
	if inf, ok := wholeNumber(top.Value); haveTop && ok && inf != n {
		b.faults = append(b.faults, fmt.Sprintf("%sthe +Inf bucket gained %d but the count series %d", who, inf, n))
	}
	return n
}

// who names a child in messages when there are several.
func (b *histogramBuilder) who(c *child) string {
	if len(b.children) < 2 {
		return ""
	}
	return labelText(c.labels) + ": "
}

// countResets adds up the drops of a child and notes when its series disagree.
func (b *histogramBuilder) countResets(c *child) int {
	total := 0
	var with, without []string
	note := func(name string, d SeriesDelta) {
		total += d.Resets
		if d.Resets > 0 {
			with = append(with, name)
		} else {
			without = append(without, name)
		}
	}
	for _, u := range sortedBounds(c.bounds) {
		note("le="+stat.FormatBound(u), c.bounds[u])
	}
	if c.count != nil {
		note("count", *c.count)
	}
	if c.sum != nil {
		note("sum", *c.sum)
	}
	switch {
	case total == 0:
	case len(without) == 0:
		b.resets = append(b.resets, b.who(c)+"every counter of the histogram was reset inside the window: the process restarted")
	default:
		b.resets = append(b.resets, fmt.Sprintf("%sreset inside the window: %s; not reset: %s; so the counts mix two processes",
			b.who(c), strings.Join(with, ", "), strings.Join(without, ", ")))
	}
	return total
}

// merge adds the children up on the shared bounds.
func (b *histogramBuilder) merge(out *HistogramDelta, shared []float64, layouts [][]float64) {
	for _, l := range layouts {
		if !slices.Equal(l, shared) {
			b.notes = append(b.notes, fmt.Sprintf("the series have different bounds; merged on the %d that all share", len(shared)))
			break
		}
	}
	if len(layouts) > 0 && len(b.notes) > 0 && len(shared) < 2 {
		b.faults = append(b.faults, "the series share no finite bound")
	}
	cumulative := make([]int64, len(shared))
	for _, key := range b.order {
		c := b.children[key]
		steps := childSteps{span: c.span}
		if c.count != nil {
			steps.count = c.count.Steps
		} else {
			steps.count = c.bounds[math.Inf(1)].Steps
		}
		if c.sum != nil {
			steps.sum = c.sum.Steps
		}
		for i, u := range shared {
			d, ok := c.bounds[u]
			if !ok {
				continue // a child without buckets; the layout gate has said so
			}
			n, _ := wholeNumber(d.Value)
			cumulative[i] += n
			steps.cumulative = append(steps.cumulative, d.Steps)
		}
		out.steps = append(out.steps, steps)
	}
	if len(shared) == 0 || len(b.faults) > 0 || out.State != StateOK {
		return
	}
	merged, err := stat.NewBuckets(shared, cumulative)
	if err != nil {
		b.faults = append(b.faults, err.Error())
		return
	}
	out.Buckets = &merged
}

func (b *histogramBuilder) restartGate() Gate {
	if len(b.resets) > 0 {
		return gate(GateRestart, b.subject, GateFailed, enumerate(b.resets), "Keep one process up for the whole run and run again.")
	}
	return gate(GateRestart, b.subject, GatePassed, "no counter was reset inside the window", "")
}

func (b *histogramBuilder) layoutGate() Gate {
	switch {
	case len(b.faults) > 0:
		return gate(GateLayout, b.subject, GateFailed, enumerate(b.faults), "Check how the service or its exporter writes this histogram.")
	case len(b.notes) > 0:
		return gate(GateLayout, b.subject, GateNoted, enumerate(b.notes), "Give every instance the same buckets.")
	}
	return gate(GateLayout, b.subject, GatePassed, "one layout, cumulative, +Inf equals the count", "")
}

func sortedBounds(m map[float64]SeriesDelta) []float64 {
	out := make([]float64, 0, len(m))
	for u := range m {
		out = append(out, u)
	}
	slices.Sort(out)
	return out
}
