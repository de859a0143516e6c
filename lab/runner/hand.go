package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// Capture is lab:capture: it records the request into RECORDING_DIR on the guide's ports.
func (l *Lab) Capture(ctx context.Context) error {
	if err := l.handPorts(); err != nil {
		return err
	}
	for what, port := range map[string]int{
		"the checkout API": l.ports.appPort, "the pricing dependency": l.ports.pricing,
		"the inbound proxy": l.ports.proxyIn, "the outbound proxy": l.ports.proxyOut,
	} {
		if err := portFree(port); err != nil {
			return &UsageError{fmt.Errorf("%s: %w", what, err)}
		}
	}
	if err := l.prepare(ctx); err != nil {
		return err
	}
	if err := os.MkdirAll(l.opt.Out, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", l.opt.Out, err)
	}
	return l.capture(ctx, l.opt.Recording)
}

// FunctionalReplay is lab:functionalReplay, against the service of lab:mock.
func (l *Lab) FunctionalReplay(ctx context.Context) error {
	if err := l.byHand(ctx); err != nil {
		return err
	}
	label := filepath.Base(l.opt.Results)
	l.con.Step("Functional replay into %s", l.opt.Results)
	if err := l.describeByHand(ctx, label); err != nil {
		return err
	}
	r, err := l.functionalReplay(ctx, label, l.opt.Recording, l.opt.Results)
	if err != nil {
		return err
	}
	if r.trip != "" {
		return &GateError{label, "functional", r.trip}
	}
	return nil
}

// LoadReplay is lab:loadReplay, against the service of lab:mock.
func (l *Lab) LoadReplay(ctx context.Context) error {
	if err := l.byHand(ctx); err != nil {
		return err
	}
	label := filepath.Base(l.opt.Results)
	l.con.Step("Load replay into %s", l.opt.Results)
	if err := functionalPassed(l.opt.Results, l.opt.FunctionalPasses); err != nil {
		return &StatusError{Code: StatusChanged, Text: "the load replay is refused: " + err.Error()}
	}
	functional, err := readWindow(filepath.Join(l.opt.Results, "functional", windowFileName))
	if err != nil {
		return err
	}
	l.rest(ctx, functional.End, "after the functional replay", nil)
	return l.loadSide(ctx, label, l.opt.Recording, l.opt.Results, l.opt.Baseline.Passes, nil)
}

// Verify is lab:verify: the summaries and windows of RESULTS_DIR's runs exist and pass.
func (l *Lab) Verify() error {
	if err := verify(l.opt.Results, l.opt.FunctionalPasses, l.opt.Users*l.opt.Baseline.Passes, l.opt.Repeats); err != nil {
		return err
	}
	l.con.Note("%s: all gates passed, all windows hold (%s)", l.opt.Results, countOf(1+l.opt.Repeats, "run", "runs"))
	return nil
}

// byHand prepares a replay against what lab:mock and lab:up started.
func (l *Lab) byHand(ctx context.Context) error {
	if err := l.handPorts(); err != nil {
		return err
	}
	if err := answers(ctx, l.appURL()+"/healthz", 204); err != nil {
		return &UsageError{fmt.Errorf("no checkout API at %s (%w): run lab:mock in another terminal", l.appURL(), err)}
	}
	if err := l.findHarness(ctx); err != nil {
		return err
	}
	url := l.opt.PrometheusURL
	if url == "" {
		url = fmt.Sprintf("http://127.0.0.1:%d", l.ports.prometheus)
	}
	var err error
	if l.watch, err = newWatcher(url, l.service); err != nil {
		return err
	}
	if _, err := l.watch.version(ctx); err != nil {
		return &UsageError{fmt.Errorf("%w: run lab:up, or set LAB_PROMETHEUS", err)}
	}
	return nil
}

// describeByHand writes side.json from what lab:mock says it serves. A service that was started
// otherwise is described by nobody, which is better than by guesses.
func (l *Lab) describeByHand(ctx context.Context, label string) error {
	var state mockState
	if err := readJSON(l.mockStateFile(), &state); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			l.con.Warn("lab:mock is not what serves here, so that no side.json says which budget was measured")
			return nil
		}
		return err
	}
	var baseline Side
	sibling := filepath.Join(filepath.Dir(l.opt.Results), baselineLabel, "side.json")
	change := ""
	if label != baselineLabel && readJSON(sibling, &baseline) == nil && baseline.Pools[pricingPool] > 0 {
		change = changed(Variant{Budget: baseline.Pools[pricingPool]}, Variant{Budget: state.Budget})
	}
	return writeSide(l.opt.Results, Side{
		Changed: change, Label: label, Version: fmt.Sprintf("budget %d", state.Budget), Commit: commit(ctx, l.opt.Root),
		Pools: map[string]int{pricingPool: state.Budget}, Harness: state.Harness,
		Workload: &Workload{
			Users: l.opt.Users, Passes: l.opt.Baseline.Passes, Mode: "load-test",
			Recording: l.opt.inOut(l.opt.Recording), FunctionalPasses: l.opt.FunctionalPasses,
		},
		Dependency: Dependency{Mocked: true, Timing: state.Timing},
	})
}

