package plugin

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// Grafana's unit ids.
const (
	unitSeconds = "s"
	unitMillis  = "ms"
	unitRate    = "reqps"
	unitPercent = "percent"
	unitShare   = "percentunit"
	unitShort   = "short"
)

// column names a field for people and gives its unit.
func column(f *data.Field, display, unit string) *data.Field {
	f.Config = &data.FieldConfig{DisplayName: display, Unit: unit}
	return f
}

// collect makes a field of one value per row.
func collect[R any, V any](name, display, unit string, rows []R, get func(R) V) *data.Field {
	values := make([]V, len(rows))
	for n, r := range rows {
		values[n] = get(r)
	}
	return column(data.NewField(name, nil, values), display, unit)
}

func table(name string, fields ...*data.Field) *data.Frame {
	f := data.NewFrame(name, fields...)
	f.Meta = &data.FrameMeta{Type: data.FrameTypeTable, TypeVersion: data.FrameTypeVersion{0, 1}, PreferredVisualization: data.VisTypeTable}
	return f
}

func runsFrame(rows []sideRun) *data.Frame {
	type row = sideRun
	instant := func(get func(r row) *time.Time) func(row) *time.Time { return get }
	return table("runs",
		collect("side", "Side", "", rows, func(r row) string { return r.side.ID }),
		collect("label", "Label", "", rows, func(r row) string { return r.side.Label }),
		collect("run", "Run", "", rows, func(r row) string { return r.run.ID }),
		collect("kind", "Kind", "", rows, func(r row) string { return string(r.run.Kind) }),
		collect("start", "Start", "", rows, instant(func(r row) *time.Time {
			if r.run.Window == nil {
				return nil
			}
			return &r.run.Window.Start
		})),
		collect("end", "End", "", rows, instant(func(r row) *time.Time {
			if r.run.Window == nil {
				return nil
			}
			return &r.run.Window.End
		})),
		collect("windowSource", "Window known from", "", rows, func(r row) *string {
			if r.run.Window == nil {
				return nil
			}
			s := string(r.run.Window.Source)
			return &s
		}),
		collect("uncertainty", "Window uncertainty", unitSeconds, rows, func(r row) *float64 {
			if r.run.Window == nil {
				return nil
			}
			return &r.run.Window.Uncertainty
		}),
		collect("requests", "Requests", unitShort, rows, func(r row) *int64 { return r.run.Requests }),
		collect("failed", "Failed", unitShort, rows, func(r row) *int64 { return r.run.Failed }),
		collect("match", "Match", unitPercent, rows, func(r row) *float64 { return r.run.MatchPct }),
		collect("p95", "p95", unitMillis, rows, func(r row) *float64 { return r.run.P95Ms }),
		collect("throughput", "Throughput", unitRate, rows, func(r row) *float64 { return r.run.RequestsPerSecond }),
		collect("active", "Active time", unitSeconds, rows, func(r row) *float64 { return r.run.ActiveSeconds }),
		collect("harnessBound", "Harness was the limit", "", rows, func(r row) *bool { return r.run.HarnessBound }),
		collect("problems", "Problems", "", rows, func(r row) string {
			var words []string
			for _, p := range r.run.Problems {
				words = append(words, p.Message)
			}
			return strings.Join(words, "; ")
		}),
	)
}

// windowsFrame is an annotation frame: each run's window as a region.
func windowsFrame(rows []sideRun, q Query, tr backend.TimeRange) *data.Frame {
	var seen []sideRun
	for _, r := range rows {
		w := r.run.Window
		if w == nil || w.End.Before(tr.From) || w.Start.After(tr.To) {
			continue
		}
		if (q.Baseline != "" || q.Candidate != "") && r.side.ID != q.Baseline && r.side.ID != q.Candidate {
			continue
		}
		seen = append(seen, r)
	}
	role := func(r sideRun) string {
		switch r.side.ID {
		case q.Baseline:
			return "baseline"
		case q.Candidate:
			return "candidate"
		default:
			return r.side.Label
		}
	}
	f := table("windows",
		collect("time", "Start", "", seen, func(r sideRun) time.Time { return r.run.Window.Start }),
		collect("timeEnd", "End", "", seen, func(r sideRun) time.Time { return r.run.Window.End }),
		collect("title", "Title", "", seen, func(r sideRun) string { return role(r) + ": " + string(r.run.Kind) + " run" }),
		collect("text", "Text", "", seen, windowText),
		collect("tags", "Tags", "", seen, func(r sideRun) string { return role(r) + "," + string(r.run.Kind) }),
		collect("id", "Run", "", seen, func(r sideRun) string { return r.run.ID }),
	)
	// Grafana finds the parts of an annotation by their display names, which must stay the fields' own.
	for _, field := range f.Fields {
		field.Config = nil
	}
	return f
}

