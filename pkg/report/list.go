package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// List writes rows below a header, as text or as a Markdown table. right names the columns of numbers.
func List(w io.Writer, header []string, rows [][]string, right map[int]bool, asMarkdown bool, opts TextOptions) error {
	var text string
	if asMarkdown {
		m := &markdown{}
		escaped := make([][]string, 0, len(rows))
		for _, r := range rows {
			line := make([]string, 0, len(r))
			for _, c := range r {
				line = append(line, escape(c))
			}
			escaped = append(escaped, line)
		}
		m.table(header, right, escaped)
		text = m.out.String()
	} else {
		p := &printer{opts: opts}
		if p.opts.Width <= 0 {
			// Not a terminal: long names stay on one line, so that they can be copied and searched for.
			p.opts.Width = 1 << 16
		}
		var cells []table.Row
		for _, r := range rows {
			cells = append(cells, row(r))
		}
		widths := make([]int, len(header))
		for i := range widths {
			widths[i] = max(12, (p.opts.Width-2*len(header)-1)/2)
		}
		p.grid(row(header), cells, right, widths)
		text = p.out.String()
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("write list: %w", err)
	}
	return nil
}

// Count writes a whole number with thousands separators.
func Count(n int64) string { return evidence.FormatCount(n) }

// Milliseconds writes a duration that is given in milliseconds: "46 ms", "0.3 ms".
func Milliseconds(v float64) string { return number(v) + " ms" }

// Clean takes control characters out of a text, so that recorded traffic cannot steer a terminal.
func Clean(s string) string { return clean(s) }

// Clip is Clean on one line of at most n characters.
func Clip(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(clean(s)), " "))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-1]) + "…"
}
