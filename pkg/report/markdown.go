package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// Markdown writes the comparison for a pull request or an issue: the same content as Table, and the
// result block Ran / Outcome / Numbers / Artifacts / Next of the guides.
func Markdown(w io.Writer, c compare.Comparison) error {
	m := &markdown{}
	m.line("## Replay evidence: %s against %s", code(c.Sides.Candidate.ID), code(c.Sides.Baseline.ID))
	m.answers(c)
	m.result(c)
	m.identity(c)
	m.evidence(c)
	m.breakdown(c)
	m.endpoints(c)
	m.statements(c)
	m.differences(c)
	m.findings(c)
	m.problems(c)
	m.limitations(c)
	m.queries(c)
	m.line("")
	m.line("_%s %s, %s_", c.Generator.Name, c.Generator.Version, c.GeneratedAt.UTC().Format("2006-01-02 15:04:05Z"))
	if _, err := io.WriteString(w, m.out.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

type markdown struct{ out strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.out, format+"\n", args...) }

func (m *markdown) title(s string) {
	m.line("")
	m.line("### %s", s)
	m.line("")
}

// escape keeps a text from being read as markup: recorded names and values are not ours.
func escape(s string) string {
	r := strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`)
	return r.Replace(clean(s))
}

// code writes a text as code; back-ticks inside need a longer fence.
func code(s string) string {
	s = strings.ReplaceAll(clean(s), "|", `\|`)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

func (m *markdown) table(header []string, right map[int]bool, rows [][]string) {
	m.line("| %s |", strings.Join(header, " | "))
	var rule []string
	for i := range header {
		if right[i] {
			rule = append(rule, "---:")
		} else {
			rule = append(rule, "---")
		}
	}
	m.line("| %s |", strings.Join(rule, " | "))
	for _, r := range rows {
		m.line("| %s |", strings.Join(r, " | "))
	}
}

func (m *markdown) answers(c compare.Comparison) {
	m.line("")
	v := c.Verdict
	var rows [][]string
	told := said{}
	for _, a := range []struct {
		name string
		j    compare.Judgement
	}{{"Behaviour", v.Behaviour}, {"Speed", v.Speed.Judgement}, {"Cause", v.Cause.Judgement}} {
		sign, _ := mark(a.j.Answer)
		var why []string
		for _, r := range told.reasons(a.j) {
			why = append(why, escape(r))
		}
		rows = append(rows, []string{"**" + a.name + "**", sign + " **" + escape(a.j.Headline) + "**", strings.Join(why, "<br>"), escape(told.next(a.j))})
	}
	m.table([]string{"", "answer", "because", "next"}, nil, rows)
}

func (m *markdown) identity(c compare.Comparison) {
	m.title("Same work?")
	var rows [][]string
	for _, it := range c.Identity {
		state := it.State
		if it.Breaks {
			state = "**not comparable**"
		}
		rows = append(rows, []string{escape(it.Name), state, escape(it.Baseline), escape(it.Candidate), escape(it.Text)})
	}
	m.table([]string{"what", "state", "baseline", "candidate", ""}, nil, rows)
}

func (m *markdown) evidence(c compare.Comparison) {
	m.title("Evidence")
	var rows [][]string
	for _, r := range c.Table {
		label := escape(r.Label)
		if r.Guide {
			label = "**" + label + "**"
		}
		change := escape(r.Change)
		if r.Direction == compare.Better || r.Direction == compare.Worse {
			change += " (" + r.Direction + ")"
		}
		rows = append(rows, []string{label, escape(r.Baseline.Text), escape(r.Candidate.Text), change, escape(r.Bounds)})
	}
	m.table([]string{"measure", "baseline", "candidate", "change", "bounds, source"}, map[int]bool{1: true, 2: true, 3: true}, rows)
	m.line("")
	m.line("Rows in bold are those of the guide's own evidence table.")
}

func (m *markdown) breakdown(c compare.Comparison) {
	b, k := c.Sides.Baseline.Metrics.Breakdown, c.Sides.Candidate.Metrics.Breakdown
	if b.TotalSeconds == nil && k.TotalSeconds == nil {
		return
	}
	m.title("Where one request's time goes (mean, exact; the parts add up)")
	plain := &printer{opts: TextOptions{Width: defaultWidth}}
	plain.breakdown(c)
	m.line("```text")
	for i, l := range strings.Split(strings.TrimRight(plain.out.String(), "\n"), "\n") {
		if i > 1 { // the blank line and the title
			m.line("%s", strings.ReplaceAll(l, "```", "'''"))
		}
	}
	m.line("```")
}

func (m *markdown) endpoints(c compare.Comparison) {
	if len(c.Endpoints) < 2 {
		return
	}
	m.title("Endpoints")
	var rows [][]string
	for _, e := range c.Endpoints {
		r := endpointRow(e)
		for i := range r {
			r[i] = escape(r[i])
		}
		rows = append(rows, r)
	}
	m.table(endpointHeader, map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true}, rows)
	m.line("")
	m.line("The replay's own figures in whole milliseconds, baseline → candidate.")
}

