//go:build !unix

package orderapi

import "time"

// cpuTime is not known here; the counter stays at 0.
func cpuTime() time.Duration { return 0 }
