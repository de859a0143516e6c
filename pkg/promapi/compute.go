package promapi

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/replaylab/replay-evidence/pkg/stat"
)

// compute takes all figures from the raw series.
func (m *measurement) compute() {
	out, sel := m.out, m.req.Selectors
	var gates []Gate
	out.Request, gates = m.histogram("request", "request", sel.Request.Metric)
	out.Gates = append(out.Gates, gates...)
	out.Quantile = m.quantile(out.Request)
	var waits []HistogramDelta
	for i, w := range sel.Waits {
		wait := ExactWait{Wait: w.Wait}
		wait.HistogramDelta, gates = m.histogram(waitName(i), w.Wait.Name, w.Metric)
		out.Gates = append(out.Gates, gates...)
		wait.Quantile = m.quantile(wait.HistogramDelta)
		if w.Hold != nil {
			hold, holdGates := m.histogram(holdName(i), w.Wait.Name+" hold", w.Hold.Metric)
			wait.Hold = &hold
			out.Gates = append(out.Gates, holdGates...)
		}
		out.Waits = append(out.Waits, wait)
		waits = append(waits, wait.HistogramDelta)
	}
	out.CPU = SumDeltas(m.raw["cpu"], out.Spans)
	m.split()
	m.restarts()
	out.Gates = append(out.Gates, m.countGate())
	out.Steps = newStepper(out.Spans, m.req.Start.UnixMilli()).steps(out.Request, waits, out.CPU)
}

func (m *measurement) quantile(h HistogramDelta) *stat.Quantile {
	if h.Buckets == nil {
		return nil
	}
	q, err := h.Buckets.Quantile(m.req.Quantile, stat.DefaultAlpha)
	if err != nil {
		return nil // no observations, which the histogram's state says
	}
	return &q
}

// split counts requests per code, route and target, and the errors.
func (m *measurement) split() {
	out, sel := m.out, m.req.Selectors
	out.PerTarget = make([]TargetCount, len(out.Spans))
	for i, span := range out.Spans {
		out.PerTarget[i].Labels = span.Labels
	}
	if sel.CodeLabel != "" {
		out.ByCode = map[string]int64{}
	}
	if sel.ErrorMatchers != nil && out.Request.Count != nil {
		out.Errors = new(int64)
	}
	for _, part := range out.Request.Children {
		out.PerTarget[part.span].Requests += part.Count
		out.PerTarget[part.span].Restarted = out.PerTarget[part.span].Restarted || part.Resets > 0
		if sel.CodeLabel != "" && part.Count > 0 {
			out.ByCode[part.Labels[sel.CodeLabel]] += part.Count
		}
		if out.Errors != nil && part.Count > 0 && sel.ErrorMatchers.Match(part.Labels) {
			*out.Errors += part.Count
			if part.Born {
				out.BornErrors = append(out.BornErrors, part.Labels)
			}
		}
	}
	if sel.RouteLabel != "" && out.Request.State != StateAbsent {
		out.ByRoute = map[string]HistogramDelta{}
		for route, raw := range m.byRoute(sel.RouteLabel) {
			h, _ := Histogram(raw, out.Spans)
			if h.State == StateOK {
				out.ByRoute[route] = h
			}
		}
	}
}

// byRoute groups the raw series of the request histogram by a label.
func (m *measurement) byRoute(label string) map[string]RawHistogram {
	out := map[string]RawHistogram{}
	group := func(name string, add func(*RawHistogram, Series)) {
		for _, s := range m.raw["request "+name] {
			h := out[s.Labels[label]]
			h.Metric = m.req.Selectors.Request.Metric
			add(&h, s)
			out[s.Labels[label]] = h
		}
	}
	group("buckets", func(h *RawHistogram, s Series) { h.Bucket = append(h.Bucket, s) })
	group("count", func(h *RawHistogram, s Series) { h.Count = append(h.Count, s) })
	group("sum", func(h *RawHistogram, s Series) { h.Sum = append(h.Sum, s) })
	group("native", func(h *RawHistogram, s Series) {
		if len(s.Histograms) > 0 {
			h.Native = append(h.Native, s)
		}
	})
	return out
}

