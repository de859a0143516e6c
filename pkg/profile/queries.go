package profile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// Kind says what a query asks.
type Kind string

// The kinds of query.
const (
	KindRequestQuantile Kind = "request_quantile"
	KindWaitQuantile    Kind = "wait_quantile"
	KindCores           Kind = "cores"
	KindErrors          Kind = "errors"
	KindRequestCount    Kind = "request_count"
	KindExtra           Kind = "extra"
)

// Query is one instant query, complete, to be evaluated at the end of the window.
type Query struct {
	Kind Kind
	// Name is for people: "p95 request duration".
	Name string
	// Subject is the wait's or the extra's name; empty otherwise.
	Subject string
	// Unit of the answer: seconds, cores, requests, or the extra's own.
	Unit string
	// PromQL is the text to send.
	PromQL string
	// Anchored is the same question with the anchored modifier, which does not extrapolate; for
	// servers whose feature list has promql.anchored. Empty when the query has no such form.
	Anchored string
	// Native is the same question for a native histogram (no _bucket, no le); empty when it has none.
	Native string
}

// Queries returns the questions of the guide for a window of whole seconds, in this order: request
// quantile, wait quantiles, average cores, errors, then the extras. A part that the profile does not
// know is left out.
func (p *Profile) Queries(windowSeconds int64) ([]Query, error) {
	b := queryBuilder{seconds: windowSeconds}
	b.quantile(KindRequestQuantile, p.quantileName("request duration"), "", p.Quantile, p.Request.Metric, p.Request.Matchers)
	for _, w := range p.Waits {
		b.quantile(KindWaitQuantile, p.quantileName("wait for "+w.Name), w.Name, p.Quantile, w.Metric, w.Matchers)
	}
	if p.CPU != "" {
		vs, err := parseSelector(p.CPU)
		if err != nil {
			return nil, fmt.Errorf("cpu: %w", err)
		}
		cpu := selector(vs.Name, withoutName(vs.LabelMatchers)...)
		b.increase(KindCores, "average cores", "cores", func(m parser.Expr) parser.Expr {
			return divide(call("increase", m), number(float64(windowSeconds)))
		}, cpu)
	}
	if p.Errors != "" {
		extra, err := parseMatchers(p.Errors)
		if err != nil {
			return nil, fmt.Errorf("errors: %w", err)
		}
		count := selector(p.Request.Metric+"_count", slices.Concat(p.Request.Matchers, extra)...)
		b.increase(KindErrors, "errors", "requests", func(m parser.Expr) parser.Expr {
			return sum(call("increase", m))
		}, count)
	}
	for _, e := range p.Extra {
		b.out = append(b.out, Query{Kind: KindExtra, Name: e.Name, Subject: e.Name, Unit: e.Unit, PromQL: expand(e.PromQL, windowSeconds)})
	}
	return b.done()
}

// ByRoute returns the request quantile and the request count per value of the route label. It fails
// when the profile has no route label.
func (p *Profile) ByRoute(windowSeconds int64) ([]Query, error) {
	if p.Request.Route == "" {
		return nil, errors.New("the profile names no route label: set request.route to ask per endpoint")
	}
	b := queryBuilder{seconds: windowSeconds}
	b.quantile(KindRequestQuantile, p.quantileName("request duration by "+p.Request.Route), "", p.Quantile,
		p.Request.Metric, p.Request.Matchers, p.Request.Route)
	count := selector(p.Request.Metric+"_count", p.Request.Matchers...)
	b.increase(KindRequestCount, "requests by "+p.Request.Route, "requests", func(m parser.Expr) parser.Expr {
		return sum(call("increase", m), p.Request.Route)
	}, count)
	return b.done()
}

// RequestCount returns the extrapolated number of requests, for showing increase() beside the exact
// count with its factor.
func (p *Profile) RequestCount(windowSeconds int64) (Query, error) {
	b := queryBuilder{seconds: windowSeconds}
	b.increase(KindRequestCount, "requests", "requests", func(m parser.Expr) parser.Expr {
		return sum(call("increase", m))
	}, selector(p.Request.Metric+"_count", p.Request.Matchers...))
	out, err := b.done()
	if err != nil {
		return Query{}, err
	}
	return out[0], nil
}

// quantileName writes "p95 <what>", also for levels such as 99.9.
func (p *Profile) quantileName(what string) string {
	return "p" + strconv.FormatFloat(p.Quantile*100, 'g', 6, 64) + " " + what
}

// queryBuilder collects queries and the first error.
type queryBuilder struct {
	seconds int64
	out     []Query
	err     error
}

func (b *queryBuilder) done() ([]Query, error) {
	if b.seconds < 1 {
		return nil, fmt.Errorf("a window of %d s cannot be asked for: PromQL ranges start at 1 s", b.seconds)
	}
	return b.out, b.err
}

func (b *queryBuilder) print(expr parser.Expr) string {
	if b.err != nil {
		return ""
	}
	var s string
	s, b.err = text(expr)
	return s
}

