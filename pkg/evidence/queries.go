package evidence

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// newQuery starts one entry of queries[]. Ids are q1, q2 and so on in the order of asking: the guide's
// queries first, in the guide's order, so that an id means the same question in every side.
func (m *measurement) newQuery(name, promql string) Query {
	m.asked++
	w := m.side.Window
	return Query{ID: "q" + strconv.Itoa(m.asked), Name: name, PromQL: promql, Time: w.QueryEnd, RangeSeconds: float64(w.WindowSeconds),
		State: StateOK, Warnings: []string{}, Infos: []string{}, Attempts: 1}
}

// queries sends the guide's queries as they are, at query_end over window_seconds, both unchanged.
func (m *measurement) queries(ctx context.Context) error {
	w := m.side.Window
	asked, err := m.in.Profile.Queries(w.WindowSeconds)
	if err != nil {
		m.problem("", "unreadable", "the profile's queries could not be written: %v", err)
		return nil
	}
	count, err := m.in.Profile.RequestCount(w.WindowSeconds)
	if err != nil {
		m.problem("", "unreadable", "the query for the extrapolated count could not be written: %v", err)
	} else {
		// Behind the guide's own, before the profile's extras.
		at := slices.IndexFunc(asked, func(q profile.Query) bool { return q.Kind == profile.KindExtra })
		if at < 0 {
			at = len(asked)
		}
		asked = slices.Insert(asked, at, count)
	}
	answers, errs := make([]promapi.Answer, len(asked)), make([]error, len(asked))
	var group errgroup.Group
	group.SetLimit(promapi.DefaultConcurrency)
	for i, q := range asked {
		group.Go(func() error {
			answers[i], errs[i] = m.send(ctx, q)
			return nil
		})
	}
	_ = group.Wait() // each question keeps its own error, so that the others are still answered
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, q := range asked {
		m.side.Queries = append(m.side.Queries, m.take(q, answers[i], errs[i]))
	}
	return nil
}

// send asks one query. It changes nothing, so that several can be asked at once.
func (m *measurement) send(ctx context.Context, asked profile.Query) (promapi.Answer, error) {
	if asked.Kind == profile.KindErrors && m.totalAccounted() {
		// No series is the usual answer here, and the scrape that could bring one has landed.
		return m.in.Prometheus.Instant(ctx, asked.PromQL, m.side.Window.QueryEnd)
	}
	return m.in.Prometheus.InstantRetry(ctx, asked.PromQL, m.side.Window.QueryEnd)
}

// take takes one answer over: as an entry of queries[], and its figure beside the exact one.
func (m *measurement) take(asked profile.Query, a promapi.Answer, err error) Query {
	out := m.newQuery(asked.Name, asked.PromQL)
	out.State, out.Result, out.Attempts = State(a.State), a.Value, max(a.Attempts, 1)
	out.Series, out.Samples = int64(len(a.Samples)), int64(len(a.Samples))
	out.Warnings = append(out.Warnings, a.Warnings...)
	out.Infos = append(out.Infos, a.Infos...)
	if err != nil {
		out.Error = err.Error()
		if out.State == "" || out.State == StateOK {
			out.State = StateFailed
		}
	}
	if out.Result == nil {
		out.Reasons.set("result", answerReason(a, out.State))
	}
	if asked.Kind == profile.KindRequestQuantile && !a.Time.IsZero() && !a.Time.Equal(out.Time) {
		m.problem("", "note", "query_end has a finer time than a millisecond; the server was asked for %s", a.Time.Format("15:04:05.000"))
	}
	m.place(asked, a, out)
	m.fault(asked, out, err)
	return out
}

