//go:build unix

package orderapi

import (
	"syscall"
	"time"
)

// cpuTime is the user plus system CPU time of this process so far, from
// getrusage. A failing call reads as 0, which Prometheus treats like a restart.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
