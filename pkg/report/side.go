package report

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// SideJSON writes one measured side as it stands in evidence.json.
func SideJSON(w io.Writer, s evidence.Side) error {
	if err := encode(w, s); err != nil {
		return fmt.Errorf("write evidence of %s: %w", s.ID, err)
	}
	return nil
}

// Side writes one measured side for a reader: its window, the replay's figures, what Prometheus saw with
// the queries as sent, where one request's time goes, what limits it, its statements and its gates.
func Side(w io.Writer, s evidence.Side, asMarkdown bool, opts TextOptions) error {
	if opts.Width <= 0 {
		opts.Width = defaultWidth
	}
	opts.Width = max(opts.Width, minimumWidth)
	p := &printer{opts: opts}
	if asMarkdown {
		p.opts.Colour = false
		p.line("```text")
	}
	p.wrapped("side    ", sideText(s), nil)
	if s.Window != nil {
		p.wrapped("window  ", fmt.Sprintf("%s to %s, query_end %s, window_seconds %d, from %s",
			s.Window.Start.UTC().Format("2006-01-02T15:04:05.999Z"), s.Window.End.UTC().Format("15:04:05.999Z"),
			s.Window.QueryEnd.UTC().Format("2006-01-02T15:04:05Z"), s.Window.WindowSeconds, s.Window.Source), nil)
		for _, n := range s.Window.Notes {
			p.wrapped("        ", n, nil)
		}
	} else {
		p.line("window  unknown")
	}
	p.sideFigures(s)
	p.sideQueries(s)
	p.sideBreakdown(s)
	p.sideStatements(s.Statements)
	p.sideGates(s)
	if asMarkdown {
		p.line("```")
	}
	if _, err := io.WriteString(w, p.out.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// orMissing shows a figure or why it is null.
func orMissing(v *float64, r evidence.Reasons, field string, text func(float64) string) string {
	if v != nil {
		return text(*v)
	}
	if code := r[field]; code != "" {
		return "null (" + code + ")"
	}
	return "null"
}

func countOrMissing(n *int64, r evidence.Reasons, field string) string {
	if n == nil {
		return orMissing(nil, r, field, number)
	}
	return evidence.FormatCount(*n)
}

func (p *printer) sideFigures(s evidence.Side) {
	ms := func(v float64) string { return number(v) + " ms" }
	cores := func(v float64) string { return fmt.Sprintf("%.3f cores", v) }
	var rows [][]string
	if l := s.Load; l != nil {
		rows = append(rows,
			[]string{"load requests, failed", countOrMissing(l.Requests, l.Reasons, "requests") + ", " + countOrMissing(l.Failed, l.Reasons, "failed"), "replay"},
			[]string{"load avg, p50, p95, p99", orMissing(l.AvgMs, l.Reasons, "avgMs", number) + ", " + orMissing(l.P50Ms, l.Reasons, "p50Ms", number) + ", " +
				orMissing(l.P95Ms, l.Reasons, "p95Ms", number) + ", " + orMissing(l.P99Ms, l.Reasons, "p99Ms", ms), "replay, whole milliseconds"},
			[]string{"load throughput", orMissing(l.RequestsPerSecond, l.Reasons, "requestsPerSecond", func(v float64) string { return fmt.Sprintf("%.1f req/s", v) }), "replay"},
			[]string{"active time", orMissing(l.ActiveSeconds, l.Reasons, "activeSeconds", func(v float64) string { return fmt.Sprintf("%.2f s", v) }), "requests / requests per second"})
	}
	if f := s.Functional; f != nil {
		rows = append(rows, []string{"functional requests, failed, match", countOrMissing(f.Requests, f.Reasons, "requests") + ", " + countOrMissing(f.Failed, f.Reasons, "failed") + ", " +
			orMissing(f.MatchPct, f.Reasons, "matchPct", func(v float64) string { return number(v) + " %" }), "replay"})
	}
	m := s.Metrics
	if m.State != evidence.StateNotConfigured && m.State != "" {
		h := m.RequestDuration
		quantile := func(q evidence.Quantile) string {
			return evidence.FormatRange(q.Lower, q.Upper) + " (95 %: " + evidence.FormatRange(q.CILower, q.CIUpper) + ")"
		}
		if h.P95Seconds.Lower != nil || h.P95Seconds.Upper != nil {
			rows = append(rows, []string{fmt.Sprintf("p%g request duration", 100*h.P95Seconds.Q), quantile(h.P95Seconds), "exact counts"})
		}
		rows = append(rows, []string{"mean request duration", orMissing(h.MeanSeconds, h.Reasons, "meanSeconds", durationText), "Σ duration / requests, exact"})
		for _, x := range m.Waits {
			if x.P95Seconds.Lower != nil || x.P95Seconds.Upper != nil {
				rows = append(rows, []string{fmt.Sprintf("p%g wait: %s", 100*x.P95Seconds.Q, x.Name), quantile(x.P95Seconds), "exact counts"})
			}
			rows = append(rows, []string{"wait per request: " + x.Name, orMissing(x.SecondsPerRequest, x.Reasons, "secondsPerRequest", durationText) + ", share " +
				orMissing(x.Share, x.Reasons, "share", evidence.FormatPercent), "exact"})
		}
		rows = append(rows,
			[]string{"CPU per request", orMissing(m.CPU.SecondsPerRequest, m.CPU.Reasons, "secondsPerRequest", durationText), "exact"},
			[]string{"average cores, window / active", orMissing(m.CPU.AverageCores, m.CPU.Reasons, "averageCores", cores) + " / " + orMissing(m.CPU.ActiveCores, m.CPU.Reasons, "activeCores", cores), "guide / exact"},
			[]string{"errors", countOrMissing(m.Errors.Count, m.Errors.Reasons, "count"), m.Errors.Note},
			[]string{"reconciliation", m.Reconciliation.Text, m.Reconciliation.State})
	}
	if s.Saturation.LimitedBy != "" && (s.Load != nil || s.Functional != nil) {
		rows = append(rows, []string{"what limits you now", s.Saturation.LimitedBy, "Little's law"})
	}
	if len(rows) == 0 {
		return
	}
	p.title("Figures", "")
	var cells []table.Row
	for _, r := range rows {
		cells = append(cells, row(r))
	}
	first := p.opts.Width * 36 / 100
	last := p.opts.Width * 28 / 100
	p.grid(row([]string{"measure", "figure", "source"}), cells, nil, []int{first, p.opts.Width - first - last - 7, last})
	if m.State != evidence.StateOK && m.State != evidence.StateNotConfigured && m.State != "" {
		p.line("")
		p.wrapped("metrics  ", fmt.Sprintf("%s: %s", m.State, m.Message), yellow)
		if m.Next != "" {
			p.wrapped("next     ", m.Next, nil)
		}
	}
}

func (p *printer) sideQueries(s evidence.Side) {
	if len(s.Queries) == 0 {
		return
	}
	p.title("Queries as they were sent", "instant, at the time shown")
	for _, q := range s.Queries {
		result := string(q.State)
		switch {
		case q.Result != nil:
			result = fmt.Sprintf("%.6g", *q.Result)
		case q.Samples > 0:
			result = fmt.Sprintf("%s samples of %s series", evidence.FormatCount(q.Samples), evidence.FormatCount(q.Series))
		}
		p.wrapped(fmt.Sprintf("  %-4s ", q.ID), fmt.Sprintf("%s at %s: %s", q.Name, q.Time.UTC().Format("2006-01-02T15:04:05.999Z"), result), nil)
		p.wrapped("       ", q.PromQL, dim)
		for _, n := range append(append([]string{}, q.Warnings...), q.Infos...) {
			p.wrapped("       note: ", n, yellow)
		}
		if q.Error != "" {
			p.wrapped("       error: ", q.Error, red)
		}
	}
}

func (p *printer) sideBreakdown(s evidence.Side) {
	b := s.Metrics.Breakdown
	if b.TotalSeconds == nil {
		return
	}
	p.title("Where one request's time goes", "mean, exact; the parts add up")
	p.line("  " + p.bar(b, *b.TotalSeconds, min(60, p.opts.Width-24)) + " " + durationText(*b.TotalSeconds))
	for _, part := range b.Parts {
		p.wrapped(fmt.Sprintf("  %c ", signOf(part.Kind)), fmt.Sprintf("%s %s (%s)", part.Name, durationText(part.Seconds), evidence.FormatPercent(part.Share)), nil)
	}
	if b.Witness != "" {
		p.wrapped("  second witness: ", b.Witness, nil)
	}
}

func (p *printer) sideGates(s evidence.Side) {
	if len(s.Gates) > 0 {
		p.title("Gates", "")
		for _, g := range s.Gates {
			sign, col := "✓", green
			switch g.State {
			case evidence.GateFailed:
				sign, col = "✗", red
			case evidence.GateNoted:
				sign, col = "!", yellow
			case evidence.GateNotEvaluated:
				sign, col = "–", dim
			}
			text := fmt.Sprintf("%s, %s: %s", g.Name, g.State, g.Detail)
			if g.Next != "" && g.State == evidence.GateFailed {
				text += "; " + g.Next
			}
			p.wrapped("  "+p.colour(col, sign)+fmt.Sprintf(" %-3s ", g.Code), text, nil)
		}
	}
	if len(s.Problems) > 0 {
		p.title("Noted while reading the files", "")
		for _, x := range s.Problems {
			p.wrapped("  · ", x.Path+": "+x.Message, nil)
		}
	}
}
