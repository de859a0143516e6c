//go:build unix

package pg

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is the ordinary user that the server runs as; nil stands for ourselves.
type account struct {
	name     string
	uid, gid int
}

// runAs chooses the account: ourselves unless we are root.
func runAs() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return nil, fmt.Errorf("read the ids of user %s: %w", name, err)
		}
		return &account{name: name, uid: uid, gid: gid}, nil
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
}

// own hands a path to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	if err := os.Chown(path, a.uid, a.gid); err != nil {
		return fmt.Errorf("hand %s to user %s: %w", path, a.name, err)
	}
	return nil
}

// prepare makes cmd run as the account, in a process group of its own so that a Ctrl-C in the
// terminal reaches us alone.
func (a *account) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
}

// The signals of the server, see "Shutting Down the Server" in PostgreSQL's documentation.
var (
	// fastShutdown lets open transactions fail and ends in order.
	fastShutdown os.Signal = syscall.SIGINT
	// immediateShutdown ends without writing anything down.
	immediateShutdown os.Signal = syscall.SIGQUIT
)
