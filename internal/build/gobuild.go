package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// Program builds one of the repository's own main packages, such as ./lab/checkout, into the cache
// and returns the binary's path. The go command decides by content whether there is work to do. A
// binary whose content stays the same keeps its time stamp, which the go command would renew: tests
// that run it can then be cached.
func Program(ctx context.Context, root, pkg string) (string, error) {
	bin := filepath.Join(root, CacheDir, "bin", Exe(filepath.Base(pkg)))
	before, old := stamp(bin)
	out, err := proc.Output(ctx, proc.Command{
		Name: "go build " + pkg, Path: "go", Dir: root,
		Args: []string{"build", "-trimpath", "-o", bin, pkg},
		Env:  []string{"CGO_ENABLED=0"},
	})
	if err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	if after, _ := stamp(bin); before != "" && after == before {
		// Failing to do so costs a cached test and nothing else.
		_ = os.Chtimes(bin, time.Time{}, old)
	}
	return bin, nil
}

// stamp returns the SHA-256 of a file and its time of change; an empty sum when it cannot be read.
func stamp(path string) (sum string, changed time.Time) {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return "", time.Time{}
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return "", time.Time{}
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", time.Time{}
	}
	return string(h.Sum(nil)), info.ModTime()
}

// Tool is a program of another project, pinned, that `go install` builds.
type Tool struct {
	// Name is the program, Package its main package, Version the module version.
	Name, Package, Version string
	// Tags and LDFlags go to the build as they are; both may be empty.
	Tags, LDFlags string
	// Folder, below the cache, replaces the default "bin".
	Folder string
	// Takes is said on screen while it builds, such as "some minutes".
	Takes string
}

// Path is where Install puts the binary. The Go version is part of it: a newer compiler builds anew.
func (t Tool) Path(root string) string {
	folder := t.Folder
	if folder == "" {
		folder = filepath.Join("bin", t.Name)
	}
	return filepath.Join(root, CacheDir, folder, t.Version+"-"+runtime.Version(), Exe(t.Name))
}

// Install returns the tool's binary and builds it first when the cache does not have it. It is
// built beside and then renamed, so that an interrupted build leaves nothing that looks finished.
func Install(ctx context.Context, con *console.Console, root string, t Tool) (string, error) {
	final := t.Path(root)
	if _, err := os.Stat(final); err == nil {
		return final, nil
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return "", fmt.Errorf("make the cache folder for %s: %w", t.Name, err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(final), "building-")
	if err != nil {
		return "", fmt.Errorf("make a folder to build %s in: %w", t.Name, err)
	}
	defer func() { _ = os.RemoveAll(tmp) }()

	takes := t.Takes
	if takes == "" {
		takes = "a minute or more"
	}
	con.Note("building %s %s with go install, once; this takes %s", t.Name, t.Version, takes)
	args := []string{"install", "-trimpath"}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	if t.LDFlags != "" {
		args = append(args, "-ldflags", t.LDFlags)
	}
	done := con.Elapsed("building " + t.Name)
	out, err := proc.Output(ctx, proc.Command{
		Name: "go install " + t.Package, Path: "go", Dir: tmp,
		Args: append(args, t.Package+"@"+t.Version),
		// GOBIN is refused together with a foreign GOOS or GOARCH, and flags meant for this
		// repository, such as -mod, for `go install` of another module. The compiler stays the one
		// that is installed: nothing here fetches a toolchain.
		Env: []string{"GOBIN=" + tmp, "GOOS=", "GOARCH=", "GOFLAGS=", "CGO_ENABLED=0", "GOWORK=off", "GOTOOLCHAIN=local"},
	})
	done()
	if err != nil {
		return "", fmt.Errorf("build %s@%s: %w\n%s", t.Package, t.Version, err, lastLines(out, 20))
	}
	if err := os.Rename(filepath.Join(tmp, Exe(t.Name)), final); err != nil {
		return "", fmt.Errorf("move the built %s into the cache: %w", t.Name, err)
	}
	return final, nil
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
