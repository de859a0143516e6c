package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	// Package is Debian's name; Present says whether it is there already.
	Package string
	Present func() bool
	// before, when set, runs as root ahead of the installation.
	before func() error
}

// CCompiler is needed for the race detector.
func CCompiler() Need {
	return Need{Why: "the race detector", Package: "gcc", Present: func() bool {
		return onPath("gcc") || onPath("clang") || os.Getenv("CC") != ""
	}}
}

// Chromium is needed for the browser tests.
func Chromium() Need {
	return Need{Why: "the browser tests", Package: "chromium", Present: func() bool { return onPath("chromium") }}
}

// PostgreSQL is needed for the orders lab. Debian keeps the server's programs off PATH.
func PostgreSQL() Need {
	return Need{Why: "the orders lab", Package: "postgresql", Present: func() bool {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
		return len(found) > 0 || onPath("postgres")
	}, before: func() error { return noMainCluster("/etc/postgresql-common/createcluster.conf") }}
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
		packages = append(packages, n.Package)
		reasons = append(reasons, n.Package+" for "+n.Why)
	}
	line := "apt-get update && apt-get install -y --no-install-recommends " + strings.Join(packages, " ")
	if !onPath("apt-get") {
		return fmt.Errorf("missing: %s. Install them with this system's package manager; on Debian the line is:\n  sudo sh -c '%s'", strings.Join(reasons, ", "), line)
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("missing: %s. Run this line and start again:\n  sudo sh -c '%s'", strings.Join(reasons, ", "), line)
	}
	con.Step("Installing Debian packages: %s", strings.Join(reasons, ", "))
	for _, n := range missing {
		if n.before != nil {
			if err := n.before(); err != nil {
				return fmt.Errorf("prepare the installation of %s: %w", n.Package, err)
			}
		}
	}
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

// noMainCluster keeps Debian's package from making and starting a database of its own: the lab runs
// one in a temporary folder.
func noMainCluster(conf string) error {
	const setting = "create_main_cluster"
	data, err := os.ReadFile(conf)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(strings.TrimSpace(line), setting) {
			return nil // somebody has decided already
		}
	}
	if err := os.MkdirAll(filepath.Dir(conf), 0o755); err != nil {
		return err
	}
	if len(data) > 0 && !strings.HasSuffix(string(data), "\n") {
		data = append(data, '\n')
	}
	return os.WriteFile(conf, append(data, setting+" = false\n"...), 0o644)
}
