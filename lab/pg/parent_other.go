//go:build unix && !linux

package pg

import "syscall"

// endWithParent does nothing here: only Linux knows a signal for the death of the parent.
func endWithParent(*syscall.SysProcAttr) {}
