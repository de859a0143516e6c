package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// File names beside a run.
const (
	summaryFile       = "summary.json"
	failedSummaryFile = "failed-summary.json"
	windowFileName    = "window.json"
)

// run is one replay that came to its end.
type run struct {
	summary Summary
	window  Window
	// trip says what tripped the gate; empty when it passed.
	trip string
}

// replayJob describes one replay.
type replayJob struct {
	side, kind string
	recording  string
	// dir is the run's folder below the side.
	dir string
	// args are added to those that every replay has.
	args []string
	want int
	gate func(Summary, int) string
	// track, when set, shows how far the replay is until the function it returns is called.
	track func() (stop func())
}

// functionalReplay scores every answer: the correctness gate of a side.
func (l *Lab) functionalReplay(ctx context.Context, side, recording, sideDir string) (run, error) {
	dir := filepath.Join(sideDir, "functional")
	passes := l.opt.FunctionalPasses
	l.con.Note("functional replay: %s, every answer compared with the recording", countOf(passes, "pass", "passes"))
	return l.replay(ctx, replayJob{
		side: side, kind: "functional", recording: recording, dir: dir, want: passes, gate: functionalGate,
		args: []string{
			"--out", l.opt.inOut(dir), "--times", strconv.Itoa(passes),
			"--fail-if", failOnFailed, "--fail-if", failOnMismatch,
		},
	})
}

// loadDir is the folder of a side's load replay number n, which counts from 1.
func loadDir(sideDir string, n int) string {
	if n == 1 {
		return filepath.Join(sideDir, "load")
	}
	return filepath.Join(sideDir, "load-"+strconv.Itoa(n))
}

// loadReplay repeats the request from several users at once into dir; answers are not scored.
func (l *Lab) loadReplay(ctx context.Context, side, recording, dir string, passes int) (run, error) {
	want := l.opt.Users * passes
	l.con.Note("load replay: %s x %s = %s requests", countOf(l.opt.Users, "virtual user", "virtual users"),
		countOf(passes, "pass", "passes"), console.Count(want))
	job := replayJob{
		side: side, kind: "load", recording: recording, dir: dir, want: want, gate: loadGate,
		args: []string{
			"--no-out", "--load-test", "--vus", strconv.Itoa(l.opt.Users), "--times", strconv.Itoa(passes),
			"--fail-if", failOnFailed,
		},
	}
	if before, ok := l.watch.answered(ctx); ok {
		job.track = func() func() {
			return l.con.Track("load replay", want, func(ctx context.Context) (int, bool) {
				now, ok := l.watch.answered(ctx)
				return now - before, ok
			})
		}
	}
	return l.replay(ctx, job)
}

// replay runs one replay and stores its summary and window. The summary goes to a hidden file
// first: what stands under its final name is complete, and its name says whether the gate passed.
func (l *Lab) replay(ctx context.Context, job replayJob) (run, error) {
	if err := freshDir(job.dir, "*/*.md", "*/*.json", summaryFile, failedSummaryFile, windowFileName, "replay-verdict.json"); err != nil {
		return run{}, &UsageError{err}
	}
	// It stands beside the run's folder, which belongs to the replay while that runs.
	tmp := filepath.Join(filepath.Dir(job.dir), "."+job.kind+"-"+summaryFile+".tmp")
	out, err := os.Create(tmp)
	if err != nil {
		return run{}, fmt.Errorf("make the file for the replay's result: %w", err)
	}
	defer func() { _ = os.Remove(tmp) }()

	args := append([]string{
		"replay", "--in", l.opt.inOut(job.recording), "--test-against", l.appURL(), "--output", "json",
	}, job.args...)
	stop := func() {}
	if job.track != nil {
		stop = job.track()
	}
	start := time.Now()
	replayErr := proc.Run(ctx, proc.Command{
		Name: job.kind + " replay of the " + job.side, Path: l.harness.Path, Args: args, Dir: l.opt.Out,
		Stdout: out, Log: l.opt.log(job.side + "-" + filepath.Base(job.dir) + "-replay"), StopSignal: os.Interrupt,
	})
	end := time.Now()
	stop()
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		return run{}, fmt.Errorf("store the replay's result: %w", err)
	}
	if ctx.Err() != nil {
		return run{}, replayErr
	}
	r, err := l.finish(job, tmp, start, end)
	if err != nil {
		// A replay that ended with an error and left no result is that error, not a parse error.
		return run{}, firstOf(replayErr, err)
	}
	if r.trip == "" && replayErr != nil {
		return run{}, fmt.Errorf("the gate passes by the result's own numbers, yet: %w", replayErr)
	}
	return r, nil
}

