package cli

import (
	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/pkg/report"
)

func evidenceCommand(streams IO) *cobra.Command {
	var f measureFlags
	var ref, format string
	cmd := &cobra.Command{
		Use:   "evidence [SIDE]",
		Short: "Measure one side: the replay's figures, what Prometheus saw in exactly its window, its gates",
		Long:  evidenceHelp, Example: evidenceExample,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "table", "json", "markdown"); err != nil {
				return err
			}
			if err := oneSide(args, &ref, cmd.Flags().Changed("side"), cmd.Flags().Changed("baseline")); err != nil {
				return err
			}
			set, err := f.read()
			if err != nil {
				return err
			}
			c, done, err := f.roots.open()
			if err != nil {
				return err
			}
			defer done()
			found, err := side(cmd.Context(), c, "side", ref)
			if err != nil {
				return err
			}
			s, err := f.measure(cmd.Context(), streams, c, found, set)
			if err != nil {
				return err
			}
			switch format {
			case "json":
				err = report.SideJSON(streams.Out, s)
			default:
				err = report.Side(streams.Out, s, format == "markdown", textOptions(streams))
			}
			if err != nil {
				return err
			}
			if text := notAsked(s); text != "" {
				return &statusError{StatusNotComparable, text}
			}
			return nil
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&ref, "side", "", "`side`, such as results/baseline; the same as the argument")
	// The other commands call it baseline; here it is the only side.
	cmd.Flags().StringVar(&ref, "baseline", "", "the same as --side: a `side`")
	cmd.Flags().StringVar(&format, "format", "table", "table, json or markdown")
	return cmd
}
