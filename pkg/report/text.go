package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// TextOptions say how a terminal shows the report.
type TextOptions struct {
	// Width is the number of columns; 0 means 120. Below 60 tables become lists; below 30 the text is laid out for 30.
	Width int
	// Colour adds colour. It never carries anything that the words do not say.
	Colour bool
}

const (
	defaultWidth = 120
	minimumWidth = 30
	// tableWidth is the narrowest terminal that shows tables; below it each row is a list of its cells.
	tableWidth = 60
	// narrowIndent is how far a text below its lead is indented.
	narrowIndent = 4
	// leadRoom is the least room beside a lead for a text of several lines; with less, it goes below the lead.
	leadRoom = 18
	// wideEnough shows the column of bounds and sources in the evidence table, and all figures of endpoints.
	wideEnough = 116
	// listedRows is how many endpoints, statements and differences a terminal shows.
	listedRows = 12
)

// Table writes the comparison for a terminal: the three answers, whether it is the same work, the
// evidence table, where one request's time goes, what changed, what this does not show.
func Table(w io.Writer, c compare.Comparison, opts TextOptions) error {
	if opts.Width <= 0 {
		opts.Width = defaultWidth
	}
	opts.Width = max(opts.Width, minimumWidth)
	p := &printer{opts: opts}
	p.head(c)
	p.answers(c)
	p.identity(c)
	p.evidence(c)
	p.breakdown(c)
	p.endpoints(c)
	p.statements(c)
	p.differences(c)
	p.findings(c)
	p.problems(c)
	p.limitations(c)
	_, err := io.WriteString(w, p.out.String())
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

type printer struct {
	out  strings.Builder
	opts TextOptions
}

func (p *printer) colour(c text.Colors, s string) string {
	if !p.opts.Colour {
		return s
	}
	// text.Colors looks at the environment itself; the caller has decided already.
	return c.EscapeSeq() + s + text.Reset.EscapeSeq()
}

var (
	bold   = text.Colors{text.Bold}
	dim    = text.Colors{text.Faint}
	green  = text.Colors{text.FgGreen}
	red    = text.Colors{text.FgRed}
	yellow = text.Colors{text.FgYellow}
	blue   = text.Colors{text.FgBlue}
)

// line writes one line.
func (p *printer) line(s string) { p.out.WriteString(strings.TrimRight(s, " ") + "\n") }

// wrapped writes a text over as many lines as it needs, the first after lead, the others indented.
func (p *printer) wrapped(lead, s string, c text.Colors) {
	indent := text.StringWidthWithoutEscSequences(lead)
	room := p.opts.Width - indent
	if room < leadRoom && room < text.StringWidthWithoutEscSequences(s) && indent > narrowIndent {
		p.line(lead)
		lead, indent = strings.Repeat(" ", narrowIndent), narrowIndent
	}
	for i, l := range strings.Split(text.WrapSoft(clean(s), p.opts.Width-indent), "\n") {
		l = strings.TrimRight(l, " ")
		if c != nil {
			l = p.colour(c, l)
		}
		if i == 0 {
			p.line(lead + l)
		} else {
			p.line(strings.Repeat(" ", indent) + l)
		}
	}
}

func (p *printer) title(s, note string) {
	p.line("")
	if note == "" {
		p.line(p.colour(bold, s))
		return
	}
	if text.StringWidthWithoutEscSequences(s)+len([]rune(note))+len(" ()") > p.opts.Width {
		p.line(p.colour(bold, s))
		p.wrapped("  ", "("+note+")", dim)
		return
	}
	p.wrapped(p.colour(bold, s)+" ", "("+note+")", dim)
}

// clean takes control characters out of a text: recorded traffic must not steer a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if unicode.IsControl(r) {
			return '�'
		}
		return r
	}, s)
}

func (p *printer) head(c compare.Comparison) {
	p.wrapped("baseline   ", sideText(c.Sides.Baseline), nil)
	p.wrapped("candidate  ", sideText(c.Sides.Candidate), nil)
	if c.Profile.Name != "" {
		p.line("profile    " + clean(c.Profile.Name))
	}
}

