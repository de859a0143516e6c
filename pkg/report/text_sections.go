package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// The signs of the parts of a bar: told apart without colour.
var partSigns = map[string]rune{"wait": '█', "cpu": '▓', "unexplained": '░'}

var partColours = map[string]text.Colors{"wait": {text.FgMagenta}, "cpu": {text.FgRed}, "unexplained": {text.Faint}}

// bar is one side's breakdown drawn to a common scale.
func (p *printer) bar(b evidence.Breakdown, scale float64, width int) string {
	if b.TotalSeconds == nil || scale <= 0 {
		return ""
	}
	var out strings.Builder
	drawn, sum := 0, 0.0
	for _, part := range b.Parts {
		// Rounding the running sum keeps the whole bar as long as the total.
		sum += part.Seconds
		// Parts that contradict the total must not run out of the picture.
		end := min(width, int(math.Round(sum/scale*float64(width))))
		sign, ok := partSigns[part.Kind]
		if !ok {
			sign = '░'
		}
		if n := end - drawn; n > 0 {
			out.WriteString(p.colour(partColours[part.Kind], strings.Repeat(string(sign), n)))
			drawn = end
		}
	}
	return out.String()
}

func (p *printer) breakdown(c compare.Comparison) {
	b, k := c.Sides.Baseline.Metrics.Breakdown, c.Sides.Candidate.Metrics.Breakdown
	if b.TotalSeconds == nil && k.TotalSeconds == nil {
		return
	}
	p.title("Where one request's time goes", "mean, exact; the parts add up")
	scale := 0.0
	for _, x := range []evidence.Breakdown{b, k} {
		if x.TotalSeconds != nil {
			scale = max(scale, *x.TotalSeconds)
		}
	}
	width := min(60, p.opts.Width-24)
	for _, x := range []struct {
		name string
		b    evidence.Breakdown
	}{{"baseline", b}, {"candidate", k}} {
		if x.b.TotalSeconds == nil {
			p.line(fmt.Sprintf("  %-10s not measured", x.name))
			continue
		}
		p.line(fmt.Sprintf("  %-10s ", x.name) + p.bar(x.b, scale, width) + " " + evidence.FormatDuration(*x.b.TotalSeconds))
		var words []string
		for _, part := range x.b.Parts {
			words = append(words, fmt.Sprintf("%c %s %s (%s)", signOf(part.Kind), part.Name, durationText(part.Seconds), evidence.FormatPercent(part.Share)))
		}
		p.wrapped("             ", strings.Join(words, "  "), dim)
	}
	for _, x := range []struct {
		name string
		s    evidence.Side
	}{{"baseline", c.Sides.Baseline}, {"candidate", c.Sides.Candidate}} {
		t := x.s.Metrics.Breakdown.Witness
		if reason, none := strings.CutPrefix(t, "no second witness: "); none {
			p.wrapped(fmt.Sprintf("  no second witness, %s: ", x.name), reason, nil)
		} else if t != "" {
			p.wrapped(fmt.Sprintf("  second witness, %s: ", x.name), t, nil)
		}
	}
}

func signOf(kind string) rune {
	if r, ok := partSigns[kind]; ok {
		return r
	}
	return '░'
}

func durationText(seconds float64) string {
	if seconds < 0 {
		return "−" + evidence.FormatDuration(-seconds)
	}
	return evidence.FormatDuration(seconds)
}