// restarts looks for a restart in the process start time and in the CPU counter, which see what the
// histogram's own counters may hide: a process that restarted and soon counted past the old value.
func (m *measurement) restarts() {
	var found []string
	starts := m.raw["process start"]
	for _, s := range starts {
		i := spanFor(s, m.out.Spans)
		if i < 0 || !m.out.Spans[i].complete() {
			continue
		}
		span := m.out.Spans[i]
		var values []float64
		for _, p := range s.Points {
			if p.T > span.before && p.T <= span.Final.UnixMilli() && !slices.Contains(values, p.V) {
				values = append(values, p.V)
			}
		}
		if len(values) > 1 {
			found = append(found, fmt.Sprintf("%s: the process start time changed inside the window", span.Instance()))
			m.out.PerTarget[i].Restarted = true
		}
	}
	for _, part := range m.out.CPU.Series {
		if part.Resets > 0 {
			found = append(found, m.out.Spans[part.span].Instance()+": the CPU counter was reset inside the window")
			m.out.PerTarget[part.span].Restarted = true
		}
	}
	switch {
	case len(found) > 0:
		m.out.Gates = append(m.out.Gates, gate(GateRestart, "process", GateFailed, enumerate(found), "Keep one process up for the whole run and run again."))
	case len(starts) == 0:
		m.out.Gates = append(m.out.Gates, gate(GateRestart, "process", GateNoted,
			"the target exports no process_start_time_seconds, so a restart shows only in its counters", ""))
	default:
		m.out.Gates = append(m.out.Gates, gate(GateRestart, "process", GatePassed, "one process for the whole window", ""))
	}
}

// printer groups digits: 1,200.
func printer() *message.Printer { return message.NewPrinter(language.BritishEnglish) }

// countGate is G5: the exact count against the replay's own.
func (m *measurement) countGate() Gate {
	out := m.out
	if out.Request.Count == nil {
		return gate(GateCount, "", GateNotEvaluated, "no request histogram around the run", "Check request.metric and request.matchers of the profile.")
	}
	seen := *out.Request.Count
	if m.req.Expected == nil {
		return gate(GateCount, "", GateNotEvaluated, printer().Sprintf("Prometheus saw %d requests; the replay's own count is not known", seen), "")
	}
	expected := *m.req.Expected
	text := printer().Sprintf("Prometheus saw %d of %d requests", seen, expected)
	switch {
	case seen == expected:
		return gate(GateCount, "", GatePassed, text, "")
	case seen > expected:
		return m.surplus(text, seen-expected, expected)
	}
	detail := printer().Sprintf("%s: %d are missing", text, expected-seen)
	next := "Requests that never reached the service, or series outside the profile's matchers, look like this too: check the matchers, and that the target is the only one the replay called."
	if slices.Contains(Failed(out.Gates), GateFinal) || slices.Contains(Failed(out.Gates), GateGaps) {
		detail += "; scrapes are missing as well, which loses requests"
		next = "Keep the app up until one scrape after the end has landed, and run again."
	}
	if slices.Contains(Failed(out.Gates), GateRestart) {
		detail += "; the process restarted, which loses what it counted since its last scrape"
	}
	return gate(GateCount, "", GateFailed, detail, next)
}

// soFarGate is G5 while the final scrape is missing: the count is a lower limit.
func (m *measurement) soFarGate(seen int64) Gate {
	const next = "Wait for the scrape after the end and evaluate again."
	if m.req.Expected == nil {
		return gate(GateCount, "", GateNotEvaluated, printer().Sprintf("Prometheus saw %d requests up to its last scrape", seen), next)
	}
	return gate(GateCount, "", GateFailed, printer().Sprintf("Prometheus saw %d of %d requests up to its last scrape", seen, *m.req.Expected), next)
}

