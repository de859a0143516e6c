package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// producedBy is how a result says that it does not come from proxymock.
const producedBy = rrpair.ProxyVersion + ": written by the lab's stand-in for proxymock, not by proxymock"

// Result is what `replay --output json` prints.
type Result struct {
	Endpoints  []Endpoint `json:"endpoints"`
	Resources  *Resources `json:"resources,omitempty"`
	ProducedBy string     `json:"producedBy"`
}

// Endpoint is one row; the aggregate is named -ALL-.
type Endpoint struct {
	URL     string             `json:"url"`
	Method  string             `json:"method"`
	Metrics map[string]float64 `json:"metrics"`
}

// writeJSON prints the result with the one-blank indent of proxymock.
func (r *Result) writeJSON(out io.Writer) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(r); err != nil {
		return fmt.Errorf("encoding the result: %w", err)
	}
	_, err := out.Write(text.Bytes())
	return err
}

// writePretty prints the result as a table for people.
func (r *Result) writePretty(out io.Writer) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.SetTitle("LATENCY / THROUGHPUT")
	t.AppendHeader(table.Row{"ENDPOINT", "METHOD", "AVG", "P50", "P90", "P95", "P99", "MAX", "COUNT", "FAILED", "MATCH %", "PER-SECOND"})
	for _, e := range r.Endpoints {
		match := "n/a"
		if value, ok := e.Metrics["requests.result-match-pct"]; ok {
			match = strconv.FormatFloat(value, 'f', 2, 64)
		}
		t.AppendRow(table.Row{
			e.URL, e.Method, e.cell("latency.avg"), e.cell("latency.p50"), e.cell("latency.p90"), e.cell("latency.p95"),
			e.cell("latency.p99"), e.cell("latency.max"), e.cell("requests.total"), e.cell("requests.failed"), match,
			fmt.Sprintf("%.2f", e.Metrics["requests.per-second"]),
		})
	}
	_, err := fmt.Fprintln(out, t.Render())
	return err
}

// cell is a metric as the table shows it.
func (e *Endpoint) cell(metric string) string {
	value, ok := e.Metrics[metric]
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}