func windowText(r sideRun) string {
	words := []string{r.run.ID}
	if r.run.Requests != nil {
		words = append(words, evidence.FormatCount(*r.run.Requests)+" requests")
	}
	if r.run.P95Ms != nil {
		words = append(words, fmt.Sprintf("p95 %g ms", *r.run.P95Ms))
	}
	words = append(words, "window from "+string(r.run.Window.Source))
	return strings.Join(words, ", ")
}

// measure is one row of the measures of a side.
type measure struct {
	key, name, unit, text, state, query string
	value, lower, upper                 *float64
	// quantile is true for a measure with bounds.
	quantile bool
}

func measuresFrame(s *evidence.Side) *data.Frame {
	rows := measuresOf(s)
	f := table("measures",
		collect("key", "Key", "", rows, func(m measure) string { return m.key }),
		collect("measure", "Measure", "", rows, func(m measure) string { return m.name }),
		collect("value", "Value", unitShort, rows, func(m measure) *float64 { return m.value }),
		collect("lower", "Lower bound", unitShort, rows, func(m measure) *float64 { return m.lower }),
		collect("upper", "Upper bound", unitShort, rows, func(m measure) *float64 { return m.upper }),
		collect("unit", "Unit", "", rows, func(m measure) string { return m.unit }),
		collect("text", "As text", "", rows, func(m measure) string { return m.text }),
		collect("state", "State", "", rows, func(m measure) string { return m.state }),
		collect("promql", "PromQL", "", rows, func(m measure) string { return m.query }),
	)
	f.AppendNotices(gateNotices("", s)...)
	return f
}

func measuresOf(s *evidence.Side) []measure {
	promql := map[string]string{}
	for _, q := range s.Queries {
		promql[q.ID] = q.PromQL
	}
	state := func(v *float64, st evidence.State, why string) string {
		if v != nil || st == "" {
			return string(evidence.StateOK)
		}
		if st == evidence.StateOK && why != "" {
			return why
		}
		return string(st)
	}
	count := func(n *int64) *float64 {
		if n == nil {
			return nil
		}
		v := float64(*n)
		return &v
	}
	m := s.Metrics
	var rows []measure
	add := func(key, name, unit string, v *float64, st evidence.State, why string) {
		rows = append(rows, measure{key: key, name: name, unit: unit, value: v, state: state(v, st, why)})
	}
	if l := s.Load; l != nil {
		add("load.requests", "Load requests", "requests", count(l.Requests), evidence.StateOK, l.Reasons["requests"])
		add("load.failed", "Failed requests", "requests", count(l.Failed), evidence.StateOK, l.Reasons["failed"])
		add("load.p95", "Load p95 latency", unitMillis, l.P95Ms, evidence.StateOK, l.Reasons["p95Ms"])
		add("load.avg", "Load average latency", unitMillis, l.AvgMs, evidence.StateOK, l.Reasons["avgMs"])
		add("load.throughput", "Load throughput", "requests/s", l.RequestsPerSecond, evidence.StateOK, l.Reasons["requestsPerSecond"])
	}
	quantile := func(key, name string, h evidence.Histogram) {
		q := h.P95Seconds
		rows = append(rows, measure{key: key, name: name, unit: unitSeconds, value: q.PromQL, lower: q.Lower, upper: q.Upper, quantile: true,
			text: q.Text, state: state(q.Lower, h.State, q.Reasons["lower"]), query: promql[q.QueryID]})
	}
	quantile("request.quantile", "Request duration, quantile", m.RequestDuration)
	add("request.mean", "Request duration, mean", unitSeconds, m.RequestDuration.MeanSeconds, m.RequestDuration.State, m.RequestDuration.Reasons["meanSeconds"])
	for n, w := range m.Waits {
		wait := "wait" // a key stands for one measure, so further waits are numbered, as in the table of a comparison
		if n > 0 {
			wait += strconv.Itoa(n + 1)
		}
		quantile(wait+".quantile", "Wait, quantile: "+w.Name, w.Histogram)
		add(wait+".perRequest", "Wait per request: "+w.Name, unitSeconds, w.SecondsPerRequest, w.State, w.Reasons["secondsPerRequest"])
		add(wait+".share", "Wait share of the mean: "+w.Name, "ratio", w.Share, w.State, w.Reasons["share"])
	}
	add("cpu.perRequest", "CPU per request", unitSeconds, m.CPU.SecondsPerRequest, m.CPU.State, m.CPU.Reasons["secondsPerRequest"])
	add("cpu.averageCores", "Average cores over the window", "cores", m.CPU.AverageCores, m.CPU.State, m.CPU.Reasons["averageCores"])
	add("cpu.activeCores", "Cores over the active time", "cores", m.CPU.ActiveCores, m.CPU.State, m.CPU.Reasons["activeCores"])
	add("errors.count", "Errors counted by Prometheus", "requests", count(m.Errors.Count), m.Errors.State, m.Errors.Reasons["count"])
	add("reconciliation.seen", "Requests seen by Prometheus", "requests", count(m.Reconciliation.Seen), m.State, m.Reconciliation.Reasons["seen"])
	add("saturation.inFlight", "Requests in flight, mean", "requests", s.Saturation.InFlight, m.State, s.Saturation.Reasons["inFlight"])
	add("saturation.utilisation", "Utilisation of the busiest pool", "ratio", s.Saturation.Utilisation, m.State, s.Saturation.Reasons["utilisation"])
	return rows
}

