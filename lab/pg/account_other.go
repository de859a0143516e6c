//go:build !unix

package pg

import (
	"os"
	"os/exec"
)

type account struct{ name string }

func runAs() (*account, error) { return nil, nil }

func (*account) own(string) error { return nil }

func (*account) prepare(*exec.Cmd) {}

// Elsewhere there is one signal only, and it is no request.
var (
	fastShutdown      = os.Kill
	immediateShutdown = os.Kill
)
