package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
	"github.com/replaylab/replay-evidence/lab/traffic/drive"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// File names beside a load run of the second guide, besides those of the first.
const (
	resultFile    = "result.json"
	replayLogFile = "replay.log"
	mockLogFile   = "mock.log"
)

// loadVersion replays the baseline's traffic against one version: the real database, emptied before,
// and the catalogue mocked from the whole recording. A *GateError says that it ran and its gate tripped.
func (o *orders) loadVersion(ctx context.Context, v ordersVersion, set loadSettings) error {
	o.con.Step("Load on %s", v)
	dir := o.opt.side(v.load())
	if err := freshDir(dir, "side.json", resultFile, replayLogFile, mockLogFile); err != nil {
		return &UsageError{err}
	}
	prepare := o.truncate
	if set.keepRows {
		prepare = o.rows
	}
	rows, err := prepare(ctx)
	if err != nil {
		return err
	}
	var children proc.Supervisor
	defer children.Close()
	if set.passthrough {
		if err := o.startCatalogue(ctx, &children); err != nil {
			return err
		}
	}
	mock, err := o.startOrders(ctx, &children, v, set, filepath.Join(dir, mockLogFile))
	if err != nil {
		return err
	}
	side := o.sideOf(v)
	side.Tables = rows
	side.Workload = &Workload{Users: o.opt.Users, Passes: o.opt.Baseline.Passes, Mode: "load-test", Recording: o.opt.inOut(o.baseline())}
	if set.timed != "" {
		side.Workload.Passes = 0
	}
	side.Dependency = &Dependency{Mocked: true}
	if err := writeJSON(filepath.Join(dir, "side.json"), side); err != nil {
		return err
	}
	o.con.Note("orders at %s on PostgreSQL with %s, catalogue calls mocked", o.appURL(), rows)
	o.rest(ctx, time.Now(), "before the load replay", mock)
	window, trip, err := o.loadReplay(ctx, v, set, dir)
	if err != nil {
		return err
	}
	o.hold(ctx, window, mock)
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	mock.Stop()
	if err := o.sayMock(dir); err != nil {
		return err
	}
	if trip != "" {
		return &GateError{v.load(), "load", trip}
	}
	return nil
}

// startOrders starts a version under a mock of the whole recording. The database is not mocked: a
// mock could not show statements that were never recorded.
func (o *orders) startOrders(ctx context.Context, children *proc.Supervisor, v ordersVersion, set loadSettings, log string) (*proc.Process, error) {
	args := []string{
		"mock", "--in", o.opt.inOut(set.in), "--map", o.mapping(), "--no-out", "--app-health-endpoint", "/healthz",
		"--app-port", strconv.Itoa(o.ports.appPort), "--proxy-out-port", strconv.Itoa(o.ports.proxyOut),
	}
	if !set.passthrough {
		args = append(args, "--no-passthrough")
	}
	p, err := children.Start(proc.Command{
		Name: "orders under " + o.harness.Name + " mock", Path: o.harness.Path, Dir: o.opt.Out,
		Args: append(args, "--", o.program), Env: o.env(v, o.db.URL()),
		// The mock's log lies beside the run: what it answered is part of the evidence.
		Log: log, StopSignal: os.Interrupt,
	})
	if err != nil {
		return nil, err
	}
	return p, o.awaitOrders(ctx, p)
}

