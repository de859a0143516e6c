package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// Labels of the two sides.
const (
	baselineLabel  = "baseline"
	candidateLabel = "candidate"
)

// Outcome is what a whole run left behind.
type Outcome struct {
	// PrometheusURL is the server that watched, for queries while it is still up.
	PrometheusURL string
	// Gates are the gates that tripped, in the order of the runs.
	Gates []*GateError
}

// All is the lab: capture, both sides, the comparison. The error's [Status] is the exit status.
func (l *Lab) All(ctx context.Context) error {
	if err := l.checkConditions(ctx); err != nil {
		return err
	}
	out, err := l.Measure(ctx)
	if err != nil {
		return err
	}
	err = l.compare(ctx, out)
	if l.opt.KeepPrometheus && l.opt.PrometheusURL == "" {
		l.keep = true
		l.con.Note("Prometheus stays up at %s until lab:down", out.PrometheusURL)
	}
	return err
}

// Measure captures the request and replays it against both sides. Prometheus is up when it
// returns, and until Close.
func (l *Lab) Measure(ctx context.Context) (Outcome, error) {
	if err := l.lockOut(); err != nil {
		return Outcome{}, err
	}
	if err := l.endKept(ctx); err != nil {
		return Outcome{}, err
	}
	if err := l.freshOut(); err != nil {
		return Outcome{}, err
	}
	if err := l.freePorts(); err != nil {
		return Outcome{}, err
	}
	if err := l.prepare(ctx); err != nil {
		return Outcome{}, err
	}
	url, err := l.prometheus(ctx)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{PrometheusURL: url}
	if err := l.capture(ctx, l.recording()); err != nil {
		return out, err
	}
	for _, side := range []struct {
		label   string
		variant Variant
	}{{baselineLabel, l.opt.Baseline}, {candidateLabel, l.opt.Candidate}} {
		err := l.runSide(ctx, side.label, side.variant)
		var gate *GateError
		if errors.As(err, &gate) {
			out.Gates = append(out.Gates, gate)
			continue
		}
		if err != nil {
			return out, fmt.Errorf("the %s: %w", side.label, err)
		}
	}
	return out, nil
}

func (l *Lab) recording() string { return filepath.Join(l.opt.Out, "proxymock", "recording") }

// freshOut empties what a former run left, and nothing else: the results folder may be anywhere.
func (l *Lab) freshOut() error {
	for _, name := range append([]string{"prometheus.json", "mock.json"}, evidenceFiles...) {
		if err := os.Remove(filepath.Join(l.opt.Out, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove the evidence of the former run: %w", err)
		}
	}
	for _, label := range []string{baselineLabel, candidateLabel} {
		if err := freshDir(l.opt.side(label), "side.json", "mock.log", "functional", "load"); err != nil {
			return &UsageError{err}
		}
	}
	if err := os.RemoveAll(l.opt.logs()); err != nil {
		return fmt.Errorf("remove the logs of the former run: %w", err)
	}
	return os.MkdirAll(l.opt.logs(), 0o755)
}

// runSide measures one side. A *GateError says that it ran and a gate tripped.
func (l *Lab) runSide(ctx context.Context, label string, v Variant) error {
	l.con.Step("%s: connection budget %d", title(label), v.Budget)
	var children proc.Supervisor
	defer children.Close()
	dir := l.opt.side(label)
	// The mock's log lies beside the runs: how it answered is part of the evidence.
	m, err := l.startMock(ctx, &children, l.recording(), v, filepath.Join(dir, "mock.log"), nil)
	if err != nil {
		return err
	}
	if err := l.describeSide(ctx, dir, label, v, m); err != nil {
		return err
	}
	l.con.Note("checkout at %s, pricing calls mocked at %s the recorded time", l.appURL(), m.timing)

	// The functional run needs scrapes on both sides of its window, like the load run.
	l.rest(ctx, time.Now(), "before the functional replay", m.process)
	functional, err := l.functionalReplay(ctx, label, l.recording(), dir)
	if err != nil {
		return err
	}
	if functional.trip != "" {
		l.rest(ctx, functional.window.End, "after the functional replay", m.process)
		l.con.Note("the load replay is skipped: load on a service that answers wrongly proves nothing")
		return &GateError{label, "functional", functional.trip}
	}
	if err := functionalPassed(dir, l.opt.FunctionalPasses); err != nil {
		return err
	}
	// Two scrapes at rest: the series exist and hold the functional requests before the load's
	// window begins.
	l.rest(ctx, functional.window.End, "after the functional replay", m.process)
	if err := l.loadSide(ctx, label, l.recording(), dir, v.Passes, m.process); err != nil {
		return err
	}
	if err := verify(dir, l.opt.FunctionalPasses, l.opt.Users*v.Passes, l.opt.Repeats); err != nil {
		return err
	}
	l.con.Note("verified: the gates and the windows of %s", countOf(1+l.opt.Repeats, "run", "runs"))
	return nil
}

// loadSide makes the load replays of a side. Each one waits for the scrape that its window needs, and the
// next begins after that, so that windows do not meet.
func (l *Lab) loadSide(ctx context.Context, label, recording, sideDir string, passes int, p *proc.Process) error {
	for n := 1; n <= l.opt.Repeats; n++ {
		load, err := l.loadReplay(ctx, label, recording, loadDir(sideDir, n), passes)
		if err != nil {
			return err
		}
		l.hold(ctx, load.window, p)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if load.trip != "" {
			return &GateError{label, "load", load.trip}
		}
	}
	return nil
}

// describeSide writes side.json.
func (l *Lab) describeSide(ctx context.Context, dir, label string, v Variant, m mocked) error {
	s := Side{
		Label: label, Version: fmt.Sprintf("budget %d", v.Budget), Commit: commit(ctx, l.opt.Root),
		Pools: map[string]int{pricingPool: v.Budget}, Harness: l.harness,
		Workload: &Workload{
			Users: l.opt.Users, Passes: v.Passes, Mode: "load-test",
			Recording: l.opt.inOut(l.recording()), FunctionalPasses: l.opt.FunctionalPasses,
		},
		Dependency: Dependency{Mocked: true, Timing: m.timing},
	}
	if label == candidateLabel {
		s.Changed = changed(l.opt.Baseline, v)
	}
	return writeSide(dir, s)
}

// changed says what the candidate differs in.
func changed(base, cand Variant) string {
	text := "nothing: the connection budget stays the same"
	if base.Budget != cand.Budget {
		text = fmt.Sprintf("pricing connection budget %d -> %d", base.Budget, cand.Budget)
	}
	if cand.PriceOffsetCents != base.PriceOffsetCents {
		text += fmt.Sprintf("; unit price %+d cents", cand.PriceOffsetCents-base.PriceOffsetCents)
	}
	return text
}

func title(label string) string { return string(label[0]-'a'+'A') + label[1:] }