// fault holds one of the guide's queries that was not answered, or not for the time that was asked, against
// gate G7: the server's other answers are then no more to be trusted. Errors of the profile's own extras
// stay with the extra.
func (m *measurement) fault(asked profile.Query, q Query, err error) {
	g := promapi.Gate{Code: promapi.GateNotes, State: promapi.GateFailed, Next: nextStep(err)}
	count := m.side.Metrics.RequestDuration.Count
	switch {
	case asked.Kind == profile.KindExtra:
		return
	case q.Reasons["result"] == ReasonTimeMismatch:
		g.Detail = sentence("query %s (%s) was answered for another time than the one asked", q.ID, q.Name)
	case q.State == StateFailed || q.State == StateRefused || q.State == StateUnreachable:
		g.Detail = sentence("query %s (%s) failed: %s", q.ID, q.Name, reasonOr(q.Error, string(q.State)))
	case asked.Kind == profile.KindRequestQuantile && q.Result == nil && count != nil && *count > 0:
		// increase() knows nothing of a series that appears with its first value, so this alone is no fault.
		g.State, g.Next = promapi.GateNoted, ""
		g.Detail = sentence("query %s (%s) has no figure (%s), although the samples hold %s", q.ID, q.Name, q.Reasons["result"], plural(*count, "request", "requests"))
	default:
		return
	}
	m.faults = append(m.faults, g)
}

// answerReason says why an answer is no figure, as a stable code.
func answerReason(a promapi.Answer, state State) string {
	switch {
	case strings.HasPrefix(a.Reason, "several_series"):
		return ReasonSeveralSeries
	case a.Reason == ReasonTimeMismatch:
		return ReasonTimeMismatch
	case a.Reason == promapi.ReasonInfinite:
		return ReasonInfinite
	case state == StateOK:
		return ReasonUnknown
	}
	return reasonOf(state)
}

// place puts the figure of one of the guide's queries beside its exact counterpart.
func (m *measurement) place(asked profile.Query, a promapi.Answer, q Query) {
	mx := &m.side.Metrics
	reason := q.Reasons["result"]
	switch asked.Kind {
	case profile.KindRequestQuantile:
		placeQuantile(&mx.RequestDuration.P95Seconds, q, reason)
	case profile.KindWaitQuantile:
		for i := range mx.Waits {
			if mx.Waits[i].Name == asked.Subject {
				placeQuantile(&mx.Waits[i].P95Seconds, q, reason)
			}
		}
	case profile.KindCores:
		mx.CPU.QueryID = q.ID
		// One series per instance; the guide's figure is their sum.
		mx.CPU.AverageCores = q.Result
		if reason == ReasonSeveralSeries {
			mx.CPU.AverageCores = sumOf(a)
		}
		if mx.CPU.AverageCores == nil {
			mx.CPU.Reasons.set("averageCores", reason)
		}
	case profile.KindErrors:
		mx.Errors.QueryID, mx.Errors.PromQL = q.ID, q.Result
		if q.Result == nil {
			mx.Errors.Reasons.set("promql", reason)
		} else if mx.Errors.Count != nil && *mx.Errors.Count > 0 && *q.Result == 0 {
			mx.Errors.Note = strings.TrimPrefix(mx.Errors.Note+"; increase() shows 0 for them, because a series that appears with its first value has no increase", "; ")
		}
	case profile.KindRequestCount:
		mx.Reconciliation.QueryID, mx.Reconciliation.Extrapolated = q.ID, q.Result
		if q.Result == nil {
			mx.Reconciliation.Reasons.set("extrapolated", reason)
			mx.Reconciliation.Reasons.set("factor", reason)
		}
	case profile.KindExtra:
		for i := range mx.Extra {
			if e := &mx.Extra[i]; e.Name == asked.Subject {
				e.State, e.Value, e.QueryID = q.State, q.Result, q.ID
				if q.Result == nil {
					e.Reasons.set("value", reason)
				}
			}
		}
	}
}

func placeQuantile(p *Quantile, q Query, reason string) {
	p.QueryID = q.ID
	if p.Reasons["promql"] == ReasonUnitConflict {
		return // the answer stays with the query
	}
	p.PromQL = q.Result
	if q.Result == nil {
		p.Reasons.set("promql", reason)
	}
}

// sumOf adds up an answer with one finite value per series; nil when one of them is not.
func sumOf(a promapi.Answer) *float64 {
	total := 0.0
	for _, s := range a.Samples {
		if s.Value == nil {
			return nil
		}
		total += *s.Value
	}
	return finite(total)
}
