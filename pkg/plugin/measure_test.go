package plugin

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/evidence/evidencetest"
	"github.com/replaylab/replay-evidence/pkg/profile"
)

// What a server may answer otherwise the next time is not kept, although no file changed.
func TestWhatIsSettled(t *testing.T) {
	t.Parallel()
	fail := func(code string) func(*evidence.Side) {
		return func(s *evidence.Side) {
			s.Gates = append(s.Gates, evidence.Gate{Code: code, State: evidence.GateFailed})
		}
	}
	state := func(state evidence.State) func(*evidence.Side) {
		return func(s *evidence.Side) { s.Metrics.State = state }
	}
	unasked := func(state evidence.State) func(*evidence.Side) {
		return func(s *evidence.Side) { s.Metrics.State, s.Metrics.Server = state, "" }
	}
	query := func(state evidence.State) func(*evidence.Side) {
		return func(s *evidence.Side) { s.Queries = append(s.Queries, evidence.Query{State: state}) }
	}
	for name, tc := range map[string]struct {
		change func(*evidence.Side)
		kept   bool
	}{
		"measured":                     {func(*evidence.Side) {}, true},
		"a restart stays a restart":    {fail("G4"), true},
		"final scrape may still land":  {fail("G2"), false},
		"a store was missing":          {fail("G7"), false},
		"unreachable":                  {state(evidence.StateUnreachable), false},
		"refused":                      {state(evidence.StateRefused), false},
		"failed":                       {state(evidence.StateFailed), false},
		"absent for now":               {state(evidence.StateAbsent), false},
		"in the future":                {state(evidence.StateFuture), false},
		"expired, the file may change": {state(evidence.StateExpired), false},
		"one query unreachable":        {query(evidence.StateUnreachable), false},
		"one query absent":             {query(evidence.StateAbsent), true},
		"nobody to ask":                {unasked(evidence.StateNotConfigured), true},
		"nothing to ask for":           {unasked(evidence.StateInsufficient), true},
		"too few samples so far":       {state(evidence.StateInsufficient), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := evidencetest.Baseline()
			require.NotEmpty(t, s.Metrics.Server)
			tc.change(s)
			require.Equal(t, tc.kept, settled(s))
		})
	}
}

// A side is also made from the recording that it declares, which lies outside of it.
func TestAChangedRecordingIsMeasuredAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(labRoot)))
	i := testInstance(t, func(op *Operator, _ *Settings) { op.Roots = "lab=" + dir })
	before, err := i.measure(context.Background(), "baseline", profile.Profile{})
	require.NoError(t, err)
	recorded, err := filepath.Glob(filepath.Join(dir, "proxymock", "recording", "localhost", "*"))
	require.NoError(t, err)
	require.Len(t, recorded, 2)
	require.NoError(t, os.Remove(recorded[0]))
	require.NoError(t, os.Remove(recorded[1]))
	after, err := i.measure(context.Background(), "baseline", profile.Profile{})
	require.NoError(t, err)
	require.NotEqual(t, before.side.Recording, after.side.Recording)
}

// The first question about each side is answered only when the other side has asked one, too.
func TestBothSidesAreMeasuredAtTheSameTime(t *testing.T) {
	t.Parallel()
	asked, both := make(chan struct{}, 64), make(chan struct{})
	go func() {
		<-asked
		<-asked
		close(both)
	}()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case asked <- struct{}{}:
		default:
		}
		<-both
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer srv.Close()
	i := testInstance(t, func(op *Operator, s *Settings) { op.logger, s.Prometheus.URL = newCaptured(), srv.URL })
	got, err := i.comparison(t.Context(), "baseline", "candidate", "", false)
	require.NoError(t, err)
	require.Equal(t, evidence.StateUnreachable, got.Sides.Baseline.Metrics.State)
	require.Equal(t, evidence.StateUnreachable, got.Sides.Candidate.Metrics.State)
}

// A setting that cannot be used costs the metrics, not what the files answer.
func TestAnAddressThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	told := newCaptured()
	i := testInstance(t, func(op *Operator, s *Settings) { op.logger, s.Prometheus.URL = told, "prometheus:9090" })
	r := call(t, i, "Viewer", http.MethodGet, "v1/compare?"+bothSides, "")
	require.Equal(t, http.StatusOK, r.Status, string(r.Body))
	c := document[compare.Comparison](t, r)
	require.Equal(t, evidence.StateFailed, c.Sides.Baseline.Metrics.State)
	require.NotEmpty(t, c.Sides.Baseline.Metrics.Next)
	require.Equal(t, compare.Unchanged, c.Verdict.Behaviour.Answer)
	require.Len(t, told.warns, 1)
}
