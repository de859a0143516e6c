package promapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// ExactRequest asks for the exact figures of one run.
type ExactRequest struct {
	// Selectors are the profile's raw series.
	Selectors profile.Selectors
	// Quantile is the level to bound, such as 0.95.
	Quantile float64
	// Start and End are the real start and end of the run, not the padded query window.
	Start, End time.Time
	// Uncertainty widens the run on both sides when its times were inferred.
	Uncertainty time.Duration
	// Expected is how many requests the replay sent; nil when not known, and G5 is not evaluated.
	Expected *int64
	// Known is other traffic on the same service that may lie in the scrape step before the run, such
	// as the functional replay. A surplus that equals one of them, or all, is explained.
	Known []KnownTraffic
	// Kind asks for KindClassic or KindNative; empty prefers classic and takes native when there is
	// no classic histogram.
	Kind string
}

// KnownTraffic is traffic beside the run that the caller knows of.
type KnownTraffic struct {
	Name     string
	Requests int64
}

// Sent is one query that was sent, complete enough to repeat it by hand.
type Sent struct {
	// Name says what was asked: up, request buckets, cpu.
	Name   string    `json:"name"`
	PromQL string    `json:"promql"`
	Time   time.Time `json:"time"`
	// RangeSeconds is the length of the raw range.
	RangeSeconds float64  `json:"rangeSeconds"`
	Series       int      `json:"series"`
	Samples      int      `json:"samples"`
	State        State    `json:"state"`
	Warnings     []string `json:"warnings"`
}

// Coverage says which scrapes carry the figures.
type Coverage struct {
	// Seen and Expected are good scrapes over all targets from base to final.
	Seen     int `json:"seen"`
	Expected int `json:"expected"`
	// Interval is the median gap in seconds, nil when not known.
	Interval *float64 `json:"interval"`
	MaxGap   float64  `json:"maxGap"`
	// Clock is nil when the server's clock could not be read.
	Clock *Clock `json:"clock"`
}

// Exact is what raw samples prove about one run.
type Exact struct {
	// State is StateOK when base and final scrapes are there for every target. Otherwise Message says
	// what is missing and Next what would settle it.
	State   State
	Message string
	Next    string
	Start   time.Time
	End     time.Time

	Spans    []TargetSpan
	Coverage Coverage
	Request  HistogramDelta
	// Quantile is nil when the buckets do not tell; the gates and Request.State say why.
	Quantile *stat.Quantile
	Waits    []ExactWait
	// CPU are CPU seconds gained, over all targets.
	CPU Counter
	// ByCode and ByRoute are requests per value of the profile's labels; nil without a label.
	ByCode  map[string]int64
	ByRoute map[string]HistogramDelta
	// SeenSoFar is the number of requests up to the last scrape when no target has a final scrape yet:
	// a lower limit that says how much is missing. Nil otherwise.
	SeenSoFar *int64
	// Errors are the requests that match the profile's error matchers. It is nil when the profile has
	// none, when the histogram is absent, or when its count could not be read. It is 0 only in the
	// sense of "no error among Request.Count"; G5 says whether that count is complete.
	Errors *int64
	// BornErrors are the labels of error series that were first seen inside the window.
	BornErrors []map[string]string
	// PerTarget are the requests of each span, in the order of Spans.
	PerTarget []TargetCount
	Steps     []Step
	Gates     []Gate
	// Warnings are the server's warnings and infos of every query, each once.
	Warnings []string
	Queries  []Sent
	// Samples is how many raw samples were read.
	Samples int
}

// ExactWait is one wait of the profile.
type ExactWait struct {
	Wait profile.Wait
	HistogramDelta
	Quantile *stat.Quantile
	// Hold is the histogram of holding times, when the profile names one.
	Hold *HistogramDelta
}

// TargetCount is one target's part of the requests.
type TargetCount struct {
	Labels   map[string]string
	Requests int64
	// Restarted: a counter was reset or the process start changed inside the window.
	Restarted bool
}

// upReach is how far beyond the run the up series is read at first: enough for two intervals of any
// common scrape configuration.
const upReach = 5 * time.Minute

// Measure reads the raw samples around a run and takes exact figures from them, as described in the
// package's exact method: per target from the last good scrape at or before the start to the first
// good one at or after the end. A server that cannot be asked is an error; a run that the scrapes do
// not cover is an Exact with failed gates.
func (c *Client) Measure(ctx context.Context, req ExactRequest) (*Exact, error) {
	if !req.End.After(req.Start) {
		return nil, fmt.Errorf("a run from %s to %s has no length", req.Start.Format(time.RFC3339Nano), req.End.Format(time.RFC3339Nano))
	}
	m := &measurement{client: c, req: req, out: &Exact{State: StateOK, Start: req.Start.UTC(), End: req.End.UTC()}}
	m.start, m.end = req.Start.Add(-req.Uncertainty), req.End.Add(req.Uncertainty)
	if clock, err := c.ServerTime(ctx); err == nil {
		m.out.Coverage.Clock = &clock
	}
	ok, err := m.locate(ctx)
	if err != nil {
		return nil, err
	}
	if ok {
		if err := m.fetch(ctx); err != nil {
			return nil, err
		}
		m.compute()
	} else if err := m.explainMissing(ctx); err != nil {
		return nil, err
	}
	m.finish()
	return m.out, nil
}

