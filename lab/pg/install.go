package pg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Ensure finds the server programs and, where there are none and we are root on a system with apt,
// installs Debian's. A *MissingError says what to do where that is not possible.
func Ensure(ctx context.Context, log *slog.Logger) (Installation, error) {
	found, err := Find(ctx)
	var missing *MissingError
	if err == nil || !errors.As(err, &missing) || missing.Err != nil {
		return found, err
	}
	if os.Getenv("LAB_POSTGRES_BIN") != "" {
		// Installing would not put them there.
		missing.Err = errors.New("LAB_POSTGRES_BIN names no directory with both programs")
		return Installation{}, missing
	}
	if _, lookErr := exec.LookPath("apt-get"); lookErr != nil {
		missing.Err = errors.New("this system has no apt-get")
		return Installation{}, missing
	}
	if os.Geteuid() != 0 {
		missing.Err = errors.New("installing needs root")
		return Installation{}, missing
	}
	log.Info("installing PostgreSQL from the system's packages, without a cluster of its own")
	if err := install(ctx, "/etc/postgresql-common"); err != nil {
		missing.Err = err
		return Installation{}, missing
	}
	return Find(ctx)
}

// install installs the package. Its configuration comes first: without it the package creates a
// cluster in /var/lib/postgresql and starts it on port 5432.
func install(ctx context.Context, confDir string) error {
	if err := declineMainCluster(confDir); err != nil {
		return err
	}
	err := apt(ctx, "install", "--yes", "--no-install-recommends", "postgresql")
	if err == nil {
		return nil
	}
	// An image without package lists is the usual reason.
	if err := apt(ctx, "update"); err != nil {
		return err
	}
	return apt(ctx, "install", "--yes", "--no-install-recommends", "postgresql")
}

func apt(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "apt-get", append([]string{"--quiet"}, args...)...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("apt-get %s: %w: %s", args[0], err, lines[len(lines)-1])
	}
	return nil
}

var mainClusterPattern = regexp.MustCompile(`(?m)^\s*create_main_cluster\s*=.*$`)

// declineMainCluster writes create_main_cluster = false into the package's configuration and keeps
// what else is there.
func declineMainCluster(confDir string) error {
	if err := os.MkdirAll(confDir, 0o755); err != nil {
		return fmt.Errorf("make the configuration folder of the PostgreSQL packages: %w", err)
	}
	path := filepath.Join(confDir, "createcluster.conf")
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the configuration of the PostgreSQL packages: %w", err)
	}
	const line = "create_main_cluster = false"
	text := string(old)
	switch {
	case mainClusterPattern.MatchString(text):
		text = mainClusterPattern.ReplaceAllString(text, line)
	default:
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += line + "\n"
	}
	if text == string(old) {
		return nil
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("tell the PostgreSQL packages to create no cluster: %w", err)
	}
	return nil
}
