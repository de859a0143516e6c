package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
	"github.com/replaylab/replay-evidence/pkg/report"
)

// pairFlags select pairs of one run.
type pairFlags struct {
	roots                        rootFlags
	in, direction, method, query string
	limit, offset                int
	showBodies                   bool
	format                       string
}

func pairsCommand(streams IO) *cobra.Command {
	var f pairFlags
	cmd := &cobra.Command{
		Use:   "pairs",
		Short: "Show recorded or replayed pairs: the request, its status, its stable body, the calls it made",
		Long:  pairsHelp, Example: pairsExample,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			c, done, err := f.roots.open()
			if err != nil {
				return err
			}
			defer done()
			r, err := run(cmd.Context(), c, "in", f.in)
			if err != nil {
				return err
			}
			pairs, problems, err := c.Pairs(cmd.Context(), r)
			if err != nil {
				return err
			}
			if len(pairs) == 0 {
				// Why there is none was seen when the run was classified.
				problems = r.Problems
			}
			tell(streams, r.Root, problems)
			return f.write(streams, pairs)
		},
	}
	f.roots.register(cmd)
	cmd.Flags().StringVar(&f.in, "in", "", "`run`, such as results/recording or baseline/functional")
	cmd.Flags().StringVar(&f.direction, "direction", "", "in or out (default: both)")
	cmd.Flags().StringVar(&f.method, "method", "", "HTTP `method`, or command of another protocol")
	cmd.Flags().StringVar(&f.query, "query", "", "`text` that the address or the statement contains, in any case")
	cmd.Flags().IntVar(&f.limit, "limit", 50, "`number` of pairs to show")
	cmd.Flags().IntVar(&f.offset, "offset", 0, "`number` of pairs to pass over first")
	cmd.Flags().BoolVar(&f.showBodies, "show-bodies", false, "show bodies; they can hold secrets")
	cmd.Flags().StringVar(&f.format, "format", "table", "table or json")
	return cmd
}

func (f *pairFlags) check() error {
	if err := oneOf("format", f.format, "table", "json"); err != nil {
		return err
	}
	if err := oneOf("direction", f.direction, "", "in", "out"); err != nil {
		return err
	}
	switch {
	case f.limit < 1:
		return usage("--limit %d: use at least 1", f.limit)
	case f.offset < 0:
		return usage("--offset %d: use at least 0", f.offset)
	}
	return nil
}

// pairView is one pair, fit to be shown.
type pairView struct {
	Direction string    `json:"direction"`
	Protocol  string    `json:"protocol"`
	Method    string    `json:"method"`
	Address   string    `json:"address"`
	Endpoint  string    `json:"endpoint,omitempty"`
	Status    string    `json:"status"`
	TS        time.Time `json:"ts"`
	// DurationMs is null when the writer does not measure it; DurationNote says why.
	DurationMs   *float64        `json:"durationMs"`
	DurationNote string          `json:"durationNote,omitempty"`
	UUID         string          `json:"uuid"`
	RefUUID      string          `json:"refUuid,omitempty"`
	Match        string          `json:"match,omitempty"`
	ContentType  string          `json:"contentType,omitempty"`
	Body         json.RawMessage `json:"body,omitempty"`
	BodyText     string          `json:"bodyText,omitempty"`
	BodiesMasked bool            `json:"bodiesMasked"`
	Path         string          `json:"path"`
}

func (f *pairFlags) selects(p catalog.Pair) bool {
	switch {
	case f.direction != "" && !strings.EqualFold(p.Direction, f.direction):
		return false
	case f.method != "" && !strings.EqualFold(methodOf(p), f.method):
		return false
	case f.query != "" && !strings.Contains(strings.ToLower(addressOf(p)), strings.ToLower(f.query)):
		return false
	}
	return true
}

func methodOf(p catalog.Pair) string {
	if p.HTTP != nil && p.HTTP.Method != "" {
		return p.HTTP.Method
	}
	return p.Command
}

func addressOf(p catalog.Pair) string {
	if p.HTTP != nil && p.HTTP.URI != "" {
		return p.HTTP.URI
	}
	return p.Location
}

func (f *pairFlags) write(streams IO, pairs []catalog.Pair) error {
	var chosen []catalog.Pair
	for _, p := range pairs {
		if f.selects(p) {
			chosen = append(chosen, p)
		}
	}
	total := len(chosen)
	chosen = chosen[min(f.offset, total):]
	chosen = chosen[:min(f.limit, len(chosen))]
	views := make([]pairView, 0, len(chosen))
	for _, p := range chosen {
		views = append(views, f.view(p))
	}
	if f.format == "json" {
		return writeJSON(streams.Out, map[string]any{"total": total, "offset": f.offset, "pairs": views})
	}
	words := proxymock.Counted(total, "pair", "pairs")
	if total < len(pairs) {
		words = proxymock.Counted(total, "pair that matches", "pairs that match") + fmt.Sprintf(", %d in the run", len(pairs))
	}
	fmt.Fprintf(streams.Out, "%d of %s\n", len(views), words)
	for _, v := range views {
		writePair(streams, v)
	}
	return nil
}

func (f *pairFlags) view(p catalog.Pair) pairView {
	masked := catalog.Pair{Pair: proxymock.Mask(p.Pair, proxymock.MaskOptions{Bodies: !f.showBodies}), Path: p.Path}
	v := pairView{Direction: p.Direction, Protocol: p.Protocol, Method: methodOf(masked), Address: addressOf(masked), Endpoint: p.Endpoint(),
		Status: p.Status, TS: p.TS, UUID: p.UUID, RefUUID: p.RefUUID, Match: string(p.Match()), BodiesMasked: !f.showBodies, Path: p.Path}
	if code, ok := p.StatusCode(); ok {
		v.Status = fmt.Sprint(code)
	}
	if d, ok := p.Took(); ok {
		ms := float64(d) / float64(time.Millisecond)
		v.DurationMs = &ms
	} else {
		v.DurationNote = p.DurationDoubt()
	}
	if h := masked.HTTP; h != nil {
		v.ContentType = h.ContentType
		if json.Valid(h.ResponseBody) {
			v.Body = h.ResponseBody
		} else {
			v.BodyText = string(h.ResponseBody)
		}
	}
	return v
}

func writePair(streams IO, v pairView) {
	took := "unknown"
	if v.DurationMs != nil {
		took = report.Milliseconds(*v.DurationMs)
	}
	fmt.Fprintf(streams.Out, "\n%-3s %s %s → %s, duration %s\n", v.Direction, report.Clean(v.Method), report.Clean(v.Address), report.Clean(v.Status), took)
	if v.DurationNote != "" {
		fmt.Fprintf(streams.Out, "    %s\n", v.DurationNote)
	}
	line := v.TS.UTC().Format(time.RFC3339Nano)
	if v.ContentType != "" {
		line += "  " + report.Clean(v.ContentType)
	}
	if v.Match != "" {
		line += "  match " + v.Match
	}
	fmt.Fprintf(streams.Out, "    %s\n", line)
	switch {
	case len(v.Body) > 0:
		fmt.Fprintf(streams.Out, "    %s\n", report.Clip(string(v.Body), 400))
	case v.BodyText != "":
		fmt.Fprintf(streams.Out, "    %s\n", report.Clip(v.BodyText, 400))
	}
	fmt.Fprintf(streams.Out, "    %s\n", report.Clean(v.Path))
}
