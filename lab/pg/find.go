package pg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Installation is a set of PostgreSQL server programs.
type Installation struct {
	// Bin is the directory that holds initdb and postgres.
	Bin string
	// Version is what the server says of itself, such as "15.18".
	Version string
}

// MissingError says that no server programs were found.
type MissingError struct {
	// Looked lists where.
	Looked []string
	// Err is why an installation was not possible, nil when none was tried.
	Err error
}

// Remedy is the line that makes the server programs available on a Debian system without letting the
// package create and start a cluster of its own.
const Remedy = "sudo sh -c 'mkdir -p /etc/postgresql-common && echo create_main_cluster=false >> /etc/postgresql-common/createcluster.conf && apt-get update && apt-get install -y postgresql'"

func (e *MissingError) Error() string {
	text := "no PostgreSQL server programs (initdb, postgres) in " + strings.Join(e.Looked, ", ")
	if e.Err != nil {
		text += "; " + e.Err.Error()
	}
	return text + "; install them with: " + Remedy + " (or set LAB_POSTGRES_BIN to the directory that holds them)"
}

// Unwrap gives the reason why the installation failed.
func (e *MissingError) Unwrap() error { return e.Err }

// Find looks for the server programs: in LAB_POSTGRES_BIN, in the newest /usr/lib/postgresql/*/bin as
// Debian has them, behind postgres on PATH. A *MissingError says where it looked.
func Find(ctx context.Context) (Installation, error) {
	return find(ctx, os.Getenv("LAB_POSTGRES_BIN"), "/usr/lib/postgresql/*/bin", exec.LookPath)
}

func find(ctx context.Context, named, pattern string, lookPath func(string) (string, error)) (Installation, error) {
	var looked, candidates []string
	if named != "" {
		looked = append(looked, named+" (LAB_POSTGRES_BIN)")
		candidates = append(candidates, named)
	} else {
		looked = append(looked, pattern, "PATH")
		versions, err := filepath.Glob(pattern)
		if err != nil {
			return Installation{}, fmt.Errorf("look for PostgreSQL in %s: %w", pattern, err)
		}
		slices.SortFunc(versions, func(a, b string) int { return majorOf(b) - majorOf(a) })
		candidates = append(candidates, versions...)
		if path, err := lookPath("postgres"); err == nil {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
			candidates = append(candidates, filepath.Dir(path))
		}
	}
	var broken error
	for _, bin := range candidates {
		if !isProgram(filepath.Join(bin, "initdb")) || !isProgram(filepath.Join(bin, "postgres")) {
			continue
		}
		version, err := serverVersion(ctx, bin)
		if err != nil {
			broken = errors.Join(broken, err)
			continue
		}
		return Installation{Bin: bin, Version: version}, nil
	}
	return Installation{}, &MissingError{Looked: looked, Err: broken}
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// majorOf is the version directory of a Debian path, /usr/lib/postgresql/15/bin, as a number.
func majorOf(bin string) int {
	n, err := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
	if err != nil {
		return 0
	}
	return n
}

var versionPattern = regexp.MustCompile(`\d+(\.\d+)*`)

func serverVersion(ctx context.Context, bin string) (string, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(bin, "postgres"), "--version").Output()
	if err != nil {
		return "", fmt.Errorf("ask %s for its version: %w", filepath.Join(bin, "postgres"), err)
	}
	version := versionPattern.FindString(string(out))
	if version == "" {
		return "", fmt.Errorf("%s names no version: %q", filepath.Join(bin, "postgres"), strings.TrimSpace(string(out)))
	}
	return version, nil
}