// measurement is one run of Measure.
type measurement struct {
	client     *Client
	req        ExactRequest
	start, end time.Time
	out        *Exact
	// widened is the server's clock minus ours when that moved the edges; 0 otherwise.
	widened time.Duration
	// readEnd and readLength are the raw range of every query after the first.
	readEnd    time.Time
	readLength time.Duration

	mu  sync.Mutex
	raw map[string][]Series
}

// read sends one raw query and keeps its series under a name.
func (m *measurement) read(ctx context.Context, name, selector string, end time.Time, length time.Duration) error {
	series, warnings, err := m.client.Raw(ctx, selector, end, length)
	if errors.Is(err, ErrMixedKinds) {
		// The server changed its way of storing this histogram: the figures that need it are missing,
		// and G7 says why. Other figures stand.
		warnings, err = append(warnings, name+": "+ErrMixedKinds.Error()), nil
	}
	sent := Sent{
		Name: name, PromQL: RawQuery(selector, length), Time: end.Truncate(time.Millisecond).UTC(), RangeSeconds: length.Truncate(time.Millisecond).Seconds(),
		Series: len(series), Samples: samplesOf(series), State: StateOK, Warnings: append([]string{}, warnings...),
	}
	if err == nil && len(series) == 0 {
		sent.State = StateAbsent
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		sent.State = StateFailed
		var q *QueryError
		if errors.As(err, &q) {
			sent.State = q.State
		}
	}
	m.out.Queries = append(m.out.Queries, sent)
	if err != nil {
		return fmt.Errorf("reading the raw samples of %s: %w", name, err)
	}
	if m.raw == nil {
		m.raw = map[string][]Series{}
	}
	m.raw[name] = series
	m.out.Samples += sent.Samples
	for _, w := range warnings {
		if !slices.Contains(m.out.Warnings, w) {
			m.out.Warnings = append(m.out.Warnings, w)
		}
	}
	return nil
}

// locate reads the up series, finds the spans and sets the range of the other queries. It returns
// false when no target covers any of the run, so that there is nothing to read.
func (m *measurement) locate(ctx context.Context) (bool, error) {
	length := m.end.Sub(m.start) + 2*upReach
	if err := m.read(ctx, "up", m.req.Selectors.Up, m.end.Add(upReach), length); err != nil {
		return false, err
	}
	up := m.raw["up"]
	interval := longestInterval(up)
	if clock := m.out.Coverage.Clock; clock != nil && interval > 0 {
		// A clock that is off by more than half an interval could put the base scrape inside the run.
		if skew := time.Duration(clock.Skew * float64(time.Second)); skew.Abs() > interval/2+time.Duration(clock.Uncertainty*float64(time.Second)) {
			m.start, m.end = m.start.Add(-skew.Abs()), m.end.Add(skew.Abs())
			m.widened = skew
		}
	}
	if interval == 0 {
		interval = time.Minute
	}
	pad := 2*interval + time.Second
	m.readEnd = m.end.Add(pad)
	m.readLength = m.end.Sub(m.start) + 2*pad
	// Scrapes long before the run are kept, so that a base scrape that is too old is named with its age.
	spans, gates := Locate(until(up, m.readEnd), m.start, m.end)
	m.out.Spans, m.out.Gates = spans, gates
	m.noteClock()
	return slices.ContainsFunc(spans, TargetSpan.complete), nil
}

// fetch reads every raw series of the profile with bounded concurrency.
func (m *measurement) fetch(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(m.client.cfg.Concurrency)
	one := func(name, selector string) {
		g.Go(func() error { return m.read(ctx, name, selector, m.readEnd, m.readLength) })
	}
	histogram := func(name string, s profile.HistogramSelectors) {
		if m.req.Kind != KindNative {
			one(name+" buckets", s.Bucket)
			one(name+" count", s.Count)
			one(name+" sum", s.Sum)
		}
		if m.req.Kind != KindClassic {
			one(name+" native", s.Native)
		}
	}
	histogram("request", m.req.Selectors.Request)
	for i, w := range m.req.Selectors.Waits {
		histogram(waitName(i), w.HistogramSelectors)
		if w.Hold != nil {
			histogram(holdName(i), *w.Hold)
		}
	}
	if m.req.Selectors.CPU != "" {
		one("cpu", m.req.Selectors.CPU)
	}
	one("process start", m.req.Selectors.ProcessStart)
	err := g.Wait()
	// The queries ran at once; their order in the evidence does not depend on who was first.
	slices.SortStableFunc(m.out.Queries[1:], func(a, b Sent) int { return cmp.Compare(a.Name, b.Name) })
	return err
}

func waitName(i int) string { return fmt.Sprintf("wait %d", i+1) }
func holdName(i int) string { return fmt.Sprintf("hold %d", i+1) }

// histogram takes the gain of one histogram that was read under a name.
func (m *measurement) histogram(name, subject, metric string) (HistogramDelta, []Gate) {
	return Histogram(RawHistogram{
		Subject: subject, Metric: metric,
		Bucket: m.raw[name+" buckets"], Count: m.raw[name+" count"], Sum: m.raw[name+" sum"],
		Native: onlyNative(m.raw[name+" native"]),
	}, m.out.Spans)
}

// onlyNative leaves out plain counters that happen to have the histogram's bare name.
func onlyNative(series []Series) []Series {
	return slices.DeleteFunc(slices.Clone(series), func(s Series) bool { return len(s.Histograms) == 0 })
}