// figureText shows one of the replay's figures of an endpoint.
func figureText(v *float64) string {
	if v == nil {
		return "–"
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", *v), "0"), ".")
}

func pairText(b, c *evidence.Endpoint, get func(*evidence.Endpoint) *float64) string {
	one := func(e *evidence.Endpoint) string {
		if e == nil {
			return "–"
		}
		return figureText(get(e))
	}
	x, y := one(b), one(c)
	if x == y {
		return x
	}
	return x + " → " + y
}

// endpointRow is one endpoint in both sides, for both front ends.
func endpointRow(e compare.EndpointChange) []string {
	requests, share := "–", "–"
	for _, x := range []*evidence.Endpoint{e.Baseline, e.Candidate} {
		if x != nil && x.Requests != nil && requests == "–" {
			requests = evidence.FormatCount(*x.Requests)
			if x.Share != nil {
				share = evidence.FormatPercent(*x.Share)
			}
		}
	}
	answer := string(e.Answer)
	if e.State != compare.InBoth {
		answer = e.State
	}
	if (e.Baseline != nil && e.Baseline.Tiny) || (e.Candidate != nil && e.Candidate.Tiny) {
		answer += ", tiny sample"
	}
	return []string{e.Name, requests, share,
		pairText(e.Baseline, e.Candidate, func(x *evidence.Endpoint) *float64 { return x.AvgMs }),
		pairText(e.Baseline, e.Candidate, func(x *evidence.Endpoint) *float64 { return x.P95Ms }),
		pairText(e.Baseline, e.Candidate, func(x *evidence.Endpoint) *float64 { return x.P99Ms }),
		pairText(e.Baseline, e.Candidate, func(x *evidence.Endpoint) *float64 { return x.MaxMs }), answer}
}

var endpointHeader = []string{"endpoint", "requests", "share", "avg ms", "p95 ms", "p99 ms", "max ms", "answer"}

func (p *printer) endpoints(c compare.Comparison) {
	if len(c.Endpoints) < 2 {
		return
	}
	p.title("Endpoints", "the replay's own figures, whole milliseconds, baseline → candidate")
	// Share, p99 and maximum give way on a narrow terminal.
	columns, widths := []int{0, 1, 2, 3, 4, 5, 6, 7}, []int{0, 8, 7, 9, 9, 9, 9, 11}
	if p.opts.Width < wideEnough && p.opts.Width >= tableWidth {
		columns, widths = []int{0, 1, 3, 4, 7}, []int{0, 8, 7, 7, 11}
	}
	widths[0] = p.opts.Width - 1 - 2*len(columns)
	for _, w := range widths[1:] {
		widths[0] -= w
	}
	pick := func(words []string) table.Row {
		var out []string
		for _, i := range columns {
			out = append(out, words[i])
		}
		return row(out)
	}
	numeric := map[int]bool{}
	for i := 1; i < len(columns)-1; i++ {
		numeric[i] = true
	}
	var rows []table.Row
	for i, e := range c.Endpoints {
		if i == listedRows {
			break
		}
		rows = append(rows, pick(endpointRow(e)))
	}
	p.grid(pick(endpointHeader), rows, numeric, widths)
	p.more(len(c.Endpoints) - listedRows)
}

func row(words []string) table.Row {
	out := make(table.Row, 0, len(words))
	for _, w := range words {
		out = append(out, clean(w))
	}
	return out
}

func (p *printer) more(n int) {
	if n > 0 {
		p.line(fmt.Sprintf("  and %d more: see --format json", n))
	}
}

func (p *printer) statements(c compare.Comparison) {
	s := c.Statements
	if s == nil {
		return
	}
	p.title("Statements", "executions, not messages")
	p.wrapped("  ", s.Text, nil)
	for _, n := range s.NPlusOne {
		p.line("")
		p.wrapped("  "+n.Side+": ", n.Text, bold)
		p.wrapped("    parent  ", fmt.Sprintf("%s × per call, %s rows: %s", number(n.ParentPerCall), number(n.RowsPerCall), n.ParentSQL), nil)
		p.wrapped("    └ child ", fmt.Sprintf("%s × per call: %s", number(n.ChildPerCall), n.ChildSQL), nil)
	}
	if len(s.Changes) == 0 {
		return
	}
	p.line("")
	var rows []table.Row
	for i, ch := range s.Changes {
		if i == listedRows {
			break
		}
		rows = append(rows, row(statementRow(ch)))
	}
	p.grid(row(statementHeader), rows, map[int]bool{2: true, 3: true}, []int{p.opts.Width - 50, 21, 9, 9})
	p.more(len(s.Changes) - listedRows)
}

var statementHeader = []string{"statement", "of", "baseline", "candidate"}

// statementRow shows executions in all, or per call of one endpoint.
func statementRow(ch compare.StatementChange) []string {
	if ch.Endpoint == "" {
		return []string{ch.SQL, "all requests", countOf(ch.Baseline), countOf(ch.Candidate)}
	}
	return []string{ch.SQL, ch.Endpoint + ", per call", perCallOf(ch.PerCallBaseline), perCallOf(ch.PerCallCandidate)}
}

func countOf(n *int64) string {
	if n == nil {
		return "none"
	}
	return evidence.FormatCount(*n)
}

func perCallOf(v *float64) string {
	if v == nil {
		return "none"
	}
	return number(*v)
}

func number(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

func (p *printer) differences(c compare.Comparison) {
	if len(c.Responses.Differences) == 0 {
		return
	}
	p.title("Response differences", c.Responses.Text)
	var rows []table.Row
	masked := false
	for i, d := range c.Responses.Differences {
		if i == listedRows {
			break
		}
		masked = masked || d.Masked
		rows = append(rows, row([]string{d.Endpoint, d.Field, d.Kind, d.Baseline, d.Candidate, evidence.FormatCount(d.Count)}))
	}
	spare := p.opts.Width - 12
	p.grid(row([]string{"endpoint", "field", "kind", "baseline", "candidate", "times"}), rows, map[int]bool{5: true},
		[]int{spare * 22 / 100, spare * 24 / 100, spare * 16 / 100, spare * 15 / 100, spare * 15 / 100, spare * 8 / 100})
	p.more(len(c.Responses.Differences) + int(c.Responses.Truncated) - listedRows)
	if masked {
		p.wrapped("  ", "values are masked, because recorded traffic can hold secrets; --show-values shows them", dim)
	}
}
