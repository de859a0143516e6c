package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
	"github.com/replaylab/replay-evidence/pkg/report"
)

func runsCommand(streams IO) *cobra.Command {
	var roots rootFlags
	var format string
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List sides and their runs, classified by what they contain",
		Long:  runsHelp, Example: runsExample,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "table", "json", "markdown"); err != nil {
				return err
			}
			c, done, err := roots.open()
			if err != nil {
				return err
			}
			defer done()
			listing, err := c.Sides(cmd.Context())
			if err != nil {
				return err
			}
			for _, r := range listing.Roots {
				if r.Err != nil {
					return fmt.Errorf("root %s: %w", r.Name, r.Err)
				}
			}
			if format == "json" {
				return writeJSON(streams.Out, sidesDocument(listing))
			}
			return writeRuns(streams, listing, format)
		},
	}
	roots.register(cmd)
	cmd.Flags().StringVar(&format, "format", "table", "table, json or markdown")
	return cmd
}

// sidesDocument never holds null lists.
func sidesDocument(l catalog.Listing) any {
	if l.Sides == nil {
		l.Sides = []catalog.Side{}
	}
	if l.Problems == nil {
		l.Problems = []catalog.Problem{}
	}
	return map[string]any{"sides": l.Sides, "problems": l.Problems}
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

func writeRuns(streams IO, l catalog.Listing, format string) error {
	if len(l.Sides) == 0 {
		fmt.Fprintln(streams.Err, "no runs below these roots: a run is a directory with a replay result, recorded pairs or both")
		tell(streams, "", l.Problems)
		return nil
	}
	var rows [][]string
	for _, s := range l.Sides {
		for i, r := range s.Runs {
			name := s.ID
			if i > 0 {
				name = ""
			}
			rows = append(rows, []string{name, string(r.Kind), requestsOf(r), windowOf(r), belowSide(r, s), notesOf(r)})
		}
	}
	header := []string{"side", "kind", "requests", "window", "run", "notes"}
	if err := report.List(streams.Out, header, rows, map[int]bool{2: true}, format == "markdown", textOptions(streams)); err != nil {
		return err
	}
	for _, s := range l.Sides {
		tell(streams, s.Root, s.Problems)
		for _, r := range s.Runs {
			tell(streams, r.Root, r.Problems)
		}
	}
	tell(streams, "", l.Problems)
	return nil
}

// tell names problems on the error stream, one a line, each with root and path.
func tell(streams IO, root string, problems []catalog.Problem) {
	for _, p := range problems {
		fmt.Fprintf(streams.Err, "%s: %s\n", path.Join(root, p.Path), p.Message)
	}
}

// belowSide is the run's directory below its side, "." when it is the side's own.
func belowSide(r catalog.Run, s catalog.Side) string {
	if r.Path == s.Paths[0] {
		return "."
	}
	return strings.TrimPrefix(r.Path, s.Paths[0]+"/")
}

func textOptions(streams IO) report.TextOptions {
	return report.TextOptions{Width: streams.Width, Colour: streams.Colour}
}

func requestsOf(r catalog.Run) string {
	switch {
	case r.Result != nil && r.Result.Aggregate != nil && r.Result.Aggregate.Total != nil:
		return report.Count(*r.Result.Aggregate.Total)
	case r.PairFiles > 0:
		return proxymock.Counted(r.PairFiles, "pair", "pairs")
	}
	return "–"
}

func windowOf(r catalog.Run) string {
	if r.Window == nil {
		return "unknown"
	}
	text := fmt.Sprintf("%s, %d s", r.Window.Start.UTC().Format("2006-01-02 15:04:05Z"), r.Window.WindowSeconds)
	if r.Window.Source != catalog.SourceWindowFile {
		text += ", from " + string(r.Window.Source)
	}
	return text
}

func notesOf(r catalog.Run) string {
	var words []string
	if r.GateFailed {
		words = append(words, "gate failed")
	}
	if n := len(r.Problems); n > 0 {
		words = append(words, fmt.Sprintf("%d noted", n))
	}
	return strings.Join(words, ", ")
}