func verdictFrame(c *compare.Comparison) *data.Frame {
	v := c.Verdict
	type answer struct {
		question string
		compare.Judgement
	}
	rows := []answer{{"behaviour", v.Behaviour}, {"speed", v.Speed.Judgement}, {"cause", v.Cause.Judgement}}
	f := table("verdict",
		collect("question", "Question", "", rows, func(a answer) string { return a.question }),
		collect("answer", "Answer", "", rows, func(a answer) string { return string(a.Answer) }),
		// Alert rules need numbers: 1 good, 0 nothing provable, -1 bad, absent when inconclusive.
		collect("score", "As a number", unitShort, rows, func(a answer) *float64 { return score(a.Answer) }),
		collect("headline", "In one sentence", "", rows, func(a answer) string { return a.Headline }),
		collect("basis", "Basis", "", rows, func(a answer) string { return a.Basis }),
		collect("next", "Next step", "", rows, func(a answer) string { return a.Next }),
	)
	f.AppendNotices(notices(c)...)
	return f
}

// score puts an answer on a scale for alert rules. Inconclusive is absent, not zero. A cause is neither good
// nor bad.
func score(a compare.Answer) *float64 {
	values := map[compare.Answer]float64{compare.Unchanged: 1, compare.Changed: -1, compare.Improved: 1, compare.Regressed: -1, compare.NoProvableChange: 0}
	if v, ok := values[a]; ok {
		return &v
	}
	return nil
}

func tableFrame(c *compare.Comparison) *data.Frame {
	rows := c.Table
	return table("evidence",
		collect("key", "Key", "", rows, func(r compare.Row) string { return r.Key }),
		collect("measure", "Measure", "", rows, func(r compare.Row) string { return r.Label }),
		collect("baseline", "Baseline", "", rows, func(r compare.Row) string { return r.Baseline.Text }),
		collect("candidate", "Candidate", "", rows, func(r compare.Row) string { return r.Candidate.Text }),
		collect("change", "Change", "", rows, func(r compare.Row) string { return r.Change }),
		collect("direction", "Direction", "", rows, func(r compare.Row) string { return r.Direction }),
		collect("bounds", "Bounds and source", "", rows, func(r compare.Row) string { return r.Bounds }),
		collect("baselineValue", "Baseline, number", unitShort, rows, func(r compare.Row) *float64 { return r.Baseline.Value }),
		collect("candidateValue", "Candidate, number", unitShort, rows, func(r compare.Row) *float64 { return r.Candidate.Value }),
		collect("unit", "Unit", "", rows, func(r compare.Row) string { return r.Baseline.Unit }),
	)
}

