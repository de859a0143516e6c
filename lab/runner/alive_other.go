//go:build !unix

package runner

import "os"

// Without signals there is no way to ask; Interrupt has done what could be done.
func processAlive(*os.Process) bool { return false }
