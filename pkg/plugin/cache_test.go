package plugin

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResults(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	r := newResults(func(outcome string) { counts[outcome]++ }, func(int32) int64 { return 1 })
	var built atomic.Int32
	build := func(keep bool, err error) func(context.Context) (int32, bool, error) {
		return func(context.Context) (int32, bool, error) { return built.Add(1), keep, err }
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
	require.Equal(t, map[string]int{lookupHit: 1, lookupMiss: 2, lookupNotCacheable: 2}, counts)
}

func TestResultsAreBoundedByWhatTheyKeep(t *testing.T) {
	t.Parallel()
	const third = resultBytes / 3
	r := newResults(func(string) {}, func(v int64) int64 { return v })
	ctx := context.Background()
	put := func(key string, weight int64) {
		t.Helper()
		_, err := r.do(ctx, key, func(context.Context) (int64, bool, error) { return weight, true, nil })
		require.NoError(t, err)
	}
	held := func(key string) bool { _, ok := r.get(key); return ok }

	put("a", third)
	put("b", third)
	put("c", third)
	require.True(t, held("a"), "three fit, and a was used last")
	put("d", third)
	require.False(t, held("b"), "the one that was not used for longest makes room")
	require.True(t, held("a"))
	require.True(t, held("c"))
	require.True(t, held("d"))
	put("huge", resultBytes+1)
	require.False(t, held("huge"), "what does not fit alone is not kept")
	require.True(t, held("a"), "and pushes nothing out")
	put("all", resultBytes)
	require.Equal(t, int64(resultBytes), r.bytes)
	require.Equal(t, 1, r.entries.Len())
	for n := range resultEntries + 1 {
		put(string(rune('A'+n)), 0)
	}
	require.Equal(t, resultEntries, r.entries.Len())
	require.Zero(t, r.bytes, "the weight of what was dropped is taken off")
}

func TestResultsOfACancelledCallerDoNotFailOthers(t *testing.T) {
	t.Parallel()
	r := newResults(func(string) {}, func(string) int64 { return 1 })
	ctx, cancel := context.WithCancel(context.Background())
	started := make(chan struct{})
	var runs atomic.Int32
	build := func(ctx context.Context) (string, bool, error) {
		if runs.Add(1) == 1 {
			close(started)
			<-ctx.Done()
			return "", false, ctx.Err()
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
