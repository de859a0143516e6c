package evidence_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

type side = func(context.Context) (string, error)

// Each side waits for the other to have begun, so one after the other would never end.
func TestSidesAreMeasuredAtTheSameTime(t *testing.T) {
	t.Parallel()
	begun := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	meet := func(name string, own, other int) side {
		return func(ctx context.Context) (string, error) {
			close(begun[own])
			select {
			case <-begun[other]:
				return name, nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
	}
	got, err := evidence.MeasureSides(t.Context(), meet("baseline", 0, 1), meet("candidate", 1, 0))
	if err != nil || !slices.Equal(got, []string{"baseline", "candidate"}) {
		t.Errorf("sides are %q, error %v", got, err)
	}
}

func TestOneSideThatFailsLeavesTheOther(t *testing.T) {
	t.Parallel()
	first, second := errors.New("first in order"), errors.New("first in time")
	failed := make(chan struct{})
	works := func(context.Context) (string, error) { <-failed; return "measured", nil }
	failsEarly := func(context.Context) (string, error) { close(failed); return "", second }
	failsLate := func(context.Context) (string, error) { <-failed; return "", first }
	for name, tc := range map[string]struct {
		sides []side
		want  []string
		err   error
	}{
		"the candidate fails": {[]side{works, failsEarly}, []string{"measured", ""}, second},
		"the baseline fails":  {[]side{failsEarly, works}, []string{"", "measured"}, second},
		"both fail":           {[]side{failsLate, failsEarly}, []string{"", ""}, first},
	} {
		failed = make(chan struct{}) // the cases run one after the other
		got, err := evidence.MeasureSides(t.Context(), tc.sides...)
		if !errors.Is(err, tc.err) || !slices.Equal(got, tc.want) {
			t.Errorf("%s: sides are %q, error %v, want %v", name, got, err, tc.err)
		}
	}
}

func TestSidesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	wait := func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }
	cancels := func(ctx context.Context) (string, error) { cancel(); return wait(ctx) }
	if _, err := evidence.MeasureSides(ctx, wait, cancels); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want cancelled", err)
	}
}
