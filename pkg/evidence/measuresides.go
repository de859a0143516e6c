package evidence

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"
)

// MeasureSides measures the sides of a comparison at the same time and returns when all of them are done. What
// each side answers stands at its own place, also beside one that failed: a side does not end because another
// does, only with ctx. The error is that of the first side in order, not in time, so that the same two faults
// always read the same.
//
// How one side is measured is the caller's: with Measure, or from what was measured before.
func MeasureSides[T any](ctx context.Context, measure ...func(context.Context) (T, error)) ([]T, error) {
	sides, errs := make([]T, len(measure)), make([]error, len(measure))
	var group errgroup.Group
	for n, one := range measure {
		group.Go(func() error {
			sides[n], errs[n] = one(ctx)
			return errs[n]
		})
	}
	if group.Wait() == nil {
		return sides, nil
	}
	return sides, cmp.Or(errs...)
}
