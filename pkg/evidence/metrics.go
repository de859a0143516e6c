package evidence

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// metrics asks the server about exactly the side's window, fills Metrics and keeps every question.
func (m *measurement) metrics(ctx context.Context) error {
	mx := &m.side.Metrics
	m.emptyMetrics()
	switch {
	case m.in.Prometheus == nil:
		m.without(StateNotConfigured, ReasonNotConfigured, "no Prometheus is configured", "Name a Prometheus-compatible server to see what the service did in this window.")
	case m.in.Profile.Request.Metric == "":
		m.without(StateNotConfigured, ReasonNotConfigured, "no profile says what to ask the server", "Name a profile: the request histogram, the waits, the CPU counter and what an error is.")
	case m.load == nil && (m.functional != nil || len(m.recordings) > 0):
		text := "there is no load run, so nothing was measured under load"
		if m.unfinished != "" {
			text += ": " + m.unfinished
		}
		m.without(StateInsufficient, ReasonNoRun, text, "Repeat the load run of this side.")
	case m.side.Window == nil:
		m.without(StateInsufficient, ReasonNoWindow, "the side has no window, so nothing can be asked", "Keep the window.json that is written beside the summary, or the replayed pairs.")
	default:
		mx.Server = m.in.Prometheus.Address()
		if err := m.ask(ctx); err != nil {
			return err
		}
	}
	if m.side.Frozen {
		return nil
	}
	m.breakdown()
	m.settle()
	m.nameRest()
	return nil
}

// emptyMetrics names everything that is asked for, so that what stays unanswered is still listed.
func (m *measurement) emptyMetrics() {
	p := &m.in.Profile
	mx := &m.side.Metrics
	*mx = Metrics{Waits: []Wait{}, Elapsed: []ElapsedPoint{}, Extra: []Extra{}}
	mx.RequestDuration = Histogram{Metric: p.Request.Metric, Buckets: []Bucket{}, P95Seconds: Quantile{Q: m.quantile()}}
	for _, w := range p.Waits {
		mx.Waits = append(mx.Waits, Wait{Name: w.Name, Pool: w.Pool,
			Histogram: Histogram{Metric: w.Metric, Buckets: []Bucket{}, P95Seconds: Quantile{Q: m.quantile()}}})
	}
	for _, e := range p.Extra {
		mx.Extra = append(mx.Extra, Extra{Name: e.Name, Unit: e.Unit})
	}
	mx.Errors.ByCode = map[string]int64{}
	mx.Breakdown.Parts = []Part{}
	mx.Coverage.Targets = []Target{}
	m.holds = map[string]*float64{}
}

func (m *measurement) quantile() float64 {
	if q := m.in.Profile.Quantile; q > 0 && q < 1 {
		return q
	}
	return profile.DefaultQuantile
}

// without sets one state for everything that the server was to answer.
func (m *measurement) without(state State, reason, message, next string) {
	mx := &m.side.Metrics
	mx.State, mx.Message, mx.Next = state, message, next
	m.missing = reason
	mx.RequestDuration.State, mx.CPU.State, mx.Errors.State = state, state, state
	for i := range mx.Waits {
		mx.Waits[i].State = state
	}
	for i := range mx.Extra {
		mx.Extra[i].State = state
	}
	if m.in.Profile.CPU == "" {
		mx.CPU.State = StateNotConfigured
	}
	if m.in.Profile.Errors == "" {
		mx.Errors.State = StateNotConfigured
	}
	mx.Breakdown.State = state
}

// ask waits for the final scrape, takes the exact figures and sends the guide's queries.
func (m *measurement) ask(ctx context.Context) error {
	selectors, err := m.in.Profile.Selectors()
	if err != nil {
		m.without(StateFailed, ReasonQueryFailed, "the profile's selectors are not valid: "+err.Error(), "Correct the profile.")
		return nil //nolint:nilerr // a profile that cannot be asked is a state of the metrics
	}
	m.awaitFinalScrape(ctx, selectors.Up)
	w := m.side.Window
	exact, err := m.in.Prometheus.Measure(ctx, promapi.ExactRequest{
		Selectors: selectors, Quantile: m.quantile(), Start: w.Start, End: w.End,
		Uncertainty: time.Duration(w.Uncertainty * float64(time.Second)),
		Expected:    m.expected.count, Known: m.expected.known,
	})
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		m.failed(err)
		return nil
	}
	m.doubtWindow(exact)
	m.exact = exact
	switch exact.State {
	case promapi.StateFuture:
		m.without(StateFuture, ReasonFuture, exact.Message, exact.Next)
		m.sent()
		return nil
	case promapi.StateExpired:
		m.without(StateExpired, ReasonExpired, exact.Message, exact.Next)
		m.sent()
		if m.notOneRun != "" {
			return nil
		}
		return m.thaw(ctx)
	}
	m.takeExact(exact)
	if err := m.queries(ctx); err != nil {
		return err
	}
	if m.notOneRun != "" {
		m.withhold(ReasonGateFailed, m.notOneRun, m.oneRunNext())
	} else {
		m.checkWitness()
	}
	m.sent()
	if build, err := m.in.Prometheus.Buildinfo(ctx); err == nil && build.Version != "" {
		m.side.Metrics.Server += " (" + build.Product + " " + build.Version + ")"
	}
	if exact.State != promapi.StateOK && m.notOneRun == "" {
		m.diagnose(ctx)
	}
	return nil
}