func sideText(s evidence.Side) string {
	out := s.ID
	if s.Label != "" && s.Label != s.ID && !strings.HasSuffix(s.ID, "/"+s.Label) {
		out += " (" + s.Label + ")"
	}
	if s.Declared != nil {
		for _, d := range []string{s.Declared.Version, s.Declared.Commit, s.Declared.Changed} {
			if d != "" {
				out += ", " + d
			}
		}
	}
	return out
}

// mark gives an answer its sign and colour.
func mark(a compare.Answer) (string, text.Colors) {
	switch a {
	case compare.Unchanged:
		return "✓", green
	case compare.Changed:
		return "✗", red
	case compare.Improved:
		return "↓", green
	case compare.Regressed:
		return "↑", red
	case compare.NoProvableChange:
		return "=", blue
	case compare.CauseWait, compare.CauseWork, compare.CauseWaitAndWork:
		return "●", blue
	}
	return "?", yellow
}

func (p *printer) answers(c compare.Comparison) {
	v := c.Verdict
	told := said{}
	for _, a := range []struct {
		name string
		j    compare.Judgement
	}{{"Behaviour", v.Behaviour}, {"Speed", v.Speed.Judgement}, {"Cause", v.Cause.Judgement}} {
		p.line("")
		sign, col := mark(a.j.Answer)
		p.wrapped(fmt.Sprintf("%-10s ", a.name)+p.colour(col, sign)+" ", a.j.Headline, append(text.Colors{text.Bold}, col...))
		for _, r := range told.reasons(a.j) {
			p.wrapped("           · ", r, nil)
		}
		if a.j.Basis != compare.BasisNone && a.j.Basis != "" {
			p.wrapped("           basis: ", a.j.Basis, dim)
		}
		p.wrapped("           next:  ", told.next(a.j), nil)
	}
}

// said is what the answers above have said, so that it is not said again.
type said struct{ texts, steps []string }

const asAbove = "as above"

// reasons are those of an answer that neither its headline nor an answer above says.
func (s *said) reasons(j compare.Judgement) []string {
	var out []string
	for _, r := range j.Reasons {
		if !strings.Contains(j.Headline, r.Text) && !slices.Contains(s.texts, r.Text) {
			out = append(out, unsaid(j.Headline, r.Text))
			s.texts = append(s.texts, r.Text)
		}
	}
	return out
}

// unsaid takes the clauses off the beginning of a reason that the headline above it says.
func unsaid(headline, reason string) string {
	rest := reason
	for i := range reason {
		for _, mark := range []string{", ", "; "} {
			if strings.HasPrefix(reason[i:], mark) && strings.Contains(headline, reason[:i]) {
				rest = reason[i+len(mark):]
			}
		}
	}
	return rest
}

func (s *said) next(j compare.Judgement) string {
	for _, n := range s.steps {
		if strings.Contains(n, j.Next) {
			return asAbove
		}
	}
	s.steps = append(s.steps, j.Next)
	return j.Next
}

func (p *printer) identity(c compare.Comparison) {
	p.title("Same work?", "")
	var same []string
	for _, it := range c.Identity {
		if it.State == compare.Same && !it.Breaks {
			same = append(same, it.Text)
		}
	}
	if len(same) > 0 {
		p.wrapped("  "+p.colour(green, "✓")+" ", strings.Join(same, " · "), nil)
	}
	for _, it := range c.Identity {
		sign, col := "?", yellow
		switch {
		case it.Breaks:
			sign, col = "✗", red
		case it.State == compare.Differs:
			sign, col = "!", yellow
		case it.State == compare.Same:
			continue
		}
		p.wrapped("  "+p.colour(col, sign)+" ", it.Name+": "+it.Text, nil)
	}
}

// style is the one table style of the report.
func style() table.Style {
	s := table.StyleLight
	s.Format.Header = text.FormatDefault
	s.Options.SeparateRows = false
	s.Options.DrawBorder = false
	s.Options.SeparateColumns = false
	return s
}

