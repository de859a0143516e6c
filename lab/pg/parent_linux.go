package pg

import "syscall"

// endWithParent makes the server shut down when we are killed without a chance to stop it.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
