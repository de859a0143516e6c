// Package replay is the sub-command that sends recorded requests to an
// application again: scored against the recording, or as load.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
	"github.com/replaylab/replay-evidence/lab/standin/internal/tool"
)

// ErrGate says that a --fail-if condition held; the result was still printed.
var ErrGate = errors.New("a --fail-if condition held")

// Config is everything that `replay` is told.
type Config struct {
	InDir      string
	OutDir     string // empty writes no files
	Target     *url.URL
	Times      int           // passes of every user; ignored when For is set
	For        time.Duration // length of a timed run; 0 counts passes
	Users      int
	Load       bool // no scoring, no pairs
	JSONOnly   bool // pairs as JSON files
	Pretty     bool // a table instead of JSON
	Conditions []Condition
	Stdout     io.Writer
	Stderr     io.Writer
	// Terminal says that Stderr is one and can show a progress bar.
	Terminal bool
}

// Run replays and prints the result on Stdout. It returns ErrGate, after
// printing, when a condition held.
func Run(ctx context.Context, cfg Config) error {
	pairs, skipped, err := rrpair.Load(cfg.InDir)
	if err != nil {
		return err
	}
	steps := plan(pairs, cfg.Target)
	if len(steps) == 0 {
		return fmt.Errorf("%s holds no inbound HTTP pair to replay: record one first", cfg.InDir)
	}
	run := &run{cfg: cfg, steps: steps, collector: newCollector(), log: slog.New(slog.DiscardHandler)}
	if cfg.OutDir != "" {
		closeOutput, err := run.openOutput()
		if err != nil {
			return err
		}
		defer closeOutput()
	}
	for _, skip := range skipped {
		run.log.Warn("file is not used", "path", skip.Path, "reason", skip.Err)
	}
	run.log.Info("replay in progress", "tool", rrpair.ProxyVersion, "requests", len(steps), "vus", cfg.Users, "times", cfg.Times, "for", cfg.For, "target", cfg.Target)
	result, err := run.play(ctx)
	if err != nil {
		return err
	}
	return run.conclude(result)
}

// run is one replay in progress.
type run struct {
	cfg       Config
	steps     []step
	collector *collector
	verdict   verdict
	writer    *rrpair.Writer // nil without pairs to write
	log       *slog.Logger
}

func (r *run) openOutput() (func(), error) {
	writer, err := rrpair.NewWriter(r.cfg.OutDir, r.cfg.JSONOnly)
	if err != nil {
		return nil, err
	}
	if !r.cfg.Load {
		r.writer = writer
	}
	file, err := os.OpenFile(filepath.Join(r.cfg.OutDir, "proxymock.log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the log of the replay: %w", err)
	}
	r.log = slog.New(tool.NewLogHandler(file))
	return func() { _ = file.Close() }, nil
}

// play runs all users to the end and gathers the result.
func (r *run) play(ctx context.Context) (Result, error) {
	var cpu *sampler
	if r.cfg.Load {
		cpu = startSampler(ctx, newCPUSource(r.cfg.Target))
	}
	progressCtx, stopProgress := context.WithCancel(ctx)
	progressDone := make(chan struct{})
	total := int64(r.cfg.Users) * int64(r.cfg.Times) * int64(len(r.steps))
	if r.cfg.For > 0 {
		total = 0
	}
	go func() {
		defer close(progressDone)
		reportProgress(progressCtx, r.cfg.Stderr, r.cfg.Terminal, total, r.cfg.For, r.collector.done)
	}()
	writeErr := r.runUsers(ctx)
	stopProgress()
	<-progressDone
	result := r.collector.result(!r.cfg.Load)
	all := result.Endpoints[0].Metrics
	if cpu != nil {
		result.Resources = cpu.finish(all["requests.per-second"], all["latency.p99"])
	}
	r.log.Info("done", "totalRequests", all["requests.total"], "failed", all["requests.failed"])
	fmt.Fprintf(r.cfg.Stderr, "replayed %.0f requests, %.0f failed, %.1f/s\n", all["requests.total"], all["requests.failed"], all["requests.per-second"])
	if ctx.Err() != nil {
		return Result{}, fmt.Errorf("the replay was interrupted after %.0f requests: no result is printed", all["requests.total"])
	}
	return result, writeErr
}

// conclude judges the conditions, prints the result and writes the verdict.
func (r *run) conclude(result Result) error {
	gate := error(nil)
	for _, condition := range r.cfg.Conditions {
		failed, line := condition.check(result.Endpoints[0].Metrics)
		if failed {
			gate = ErrGate
		}
		fmt.Fprintln(r.cfg.Stderr, line)
		r.log.Info(line)
	}
	print := result.writeJSON
	if r.cfg.Pretty {
		print = result.writePretty
	}
	if err := print(r.cfg.Stdout); err != nil {
		return fmt.Errorf("printing the result: %w", err)
	}
	if r.writer != nil {
		exitCode := 0
		if gate != nil {
			exitCode = 1
		}
		if err := r.verdict.write(r.cfg.OutDir, exitCode); err != nil {
			return err
		}
	}
	return gate
}
