package sqlstats

import (
	"cmp"
	"slices"
	"time"
)

// endpoints adds calls up per endpoint and fingerprint, and per endpoint over all statements.
func endpoints(calls []*call) ([]EndpointStatement, []EndpointTotal) {
	byEndpoint := map[string][]*call{}
	for _, c := range calls {
		byEndpoint[c.endpoint] = append(byEndpoint[c.endpoint], c)
	}
	var rows []EndpointStatement
	var totals []EndpointTotal
	for endpoint, calls := range byEndpoint {
		endpointRows := endpointStatements(endpoint, calls)
		rows = append(rows, endpointRows...)
		total := EndpointTotal{Endpoint: endpoint, Calls: int64(len(calls))}
		for _, c := range calls {
			n := int64(len(c.executions))
			total.Executions += n
			total.MaxPerCall = max(total.MaxPerCall, n)
		}
		total.PerCall = float64(total.Executions) / float64(total.Calls)
		totals = append(totals, total)
	}
	slices.SortFunc(rows, func(a, b EndpointStatement) int {
		return cmp.Or(bySpan(a.SpanSeconds, b.SpanSeconds), cmp.Compare(b.Executions, a.Executions),
			cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	slices.SortFunc(totals, func(a, b EndpointTotal) int {
		return cmp.Or(cmp.Compare(b.Executions, a.Executions), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	return rows, totals
}

// endpointStatements makes the rows of one endpoint.
func endpointStatements(endpoint string, calls []*call) []EndpointStatement {
	type sum struct {
		row  EndpointStatement
		form *form
		span time.Duration
	}
	sums := map[string]*sum{}
	for _, c := range calls {
		perCall := map[string]int64{}
		for _, e := range c.executions {
			s, ok := sums[e.form.fingerprint]
			if !ok {
				s = &sum{form: e.form, row: EndpointStatement{
					Endpoint: endpoint, Fingerprint: e.form.fingerprint, Calls: int64(len(calls)),
				}}
				sums[e.form.fingerprint] = s
			}
			s.row.Executions++
			s.row.Rows += e.rows
			if c.guessed[e] {
				s.row.GuessedExecutions++
			}
			if e.timed {
				s.span += e.end.Sub(e.start)
				s.row.SpanExecutions++
			}
			perCall[e.form.fingerprint]++
			s.row.MaxPerCall = max(s.row.MaxPerCall, perCall[e.form.fingerprint])
		}
	}
	rows := make([]EndpointStatement, 0, len(sums))
	for fingerprint, s := range sums {
		s.row.PerCall = float64(s.row.Executions) / float64(s.row.Calls)
		if s.row.SpanExecutions > 0 {
			s.row.SpanSeconds = seconds(s.span)
		}
		if s.row.MaxPerCall >= minRows {
			if g := growthOf(fingerprint, calls); g != nil {
				s.row.ParentFingerprint = g.parent.fingerprint
				s.row.RowsOfParent = g.rows
				s.row.ParentCalls = g.calls
				s.row.Candidate = g.words(s.form, s.row.Calls, s.row.Executions)
			}
		}
		rows = append(rows, s.row)
	}
	return rows
}