func (b *queryBuilder) quantile(kind Kind, name, subject string, q float64, metric string, matchers Matchers, by ...string) {
	form := func(metric string, anchored, native bool) parser.Expr {
		grouping := slices.Clone(by)
		if !native {
			grouping = append([]string{"le"}, by...)
		}
		return call("histogram_quantile", number(q),
			sum(call("increase", over(selector(metric, matchers...), b.seconds, anchored)), grouping...))
	}
	b.out = append(b.out, Query{
		Kind: kind, Name: name, Subject: subject, Unit: "seconds",
		PromQL:   b.print(form(metric+"_bucket", false, false)),
		Anchored: b.print(form(metric+"_bucket", true, false)),
		Native:   b.print(form(metric, false, true)),
	})
}

func (b *queryBuilder) increase(kind Kind, name, unit string, form func(parser.Expr) parser.Expr, vs *parser.VectorSelector) {
	b.out = append(b.out, Query{
		Kind: kind, Name: name, Unit: unit,
		PromQL:   b.print(form(over(vs, b.seconds, false))),
		Anchored: b.print(form(over(vs, b.seconds, true))),
	})
}

// expand fills in the window of an extra query.
func expand(promql string, seconds int64) string {
	n := strconv.FormatInt(seconds, 10)
	return strings.NewReplacer("$window_seconds", n, "$window", n+"s").Replace(promql)
}

func withoutName(ms []*labels.Matcher) []*labels.Matcher {
	return slices.DeleteFunc(slices.Clone(ms), func(m *labels.Matcher) bool { return m.Name == model.MetricNameLabel })
}

// HistogramSelectors are the raw series of one histogram.
type HistogramSelectors struct {
	// Metric is the name without suffix.
	Metric string
	// Bucket, Count and Sum select the series of a classic histogram.
	Bucket, Count, Sum string
	// Native selects the series of a native histogram, or of one with custom buckets.
	Native string
}

// WaitSelectors are the raw series of one wait and of its holding time.
type WaitSelectors struct {
	Wait Wait
	HistogramSelectors
	// Hold is set when the holding time is a histogram.
	Hold *HistogramSelectors
}

// Selectors are all raw series of a profile, narrowed to its target.
type Selectors struct {
	// Up is the target's up series.
	Up string
	// ProcessStart is the target's process_start_time_seconds, which not every process exports.
	ProcessStart string
	Request      HistogramSelectors
	Waits        []WaitSelectors
	// CPU is empty when the profile has none.
	CPU string
	// RouteLabel and CodeLabel are the profile's label names; empty when it has none.
	RouteLabel, CodeLabel string
	// ErrorMatchers make a request an error; nil when the profile does not say.
	ErrorMatchers Matchers
}

// Selectors returns the raw series of the profile. Target labels are added to every selector, so
// that other jobs with the same metric are not counted.
func (p *Profile) Selectors() (Selectors, error) {
	target := Matchers{}
	if p.Target.Job != "" {
		target = append(target, parser.MustLabelMatcher(labels.MatchEqual, "job", p.Target.Job))
	}
	if p.Target.Instance != "" {
		target = append(target, parser.MustLabelMatcher(labels.MatchEqual, "instance", p.Target.Instance))
	}
	var firstErr error
	show := func(metric string, matchers ...*labels.Matcher) string {
		s, err := text(selector(metric, slices.Concat(target, matchers)...))
		if err != nil && firstErr == nil {
			firstErr = err
		}
		return s
	}
	histogram := func(metric string, matchers Matchers) HistogramSelectors {
		return HistogramSelectors{
			Metric: metric,
			Bucket: show(metric+"_bucket", matchers...),
			Count:  show(metric+"_count", matchers...),
			Sum:    show(metric+"_sum", matchers...),
			Native: show(metric, matchers...),
		}
	}
	out := Selectors{
		Up:           show("up"),
		ProcessStart: show("process_start_time_seconds"),
		Request:      histogram(p.Request.Metric, p.Request.Matchers),
		RouteLabel:   p.Request.Route,
		CodeLabel:    p.Request.Code,
	}
	for _, w := range p.Waits {
		ws := WaitSelectors{Wait: w, HistogramSelectors: histogram(w.Metric, w.Matchers)}
		if w.Hold.Kind == HoldHistogram {
			h := histogram(w.Hold.Metric, nil)
			ws.Hold = &h
		}
		out.Waits = append(out.Waits, ws)
	}
	if p.CPU != "" {
		vs, err := parseSelector(p.CPU)
		if err != nil {
			return Selectors{}, fmt.Errorf("cpu: %w", err)
		}
		out.CPU = show(vs.Name, withoutName(vs.LabelMatchers)...)
	}
	if p.Errors != "" {
		m, err := parseMatchers(p.Errors)
		if err != nil {
			return Selectors{}, fmt.Errorf("errors: %w", err)
		}
		out.ErrorMatchers = m
	}
	return out, firstErr
}