// grid renders a table whose last column takes what is left of the width; a narrow terminal gets lists.
func (p *printer) grid(header table.Row, rows []table.Row, numeric map[int]bool, widths []int) {
	if p.opts.Width < tableWidth {
		p.blocks(header, rows)
		return
	}
	t := table.NewWriter()
	t.SetStyle(style())
	t.AppendHeader(header)
	t.AppendRows(rows)
	var cols []table.ColumnConfig
	for i := range header {
		cc := table.ColumnConfig{Number: i + 1, WidthMax: widths[i], WidthMaxEnforcer: text.WrapSoft}
		if numeric[i] {
			cc.Align, cc.AlignHeader = text.AlignRight, text.AlignRight
		}
		cols = append(cols, cc)
	}
	t.SetColumnConfigs(cols)
	for _, l := range strings.Split(t.Render(), "\n") {
		p.line(" " + l)
	}
}

// blocks writes each row as its first cell, with the other cells below it by the names of their columns.
func (p *printer) blocks(header table.Row, rows []table.Row) {
	widest := 0
	for _, h := range header[1:] {
		widest = max(widest, text.StringWidthWithoutEscSequences(fmt.Sprint(h)))
	}
	for _, r := range rows {
		if strings.TrimSpace(fmt.Sprint(r...)) == "" { // the row that sets groups apart
			p.line("")
			continue
		}
		p.wrapped("  ", text.StripEscape(fmt.Sprint(r[0])), bold)
		for i, cell := range r[1:] {
			if words := text.StripEscape(fmt.Sprint(cell)); words != "" {
				p.wrapped(fmt.Sprintf("    %-*s  ", widest, header[i+1]), words, nil)
			}
		}
	}
}

func (p *printer) evidence(c compare.Comparison) {
	p.title("Evidence", "")
	// The bounds and sources give way to the figures where a table has no room for both.
	wide := p.opts.Width >= wideEnough || p.opts.Width < tableWidth
	header := table.Row{"measure", "baseline", "candidate", "change"}
	widths := []int{39, 14, 14, 16}
	if !wide {
		spare := p.opts.Width - 9
		widths = []int{spare * 34 / 100, spare * 22 / 100, spare * 22 / 100, spare * 22 / 100}
	} else {
		header = append(header, "bounds, source")
		widths = append(widths, p.opts.Width-39-2*14-16-11)
	}
	var rows []table.Row
	// A profile with several waits has rows of its own among those of the guide.
	lastOfGuide := -1
	for i, r := range c.Table {
		if r.Guide {
			lastOfGuide = i
		}
	}
	for n, r := range c.Table {
		if n == lastOfGuide+1 && n > 0 {
			rows = append(rows, make(table.Row, len(header)))
			for i := range header {
				rows[len(rows)-1][i] = ""
			}
		}
		change := clean(r.Change)
		switch r.Direction {
		case compare.Better:
			change = p.colour(green, change)
		case compare.Worse:
			change = p.colour(red, change)
		}
		row := table.Row{clean(r.Label), clean(r.Baseline.Text), clean(r.Candidate.Text), change}
		if wide {
			row = append(row, clean(r.Bounds))
		}
		rows = append(rows, row)
	}
	p.grid(header, rows, map[int]bool{1: true, 2: true, 3: true}, widths)
}

func (p *printer) findings(c compare.Comparison) {
	p.title("What changed, ranked", "")
	if len(c.Findings) == 0 {
		p.line("  nothing")
	}
	for _, f := range c.Findings {
		p.wrapped(fmt.Sprintf("  %2d. ", f.Rank), f.Text, nil)
	}
}

func (p *printer) limitations(c compare.Comparison) {
	p.title("What this does not show", "")
	if len(c.Limitations) == 0 {
		p.line("  –")
	}
	for _, l := range c.Limitations {
		p.wrapped("  · ", l.Text+" ["+l.Code+"]", nil)
	}
}