// surplus words a count that is larger than the replay's.
func (m *measurement) surplus(text string, extra, expected int64) Gate {
	var all int64
	var names []string
	for _, k := range m.req.Known {
		all += k.Requests
		names = append(names, k.Name)
		if k.Requests == extra {
			return gate(GateCount, "", GateNoted, printer().Sprintf("%s: the surplus of %d is that of the %s, which fell into the same scrape step", text, extra, k.Name), "")
		}
	}
	if all == extra && len(names) > 0 {
		return gate(GateCount, "", GateNoted, printer().Sprintf("%s: the surplus of %d is that of %s, which fell into the same scrape step", text, extra, strings.Join(names, " and ")), "")
	}
	detail := printer().Sprintf("%s: %d requests more than the replay sent, so there was foreign traffic", text, extra)
	next := "Make the replay the only client, rest two scrape intervals before it, and run again."
	if expected > 0 && (extra+expected)%expected == 0 {
		detail = printer().Sprintf("%s: exactly %d times as many, as %[2]d copies of every series would give", text, (extra+expected)/expected)
		next = "Look for replicas of the server whose series are not deduplicated, or for a second scrape job of the same target."
	}
	return gate(GateCount, "", GateFailed, detail, next)
}

// breaking are the texts of warnings that make figures untrustworthy. They are matched in lower case.
var breaking = []string{
	"monotonicity", "mix of", "mixed", "mixes", "partial", "truncated", "due to limit",
	"incompatible", "bucket label", "missing the \"le\"",
}

// Breaking says whether a warning or info of a server makes figures untrustworthy: repaired
// monotonicity, mixed kinds, partial or truncated results.
func Breaking(warning string) bool {
	w := strings.ToLower(warning)
	return slices.ContainsFunc(breaking, func(b string) bool { return strings.Contains(w, b) })
}

// finish sets coverage, the remaining gates and the state.
func (m *measurement) finish() {
	out := m.out
	for _, s := range out.Spans {
		out.Coverage.Seen += s.Seen
		out.Coverage.Expected += s.Expected
		out.Coverage.MaxGap = math.Max(out.Coverage.MaxGap, s.MaxGap)
		if s.Interval > 0 && (out.Coverage.Interval == nil || s.Interval > *out.Coverage.Interval) {
			interval := s.Interval
			out.Coverage.Interval = &interval
		}
	}
	notes := gate(GateNotes, "", GatePassed, "the server sent no warnings", "")
	if len(out.Warnings) > 0 {
		notes.State, notes.Detail = GateNoted, enumerate(out.Warnings)
		if slices.ContainsFunc(out.Warnings, Breaking) {
			notes.State, notes.Next = GateFailed, "The answer is not whole or was repaired: see the warning, then evaluate again."
		}
	}
	out.Gates = append(out.Gates, notes)
	settleGaps(out.Gates)
	slices.SortStableFunc(out.Gates, func(a, b Gate) int { return strings.Compare(a.Code, b.Code) })
	if out.State == StateOK {
		m.settleState()
	}
	if out.SeenSoFar != nil {
		for _, g := range out.Gates {
			if g.Code == GateCount {
				out.Message += "; " + g.Detail
			}
		}
	}
}

// settleState says what is missing although the server could be asked.
func (m *measurement) settleState() {
	out := m.out
	for _, g := range out.Gates {
		if g.State == GateFailed && (g.Code == GateBase || g.Code == GateFinal) {
			out.State, out.Message, out.Next = StateInsufficient, g.Detail, g.Next
			return
		}
	}
	if out.Request.State == StateAbsent || out.Request.State == StateNoTraffic {
		out.State = out.Request.State
		out.Message = "no observations of " + m.req.Selectors.Request.Metric + " in this window"
		out.Next = "Check that the replay called this service, and the profile's matchers."
		if out.State == StateAbsent {
			out.Message = "no series of " + m.req.Selectors.Request.Metric + " around the run"
			out.Next = "Check request.metric and request.matchers of the profile."
		}
	}
}
