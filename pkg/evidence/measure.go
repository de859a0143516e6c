package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// Files is what measuring needs of the catalogue; *catalog.Catalog has it.
type Files interface {
	// Pairs reads the pairs of a run, sorted by time, one per uuid.
	Pairs(ctx context.Context, run *catalog.Run) ([]catalog.Pair, []catalog.Problem, error)
	// RunAt returns the run in a directory of a root.
	RunAt(ctx context.Context, root, dir string) (*catalog.Run, error)
	// Open opens a file of a root.
	Open(ctx context.Context, root, name string) (io.ReadCloser, error)
	// OpenEvidence opens the evidence.json nearest to a side; an error that wraps fs.ErrNotExist means none.
	OpenEvidence(ctx context.Context, side *catalog.Side) (io.ReadCloser, string, error)
}

// Input is one side and where to ask about it.
type Input struct {
	// Side is what was found; Files opens what belongs to it.
	Side  *catalog.Side
	Files Files
	// Profile are the questions.
	Profile profile.Profile
	// Prometheus is nil when no server is configured.
	Prometheus Prometheus
	// Now is the time of the evaluation; zero means the system's clock.
	Now     time.Time
	Options Options
}

// Options bound one measurement. The zero value of each field means its default.
type Options struct {
	// FinalScrapeWait is how long after the end of a run its final scrape is waited for; default 35 s, negative
	// for not at all.
	FinalScrapeWait time.Duration
	// MaxResponses bounds the responses kept for the comparison; default 20,000.
	MaxResponses int
	// MaxResponseBytes bounds the bodies kept for the comparison, in total; default 256 MiB.
	MaxResponseBytes int64
	// Progress is told what is being waited for; may be nil.
	Progress func(string)
}

const (
	defaultFinalScrapeWait  = 35 * time.Second
	defaultMaxResponses     = 20_000
	defaultMaxResponseBytes = 256 << 20
)

func (o Options) withDefaults() Options {
	if o.FinalScrapeWait == 0 {
		o.FinalScrapeWait = defaultFinalScrapeWait
	}
	if o.MaxResponses <= 0 {
		o.MaxResponses = defaultMaxResponses
	}
	if o.MaxResponseBytes <= 0 {
		o.MaxResponseBytes = defaultMaxResponseBytes
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return o
}

// Measure fills one side: the replay's own figures, the metrics of exactly its window, saturation, gates,
// mock fidelity, statements and the identity of the recording. What is missing becomes a state, a reason
// or a problem inside the side; an error is returned only when the input is unusable or ctx ends.
func Measure(ctx context.Context, in Input) (*Side, error) {
	if in.Side == nil || in.Files == nil {
		return nil, errors.New("measuring a side: no side or no files were given")
	}
	in.Options = in.Options.withDefaults()
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	m := &measurement{in: in, side: &Side{
		ID: in.Side.ID, Label: in.Side.Label, Declared: in.Side.Declared,
		Gates: []Gate{}, Queries: []Query{}, Endpoints: []Endpoint{}, Repeats: []Load{}, Problems: []catalog.Problem{},
	}}
	m.gather()
	steps := []struct {
		what string
		do   func(context.Context) error
	}{
		{"reading its responses", m.responses},
		{"reading which recording it replayed", m.recording},
		{"reading how its mock answered", m.mock},
		{"reading its statements", m.statements},
		{"asking for its metrics", m.metrics},
	}
	for _, step := range steps {
		if err := step.do(ctx); err != nil {
			return nil, fmt.Errorf("measuring side %s: %s: %w", in.Side.ID, step.what, err)
		}
	}
	if !m.side.Frozen {
		m.saturation()
	}
	m.gates()
	m.side.Problems = distinct(m.side.Problems)
	return m.side, nil
}

// distinct drops repeats: a file may be met by the listing and again when its run is read.
func distinct(problems []catalog.Problem) []catalog.Problem {
	seen := make(map[catalog.Problem]bool, len(problems))
	return slices.DeleteFunc(problems, func(p catalog.Problem) bool {
		known := seen[p]
		seen[p] = true
		return known
	})
}

// measurement is the work on one side.
type measurement struct {
	in   Input
	side *Side

	load       *catalog.Run
	functional *catalog.Run
	recordings []*catalog.Run
	mocks      []*catalog.Run
	loads      []*catalog.Run

	recorded []catalog.Pair // pairs of the replayed recording, when it lies in the root
	expected expectedRequests

	exact *promapi.Exact
	// samples are the ids of the raw queries that brought samples, by their names.
	samples map[string]string
	holds   map[string]*float64
	asked   int
	missing string // the reason of everything that was not asked
	// explained says which endpoints account for requests that the histogram did not see.
	explained string
	// faults are the guide's queries that failed or contradict the samples, as parts of gate G7.
	faults []promapi.Gate
	// unfinished names runs that did not finish and may be the ones that were meant; empty without any.
	unfinished string
	// notOneRun says why window and summary cannot be of one run; empty when nothing speaks against it.
	notOneRun string

	ordinals      map[string]int
	responseBytes int64
	dropped       int
}

func (m *measurement) problem(path, code, format string, args ...any) {
	m.side.Problems = append(m.side.Problems, catalog.Problem{Path: path, Code: code, Message: fmt.Sprintf(format, args...)})
}

// gather picks the runs that are measured and takes over the replay's own figures.
func (m *measurement) gather() {
	s := m.in.Side
	m.side.Problems = append(m.side.Problems, s.Problems...)
	var functionals []*catalog.Run
	for i := range s.Runs {
		r := &s.Runs[i]
		m.side.Problems = append(m.side.Problems, r.Problems...)
		switch r.Kind {
		case catalog.KindLoad:
			m.loads = append(m.loads, r)
		case catalog.KindFunctional:
			functionals = append(functionals, r)
		case catalog.KindRecording:
			m.recordings = append(m.recordings, r)
		case catalog.KindMock:
			m.mocks = append(m.mocks, r)
		}
	}
	sortByTime(m.loads)
	m.load, m.functional = latest(m.loads), latest(sortByTime(functionals))
	for _, r := range m.repeats() {
		m.side.Repeats = append(m.side.Repeats, loadOf(r))
	}
	m.passedOver()
	if m.load != nil {
		m.side.Load = ptr(loadOf(m.load))
		m.side.Window = m.load.Window
		m.side.Endpoints = endpointsOf(m.load)
		m.checkWindow()
	}
	if m.functional != nil {
		m.side.Functional = ptr(functionalOf(m.functional))
		if m.load == nil {
			m.side.Window = m.functional.Window
			m.side.Endpoints = endpointsOf(m.functional)
		}
	}
	m.expected = m.expectation()
}
