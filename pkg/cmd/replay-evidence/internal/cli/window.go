package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/pkg/catalog"
)

func windowCommand(streams IO) *cobra.Command {
	var roots rootFlags
	var ref, kind, format string
	cmd := &cobra.Command{
		Use:   "window [SIDE]",
		Short: "Show the exact window of a side's run",
		Long:  windowHelp, Example: windowExample,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "table", "json"); err != nil {
				return err
			}
			if err := oneOf("kind", kind, "", "load", "functional", "recording", "mock"); err != nil {
				return err
			}
			if err := oneSide(args, &ref, cmd.Flags().Changed("side")); err != nil {
				return err
			}
			c, done, err := roots.open()
			if err != nil {
				return err
			}
			defer done()
			s, err := side(cmd.Context(), c, "side", ref)
			if err != nil {
				return err
			}
			r := runOfKind(s, catalog.Kind(kind))
			if r == nil {
				return usage("side %s has no %s run; replay-evidence runs lists what it has", s.ID, kind)
			}
			tell(streams, r.Root, r.Problems)
			if r.Window == nil {
				return fmt.Errorf("the window of %s is not known: keep window.json beside its result", r.ID)
			}
			if format == "json" {
				return writeJSON(streams.Out, r.Window)
			}
			writeWindow(streams, r)
			return nil
		},
	}
	roots.register(cmd)
	cmd.Flags().StringVar(&ref, "side", "", "`side`, such as results/baseline; the same as the argument")
	cmd.Flags().StringVar(&kind, "kind", "", "`kind` of run: load, functional, recording or mock (default: the first of these that the side has)")
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	return cmd
}

// runOfKind returns the latest run of a kind; without a kind the one whose window is the side's.
func runOfKind(s *catalog.Side, kind catalog.Kind) *catalog.Run {
	kinds := []catalog.Kind{kind}
	if kind == "" {
		kinds = []catalog.Kind{catalog.KindLoad, catalog.KindFunctional, catalog.KindRecording, catalog.KindMock, catalog.KindUnknown}
	}
	for _, k := range kinds {
		var latest *catalog.Run
		for i := range s.Runs {
			r := &s.Runs[i]
			if r.Kind != k {
				continue
			}
			if latest == nil || (r.Window != nil && (latest.Window == nil || r.Window.Start.After(latest.Window.Start))) {
				latest = r
			}
		}
		if latest != nil {
			return latest
		}
	}
	return nil
}

func writeWindow(streams IO, r *catalog.Run) {
	const stamp = "2006-01-02T15:04:05.999999999Z07:00"
	w := r.Window
	fmt.Fprintf(streams.Out, "run            %s (%s)\n", r.ID, r.Kind)
	fmt.Fprintf(streams.Out, "start          %s\n", w.Start.UTC().Format(stamp))
	fmt.Fprintf(streams.Out, "end            %s\n", w.End.UTC().Format(stamp))
	fmt.Fprintf(streams.Out, "query_start    %s\n", w.QueryStart.UTC().Format(stamp))
	fmt.Fprintf(streams.Out, "query_end      %s\n", w.QueryEnd.UTC().Format(stamp))
	fmt.Fprintf(streams.Out, "window_seconds %d\n", w.WindowSeconds)
	fmt.Fprintf(streams.Out, "source         %s\n", w.Source)
	fmt.Fprintf(streams.Out, "uncertainty    %g s\n", w.Uncertainty)
	if active, ok := r.Result.ActiveSeconds(); ok {
		fmt.Fprintf(streams.Out, "active         %.2f s (requests / requests per second)\n", active)
	}
	for _, d := range w.Derived {
		fmt.Fprintf(streams.Out, "derived        %s\n", d)
	}
	for _, n := range w.Notes {
		fmt.Fprintf(streams.Out, "note           %s\n", n)
	}
}
