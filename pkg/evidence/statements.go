package evidence

import (
	"context"
	"slices"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
	"github.com/replaylab/replay-evidence/pkg/sqlstats"
)

// statements counts the SQL statements of the side's recording. Two recordings in one side would mix two
// loads: the latest one that holds statements is what the side stands for.
func (m *measurement) statements(ctx context.Context) error {
	var none *Statements
	// A side that was not replayed is as old as its recording; the metrics are never asked for that window.
	window := func(r *catalog.Run) {
		if m.load == nil && m.functional == nil {
			m.side.Window = r.Window
		}
	}
	for _, r := range slices.Backward(sortByTime(slices.Clone(m.recordings))) {
		pairs, _, err := m.in.Files.Pairs(ctx, r)
		if err != nil {
			return err
		}
		s := statementsOf(r, sqlstats.Take(func(yield func(*proxymock.Pair) bool) {
			for _, p := range pairs {
				if !yield(p.Pair) {
					return
				}
			}
		}, sqlstats.Options{}))
		if s.State == StateOK {
			m.side.Statements = s
			window(r)
			return nil
		}
		if none == nil {
			none = s
			window(r)
		}
	}
	m.side.Statements = none
	return nil
}

// statementsOf takes an inventory over into the contract.
func statementsOf(r *catalog.Run, inv sqlstats.Inventory) *Statements {
	s := &Statements{State: StateOK, Message: inv.Message, RunID: r.ID, Linking: inv.Linking,
		Inventory: []Statement{}, ByEndpoint: []EndpointStatement{}, Problems: []catalog.Problem{}}
	for _, p := range inv.Problems {
		s.Problems = append(s.Problems, catalog.Problem{Path: r.Path, Code: p.Code, Message: p.Message})
	}
	switch inv.State {
	case sqlstats.StateOK:
		s.Executions, s.Messages, s.Reads, s.Writes, s.Errors = ptr(inv.Executions), ptr(inv.Messages), ptr(inv.Reads), ptr(inv.Writes), ptr(inv.Errors)
	case sqlstats.StateAbsent:
		s.State = StateAbsent
		explain(s, &s.Reasons, ReasonNoStatements)
	default:
		s.State = StateFailed
		explain(s, &s.Reasons, ReasonNotDecodable)
	}
	for _, st := range inv.Statements {
		row := Statement{Fingerprint: st.Fingerprint, SQL: st.SQL, Verb: st.Verb, Tables: append([]string{}, st.Tables...),
			Executions: st.Executions, Rows: st.Rows, Errors: st.Errors, SpanSeconds: st.SpanSeconds}
		explain(&row, &row.Reasons, ReasonNotTimed)
		s.Inventory = append(s.Inventory, row)
	}
	for _, e := range inv.Endpoints {
		row := EndpointStatement{Endpoint: e.Endpoint, Fingerprint: e.Fingerprint, Calls: e.Calls, Executions: e.Executions,
			PerCall: e.PerCall, MaxPerCall: e.MaxPerCall, GuessedExecutions: e.GuessedExecutions,
			ParentFingerprint: e.ParentFingerprint, RowsOfParent: e.RowsOfParent, SpanSeconds: e.SpanSeconds}
		explain(&row, &row.Reasons, ReasonNotTimed)
		s.ByEndpoint = append(s.ByEndpoint, row)
	}
	return s
}

// Reason codes of statement figures.
const (
	// ReasonNoStatements: the recording holds no database traffic.
	ReasonNoStatements = "no_statements"
	// ReasonNotDecodable: a database was talked to in a way that the recorder could not decode.
	ReasonNotDecodable = "not_decodable"
	// ReasonNotTimed: no execution could be timed.
	ReasonNotTimed = "not_timed"
)
