// Package profile holds the questions for one service: which histogram is its request duration, which
// histograms are waits, which counter is its CPU time, which requests are errors, and what else to
// ask. It reads them from YAML and builds PromQL with the Prometheus parser's own types. It does not
// know how a query is sent.
package profile

import (
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// Profile is the questions for one service. Parse checks it; a Profile made by hand must be checked
// with Validate before use.
type Profile struct {
	// Name identifies the profile in settings, on the command line and in evidence.
	Name string `yaml:"name"`
	// Target is what Prometheus scrapes.
	Target Target `yaml:"target"`
	// Request is the histogram of request durations in seconds.
	Request Request `yaml:"request"`
	// Waits are histograms of seconds spent waiting for something: a pool, a lock, a queue.
	Waits []Wait `yaml:"waits"`
	// CPU is a counter of CPU seconds of the process, as a metric name or a selector. Empty: not known.
	CPU string `yaml:"cpu"`
	// Errors is the matcher text, such as code!="200", that makes a request of Request an error.
	// Empty: not known.
	Errors string `yaml:"errors"`
	// Ignore are response fields that the response comparison leaves out.
	Ignore []string `yaml:"ignore"`
	// Quantile is the level that is shown and compared, between 0 and 1; 0.95 where a file does not state it.
	Quantile float64 `yaml:"quantile"`
	// Tolerance is for the replay's own percentiles, which are whole milliseconds.
	Tolerance Tolerance `yaml:"tolerance"`
	// Extra are named queries of the service's own.
	Extra []Extra `yaml:"extra"`
}

// Target names what Prometheus scrapes. At least Job is needed: coverage is read from its up series.
type Target struct {
	Job string `yaml:"job"`
	// Instance narrows the target to one instance; empty means every instance of the job.
	Instance string `yaml:"instance"`
}

// Request is the histogram of request durations and the labels of it that matter.
type Request struct {
	// Metric is the histogram's name without _bucket, _count or _sum.
	Metric string `yaml:"metric"`
	// Matchers narrow the series, such as route="/api/quote".
	Matchers Matchers `yaml:"matchers"`
	// Route is the name of the label that holds the endpoint; empty when there is none.
	Route string `yaml:"route"`
	// Code is the name of the label that holds the status code; empty when there is none.
	Code string `yaml:"code"`
}

// Wait is one histogram of waiting time.
type Wait struct {
	// Name is shown to people.
	Name string `yaml:"name"`
	// Metric is the histogram's name without _bucket, _count or _sum.
	Metric string `yaml:"metric"`
	// Matchers narrow the series.
	Matchers Matchers `yaml:"matchers"`
	// Pool is the name under which a side states the pool's size; empty for a lock or a queue.
	Pool string `yaml:"pool"`
	// Hold says how long one acquisition holds the pool.
	Hold Hold `yaml:"hold"`
}

// HoldKind says where the holding time of a pool comes from.
type HoldKind string

// The kinds of holding time.
const (
	// HoldRemainder: mean request duration minus mean wait. An inferred upper bound.
	HoldRemainder HoldKind = "remainder"
	// HoldDeclared: a duration that a person stated.
	HoldDeclared HoldKind = "declared"
	// HoldHistogram: the mean of a histogram of holding times.
	HoldHistogram HoldKind = "histogram"
)

// Hold is how long one acquisition holds a pool. The zero value is the remainder.
type Hold struct {
	Kind HoldKind
	// Duration is set for HoldDeclared.
	Duration time.Duration
	// Metric is set for HoldHistogram: a histogram's name without suffix.
	Metric string
}

// Matchers are label matchers in the order in which they were written, so that the text of a query
// is the text that its author expects.
type Matchers []*labels.Matcher

// Tolerance is the move of a replay percentile below which nothing is said; both limits must be passed. Where a
// file does not state them they are 10 percent of the baseline's value and 2 milliseconds.
type Tolerance struct {
	Percent      float64 `yaml:"percent"`
	Milliseconds float64 `yaml:"milliseconds"`
}

// Extra is one named query. $window stands for the window as a range, such as 29s, and
// $window_seconds for its bare number.
type Extra struct {
	Name   string `yaml:"name"`
	Unit   string `yaml:"unit"`
	PromQL string `yaml:"promql"`
}

// The defaults of what a profile leaves out.
const (
	DefaultQuantile              = 0.95
	DefaultTolerancePercent      = 10
	DefaultToleranceMilliseconds = 2
)

// withDefaults fills in what was left out.
func (p *Profile) withDefaults() {
	if p.Quantile == 0 {
		p.Quantile = DefaultQuantile
	}
	if p.Tolerance == (Tolerance{}) {
		p.Tolerance = Tolerance{Percent: DefaultTolerancePercent, Milliseconds: DefaultToleranceMilliseconds}
	}
	p.holdDefaults()
}

// holdDefaults fills in the holding times that were left out.
func (p *Profile) holdDefaults() {
	for i := range p.Waits {
		if p.Waits[i].Hold.Kind == "" {
			p.Waits[i].Hold.Kind = HoldRemainder
		}
	}
}