func endpointsFrame(c *compare.Comparison) *data.Frame {
	rows := c.Endpoints
	figure := func(side func(compare.EndpointChange) *evidence.Endpoint, get func(*evidence.Endpoint) *float64) func(compare.EndpointChange) *float64 {
		return func(e compare.EndpointChange) *float64 {
			if s := side(e); s != nil {
				return get(s)
			}
			return nil
		}
	}
	base := func(e compare.EndpointChange) *evidence.Endpoint { return e.Baseline }
	cand := func(e compare.EndpointChange) *evidence.Endpoint { return e.Candidate }
	requests := func(e *evidence.Endpoint) *float64 {
		if e.Requests == nil {
			return nil
		}
		v := float64(*e.Requests)
		return &v
	}
	avg := func(e *evidence.Endpoint) *float64 { return e.AvgMs }
	p95 := func(e *evidence.Endpoint) *float64 { return e.P95Ms }
	p99 := func(e *evidence.Endpoint) *float64 { return e.P99Ms }
	f := table("endpoints",
		collect("endpoint", "Endpoint", "", rows, func(e compare.EndpointChange) string { return e.Name }),
		collect("answer", "Answer", "", rows, func(e compare.EndpointChange) string { return string(e.Answer) }),
		collect("text", "In words", "", rows, func(e compare.EndpointChange) string { return e.Text }),
		collect("baselineRequests", "Requests, baseline", unitShort, rows, figure(base, requests)),
		collect("candidateRequests", "Requests, candidate", unitShort, rows, figure(cand, requests)),
		collect("baselineAvg", "Average, baseline", unitMillis, rows, figure(base, avg)),
		collect("candidateAvg", "Average, candidate", unitMillis, rows, figure(cand, avg)),
		collect("baselineP95", "p95, baseline", unitMillis, rows, figure(base, p95)),
		collect("candidateP95", "p95, candidate", unitMillis, rows, figure(cand, p95)),
		collect("baselineP99", "p99, baseline", unitMillis, rows, figure(base, p99)),
		collect("candidateP99", "p99, candidate", unitMillis, rows, figure(cand, p99)),
		collect("share", "Share of the requests", unitShare, rows, figure(cand, func(e *evidence.Endpoint) *float64 { return e.Share })),
		collect("moved", "Moved per request", unitSeconds, rows, func(e compare.EndpointChange) *float64 { return e.MovedSecondsPerRequest }),
	)
	f.AppendNotices(data.Notice{Severity: data.NoticeSeverityInfo, Text: "Latencies are the replay's own, in whole milliseconds: 1 ms means at most 1 ms."})
	return f
}

func differencesFrame(c *compare.Comparison) *data.Frame {
	rows := c.Responses.Differences
	f := table("differences",
		collect("endpoint", "Endpoint", "", rows, func(d compare.ResponseDifference) string { return d.Endpoint }),
		collect("field", "Field", "", rows, func(d compare.ResponseDifference) string { return d.Field }),
		collect("kind", "Kind", "", rows, func(d compare.ResponseDifference) string { return d.Kind }),
		collect("baseline", "Baseline", "", rows, func(d compare.ResponseDifference) string { return d.Baseline }),
		collect("candidate", "Candidate", "", rows, func(d compare.ResponseDifference) string { return d.Candidate }),
		collect("count", "Responses", unitShort, rows, func(d compare.ResponseDifference) int64 { return d.Count }),
		collect("refUuid", "Recorded pair", "", rows, func(d compare.ResponseDifference) string { return d.RefUUID }),
	)
	if c.Responses.Text != "" {
		f.AppendNotices(data.Notice{Severity: data.NoticeSeverityInfo, Text: c.Responses.Text})
	}
	return f
}

func statementsFrame(c *compare.Comparison) *data.Frame {
	var rows []compare.StatementChange
	if c.Statements != nil {
		rows = c.Statements.Changes
	}
	f := table("statements",
		collect("endpoint", "Endpoint", "", rows, func(s compare.StatementChange) string { return s.Endpoint }),
		collect("statement", "Statement", "", rows, func(s compare.StatementChange) string { return s.SQL }),
		collect("state", "In", "", rows, func(s compare.StatementChange) string { return s.State }),
		collect("baseline", "Executions, baseline", unitShort, rows, func(s compare.StatementChange) *int64 { return s.Baseline }),
		collect("candidate", "Executions, candidate", unitShort, rows, func(s compare.StatementChange) *int64 { return s.Candidate }),
		collect("perCallBaseline", "Per call, baseline", unitShort, rows, func(s compare.StatementChange) *float64 { return s.PerCallBaseline }),
		collect("perCallCandidate", "Per call, candidate", unitShort, rows, func(s compare.StatementChange) *float64 { return s.PerCallCandidate }),
		collect("moved", "Moved per call", unitSeconds, rows, func(s compare.StatementChange) *float64 { return s.MovedSecondsPerCall }),
		collect("text", "In words", "", rows, func(s compare.StatementChange) string { return s.Text }),
	)
	switch {
	case c.Statements == nil:
		f.AppendNotices(data.Notice{Severity: data.NoticeSeverityInfo, Text: "Neither side holds a recording with SQL statements."})
	case c.Statements.Text != "":
		f.AppendNotices(data.Notice{Severity: data.NoticeSeverityInfo, Text: c.Statements.Text})
	}
	return f
}
