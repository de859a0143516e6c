package runner

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// Lab runs the steps of the scenario with one set of options. Close it when done.
type Lab struct {
	opt Options
	con *console.Console

	children proc.Supervisor
	// watching owns Prometheus, which outlives the other children when keep is set.
	watching proc.Supervisor
	keep     bool
	harness  Harness
	checkout string // the binaries of the seed system
	pricing  string
	ports    ports
	watch    *watcher
	service  watched // what Prometheus scrapes
	cleanup  []func()
	// pick returns free ports; tests that run several labs at once share one that hands out none twice.
	pick func(int) ([]int, error)
}

// ports are the addresses of one scenario.
type ports struct {
	app                      string // host:port that the service listens on
	appPort                  int
	pricing, proxyIn, health int
	proxyOut, prometheus     int
}

// New returns a lab. It starts nothing.
func New(opt Options, con *console.Console) *Lab {
	return &Lab{opt: opt, con: con, pick: freePorts, service: watchedCheckout}
}

// Close ends every child that is still there and removes temporary folders.
func (l *Lab) Close() {
	l.children.Close()
	for i := len(l.cleanup) - 1; i >= 0; i-- {
		l.cleanup[i]()
	}
	l.cleanup = nil
}

// prepare builds the seed system and finds the harness.
func (l *Lab) prepare(ctx context.Context) error {
	l.con.Step("Building the checkout API and its pricing dependency")
	var err error
	if l.checkout, err = build.Program(ctx, l.opt.Root, "./lab/checkout"); err != nil {
		return err
	}
	if l.pricing, err = build.Program(ctx, l.opt.Root, "./lab/pricing"); err != nil {
		return err
	}
	return l.findHarness(ctx)
}

func (l *Lab) findHarness(ctx context.Context) error {
	h, err := findHarness(ctx, l.opt.Proxymock, exec.LookPath, func() (string, error) {
		return build.Program(ctx, l.opt.Root, "./lab/standin")
	})
	if err != nil {
		return &UsageError{err}
	}
	l.harness = h
	if h.StandIn() {
		l.con.Note("recording, mocking and replaying with the lab's %s (%s)", h, whyStandIn(l.opt.Proxymock))
	} else {
		l.con.Note("recording, mocking and replaying with %s (%s)", h, h.Path)
	}
	return nil
}

func whyStandIn(choice string) string {
	if choice == standInChoice {
		return "PROXYMOCK asks for it"
	}
	return "no proxymock is on PATH"
}

// freePorts picks the addresses of a whole run. With a Prometheus that already scrapes the service
// somewhere, the service must be there.
func (l *Lab) freePorts() error {
	picked, err := l.pick(6)
	if err != nil {
		return err
	}
	l.ports = ports{
		appPort: picked[0], app: fmt.Sprintf("127.0.0.1:%d", picked[0]), pricing: picked[1],
		proxyIn: picked[2], proxyOut: picked[3], health: picked[4], prometheus: picked[5],
	}
	if l.opt.PrometheusURL != "" {
		return l.fixedApp()
	}
	return nil
}

// handPorts uses the guide's addresses, for the steps by hand.
func (l *Lab) handPorts() error {
	l.ports = ports{
		pricing: handPricingPort, proxyIn: handProxyInPort, proxyOut: handProxyOutPort,
		health: handHealthPort, prometheus: handPrometheusPort,
	}
	return l.fixedApp()
}

func (l *Lab) fixedApp() error {
	port, err := l.opt.appPort()
	if err != nil {
		return &UsageError{err}
	}
	l.ports.app, l.ports.appPort = l.opt.AppAddr, port
	return nil
}

func (l *Lab) appURL() string { return fmt.Sprintf("http://127.0.0.1:%d", l.ports.appPort) }

// settle is how long a proxy may take between accepting connections and recording them.
const settle = time.Second
