package sqlstats

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// Take reads the pairs of one recording, in any order, and returns its statement inventory. Pairs
// that are neither SQL nor inbound requests are passed over. Bodies and parameters are not kept.
func Take(pairs iter.Seq[*proxymock.Pair], opts Options) Inventory {
	if opts.IdleGap <= 0 {
		opts.IdleGap = DefaultIdleGap
	}
	c := collect(pairs)
	inv := Inventory{State: StateOK, Messages: int64(len(c.messages)), Linking: LinkNone}
	if state, message := c.state(); state != StateOK {
		inv.State, inv.Message = state, message
		inv.Problems = c.problems(nil, nil)
		return inv
	}

	m := newMasker()
	var all conversation
	for _, messages := range byConnection(c.messages) {
		all.read(messages, m, opts.IdleGap)
	}
	slices.SortStableFunc(all.executions, func(a, b execution) int {
		return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.uuid, b.uuid))
	})

	t := newTally(&inv)
	linker := newLinker(c.requests)
	for i := range all.executions {
		e := &all.executions[i]
		t.execution(e)
		if e.form.kind != KindControl {
			linker.link(e)
		}
	}
	for _, f := range all.failures {
		t.failure(f)
	}
	t.finish()
	inv.Endpoints, inv.Totals = endpoints(linker.calls)
	inv.Links = linker.links
	inv.Linking = linker.links.linking()
	inv.Problems = c.problems(&all, linker)
	return inv
}

// tally adds executions up to statements.
type tally struct {
	inv        *Inventory
	statements map[string]*Statement
	spans      map[string]time.Duration
	codes      map[string]int64
}

func newTally(inv *Inventory) *tally {
	return &tally{inv: inv, statements: map[string]*Statement{}, spans: map[string]time.Duration{}, codes: map[string]int64{}}
}

func (t *tally) execution(e *execution) {
	if e.sqlstate != "" {
		t.inv.Errors++
		t.codes[e.sqlstate]++
	}
	switch e.form.kind {
	case KindControl:
		t.inv.TransactionControl++
		return
	case KindRead:
		t.inv.Reads++
	case KindWrite:
		t.inv.Writes++
	}
	t.inv.Executions++
	s := t.statement(e.form)
	s.Executions++
	s.Rows += e.rows
	s.Affected += e.affected
	if e.sqlstate != "" {
		s.Errors++
	}
	if e.timed {
		s.SpanExecutions++
		t.spans[s.Fingerprint] += e.end.Sub(e.start)
	}
}

func (t *tally) failure(f failure) {
	t.inv.Errors++
	t.codes[f.sqlstate]++
	if f.form.kind != KindControl {
		t.statement(f.form).Errors++
	}
}

func (t *tally) statement(f *form) *Statement {
	s, ok := t.statements[f.fingerprint]
	if !ok {
		s = &Statement{Fingerprint: f.fingerprint, SQL: f.sql, Verb: f.verb, Kind: f.kind, Tables: slices.Clone(f.tables)}
		t.statements[f.fingerprint] = s
	}
	return s
}

func (t *tally) finish() {
	for _, s := range t.statements {
		if s.SpanExecutions > 0 {
			s.SpanSeconds = seconds(t.spans[s.Fingerprint])
		}
		t.inv.Statements = append(t.inv.Statements, *s)
	}
	slices.SortFunc(t.inv.Statements, func(a, b Statement) int {
		return cmp.Or(bySpan(a.SpanSeconds, b.SpanSeconds), cmp.Compare(b.Executions, a.Executions),
			cmp.Compare(a.SQL, b.SQL), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	for code, count := range t.codes {
		t.inv.ErrorCodes = append(t.inv.ErrorCodes, ErrorCount{SQLSTATE: code, Meaning: meaning(code), Count: count})
	}
	slices.SortFunc(t.inv.ErrorCodes, func(a, b ErrorCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.SQLSTATE, b.SQLSTATE))
	})
}

// bySpan puts the longer span first and the unknown last.
func bySpan(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*b, *a)
}

func seconds(d time.Duration) *float64 {
	s := d.Seconds()
	return &s
}
