package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// Need is something that a step wants installed on the machine.
type Need struct {
	// Why completes the sentence "... is needed for".
	Why string
	// Packages are Debian's names; Present says whether they are there already.
	Packages []string
	Present  func() bool
}

// CCompiler is needed for the race detector, with the C library's headers.
func CCompiler() Need {
	return Need{Why: "the race detector", Packages: []string{"gcc", "libc6-dev"}, Present: func() bool {
		return onPath("gcc") || onPath("clang") || os.Getenv("CC") != ""
	}}
}

// Chromium is needed for the browser tests.
func Chromium() Need {
	return Need{Why: "the browser tests", Packages: []string{"chromium"}, Present: func() bool { return onPath("chromium") }}
}

func onPath(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// Ensure installs what is missing where that is allowed: Debian packages, as root. Elsewhere it
// returns an error with the one line to run.
func Ensure(ctx context.Context, con *console.Console, needs ...Need) error {
	missing := slices.DeleteFunc(slices.Clone(needs), func(n Need) bool { return n.Present() })
	if len(missing) == 0 {
		return nil
	}
	var packages, reasons []string
	for _, n := range missing {
		packages = append(packages, n.Packages...)
		reasons = append(reasons, strings.Join(n.Packages, " and ")+" for "+n.Why)
	}
	line := "apt-get update && apt-get install -y --no-install-recommends " + strings.Join(packages, " ")
	if !onPath("apt-get") {
		return fmt.Errorf("missing: %s. Install them with this system's package manager; on Debian the line is:\n  sudo sh -c '%s'", strings.Join(reasons, ", "), line)
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("missing: %s. Run this line and start again:\n  sudo sh -c '%s'", strings.Join(reasons, ", "), line)
	}
	con.Step("Installing Debian packages: %s", strings.Join(reasons, ", "))
	if err := apt(ctx, con, "update", "-q"); err != nil {
		return err
	}
	return apt(ctx, con, append([]string{
		"install", "-q", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold",
	}, packages...)...)
}

func apt(ctx context.Context, con *console.Console, args ...string) error {
	done := con.Elapsed("apt-get " + args[0])
	defer done()
	out, err := proc.Output(ctx, proc.Command{
		Name: "apt-get " + args[0], Path: "apt-get", Args: args,
		Env: []string{"DEBIAN_FRONTEND=noninteractive"},
		// dpkg must not be killed in the middle of a package.
		Grace: time.Minute,
	})
	if err != nil {
		return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, lastLines(out, 15))
	}
	return nil
}