// upState is up.json: the server that lab:up left running, so that lab:down ends that one only.
type upState struct {
	PID int    `json:"pid"`
	URL string `json:"url"`
	// Dir is the temporary folder with its configuration and storage.
	Dir string `json:"dir"`
}

func (l *Lab) upFile() string { return filepath.Join(l.opt.Out, "up.json") }

// Up is lab:up: Prometheus on the guide's port, left running until lab:down.
func (l *Lab) Up(ctx context.Context) error {
	if err := l.handPorts(); err != nil {
		return err
	}
	var old upState
	if err := readJSON(l.upFile(), &old); err == nil && l.isOurs(ctx, old) {
		l.con.Note("Prometheus is up already: %s", old.URL)
		return nil
	}
	if err := portFree(l.ports.prometheus); err != nil {
		return &UsageError{fmt.Errorf("Prometheus: %w", err)}
	}
	l.con.Step("Starting Prometheus")
	srv, err := findPrometheus(ctx, l.con, l.opt.Root, l.opt.PrometheusBin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "replay-evidence-prometheus-")
	if err != nil {
		return fmt.Errorf("make a temporary folder for Prometheus: %w", err)
	}
	// Not the lab's own supervisor: the server outlives this command unless it fails to start.
	var children proc.Supervisor
	url, p, err := startPrometheus(ctx, &children, srv, dir, l.opt.log("prometheus"), l.ports.prometheus, l.ports.app, l.service.job)
	if err == nil {
		err = writeJSON(l.upFile(), upState{PID: p.PID(), URL: url, Dir: dir})
	}
	if err == nil {
		err = writeJSON(filepath.Join(l.opt.Out, "prometheus.json"), prometheusState{URL: url, Version: srv.version, Origin: srv.origin})
	}
	if err != nil {
		children.Close()
		return errors.Join(err, os.RemoveAll(dir))
	}
	l.con.Note("Prometheus %s at %s (%s), scraping %s every second", srv.version, url, srv.origin, l.appURL())
	l.con.Note("lab:down ends it")
	return nil
}

// Down is lab:down: it ends the server that lab:up started, and nothing else.
func (l *Lab) Down(ctx context.Context) error {
	var state upState
	if err := readJSON(l.upFile(), &state); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			l.con.Note("nothing to end: there is no %s, so that no lab:up or LAB_KEEP_PROMETHEUS=1 with this LAB_OUT left a server", l.upFile())
			return nil
		}
		return err
	}
	if l.isOurs(ctx, state) {
		if err := endProcess(ctx, state.PID); err != nil {
			return fmt.Errorf("end Prometheus (process %d): %w", state.PID, err)
		}
		l.con.Note("Prometheus at %s has ended", state.URL)
	} else {
		l.con.Note("the Prometheus that lab:up started is gone already")
	}
	if err := os.RemoveAll(state.Dir); err != nil {
		return fmt.Errorf("remove its storage: %w", err)
	}
	return os.Remove(l.upFile())
}

// endKept ends a server that a former run into the same folder left up: its noted address would be
// overwritten, and it would stay forever.
func (l *Lab) endKept(ctx context.Context) error {
	if !l.opt.KeepPrometheus || !exists(l.upFile()) {
		return nil
	}
	return l.Down(ctx)
}

// isOurs says whether the server at the noted URL stores into the noted folder. Process ids are
// used again by systems, so that the number alone proves nothing.
func (l *Lab) isOurs(ctx context.Context, s upState) bool {
	w, err := newWatcher(s.URL, l.service)
	if err != nil {
		return false
	}
	flags, err := w.api.Flags(ctx)
	return err == nil && flags["storage.tsdb.path"] == filepath.Join(s.Dir, "data")
}

func endProcess(ctx context.Context, pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := p.Signal(os.Interrupt); err != nil {
		return err
	}
	return poll(ctx, "the process to end", readyTimeout, nil, func(context.Context) error {
		if processAlive(p) {
			return errors.New("still there")
		}
		return nil
	})
}
