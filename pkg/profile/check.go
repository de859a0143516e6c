package profile

import (
	"fmt"
	"strings"

	"github.com/prometheus/common/model"
)

// fault is a problem that does not know its file yet.
type fault struct {
	path    []any
	message string
}

// checker collects faults.
type checker struct{ faults []fault }

func (c *checker) add(path []any, format string, args ...any) {
	c.faults = append(c.faults, fault{path, fmt.Sprintf(format, args...)})
}

func at(path ...any) []any { return path }

// check finds every fault of a profile whose defaults are filled in.
func (p *Profile) check() []fault {
	c := &checker{}
	if strings.TrimSpace(p.Name) == "" {
		c.add(at("name"), "is missing: give the profile a short name such as checkout")
	}
	if strings.TrimSpace(p.Target.Job) == "" {
		c.add(at("target", "job"), "is missing: name the scrape job, as in up{job=\"...\"}; coverage is read from its up series")
	}
	if p.Request.Metric == "" {
		c.add(at("request", "metric"), "is missing: name the histogram of request durations, without _bucket")
	} else {
		c.histogram(at("request", "metric"), p.Request.Metric)
	}
	c.labelName(at("request", "route"), p.Request.Route)
	c.labelName(at("request", "code"), p.Request.Code)
	c.waits(p.Waits)
	if p.CPU != "" {
		c.counter(at("cpu"), p.CPU)
	}
	if p.Errors != "" {
		if m, err := parseMatchers(p.Errors); err != nil {
			c.add(at("errors"), "%v", err)
		} else if len(m) == 0 {
			c.add(at("errors"), "has no matcher: write one such as code!=\"200\"")
		}
	}
	for i, f := range p.Ignore {
		if strings.TrimSpace(f) == "" {
			c.add(at("ignore", i), "is empty: name a response field")
		}
	}
	if !(p.Quantile > 0 && p.Quantile < 1) {
		c.add(at("quantile"), "%v is not between 0 and 1: p95 is written 0.95, which is also what a profile without quantile asks for", p.Quantile)
	}
	if !(p.Tolerance.Percent >= 0 && p.Tolerance.Percent < 100) {
		c.add(at("tolerance", "percent"), "%v is not a percentage from 0 to 100", p.Tolerance.Percent)
	}
	if !(p.Tolerance.Milliseconds >= 0 && p.Tolerance.Milliseconds < 3.6e6) {
		c.add(at("tolerance", "milliseconds"), "%v is not a number of milliseconds from 0 to an hour", p.Tolerance.Milliseconds)
	}
	if p.Tolerance == (Tolerance{}) {
		c.add(at("tolerance"), "0 percent and 0 milliseconds are no tolerance: the replay's percentiles are whole milliseconds; give at least one of them, or leave tolerance out for %d percent and %d ms",
			DefaultTolerancePercent, DefaultToleranceMilliseconds)
	}
	c.extras(p.Extra)
	return c.faults
}

func (c *checker) waits(waits []Wait) {
	names, pools := map[string]int{}, map[string]int{}
	for i, w := range waits {
		switch first, again := names[w.Name]; {
		case strings.TrimSpace(w.Name) == "":
			c.add(at("waits", i, "name"), "is missing: say what is waited for, such as pricing connection")
		case again:
			c.add(at("waits", i, "name"), "%q is the name of waits[%d] too: names are unique", w.Name, first)
		default:
			names[w.Name] = i
		}
		if w.Metric == "" {
			c.add(at("waits", i, "metric"), "is missing: name the histogram of waiting times, without _bucket")
		} else {
			c.histogram(at("waits", i, "metric"), w.Metric)
		}
		if w.Pool != "" {
			if first, again := pools[w.Pool]; again {
				c.add(at("waits", i, "pool"), "%q is the pool of waits[%d] too: a pool has one wait", w.Pool, first)
			}
			pools[w.Pool] = i
		}
		if w.Hold.Kind == HoldHistogram {
			c.histogram(at("waits", i, "hold"), w.Hold.Metric)
		}
	}
}

func (c *checker) extras(extras []Extra) {
	names := map[string]int{}
	for i, e := range extras {
		switch first, again := names[e.Name]; {
		case strings.TrimSpace(e.Name) == "":
			c.add(at("extra", i, "name"), "is missing")
		case again:
			c.add(at("extra", i, "name"), "%q is the name of extra[%d] too: names are unique", e.Name, first)
		default:
			names[e.Name] = i
		}
		if strings.TrimSpace(e.PromQL) == "" {
			c.add(at("extra", i, "promql"), "is missing: write a query such as sum(increase(x_total[$window]))")
			continue
		}
		// Any whole number of seconds will do to see whether the text is PromQL.
		if _, err := newParser().ParseExpr(expand(e.PromQL, 60)); err != nil {
			c.add(at("extra", i, "promql"), "not valid PromQL (with $window as 60s): %v", err)
		}
	}
}

// histogram checks the name of a histogram without suffix.
func (c *checker) histogram(path []any, name string) {
	for _, suffix := range []string{"_bucket", "_count", "_sum"} {
		if base, found := strings.CutSuffix(name, suffix); found && base != "" {
			c.add(path, "%q is one series of a histogram: write %s, without %s", name, base, suffix)
			return
		}
	}
	if !model.LegacyValidation.IsValidMetricName(name) {
		c.add(path, "%q is not a metric name: labels go into matchers, and rates and ranges are added for you", name)
	}
}

func (c *checker) counter(path []any, s string) {
	vs, err := parseSelector(s)
	if err != nil {
		c.add(path, "%v", err)
		return
	}
	if !model.LegacyValidation.IsValidMetricName(vs.Name) {
		c.add(path, "%q is not a metric name", vs.Name)
	}
}

func (c *checker) labelName(path []any, name string) {
	if name != "" && !model.LegacyValidation.IsValidLabelName(name) {
		c.add(path, "%q is not a label name: give the name only, such as code", name)
	}
	if name == "le" {
		c.add(path, "the label le is the bucket's bound and cannot be used here")
	}
}
