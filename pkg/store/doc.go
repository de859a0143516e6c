// Package store is the only place of the plugin that lists folders and opens files. A [Root] is one
// configured directory, read through os.Root: a path or link that leaves it is refused by the operating
// system's own resolution, not by comparing names. It knows limits, not what is in the files.
//
// Paths are relative to the root, separated by slashes, "." for the root itself. Errors name the root and
// the relative path and never the directory's place on the host; only opening a root names the path that
// was configured.
package store

import (
	"errors"
	"fmt"
	"io/fs"
)

var (
	// ErrRootMissing marks a configured root whose directory does not exist.
	ErrRootMissing = errors.New("root directory does not exist")
	// ErrNotDirectory marks a root or path that must be a directory and is not.
	ErrNotDirectory = errors.New("not a directory")
	// ErrNotFile marks a path that must be a regular file and is not: a directory, device, socket or pipe.
	ErrNotFile = errors.New("not a regular file")
	// ErrPermission marks what this process may not read. errors.Is(err, fs.ErrPermission) holds too.
	ErrPermission = fmt.Errorf("not readable for this process: %w", fs.ErrPermission)
	// ErrOutsideRoot marks a path or link that leads out of the root.
	ErrOutsideRoot = errors.New("leads out of the root")
	// ErrVanished marks a path that is not there (any more): files come and go between listing and opening
	// while a run is being written. errors.Is(err, fs.ErrNotExist) holds too.
	ErrVanished = fmt.Errorf("does not exist or vanished since it was listed: %w", fs.ErrNotExist)
	// ErrLimit marks what is beyond a limit; errors.As to *[LimitError] says which one.
	ErrLimit = errors.New("limit reached")
	// ErrTooLarge marks a file beyond Limits.MaxFileBytes. ErrLimit holds too.
	ErrTooLarge = errors.New("file is too large")
	// ErrClosed marks use of a root after Close.
	ErrClosed = errors.New("root is closed")
)

// PathError says what could not be done to which path of which root.
type PathError struct {
	// Root is the root's name, Path the path relative to it.
	Root, Path string
	// Op is what was being done: "open", "read", "list", "stat".
	Op  string
	Err error
}

// Error names operation, root and relative path, never the path on the host.
func (e *PathError) Error() string {
	return fmt.Sprintf("%s %s in root %q: %v", e.Op, e.Path, e.Root, e.Err)
}

// Unwrap gives the cause: one of the package's errors, or the operating system's without its path.
func (e *PathError) Unwrap() error { return e.Err }

// LimitError says which limit was reached.
type LimitError struct {
	// Limit is the name of the field in [Limits], Value its value.
	Limit string
	Value int64
	// Seen is the size or number that went beyond it, 0 when it was not counted further.
	Seen int64
}

// Error says what is beyond which limit, in words.
func (e *LimitError) Error() string {
	switch {
	case e.Limit == limitEntries:
		return fmt.Sprintf("holds more than %d files and folders: %v", e.Value, ErrLimit)
	case e.Seen > 0:
		return fmt.Sprintf("has %d bytes, more than the %d that are read: %v", e.Seen, e.Value, ErrLimit)
	}
	return fmt.Sprintf("has more than the %d bytes that are read: %v", e.Value, ErrLimit)
}

// Is makes errors.Is hold for ErrLimit and, for the limit of a file's size, ErrTooLarge.
func (e *LimitError) Is(target error) bool {
	return target == ErrLimit || (target == ErrTooLarge && e.Limit == limitFileBytes)
}

const (
	limitFileBytes = "MaxFileBytes"
	limitEntries   = "MaxEntries"
)

// Limits bound what one call may read. A zero field means its default.
type Limits struct {
	// MaxFileBytes is the largest file that is opened, in bytes. Pairs are some kilobytes, the largest seen
	// is 131 kB; a file of many pair lines reaches tens of megabytes. Default 64 MiB.
	MaxFileBytes int64
	// MaxEntries is the number of files and folders that the listing of one directory may hold. One recording of
	// 5,000 pairs is usual, a root holds some hundred of runs. Default 500,000.
	MaxEntries int
}

// DefaultLimits are the limits of a zero Limits.
func DefaultLimits() Limits {
	return Limits{MaxFileBytes: 64 << 20, MaxEntries: 500_000}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.MaxFileBytes <= 0 {
		l.MaxFileBytes = d.MaxFileBytes
	}
	if l.MaxEntries <= 0 {
		l.MaxEntries = d.MaxEntries
	}
	return l
}