func (m *markdown) statements(c compare.Comparison) {
	s := c.Statements
	if s == nil {
		return
	}
	m.title("Statements (executions, not messages)")
	m.line("%s", escape(s.Text))
	for _, n := range s.NPlusOne {
		m.line("")
		m.line("- %s: %s", n.Side, escape(n.Text))
		m.line("  - parent, %s × per call, %s rows: %s", number(n.ParentPerCall), number(n.RowsPerCall), code(n.ParentSQL))
		m.line("    - child, %s × per call: %s", number(n.ChildPerCall), code(n.ChildSQL))
	}
	if len(s.Changes) == 0 {
		return
	}
	m.line("")
	var rows [][]string
	for _, ch := range s.Changes {
		r := statementRow(ch)
		rows = append(rows, []string{code(r[0]), escape(r[1]), escape(r[2]), escape(r[3])})
	}
	m.table(statementHeader, map[int]bool{2: true, 3: true}, rows)
}

func (m *markdown) differences(c compare.Comparison) {
	if len(c.Responses.Differences) == 0 {
		return
	}
	m.title("Response differences")
	m.line("%s", escape(c.Responses.Text))
	m.line("")
	var rows [][]string
	for _, d := range c.Responses.Differences {
		rows = append(rows, []string{escape(d.Endpoint), code(d.Field), escape(d.Kind), escape(d.Baseline), escape(d.Candidate), evidence.FormatCount(d.Count)})
	}
	m.table([]string{"endpoint", "field", "kind", "baseline", "candidate", "times"}, map[int]bool{5: true}, rows)
	if c.Responses.Truncated > 0 {
		m.line("")
		m.line("and %s more", evidence.FormatCount(c.Responses.Truncated))
	}
}

func (m *markdown) findings(c compare.Comparison) {
	m.title("What changed, ranked")
	for _, f := range c.Findings {
		m.line("%d. %s", f.Rank, escape(f.Text))
	}
}

func (m *markdown) limitations(c compare.Comparison) {
	m.title("What this does not show")
	for _, l := range c.Limitations {
		m.line("- %s (%s)", escape(l.Text), code(l.Code))
	}
}

// queries lists every question as it was sent, so that a reader can ask it again.
func (m *markdown) queries(c compare.Comparison) {
	var rows [][]string
	for _, s := range []struct {
		name string
		side evidence.Side
	}{{"baseline", c.Sides.Baseline}, {"candidate", c.Sides.Candidate}} {
		for _, q := range s.side.Queries {
			result := "–"
			if q.Result != nil {
				result = fmt.Sprintf("%.6g", *q.Result)
			}
			rows = append(rows, []string{s.name + " " + escape(q.ID), code(q.PromQL), q.Time.UTC().Format("2006-01-02 15:04:05.999Z"), escape(string(q.State)), result})
		}
	}
	if len(rows) == 0 {
		return
	}
	m.line("")
	m.line("<details><summary>Queries as they were sent</summary>")
	m.line("")
	m.table([]string{"query", "text", "at", "state", "result"}, map[int]bool{4: true}, rows)
	m.line("")
	m.line("</details>")
}
