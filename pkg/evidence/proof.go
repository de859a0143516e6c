package evidence

import (
	"slices"
	"strconv"
	"strings"
)

// sent lists the raw queries behind the exact figures, and names them beside the figures.
func (m *measurement) sent() {
	if m.exact == nil {
		return
	}
	m.samples = map[string]string{}
	for _, s := range m.exact.Queries {
		q := m.newQuery("raw samples: "+m.subject(s.Name), s.PromQL)
		q.Time, q.RangeSeconds, q.State = s.Time, s.RangeSeconds, State(s.State)
		q.Series, q.Samples = int64(s.Series), int64(s.Samples)
		q.Warnings = append(q.Warnings, s.Warnings...)
		code := ReasonRawSamples
		if q.State != StateOK {
			code = reasonOf(q.State)
		}
		q.Reasons.set("result", code)
		m.side.Queries = append(m.side.Queries, q)
		if q.Samples > 0 {
			m.samples[s.Name] = q.ID
		}
	}
	mx := &m.side.Metrics
	mx.RequestDuration.QueryIDs = m.proofs(histogramParts("request")...)
	for i := range mx.Waits {
		mx.Waits[i].QueryIDs = m.proofs(histogramParts(waitName(i))...)
	}
	mx.CPU.QueryIDs = m.proofs("cpu")
	counted := m.proofs("request count", "request native")
	mx.Errors.QueryIDs, mx.Reconciliation.QueryIDs = counted, slices.Clone(counted)
	mx.Coverage.QueryIDs = m.proofs("up", "process start")
}

// proofs are the ids of the raw queries with these names that brought samples.
func (m *measurement) proofs(names ...string) []string {
	var ids []string
	for _, name := range names {
		if id := m.samples[name]; id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// The names of raw queries are those of promapi.Sent: waits and holds are counted from one, in the profile's order.
func waitName(i int) string { return "wait " + strconv.Itoa(i+1) }
func holdName(i int) string { return "hold " + strconv.Itoa(i+1) }

func histogramParts(name string) []string {
	return []string{name + " buckets", name + " count", name + " sum", name + " native"}
}

// subject puts the wait's name where the query counts waits.
func (m *measurement) subject(name string) string {
	for i, w := range m.in.Profile.Waits {
		for _, counted := range []string{waitName(i), holdName(i)} {
			if part, ok := strings.CutPrefix(name, counted+" "); ok {
				word, _, _ := strings.Cut(counted, " ")
				return word + " " + w.Name + " " + part
			}
		}
	}
	return name
}
