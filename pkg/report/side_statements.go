package report

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// sideStatements lists what the side's recording says of the database: executions in all, and per call of each
// endpoint, the repeated ones with the statement whose rows they repeat for.
func (p *printer) sideStatements(s *evidence.Statements) {
	if s == nil {
		return
	}
	p.title("Statements", "executions, not messages")
	if s.State != evidence.StateOK {
		p.wrapped("  ", fmt.Sprintf("%s: %s", s.State, s.Message), yellow)
		return
	}
	p.wrapped("  ", fmt.Sprintf("%s executions (%s reads, %s writes, %s errors) in %s; tied to requests by %s",
		countOrMissing(s.Executions, s.Reasons, "executions"), countOrMissing(s.Reads, s.Reasons, "reads"), countOrMissing(s.Writes, s.Reasons, "writes"),
		countOrMissing(s.Errors, s.Reasons, "errors"), s.RunID, s.Linking), nil)
	sql := map[string]string{}
	var all []table.Row
	for i, st := range s.Inventory {
		sql[st.Fingerprint] = st.SQL
		if i < listedRows {
			all = append(all, row([]string{st.SQL, evidence.FormatCount(st.Executions), evidence.FormatCount(st.Rows), evidence.FormatCount(st.Errors)}))
		}
	}
	var calls []table.Row
	for i, e := range s.ByEndpoint {
		if i == listedRows {
			break
		}
		text := sql[e.Fingerprint]
		if e.ParentFingerprint != "" {
			text += fmt.Sprintf(" (once for each of the %s rows of: %s)", evidence.FormatCount(e.RowsOfParent), sql[e.ParentFingerprint])
		}
		calls = append(calls, row([]string{e.Endpoint, text, number(e.PerCall), evidence.FormatCount(e.Executions)}))
	}
	right := func(from int) map[int]bool { return map[int]bool{from: true, from + 1: true, from + 2: true} }
	if len(calls) > 0 {
		p.line("")
		first := p.opts.Width * 24 / 100
		p.grid(row([]string{"endpoint", "statement", "per call", "executions"}), calls, right(2), []int{first, p.opts.Width - first - 8 - 10 - 9, 8, 10})
		p.more(len(s.ByEndpoint) - listedRows)
	}
	if len(all) > 0 {
		p.line("")
		p.grid(row([]string{"statement, all requests", "executions", "rows", "errors"}), all, right(1), []int{p.opts.Width - 10 - 8 - 6 - 9, 10, 8, 6})
		p.more(len(s.Inventory) - listedRows)
	}
}
