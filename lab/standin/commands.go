package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/lab/standin/internal/mock"
	"github.com/replaylab/replay-evidence/lab/standin/internal/record"
	"github.com/replaylab/replay-evidence/lab/standin/internal/replay"
	"github.com/replaylab/replay-evidence/lab/standin/internal/tool"
)

// Default ports, as proxymock has them.
const (
	defaultAppPort = 8080
	defaultInPort  = 4143
	defaultOutPort = 4140
)

func newRecordCommand() *cobra.Command {
	cfg := record.Config{}
	var format string
	var maps []string
	cmd := &cobra.Command{
		Use:   "record --out DIR [flags] -- command [args]",
		Short: "Record the traffic of an application, both ways",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if cfg.Maps, err = parseMaps(maps); err != nil {
				return err
			}
			if cfg.JSONOnly, err = jsonOnly(format); err != nil {
				return err
			}
			if cfg.OutDir == "" {
				cfg.OutDir = filepath.Join("proxymock", "recorded-"+stamp())
			}
			cfg.Command, cfg.Stdout, cfg.Stderr = args, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return record.Run(cmd.Context(), cfg)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&cfg.OutDir, "out", "", "directory for the recording (default proxymock/recorded-<time>)")
	flags.IntVar(&cfg.AppPort, "app-port", defaultAppPort, "port the application listens on")
	flags.IntVar(&cfg.InPort, "proxy-in-port", defaultInPort, "port in front of the application; 0 takes a free one")
	flags.IntVar(&cfg.OutPort, "proxy-out-port", defaultOutPort, "port of the forward proxy for its calls; 0 takes a free one")
	flags.StringVar(&cfg.HealthPath, "app-health-endpoint", "", "path that answers when the application is ready (default: its port is open)")
	flags.StringArrayVar(&maps, "map", nil, "local port in front of a database, such as 15432=postgres://localhost:5432; may be repeated")
	flags.StringVar(&format, "out-format", "markdown", "markdown or json")
	return cmd
}

func newMockCommand() *cobra.Command {
	cfg := mock.Config{}
	var timing string
	var maps []string
	var noOut bool
	cmd := &cobra.Command{
		Use:   "mock --in DIR [flags] -- command [args]",
		Short: "Answer the calls of an application from a recording",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if cfg.Maps, err = parseMaps(maps); err != nil {
				return err
			}
			if cfg.Timing, err = mock.ParseTiming(timing); err != nil {
				return err
			}
			if cfg.OutDir, err = outDir(cfg.OutDir, noOut, "mocked-"); err != nil {
				return err
			}
			if !cmd.Flags().Changed("health-port") {
				cfg.HealthPort = -1
			}
			if !cmd.Flags().Changed("app-port") && cfg.HealthPath == "" {
				cfg.AppPort = 0 // nothing says where the application answers
			}
			cfg.Command, cfg.Stdout, cfg.Stderr = args, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return mock.Run(cmd.Context(), cfg)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&cfg.InDir, "in", "proxymock", "recording to answer from, with its blueprints")
	flags.StringVar(&cfg.OutDir, "out", "", "directory for the pairs the mock answered (default proxymock/results/mocked-<time>)")
	flags.BoolVar(&noOut, "no-out", false, "write no pairs")
	flags.StringVar(&timing, "mock-timing", "none", "factor on recorded durations such as 40x, or recorded, or none")
	flags.BoolVar(&cfg.NoPassthrough, "no-passthrough", false, "answer calls that were not recorded with 404 instead of passing them on")
	flags.IntVar(&cfg.OutPort, "proxy-out-port", defaultOutPort, "port of the forward proxy; 0 takes a free one")
	flags.IntVar(&cfg.HealthPort, "health-port", 4141, "port that answers /healthz once the mock and the application are ready; only when given")
	flags.IntVar(&cfg.AppPort, "app-port", defaultAppPort, "port the application listens on; waited for when given")
	flags.StringVar(&cfg.HealthPath, "app-health-endpoint", "", "path that answers when the application is ready")
	flags.StringArrayVar(&maps, "map", nil, "local port that passes through to a real server, such as 15432=postgres://localhost:5432; may be repeated")
	return cmd
}