// loadReplay repeats the recorded requests from several users at once.
func (o *orders) loadReplay(ctx context.Context, v ordersVersion, set loadSettings, dir string) (Window, string, error) {
	passes := o.opt.Baseline.Passes
	want := o.opt.Users * passes * (drive.Total + 1)
	amount := []string{"--times", strconv.Itoa(passes)}
	if set.timed != "" {
		amount, want = []string{"--for", set.timed}, 0
		o.con.Note("load replay: %s for %s", countOf(o.opt.Users, "virtual user", "virtual users"), set.timed)
	} else {
		o.con.Note("load replay: %s x %s x %d requests = %s requests", countOf(o.opt.Users, "virtual user", "virtual users"),
			countOf(passes, "pass", "passes"), drive.Total+1, console.Count(want))
	}
	// The result goes to a hidden file first: what stands under its final name is complete.
	tmp := filepath.Join(dir, "."+resultFile+".tmp")
	out, err := os.Create(tmp)
	if err != nil {
		return Window{}, "", fmt.Errorf("make the file for the replay's result: %w", err)
	}
	defer func() { _ = os.Remove(tmp) }()
	stop := func() {}
	if before, ok := o.watch.answered(ctx); ok && want > 0 {
		stop = o.con.Track("load replay", want, func(ctx context.Context) (int, bool) {
			now, ok := o.watch.answered(ctx)
			return now - before, ok
		})
	}
	start := time.Now()
	replayErr := proc.Run(ctx, proc.Command{
		Name: "load replay of " + v.load(), Path: o.harness.Path, Dir: o.opt.Out,
		Args: append([]string{
			"replay", "--in", o.opt.inOut(o.baseline()), "--test-against", o.appURL(), "--output", "json",
			"--no-out", "--load-test", "--vus", strconv.Itoa(o.opt.Users), "--fail-if", failOnFailed,
		}, amount...),
		Stdout: out, Log: filepath.Join(dir, replayLogFile), StopSignal: os.Interrupt,
	})
	end := time.Now()
	stop()
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		return Window{}, "", fmt.Errorf("store the replay's result: %w", err)
	}
	if ctx.Err() != nil {
		return Window{}, "", replayErr
	}
	return o.finishLoad(dir, tmp, start, end, want, replayErr)
}

// finishLoad stores the result in both layouts, with its window, and judges it.
func (o *orders) finishLoad(dir, tmp string, start, end time.Time, want int, replayErr error) (Window, string, error) {
	raw, err := readResult(tmp)
	if err != nil {
		return Window{}, "", firstOf(replayErr, err)
	}
	summary, err := summaryOf(raw)
	if err != nil {
		return Window{}, "", firstOf(replayErr, err)
	}
	window, err := NewWindow(start, end)
	if err != nil {
		return Window{}, "", err
	}
	if want == 0 {
		want = summary.Total
	}
	trip := loadGate(summary, want)
	if trip == "" && replayErr != nil {
		return Window{}, "", fmt.Errorf("the gate passes by the result's own numbers, yet: %w", replayErr)
	}
	if err := os.Rename(tmp, filepath.Join(dir, resultFile)); err != nil {
		return Window{}, "", fmt.Errorf("put the replay's result in place: %w", err)
	}
	code := 0
	if replayErr != nil {
		code = 1
	}
	if err := writeJSON(filepath.Join(dir, summaryFile), flatten(raw, code, o.opt.inOut(filepath.Join(dir, resultFile)))); err != nil {
		return Window{}, "", err
	}
	if err := window.Write(filepath.Join(dir, windowFileName)); err != nil {
		return Window{}, "", err
	}
	if trip != "" {
		o.con.Warn("the gate of the load replay tripped: %s", trip)
	} else {
		o.con.Note("%s of %s requests answered, %d failed, p95 %.0f ms, %.1f requests a second; gate passed; window %s",
			console.Count(summary.Total-summary.Failed), console.Count(summary.Total), summary.Failed, summary.P95Ms, summary.PerSecond, describe(window))
	}
	return window, trip, nil
}

// sayMock reads the mock's log and says how it answered.
func (o *orders) sayMock(dir string) error {
	f, err := os.Open(filepath.Join(dir, mockLogFile))
	if err != nil {
		return fmt.Errorf("read the mock's log: %w", err)
	}
	defer func() { _ = f.Close() }()
	counts, err := proxymock.ParseMockLog(f)
	switch {
	case err != nil:
		return fmt.Errorf("read the mock's log %s: %w", f.Name(), err)
	case counts.Observed() == 0:
		o.con.Warn("the mock's log does not say how calls were answered: %s", f.Name())
	default:
		o.con.Note("%s; %s", countOf(int(counts.Misses), "mock miss", "mock misses"), counts)
	}
	return nil
}