// finish judges the result at tmp and puts it, with the window, into the run's folder.
func (l *Lab) finish(job replayJob, tmp string, start, end time.Time) (run, error) {
	var r run
	var err error
	if r.summary, err = readSummary(tmp); err != nil {
		return run{}, err
	}
	if r.window, err = NewWindow(start, end); err != nil {
		return run{}, err
	}
	r.trip = job.gate(r.summary, job.want)
	name := summaryFile
	if r.trip != "" {
		name = failedSummaryFile
	}
	if err := os.Rename(tmp, filepath.Join(job.dir, name)); err != nil {
		return run{}, fmt.Errorf("put the replay's result in place: %w", err)
	}
	if err := r.window.Write(filepath.Join(job.dir, windowFileName)); err != nil {
		return run{}, err
	}
	l.sayResult(job, r)
	return r, nil
}

func (l *Lab) sayResult(job replayJob, r run) {
	if r.trip != "" {
		l.con.Warn("the gate of the %s replay tripped: %s; its result is kept as %s", job.kind, r.trip, failedSummaryFile)
		return
	}
	text := fmt.Sprintf("%s of %s requests answered, %d failed", console.Count(r.summary.Total-r.summary.Failed),
		console.Count(r.summary.Total), r.summary.Failed)
	if r.summary.MatchPct != nil {
		text += fmt.Sprintf(", %.4g %% match", *r.summary.MatchPct)
	} else {
		text += fmt.Sprintf(", p95 %.0f ms, %.1f requests a second", r.summary.P95Ms, r.summary.PerSecond)
	}
	l.con.Note("%s; gate passed; window %s", text, describe(r.window))
}

func describe(w Window) string {
	return fmt.Sprintf("%s to %s UTC (%d s)", w.QueryStart().Format(time.TimeOnly), w.QueryEnd().Format(time.TimeOnly), w.Seconds())
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return console.Count(n) + " " + many
}

// functionalPassed refuses a load replay unless the functional gate of the same side passed.
func functionalPassed(sideDir string, want int) error {
	path := filepath.Join(sideDir, "functional", summaryFile)
	s, err := readSummary(path)
	if errors.Is(err, fs.ErrNotExist) {
		if failed := filepath.Join(sideDir, "functional", failedSummaryFile); exists(failed) {
			return fmt.Errorf("the functional gate tripped (see %s): a load replay of a service that answers wrongly proves nothing", failed)
		}
		return fmt.Errorf("%s is missing: run the functional replay first", path)
	}
	if err != nil {
		return err
	}
	if trip := functionalGate(s, want); trip != "" {
		return fmt.Errorf("the functional gate does not hold: %s", trip)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// verify reads a side's files as a stranger would: every summary passes its gate, every window follows
// from its instants, and the replays ran one after the other. The side has one functional run and loads load runs.
func verify(sideDir string, functionalWant, loadWant, loads int) error {
	label := filepath.Base(sideDir)
	before, err := verifyRun(label, "functional", filepath.Join(sideDir, "functional"), functionalWant, functionalGate)
	if err != nil {
		return err
	}
	previous := "functional"
	for n := 1; n <= loads; n++ {
		dir := loadDir(sideDir, n)
		w, err := verifyRun(label, "load", dir, loadWant, loadGate)
		if err != nil {
			return err
		}
		if w.Start.Before(before.End) {
			return fmt.Errorf("%s: the replay of %s started at %s, before that of %s ended at %s: one of the windows is wrong",
				label, filepath.Base(dir), instant(w.Start), previous, instant(before.End))
		}
		before, previous = w, filepath.Base(dir)
	}
	return nil
}

// verifyRun checks the summary of one run and returns its window.
func verifyRun(label, kind, dir string, want int, gate func(Summary, int) string) (Window, error) {
	s, err := readSummary(filepath.Join(dir, summaryFile))
	if err != nil {
		if failed := filepath.Join(dir, failedSummaryFile); exists(failed) {
			return Window{}, &GateError{label, kind, "see " + failed}
		}
		return Window{}, fmt.Errorf("verify the %s run of %s: %w", kind, label, err)
	}
	if trip := gate(s, want); trip != "" {
		return Window{}, &GateError{label, kind, trip}
	}
	w, err := readWindow(filepath.Join(dir, windowFileName))
	if err != nil {
		return Window{}, fmt.Errorf("verify the window of the %s run of %s: %w", kind, label, err)
	}
	return w, nil
}
