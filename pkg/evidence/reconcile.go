package evidence

import (
	"strings"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// The states of a reconciliation.
const (
	Reconciled            = "reconciled"
	SeenMore              = "more"
	SeenFewer             = "fewer"
	SeenExplained         = "explained"
	ReconciliationUnknown = "unknown"
)

// expectedRequests is what the replay says it sent to what the profile measures.
type expectedRequests struct {
	count *int64
	known []promapi.KnownTraffic
	// routes says that only the endpoints that the profile's matchers name were counted.
	routes bool
}

// expectation counts the requests of the measured run that the request histogram should have seen. When
// the profile's matchers name one route, only endpoints of that route count.
func (m *measurement) expectation() expectedRequests {
	var e expectedRequests
	switch {
	case m.side.Load != nil:
		e.count = m.side.Load.Requests
		if f := m.side.Functional; f != nil && f.Requests != nil && *f.Requests > 0 {
			e.known = append(e.known, promapi.KnownTraffic{Name: "functional replay", Requests: *f.Requests})
		}
	case m.side.Functional != nil:
		e.count = m.side.Functional.Requests
	}
	matcher := m.routeMatcher()
	if e.count == nil || matcher == nil {
		return e
	}
	var sum int64
	for _, ep := range m.side.Endpoints {
		if ep.Requests == nil {
			return e
		}
		if matcher.Matches(ep.URL) || matcher.Matches(pathOf(ep)) {
			sum += *ep.Requests
		}
	}
	// No match at all says that the label is written in another way than the endpoints are.
	if sum > 0 && sum != *e.count {
		e.count, e.routes = &sum, true
	}
	return e
}

// routeMatcher is the matcher of the request histogram that names an endpoint.
func (m *measurement) routeMatcher() *labels.Matcher {
	for _, matcher := range m.in.Profile.Request.Matchers {
		if matcher.Type != labels.MatchEqual && matcher.Type != labels.MatchRegexp {
			continue
		}
		if label := m.in.Profile.Request.Route; matcher.Name == label || (label == "" && strings.HasPrefix(matcher.Value, "/")) {
			return matcher
		}
	}
	return nil
}

// pathOf is an endpoint's normalised name without its method.
func pathOf(e Endpoint) string { return strings.TrimPrefix(e.Name, strings.ToUpper(e.Method)+" ") }

// unmeasured finds the endpoints that explain a count that is too small: those without any series of the
// request histogram, when their requests are exactly what is missing.
func (m *measurement) unmeasured(missing int64) string {
	if m.exact == nil || len(m.exact.ByRoute) == 0 {
		return ""
	}
	measured := map[string]bool{}
	for route := range m.exact.ByRoute {
		measured[routeKey(route)] = true
	}
	var (
		names []string
		sum   int64
	)
	for _, e := range m.side.Endpoints {
		if e.Requests == nil {
			return ""
		}
		if !measured[routeKey(e.URL)] && !measured[routeKey(pathOf(e))] && !measured[e.Name] {
			names = append(names, e.Name)
			sum += *e.Requests
		}
	}
	if len(names) == 0 || len(names) == len(m.side.Endpoints) || sum != missing {
		return ""
	}
	return sentence("the %s to %s, which this histogram does not measure", plural(sum, "request", "requests"), joinAnd(names))
}

// routeKey normalises the value of a route label, which may begin with a method.
func routeKey(route string) string {
	if method, path, ok := strings.Cut(route, " "); ok && strings.HasPrefix(path, "/") {
		return proxymock.EndpointName(method, path)
	}
	return proxymock.EndpointName("", route)
}

// reconcile compares the exact count with the replay's own (gate G5) and writes the sentence.
func (m *measurement) reconcile() {
	mx := &m.side.Metrics
	r := &mx.Reconciliation
	r.Expected, r.Seen, r.State = m.expected.count, mx.RequestDuration.Count, ReconciliationUnknown
	if r.Expected == nil {
		r.Reasons.set("expected", ReasonNotReported)
	}
	if r.Extrapolated != nil && r.Seen != nil && *r.Seen > 0 {
		r.Factor = finite(*r.Extrapolated / float64(*r.Seen))
	} else if r.Seen != nil && *r.Seen == 0 {
		r.Reasons.set("factor", ReasonNoObservations)
	}
	switch {
	case r.Seen == nil:
		r.Text = "Prometheus was not asked how many requests it saw"
		if m.in.Prometheus != nil {
			r.Text = "it is not known how many requests Prometheus saw"
		}
		return
	case r.Expected == nil:
		r.Text = sentence("Prometheus saw %s; the replay's own count is not known", plural(*r.Seen, "request", "requests"))
		return
	}
	r.Text = sentence("Prometheus saw %s of %s requests", FormatCount(*r.Seen), FormatCount(*r.Expected))
	if m.expected.routes {
		r.Text += " to the measured route"
	}
	doubt := m.guess()
	if doubt != "" {
		doubt = "; " + doubt
	}
	switch extra := *r.Seen - *r.Expected; {
	case extra == 0:
		r.State = Reconciled
	case extra < 0 && m.explained != "":
		r.State = SeenExplained
		r.Text += ": what is missing are " + m.explained
	case extra < 0:
		r.State = SeenFewer
		r.Text += sentence(": %s missing", plural(-extra, "is", "are")) + doubt
	case m.gateState(promapi.GateCount) == promapi.GateNoted:
		r.State = SeenExplained
		r.Text += sentence(": the %s more are the functional replay's, which fell into the same scrape step", FormatCount(extra))
	default:
		r.State = SeenMore
		r.Text += sentence(": %s more than the replay sent, so there was foreign traffic", FormatCount(extra)) + doubt
	}
}

func (m *measurement) gateState(code string) promapi.GateState {
	if m.exact != nil {
		for _, g := range m.exact.Gates {
			if g.Code == code {
				return g.State
			}
		}
	}
	return promapi.GateNotEvaluated
}
