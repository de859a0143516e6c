//go:build unix

package proc

import (
	"os"
	"os/exec"
	"syscall"
)

var (
	terminate   os.Signal = syscall.SIGTERM
	stopSignals           = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
)

func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup ends what is left of the group that p led. ESRCH, the usual answer, means that nothing is.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}