// awaitFinalScrape gives the scrape after the end of a run that has just ended time to land. A server
// that cannot be asked shows itself in the next question.
func (m *measurement) awaitFinalScrape(ctx context.Context, up string) {
	left := m.side.Window.End.Add(m.in.Options.FinalScrapeWait).Sub(m.in.Now)
	if left <= 0 || m.in.Options.FinalScrapeWait < 0 {
		return
	}
	left = min(left, m.in.Options.FinalScrapeWait)
	_, err := m.in.Prometheus.WaitForFinalScrape(ctx, up, m.side.Window.End, left, func(p promapi.WaitProgress) {
		m.in.Options.Progress(sentence("waiting for the scrape after the end of the run: %s (%.0f s left)", strings.Join(p.Missing, ", "), p.Left.Seconds()))
	})
	if err != nil {
		m.in.Options.Progress("waiting for the scrape after the end of the run: " + err.Error())
	}
}

// failed records a server that gave no answer. The questions are kept, marked with the same state.
func (m *measurement) failed(err error) {
	state, message, next := StateFailed, err.Error(), nextStep(err)
	var q *promapi.QueryError
	if errors.As(err, &q) {
		// The question itself stands in queries[].
		state, message = State(q.State), q.Server+": "+q.Cause()
	}
	m.without(state, reasonOf(state), message, next)
	queries, buildErr := m.in.Profile.Queries(m.side.Window.WindowSeconds)
	if buildErr != nil {
		return
	}
	for _, asked := range queries {
		query := m.newQuery(asked.Name, asked.PromQL)
		query.State, query.Attempts, query.Error = state, 0, err.Error()
		query.Reasons.set("result", reasonOf(state))
		m.side.Queries = append(m.side.Queries, query)
	}
}

// nextStep is what a query error asks the user to do.
func nextStep(err error) string {
	var q *promapi.QueryError
	if errors.As(err, &q) && q.Next != "" {
		return q.Next
	}
	return "Look at the query in the evidence, then evaluate again."
}

// diagnose adds to an empty answer what the server knows of the target and of metrics with like names.
func (m *measurement) diagnose(ctx context.Context) {
	mx := &m.side.Metrics
	p := &m.in.Profile
	if targets, err := m.in.Prometheus.TargetHealth(ctx, p.Target.Job, p.Target.Instance); err == nil {
		if len(targets) == 0 {
			mx.Message += sentence("; the server has no target of job %q", p.Target.Job)
		}
		for i, t := range targets {
			if i == 3 {
				mx.Message += sentence("; and %d more targets", len(targets)-i)
				break
			}
			mx.Message += "; " + t.Sentence(m.in.Now)
		}
	}
	if mx.RequestDuration.State != StateAbsent {
		return
	}
	if names, err := m.in.Prometheus.Suggest(ctx, p.Request.Metric, 5); err == nil && len(names) > 0 {
		mx.Message += "; metrics that exist: " + joinAnd(names)
	}
}

// settle explains every figure that is still null, with the reason why nothing was asked or answered.
func (m *measurement) settle() {
	mx := &m.side.Metrics
	histogram := func(h *Histogram, reasons *Reasons) {
		code := m.missing
		if code == "" && h.State != StateOK {
			code = reasonOf(h.State)
		}
		code = reasonOr(code, ReasonUnknown)
		explain(&h.P95Seconds, &h.P95Seconds.Reasons, code)
		if h.P95Seconds.Text == "" {
			h.P95Seconds.Text = "unknown"
		}
		if h.P95Seconds.CIText == "" {
			h.P95Seconds.CIText = "unknown"
		}
		explain(h, reasons, code)
	}
	histogram(&mx.RequestDuration, &mx.RequestDuration.Reasons)
	for i := range mx.Waits {
		w := &mx.Waits[i]
		histogram(&w.Histogram, &w.Reasons)
		code := m.missing
		if code == "" && w.State != StateOK {
			code = reasonOf(w.State)
		}
		explain(w, &w.Reasons, reasonOr(code, reasonOr(mx.RequestDuration.Reasons["meanSeconds"], ReasonUnknown)))
	}
	general := reasonOr(m.missing, reasonOr(mx.RequestDuration.Reasons["meanSeconds"], ReasonUnknown))
	cpu, errs := general, general
	if mx.CPU.State != StateOK {
		cpu = reasonOr(m.missing, reasonOf(mx.CPU.State))
	}
	if mx.Errors.State != StateOK {
		errs = reasonOr(m.missing, reasonOf(mx.Errors.State))
	}
	if m.in.Profile.CPU == "" {
		cpu = ReasonNotInProfile
	}
	if m.in.Profile.Errors == "" {
		errs = ReasonNotInProfile
	}
	explain(&mx.CPU, &mx.CPU.Reasons, cpu)
	explain(&mx.Errors, &mx.Errors.Reasons, errs)
	m.reconcile()
	explain(&mx.Reconciliation, &mx.Reconciliation.Reasons, general)
	explain(&mx.Coverage, &mx.Coverage.Reasons, reasonOr(m.missing, ReasonInsufficient))
	for i := range mx.Extra {
		e := &mx.Extra[i]
		explain(e, &e.Reasons, reasonOr(m.missing, reasonOf(e.State)))
	}
}
