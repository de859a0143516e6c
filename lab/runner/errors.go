package runner

import (
	"context"
	"errors"
)

// Exit statuses of the lab and of its command line.
const (
	// StatusChanged: the behaviour changed, a gate failed (a replay's own, or one of G1 to G9), or a
	// --fail-if condition held.
	StatusChanged = 1
	// StatusNotComparable: the sides cannot be compared, or Prometheus could not be asked. A scenario
	// that broke off is of this kind, too: there is nothing to compare.
	StatusNotComparable = 2
	// StatusUsage: an option has a value that cannot be used.
	StatusUsage = 64
	// StatusInterrupted: the run was ended by Ctrl-C.
	StatusInterrupted = 130
)

// UsageError says that an option must be changed.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap gives access to the reason.
func (e *UsageError) Unwrap() error { return e.Err }

// GateError says that a replay ran and its gate did not pass.
type GateError struct {
	// Side and Run name the replay, Trip says what tripped the gate.
	Side, Run, Trip string
}

func (e *GateError) Error() string {
	return e.Side + ": the gate of the " + e.Run + " replay tripped: " + e.Trip
}

// StatusError carries the exit status that the command line ended with.
type StatusError struct {
	Code int
	Text string
}

func (e *StatusError) Error() string { return e.Text }

// Status is the exit status for an error of this package.
func Status(err error) int {
	var usage *UsageError
	var gate *GateError
	var status *StatusError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return StatusInterrupted
	case errors.As(err, &usage):
		return StatusUsage
	case errors.As(err, &gate):
		return StatusChanged
	case errors.As(err, &status):
		return status.Code
	default:
		return StatusNotComparable
	}
}
