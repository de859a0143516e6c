package runner

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// mocked is a checkout API on the recorded dependency.
type mocked struct {
	process *proc.Process
	timing  string
}

// startMock starts the service under a mock of the recorded dependency and waits until it answers.
// stdout takes the mock's messages when it is not nil; they go to logFile otherwise.
func (l *Lab) startMock(ctx context.Context, children *proc.Supervisor, recording string, v Variant, logFile string, stdout io.Writer) (mocked, error) {
	rec, err := readRecording(recording)
	if err != nil {
		return mocked{}, err
	}
	if err := rec.check(recording); err != nil {
		return mocked{}, &UsageError{err}
	}
	timing, err := mockTiming(rec.duration, DependencyTime)
	if err != nil {
		return mocked{}, err
	}
	cmd := proc.Command{
		Name: "checkout under " + l.harness.Name + " mock", Path: l.harness.Path, Dir: l.opt.Out,
		Args: []string{
			"mock", "--in", l.opt.inOut(recording), "--mock-timing", timing, "--no-passthrough", "--no-out",
			"--proxy-out-port", strconv.Itoa(l.ports.proxyOut), "--health-port", strconv.Itoa(l.ports.health),
			"--", l.checkout,
		},
		// The mock knows the dependency by the address it was recorded at.
		Env: l.appEnv(v, "http://"+rec.dependency),
		Log: logFile, StopSignal: os.Interrupt,
	}
	if stdout != nil {
		cmd.Stdout, cmd.Stderr = stdout, stdout
	}
	p, err := children.Start(cmd)
	if err != nil {
		return mocked{}, err
	}
	return mocked{p, timing}, l.awaitApp(ctx, p)
}

// mockState is written while lab:mock runs, so that the replay steps can say in side.json what
// they ran against.
type mockState struct {
	Budget  int     `json:"budget"`
	Timing  string  `json:"timing"`
	Harness Harness `json:"harness"`
	Started string  `json:"started"`
}

func (l *Lab) mockStateFile() string { return filepath.Join(l.opt.Out, "mock.json") }

// Mock is lab:mock: the service on the recorded dependency until ctx is done.
func (l *Lab) Mock(ctx context.Context, out io.Writer) error {
	if err := l.handPorts(); err != nil {
		return err
	}
	if err := l.prepare(ctx); err != nil {
		return err
	}
	if err := portFree(l.ports.appPort); err != nil {
		return &UsageError{fmt.Errorf("the checkout API: %w", err)}
	}
	m, err := l.startMock(ctx, &l.children, l.opt.Recording, l.opt.Baseline, l.opt.log("mock"), out)
	if err != nil {
		return err
	}
	state := mockState{Budget: l.opt.Baseline.Budget, Timing: m.timing, Harness: l.harness, Started: instant(time.Now())}
	if err := writeJSON(l.mockStateFile(), state); err != nil {
		return err
	}
	l.cleanup = append(l.cleanup, func() { _ = os.Remove(l.mockStateFile()) })
	l.con.Step("Ready")
	l.con.Note("checkout at %s, connection budget %d, pricing calls from %s at %s", l.appURL(), state.Budget, l.opt.Recording, m.timing)
	l.con.Note("Ctrl-C ends both; starting again builds the service anew")
	select {
	case <-ctx.Done():
		l.con.Step("Ending the mock and the service")
		return nil
	case <-m.process.Done():
		if err := m.process.Err(); err != nil {
			return err
		}
		return fmt.Errorf("%s ended by itself", m.process.Name())
	}
}
