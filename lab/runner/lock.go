package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lockFile lies in LAB_OUT while a whole run writes there, with the number of its process.
const lockFile = "lab.lock"

// lockOut keeps two whole runs out of one LAB_OUT: each would empty the other's folders. Close gives it back. A
// lock whose process is gone was left by a run that was killed, and is taken over.
func (l *Lab) lockOut() error {
	if err := os.MkdirAll(l.opt.Out, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", l.opt.Out, err)
	}
	path := filepath.Join(l.opt.Out, lockFile)
	err := writeLock(path)
	if errors.Is(err, fs.ErrExist) {
		if pid, running := lockOwner(path); running {
			return &UsageError{fmt.Errorf("another lab (process %d) writes into %s: wait until it ends, or set LAB_OUT to another folder; if no lab runs, remove %s", pid, l.opt.Out, path)}
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the lock of a run that is gone: %w", err)
		}
		// Exclusive again: of two that find the same stale lock one is refused here.
		err = writeLock(path)
	}
	if errors.Is(err, fs.ErrExist) {
		return &UsageError{fmt.Errorf("another lab has just begun to write into %s: set LAB_OUT to another folder", l.opt.Out)}
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", l.opt.Out, err)
	}
	l.cleanup = append(l.cleanup, func() { _ = os.Remove(path) })
	return nil
}

// writeLock makes the lock file, which must not be there yet.
func writeLock(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, os.Getpid())
	return errors.Join(err, f.Close())
}

// lockOwner is the process that a lock names and whether it still runs. A lock without a number is of a run that
// was killed while it wrote.
func lockOwner(path string) (int, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 0 {
		return 0, false
	}
	p, err := os.FindProcess(pid)
	return pid, err == nil && processAlive(p)
}
