//go:build !unix

package proc

import (
	"os"
	"os/exec"
)

var (
	terminate   = os.Interrupt
	stopSignals = []os.Signal{os.Interrupt}
)

// Process groups are a Unix notion; elsewhere a child is ended alone.
func ownGroup(*exec.Cmd) {}

func killGroup(p *os.Process) { _ = p.Kill() }
