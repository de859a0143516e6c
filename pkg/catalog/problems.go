package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
	"github.com/replaylab/replay-evidence/pkg/store"
)

// The codes of problems.
const (
	codeIncomplete  = "incomplete"
	codeUnreadable  = "unreadable"
	codeUnsupported = "unsupported"
	codeNotAPair    = "not_a_pair"
	codeTooLarge    = "too_large"
	codeLimit       = "limit"
	codeConflict    = "conflict"
	codeMissing     = "missing"
	codeDuplicate   = "duplicate"
	codeNote        = "note"
)

func problem(path, code, format string, args ...any) Problem {
	return Problem{Path: path, Code: code, Message: fmt.Sprintf(format, args...)}
}

// problemOf turns the error of reading one file into a problem. It says false for a cancelled context,
// which ends the whole operation instead.
func problemOf(path string, err error) (Problem, bool) {
	err = bare(err)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Problem{}, false
	case errors.Is(err, store.ErrTooLarge):
		return problem(path, codeTooLarge, "%v", err), true
	case errors.Is(err, proxymock.ErrIncomplete):
		return problem(path, codeIncomplete, "%v; repeat the run", err), true
	case errors.Is(err, proxymock.ErrNotPair):
		return problem(path, codeNotAPair, "%v", err), true
	case errors.Is(err, proxymock.ErrUnsupported):
		return problem(path, codeUnsupported, "%v", err), true
	case errors.Is(err, proxymock.ErrOtherFile):
		return problem(path, codeUnsupported, "%v", err), true
	case errors.Is(err, fs.ErrNotExist):
		return problem(path, codeMissing, "%v", err), true
	}
	return problem(path, codeUnreadable, "%v", err), true
}

// bare takes root and path off an error of the store: a problem names the path itself.
func bare(err error) error {
	var at *store.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
