package evidence

import (
	"context"
	"slices"
	"sort"
	"time"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// tinyRequests is the number of requests below which a p95 leaves the slowest request out (the replay's
// percentiles take a lower rank), so that it says nothing about the tail.
const tinyRequests = 20

// ReasonSeveralRows marks percentiles of rows that share one endpoint name: percentiles cannot be combined.
const ReasonSeveralRows = "several_rows"

// whenOf is when a run took place, as far as known: its window, else the time of its result file.
func whenOf(r *catalog.Run) time.Time {
	if r.Window != nil {
		return r.Window.Start
	}
	return r.Written
}

func sortByTime(runs []*catalog.Run) []*catalog.Run {
	sort.SliceStable(runs, func(i, j int) bool { return whenOf(runs[i]).Before(whenOf(runs[j])) })
	return runs
}

// latest is the last run that has figures, else the last one.
func latest(runs []*catalog.Run) *catalog.Run {
	for i := len(runs) - 1; i >= 0; i-- {
		if runs[i].Result != nil && runs[i].Result.Aggregate != nil {
			return runs[i]
		}
	}
	if len(runs) == 0 {
		return nil
	}
	return runs[len(runs)-1]
}

// loadOf takes over the replay's own figures of a load run.
func loadOf(r *catalog.Run) Load {
	l := Load{RunID: r.ID, GateFailed: r.GateFailed, HarnessNotes: []string{}}
	if r.Result != nil && r.Result.Aggregate != nil {
		a := r.Result.Aggregate
		l.Requests, l.Failed, l.RequestsPerSecond = a.Total, a.Failed, a.PerSecond
		l.P50Ms, l.P90Ms, l.P95Ms, l.P99Ms = a.Latency.P50, a.Latency.P90, a.Latency.P95, a.Latency.P99
		l.AvgMs, l.MinMs, l.MaxMs = a.Latency.Avg, a.Latency.Min, a.Latency.Max
	}
	if active, ok := r.Result.ActiveSeconds(); ok {
		l.ActiveSeconds = finite(active)
		if r.Window != nil && float64(r.Window.WindowSeconds) >= active {
			l.PaddingSeconds = finite(float64(r.Window.WindowSeconds) - active)
		}
	}
	if r.Result != nil && r.Result.Resources != nil {
		l.HarnessBound = r.Result.Resources.HarnessBound
		l.HarnessNotes = append(l.HarnessNotes, r.Result.Resources.Notes...)
	}
	if r.Window == nil && l.PaddingSeconds == nil {
		l.Reasons.set("paddingSeconds", ReasonNoWindow)
	}
	explain(&l, &l.Reasons, ReasonNotReported)
	return l
}

// functionalOf takes over the figures of the scored run.
func functionalOf(r *catalog.Run) Functional {
	f := Functional{RunID: r.ID, GateFailed: r.GateFailed, IgnoredFields: []IgnoredField{}}
	if r.Result != nil && r.Result.Aggregate != nil {
		a := r.Result.Aggregate
		f.Requests, f.Failed, f.MatchPct, f.AvgMs = a.Total, a.Failed, a.MatchPct, a.Latency.Avg
		f.PairsExpected = a.Total
	}
	if v := r.Verdict; v != nil {
		var mismatches int64
		for _, p := range v.Pairs {
			if !p.Passed() {
				mismatches++
			}
		}
		f.VerdictMismatches = &mismatches
		if len(v.Pairs) == 0 && v.Summary.Mismatches != nil {
			f.VerdictMismatches = v.Summary.Mismatches
		}
		if f.PairsExpected == nil {
			f.PairsExpected = ptr(int64(len(v.Pairs)))
		}
	}
	f.Reasons.set("pairsCompared", ReasonComparisonSource)
	f.Reasons.set("stableDifferences", ReasonComparisonSource)
	explain(&f, &f.Reasons, ReasonNotReported)
	return f
}

// endpointsOf lists a run's own figures per endpoint. Rows whose names are the same after normalising are
// counted together; their percentiles cannot be.
func endpointsOf(r *catalog.Run) []Endpoint {
	out := []Endpoint{}
	if r.Result == nil {
		return out
	}
	var total int64
	if a := r.Result.Aggregate; a != nil && a.Total != nil {
		total = *a.Total
	} else {
		for i := range r.Result.Endpoints {
			if n := r.Result.Endpoints[i].Total; n != nil {
				total += *n
			}
		}
	}
	at := map[string]int{}
	for i := range r.Result.Endpoints {
		row := endpointOf(&r.Result.Endpoints[i])
		if j, ok := at[row.Name]; ok {
			out[j] = mergeEndpoints(out[j], row)
			continue
		}
		at[row.Name] = len(out)
		out = append(out, row)
	}
	for i := range out {
		e := &out[i]
		if e.Requests != nil {
			e.Tiny = *e.Requests < tinyRequests
			if total > 0 {
				e.Share = finite(float64(*e.Requests) / float64(total))
			}
		}
		explain(e, &e.Reasons, ReasonNotReported)
	}
	return out
}

func endpointOf(e *proxymock.Endpoint) Endpoint {
	return Endpoint{
		Name: e.Name(), Method: e.Method, URL: e.URL, Requests: e.Total, Failed: e.Failed,
		AvgMs: e.Latency.Avg, P50Ms: e.Latency.P50, P95Ms: e.Latency.P95, P99Ms: e.Latency.P99, MaxMs: e.Latency.Max,
		PerSec: e.PerSecond,
	}
}

func mergeEndpoints(a, b Endpoint) Endpoint {
	out := Endpoint{Name: a.Name, Method: a.Method, URL: a.URL}
	out.Requests, out.Failed = add(a.Requests, b.Requests), add(a.Failed, b.Failed)
	if a.AvgMs != nil && b.AvgMs != nil && out.Requests != nil && *out.Requests > 0 {
		out.AvgMs = finite((*a.AvgMs*float64(*a.Requests) + *b.AvgMs*float64(*b.Requests)) / float64(*out.Requests))
	}
	if a.MaxMs != nil && b.MaxMs != nil {
		out.MaxMs = ptr(max(*a.MaxMs, *b.MaxMs))
	}
	if a.PerSec != nil && b.PerSec != nil {
		out.PerSec = finite(*a.PerSec + *b.PerSec)
	}
	for _, name := range []string{"p50Ms", "p95Ms", "p99Ms"} {
		out.Reasons.set(name, ReasonSeveralRows)
	}
	return out
}

func add(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	return ptr(*a + *b)
}

// responses keeps what the service answered, for the response diff: from the functional run, and where
// there is none, from a recording in the side, paired by endpoint and order.
func (m *measurement) responses(ctx context.Context) error {
	if m.functional != nil {
		pairs, problems, err := m.in.Files.Pairs(ctx, m.functional)
		if err != nil {
			return err
		}
		m.side.Problems = append(m.side.Problems, problems...)
		pairs = slices.DeleteFunc(slices.Clone(pairs), func(p catalog.Pair) bool { return p.Kind() != proxymock.KindReplay })
		pairs, stale := catalog.OfOneReplay(m.functional, pairs)
		m.side.Problems = append(m.side.Problems, stale...)
		f := m.side.Functional
		for _, p := range pairs {
			f.PairsRead++
			m.keep(p, p.RefUUID)
		}
		m.checkAnswers(pairs)
		if f.PairsExpected != nil && *f.PairsExpected != f.PairsRead {
			m.problem(m.functional.Path, "conflict", "%s could be read, the result states %s", plural(f.PairsRead, "replayed pair", "replayed pairs"), FormatCount(*f.PairsExpected))
		}
		return nil
	}
	for _, r := range m.recordings {
		pairs, problems, err := m.in.Files.Pairs(ctx, r)
		if err != nil {
			return err
		}
		m.side.Problems = append(m.side.Problems, problems...)
		for _, p := range pairs {
			if p.Direction == proxymock.In {
				m.keep(p, "")
			}
		}
	}
	return nil
}

// keep adds one response. Its ordinal counts the repeats of the recorded pair, or of the endpoint where no
// recorded pair is named; pairs arrive in order of sending.
func (m *measurement) keep(p catalog.Pair, ref string) {
	if p.HTTP == nil {
		return
	}
	key := ref
	if key == "" {
		key = "endpoint " + p.Endpoint()
	}
	if m.ordinals == nil {
		m.ordinals = map[string]int{}
	}
	ordinal := m.ordinals[key]
	m.ordinals[key]++
	size := int64(len(p.HTTP.ResponseBody))
	if len(m.side.Responses) >= m.in.Options.MaxResponses || m.responseBytes+size > m.in.Options.MaxResponseBytes {
		if m.dropped++; m.dropped == 1 {
			m.problem(p.Path, "limit", "responses beyond %d or %d bytes take no part in the comparison", m.in.Options.MaxResponses, m.in.Options.MaxResponseBytes)
		}
		return
	}
	m.responseBytes += size
	status, _ := p.StatusCode()
	m.side.Responses = append(m.side.Responses, Response{
		RefUUID: ref, Ordinal: ordinal, Endpoint: p.Endpoint(), Status: status, Headers: p.HTTP.ResponseHeaders,
		Body: p.HTTP.ResponseBody, Path: p.Path, Match: string(p.Match()), ChaosAffected: p.ChaosAffected(),
	})
}