func newReplayCommand() *cobra.Command {
	cfg := replay.Config{}
	var target, output, format string
	var conditions []string
	var noOut, performance bool
	cmd := &cobra.Command{
		Use:   "replay --in DIR --test-against URL [flags]",
		Short: "Send recorded requests to an application again",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if performance {
				fmt.Fprintln(cmd.ErrOrStderr(), "Flag --performance has been deprecated, use --load-test instead")
				cfg.Load = true
			}
			if cfg.Target, err = parseTarget(target); err != nil {
				return err
			}
			if cfg.Conditions, err = parseConditions(conditions); err != nil {
				return err
			}
			if cfg.JSONOnly, err = jsonOnly(format); err != nil {
				return err
			}
			if output != "json" && output != "pretty" {
				return fmt.Errorf("--output %q: the stand-in prints json or pretty", output)
			}
			if err := checkAmount(cmd, &cfg); err != nil {
				return err
			}
			if cfg.OutDir, err = outDir(cfg.OutDir, noOut, "replayed-"); err != nil {
				return err
			}
			cfg.Pretty = output == "pretty"
			cfg.Stdout, cfg.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			cfg.Terminal = cmd.ErrOrStderr() == os.Stderr && isatty.IsTerminal(os.Stderr.Fd())
			return replay.Run(cmd.Context(), cfg)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&cfg.InDir, "in", "proxymock", "recording to replay")
	flags.StringVar(&cfg.OutDir, "out", "", "directory for replayed pairs and the verdict (default proxymock/results/replayed-<time>)")
	flags.BoolVar(&noOut, "no-out", false, "write no files")
	flags.StringVar(&target, "test-against", "http://localhost:8080", "application to send to")
	flags.IntVar(&cfg.Times, "times", 1, "passes over the recording, for every user")
	flags.IntVar(&cfg.Users, "vus", 1, "virtual users")
	flags.DurationVar(&cfg.For, "for", 0, "length of a timed run, instead of --times")
	flags.BoolVar(&cfg.Load, "load-test", false, "load: responses are not scored, pairs are not written")
	flags.BoolVar(&performance, "performance", false, "old name of --load-test")
	flags.StringVar(&output, "output", "json", "json or pretty")
	flags.StringVar(&format, "out-format", "markdown", "form of pairs: markdown or json")
	flags.StringArrayVar(&conditions, "fail-if", nil, "exit 1 when this holds for all requests, such as requests.failed!=0; may be repeated")
	return cmd
}

func checkAmount(cmd *cobra.Command, cfg *replay.Config) error {
	switch {
	case cfg.Users < 1:
		return errors.New("--vus: give 1 or more")
	case cfg.Times < 1:
		return errors.New("--times: give 1 or more")
	case cfg.For < 0:
		return errors.New("--for: give a positive length such as 30s")
	case cfg.For > 0 && cmd.Flags().Changed("times"):
		return errors.New("--for and --times exclude each other")
	}
	return nil
}

func parseTarget(text string) (*url.URL, error) {
	target, err := url.Parse(text)
	if err != nil || target.Host == "" || (target.Scheme != "http" && target.Scheme != "https") {
		return nil, fmt.Errorf("--test-against %q: give a URL such as http://localhost:8080", text)
	}
	return target, nil
}

func parseConditions(texts []string) ([]replay.Condition, error) {
	conditions := make([]replay.Condition, 0, len(texts))
	for _, text := range texts {
		condition, err := replay.ParseCondition(text)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, condition)
	}
	return conditions, nil
}

func parseMaps(texts []string) ([]tool.Mapping, error) {
	maps := make([]tool.Mapping, 0, len(texts))
	for _, text := range texts {
		mapping, err := tool.ParseMapping(text)
		if err != nil {
			return nil, err
		}
		maps = append(maps, mapping)
	}
	return maps, nil
}

func jsonOnly(format string) (bool, error) {
	switch format {
	case "markdown", "md":
		return false, nil
	case "json":
		return true, nil
	}
	return false, fmt.Errorf("--out-format %q: give markdown or json", format)
}

// outDir is the directory for output, "" for none.
func outDir(dir string, none bool, prefix string) (string, error) {
	switch {
	case none && dir != "":
		return "", errors.New("--out and --no-out exclude each other")
	case none:
		return "", nil
	case dir == "":
		return filepath.Join("proxymock", "results", prefix+stamp()), nil
	}
	return dir, nil
}

// stamp is the time in a default directory's name.
func stamp() string { return time.Now().UTC().Format("2006-01-02_15-04-05.000000Z") }
