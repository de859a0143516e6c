package sqlstats

import (
	"cmp"
	"fmt"
	"slices"
)

// What makes executions that follow a parent's rows a candidate: a call with at least minRows rows,
// and the same equality in at least two calls, or in one call with so many rows that chance is out.
const (
	minRows     = 3
	minCalls    = 2
	certainRows = 10
)

// growth is a child statement that ran once per row of its parent.
type growth struct {
	parent *form
	rows   int64
	calls  int64
}

// growthOf looks for the statement whose returned rows the child's executions follow in the calls of
// one endpoint. nil when there is none.
//
// In every call in which the parent returned rows before the child ran, the child must have run
// exactly as often as rows came back, and never more often than rows had come back by then. A call
// in which the parent returned nothing must have no execution of the child. Statements that run
// once per call follow a one-row lookup by nature, so small counts prove nothing.
func growthOf(child string, calls []*call) *growth {
	parents := map[string]*form{}
	for _, c := range calls {
		for _, e := range c.executions {
			if e.form.fingerprint != child && e.rows > 0 {
				parents[e.form.fingerprint] = e.form
			}
		}
	}
	var found []growth
	for _, parent := range parents {
		if g, ok := follows(child, parent, calls); ok {
			found = append(found, g)
		}
	}
	if len(found) == 0 {
		return nil
	}
	// Two statements can return equally many rows. The one that returned more in all is the better
	// explanation; the fingerprint makes the choice repeatable.
	best := slices.MinFunc(found, func(a, b growth) int {
		return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.parent.fingerprint, b.parent.fingerprint))
	})
	return &best
}

func follows(child string, parent *form, calls []*call) (growth, bool) {
	g := growth{parent: parent}
	var most int64
	for _, c := range calls {
		var rows, runs int64
		for _, e := range c.executions {
			switch e.form.fingerprint {
			case parent.fingerprint:
				rows += e.rows
			case child:
				runs++
				if runs > rows {
					return g, false
				}
			}
		}
		if runs != rows {
			return g, false
		}
		if rows > 0 {
			g.calls++
			g.rows += rows
			most = max(most, rows)
		}
	}
	enough := g.calls >= minCalls && most >= minRows || most >= certainRows
	return g, enough
}

// words names the growth as what it is: a pattern of counts, not a proof of a loop.
func (g growth) words(child *form, calls, executions int64) string {
	return fmt.Sprintf("candidate for an N+1: %q ran once per row of %q in %d of %d calls (%d executions, %d rows)",
		shorten(child.sql), shorten(g.parent.sql), g.calls, calls, executions, g.rows)
}

// shorten keeps a statement readable in a sentence.
func shorten(sql string) string {
	const limit = 120
	runes := []rune(sql)
	if len(runes) <= limit {
		return sql
	}
	return string(runes[:limit]) + "…"
}
