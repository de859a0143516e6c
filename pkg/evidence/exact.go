package evidence

import (
	"errors"
	"math"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// takeExact takes over what raw samples prove: counts are whole numbers, sums and shares are exact.
func (m *measurement) takeExact(x *promapi.Exact) {
	mx := &m.side.Metrics
	mx.State, mx.Message, mx.Next = State(x.State), x.Message, x.Next
	takeHistogram(&mx.RequestDuration, &mx.RequestDuration.Reasons, x.Request, x.Quantile, mx.State)
	active := m.activeSeconds()
	for i := range mx.Waits {
		if i >= len(x.Waits) {
			mx.Waits[i].State = worseState(mx.State)
			continue
		}
		m.takeWait(&mx.Waits[i], x.Waits[i], i, active)
	}
	m.takeCPU(x, active)
	m.checkUnits()
	if seen, want := mx.RequestDuration.Count, m.expected.count; seen != nil && want != nil && *seen < *want {
		m.explained = m.unmeasured(*want - *seen)
	}
	m.takeErrors(x)
	m.takeCoverage(x)
	for _, s := range x.Steps {
		mx.Elapsed = append(mx.Elapsed, m.elapsed(s))
	}
}

// worseState is the state of a part that was not measured because the whole was not.
func worseState(s State) State {
	if s == StateOK || s == StateNoTraffic {
		return StateAbsent
	}
	return s
}

// takeHistogram takes over one histogram. Its reasons are passed apart, because a wait shares them.
func takeHistogram(h *Histogram, reasons *Reasons, d promapi.HistogramDelta, q *stat.Quantile, whole State) {
	h.State = State(d.State)
	if d.State == "" {
		h.State = worseState(whole)
		return
	}
	h.Count, h.SumSeconds, h.MeanSeconds = d.Count, d.Sum, d.Mean()
	if h.State == StateOK && h.SumSeconds == nil {
		reasons.set("sumSeconds", ReasonAbsentSeries)
		reasons.set("meanSeconds", ReasonAbsentSeries)
	}
	if d.Buckets != nil {
		h.Buckets = bucketsOf(*d.Buckets)
	}
	takeQuantile(&h.P95Seconds, q, h.State)
}

func bucketsOf(b stat.Buckets) []Bucket {
	total := b.Total()
	out := make([]Bucket, 0, len(b.Upper))
	lower := 0.0
	for i, n := range b.Cells() {
		bucket := Bucket{Lower: lower, Upper: finite(b.Upper[i]), Count: n}
		if total > 0 {
			bucket.Share = float64(n) / float64(total)
		}
		if bucket.Upper == nil {
			bucket.Reasons.set("upper", ReasonOpenBucket)
		} else {
			lower = *bucket.Upper
		}
		out = append(out, bucket)
	}
	return out
}

// takeQuantile takes over the bounds of a quantile and its order-statistic interval, in words as well.
func takeQuantile(out *Quantile, q *stat.Quantile, state State) {
	if q == nil {
		code := ReasonLayout
		if state != StateOK {
			code = reasonOf(state)
		}
		out.Text, out.CIText = "unknown", "unknown"
		if state == StateNoTraffic {
			out.Text, out.CIText = "no observations", "no observations"
		}
		for _, field := range []string{"lower", "upper", "ciLower", "ciUpper"} {
			out.Reasons.set(field, code)
		}
		return
	}
	out.Lower, out.Upper = q.Sample.LowerPtr(), q.Sample.UpperPtr()
	if out.Lower == nil {
		out.Reasons.set("lower", ReasonUnknown)
	}
	if out.Upper == nil {
		out.Reasons.set("upper", ReasonOpenBucket)
	}
	out.Text = FormatRange(out.Lower, out.Upper)
	if q.Interval == nil {
		out.CIText = sentence("none from %s (needs %s)", plural(q.N, "observation", "observations"), FormatCount(q.Needed))
		out.Reasons.set("ciLower", ReasonTooFewRequests)
		out.Reasons.set("ciUpper", ReasonTooFewRequests)
		return
	}
	out.CILower, out.CIUpper = q.Interval.LowerPtr(), q.Interval.UpperPtr()
	if out.CILower == nil {
		out.Reasons.set("ciLower", ReasonUnknown)
	}
	if out.CIUpper == nil {
		out.Reasons.set("ciUpper", ReasonOpenBucket)
	}
	out.CIText = FormatRange(out.CILower, out.CIUpper)
}

// activeSeconds is how long requests were in flight, by the replay's own figures of the measured run.
func (m *measurement) activeSeconds() *float64 {
	if m.side.Load != nil {
		return m.side.Load.ActiveSeconds
	}
	if m.functional != nil {
		if active, ok := m.functional.Result.ActiveSeconds(); ok {
			return finite(active)
		}
	}
	return nil
}

func (m *measurement) takeWait(w *Wait, x promapi.ExactWait, index int, active *float64) {
	mx := &m.side.Metrics
	takeHistogram(&w.Histogram, &w.Reasons, x.HistogramDelta, x.Quantile, mx.State)
	if x.Hold != nil {
		m.takeHold(w.Name, *x.Hold)
	}
	if w.SumSeconds == nil {
		return
	}
	if total := mx.RequestDuration.SumSeconds; total != nil && *total > 0 {
		w.Share = finite(*w.SumSeconds / *total)
		w.ShareError = m.shareError(index)
		if w.ShareError == nil {
			w.Reasons.set("shareError", ReasonFewBatches)
		}
	}
	if n := mx.RequestDuration.Count; n != nil && *n > 0 {
		w.SecondsPerRequest = finite(*w.SumSeconds / float64(*n))
		if w.Count != nil {
			w.PerRequest = finite(float64(*w.Count) / float64(*n))
		}
	}
	if active != nil && *active > 0 {
		w.MeanWaiting = finite(*w.SumSeconds / *active)
	} else {
		w.Reasons.set("meanWaiting", ReasonNotReported)
	}
	if w.Count != nil && *w.Count == 0 {
		w.Reasons.set("meanSeconds", ReasonNoObservations)
	}
}

// takeHold takes over the mean holding time of a pool, unless its sum contradicts its own buckets.
func (m *measurement) takeHold(wait string, d promapi.HistogramDelta) {
	var h Histogram
	takeHistogram(&h, &h.Reasons, d, nil, m.side.Metrics.State)
	if h.outsideBuckets() {
		m.problem("", "conflict", "%s: its mean of %s lies outside its own buckets: sum and buckets are not in one unit (milliseconds exported as seconds?)", d.Metric, FormatDuration(*h.MeanSeconds))
		return
	}
	m.holds[wait] = h.MeanSeconds
}

// shareError is the standard error of a wait's share from one batch per scrape (ratio estimator).
func (m *measurement) shareError(index int) *float64 {
	r, err := promapi.Ratio(m.exact.Steps, func(s promapi.Step) float64 {
		if index < len(s.Waits) {
			return s.Waits[index].Sum
		}
		return 0
	}, func(s promapi.Step) float64 { return s.Sum })
	if err != nil || r.StdErr == nil {
		return nil
	}
	return finite(*r.StdErr)
}

func (m *measurement) takeCPU(x *promapi.Exact, active *float64) {
	mx := &m.side.Metrics
	c := &mx.CPU
	switch {
	case m.in.Profile.CPU == "":
		c.State = StateNotConfigured
		return
	case x.CPU.State == "":
		c.State = worseState(mx.State)
		return
	}
	c.State = State(x.CPU.State)
	if c.State != StateOK {
		return
	}
	c.DeltaSeconds = finite(x.CPU.Value)
	if n := mx.RequestDuration.Count; n != nil && *n > 0 {
		c.SecondsPerRequest = finite(x.CPU.Value / float64(*n))
	}
	if active != nil && *active > 0 {
		c.ActiveCores = finite(x.CPU.Value / *active)
	} else {
		c.Reasons.set("activeCores", ReasonNotReported)
	}
	if total := mx.RequestDuration.SumSeconds; total != nil && *total > 0 {
		c.Share = finite(x.CPU.Value / *total)
	}
}

// takeErrors states 0 errors only when the total is accounted for: without it, an error series that was
// lost with a scrape looks the same.
func (m *measurement) takeErrors(x *promapi.Exact) {
	mx := &m.side.Metrics
	e := &mx.Errors
	if x.ByCode != nil {
		e.ByCode = x.ByCode
	}
	if m.in.Profile.Errors == "" {
		e.State = StateNotConfigured
		return
	}
	e.State = mx.RequestDuration.State
	if x.Errors == nil {
		return
	}
	if *x.Errors == 0 && !m.totalAccounted() {
		e.State = StateInsufficient
		e.Note = "no error was seen, but the total does not reconcile, so this is no proof of none"
		e.Reasons.set("count", ReasonTotalNotAccounted)
		e.Reasons.set("upperRate", ReasonTotalNotAccounted)
		return
	}
	e.State, e.Count = StateOK, x.Errors
	n := mx.RequestDuration.Count
	if n == nil || *n == 0 {
		e.Reasons.set("upperRate", ReasonNoObservations)
	} else if upper, err := upperRate(*e.Count, *n); err == nil {
		e.UpperRate = finite(upper)
	}
	if len(x.BornErrors) > 0 {
		e.Note = sentence("%s first seen inside the window, counted from zero", plural(int64(len(x.BornErrors)), "error series was", "error series were"))
	} else if *e.Count == 0 {
		e.Note = "no error series grew in this window, and the total is accounted for"
	}
}

// upperRate is the 95 % upper limit of the true error rate: the rule of three at 0, Wilson's score
// interval above.
func upperRate(errs, total int64) (float64, error) {
	if errs == 0 {
		return stat.ZeroEventsUpper(total, stat.DefaultAlpha)
	}
	if errs > total {
		return 0, errors.New("more errors than requests")
	}
	interval, err := stat.Wilson(errs, total, stat.DefaultAlpha)
	return interval.High, err
}

// totalAccounted says whether gate G5 holds: every request that the replay sent was seen.
func (m *measurement) totalAccounted() bool {
	if m.explained != "" {
		return true
	}
	for _, g := range m.exact.Gates {
		if g.Code == promapi.GateCount {
			return g.State == promapi.GatePassed || g.State == promapi.GateNoted
		}
	}
	return false
}

func (m *measurement) takeCoverage(x *promapi.Exact) {
	c := &m.side.Metrics.Coverage
	c.ScrapesSeen, c.ScrapesExpected = int64(x.Coverage.Seen), int64(x.Coverage.Expected)
	c.IntervalSeconds = x.Coverage.Interval
	if x.Coverage.Clock != nil {
		c.ClockSkewSeconds = finite(x.Coverage.Clock.Skew)
	} else {
		c.Reasons.set("clockSkewSeconds", ReasonNotReported)
	}
	for i, span := range x.Spans {
		t := Target{Instance: span.Instance(), Base: span.Base, Final: span.Final, Scrapes: int64(span.Seen)}
		if i < len(x.PerTarget) && span.Base != nil && span.Final != nil {
			t.Restarted = x.PerTarget[i].Restarted
			if x.Request.Count != nil {
				t.Requests = ptr(x.PerTarget[i].Requests)
			}
		}
		explain(&t, &t.Reasons, ReasonInsufficient)
		c.Targets = append(c.Targets, t)
	}
}

// noWaitSum says why the waits of a step cannot be added up; empty when all of their sums are known. Steps hold
// zeros for a histogram that is not there.
func (m *measurement) noWaitSum() string {
	waits := m.side.Metrics.Waits
	for i := range waits {
		if w := &waits[i]; w.SumSeconds == nil {
			return reasonOr(w.Reasons["sumSeconds"], reasonOf(w.State))
		}
	}
	if len(waits) == 0 {
		return ReasonNotInProfile
	}
	return ""
}

// elapsed turns one scrape step into figures over elapsed time.
func (m *measurement) elapsed(s promapi.Step) ElapsedPoint {
	e := ElapsedPoint{Seconds: s.End, StepSeconds: s.End - s.Start}
	if e.StepSeconds > 0 {
		e.RequestsPerSecond = finite(float64(s.Count) / e.StepSeconds)
		if code := m.noWaitSum(); code != "" {
			e.Reasons.set("waiting", code)
		} else {
			waiting := 0.0
			for _, w := range s.Waits {
				waiting += w.Sum
			}
			e.Waiting = finite(waiting / e.StepSeconds)
		}
		if s.CPU != nil {
			e.Cores = finite(*s.CPU / e.StepSeconds)
		} else {
			e.Reasons.set("cores", ReasonAbsentSeries)
		}
	}
	switch d := &m.side.Metrics.RequestDuration; {
	case d.SumSeconds == nil:
		e.Reasons.set("meanSeconds", reasonOr(d.Reasons["sumSeconds"], reasonOf(d.State)))
	case s.Count > 0:
		e.MeanSeconds = finite(s.Sum / float64(s.Count))
	}
	if s.Buckets != nil {
		if q, err := s.Buckets.Quantile(m.quantile(), stat.DefaultAlpha); err == nil {
			e.P95Lower, e.P95Upper = q.Sample.LowerPtr(), q.Sample.UpperPtr()
			if math.IsInf(q.Sample.Upper, 1) {
				e.Reasons.set("p95Upper", ReasonOpenBucket)
			}
		}
	}
	explain(&e, &e.Reasons, ReasonNoObservations)
	return e
}
