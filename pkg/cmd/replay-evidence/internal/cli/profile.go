package cli

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func profileCommand(streams IO) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "How to write a profile, the questions for one service, and check it",
		Long:  profileHelp,
		// A slip of the pen in "check" must not pass for a checked profile.
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE...",
		Short: "Check profiles and show the queries that they make",
		Long:  profileCheckHelp, Example: "  replay-evidence profile check checkout.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("name the files to check: replay-evidence profile check checkout.yaml")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var faults []error
			for _, name := range args {
				p, err := readProfile(name)
				if err != nil {
					faults = append(faults, errors.Unwrap(errors.Unwrap(err)))
					continue
				}
				fmt.Fprintf(streams.Out, "%s: profile %s is fine\n", name, p.Name)
				queries, err := p.Queries(exampleSeconds)
				if err != nil {
					faults = append(faults, fmt.Errorf("%s: %w", name, err))
					continue
				}
				for _, q := range queries {
					fmt.Fprintf(streams.Out, "  %-40s %s\n", q.Name, q.PromQL)
				}
			}
			if len(faults) > 0 {
				return &usageError{errors.Join(faults...)}
			}
			return nil
		},
	})
	return cmd
}

// exampleSeconds is the window that profile check fills in.
const exampleSeconds = 29

func versionCommand(streams IO) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(streams.Out, "replay-evidence", Version())
			return nil
		},
	}
}

// Version is the version of the module as it was built: a tag, or the commit with "dirty" for changes.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if revision == "" {
		return "devel"
	}
	return "devel-" + revision + dirty
}
