package plugin

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResults(t *testing.T) {
	t.Parallel()
	var counts sync.Map
	r := newResults(func(result string) {
		n, _ := counts.LoadOrStore(result, new(atomic.Int32))
		n.(*atomic.Int32).Add(1)
	})
	var built atomic.Int32
	build := func(keep bool, err error) func(context.Context) (any, bool, error) {
		return func(context.Context) (any, bool, error) { return built.Add(1), keep, err }
	}
	ctx := context.Background()

	v, err := r.do(ctx, "a", build(true, nil))
	require.NoError(t, err)
	again, err := r.do(ctx, "a", build(true, nil))
	require.NoError(t, err)
	require.Equal(t, v, again, "kept by its key")

	first, err := r.do(ctx, "passing", build(false, nil))
	require.NoError(t, err)
	second, err := r.do(ctx, "passing", build(false, nil))
	require.NoError(t, err)
	require.NotEqual(t, first, second, "an answer of a passing state is not kept")

	boom := errors.New("boom")
	_, err = r.do(ctx, "fails", build(true, boom))
	require.ErrorIs(t, err, boom)
	_, err = r.do(ctx, "fails", build(true, nil))
	require.NoError(t, err, "an error is not kept")
}

func TestResultsOfACancelledCallerDoNotFailOthers(t *testing.T) {
	t.Parallel()
	r := newResults(func(string) {})
	ctx, cancel := context.WithCancel(context.Background())
	started := make(chan struct{})
	var runs atomic.Int32
	build := func(ctx context.Context) (any, bool, error) {
		if runs.Add(1) == 1 {
			close(started)
			<-ctx.Done()
			return nil, false, ctx.Err()
		}
		return "answer", true, nil
	}
	firstDone := make(chan error, 1)
	go func() {
		_, err := r.do(ctx, "k", build)
		firstDone <- err
	}()
	<-started
	secondDone := make(chan error, 1)
	go func() {
		v, err := r.do(context.Background(), "k", build)
		if err == nil && v != "answer" {
			err = errors.New("another answer")
		}
		secondDone <- err
	}()
	cancel()
	require.ErrorIs(t, <-firstDone, context.Canceled)
	require.NoError(t, <-secondDone)
}

func TestResultKeySeparatesParts(t *testing.T) {
	t.Parallel()
	require.NotEqual(t, resultKey("ab", "c"), resultKey("a", "bc"))
	require.NotEqual(t, resultKey("a"), resultKey("a", ""))
	require.Equal(t, resultKey("a", "b"), resultKey("a", "b"))
}
