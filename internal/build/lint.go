package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

func golangci() Tool {
	return Tool{
		Name: "golangci-lint", Package: "github.com/golangci/golangci-lint/v2/cmd/golangci-lint", Version: "v2.15.0",
		Takes: "about three minutes",
	}
}

// Lint runs golangci-lint, pinned, with the repository's configuration.
func Lint(ctx context.Context, con *console.Console, root string) error {
	bin, err := Install(ctx, con, root, golangci())
	if err != nil {
		return err
	}
	return visible(ctx, con, root, bin, "run", "./...")
}

// Vet runs go vet with the tags of the plugin, and again with the tag of this file's targets.
func Vet(ctx context.Context, con *console.Console, root string) error {
	if err := visible(ctx, con, root, "go", "vet", "-tags", Tags, "./..."); err != nil {
		return err
	}
	return visible(ctx, con, root, "go", "vet", "-tags", "mage", ".")
}

// CheckFormat names every Go file that gofmt would change.
func CheckFormat(ctx context.Context, root string) error {
	files, err := goFiles(ctx, root)
	if err != nil {
		return err
	}
	out, err := proc.Output(ctx, proc.Command{Name: "gofmt", Path: "gofmt", Dir: root, Args: append([]string{"-l"}, files...)})
	if err != nil {
		return fmt.Errorf("check the formatting: %w\n%s", err, out)
	}
	if out != "" {
		return fmt.Errorf("not formatted; `go tool mage fmt` does it:\n%s", out)
	}
	return nil
}

// Format formats every Go file in place.
func Format(ctx context.Context, con *console.Console, root string) error {
	files, err := goFiles(ctx, root)
	if err != nil {
		return err
	}
	return visible(ctx, con, root, "gofmt", append([]string{"-w", "-l"}, files...)...)
}

// goFiles lists the Go files that git knows or would take: node_modules holds Go files, too.
func goFiles(ctx context.Context, root string) ([]string, error) {
	var out bytes.Buffer
	err := proc.Run(ctx, proc.Command{
		Name: "git ls-files", Path: "git", Dir: root, Stdout: &out,
		Args: []string{"ls-files", "--cached", "--others", "--exclude-standard", "-z", "--deduplicate", "--", "*.go"},
	})
	if err != nil {
		return nil, fmt.Errorf("list the Go files: %w", err)
	}
	var files []string
	for name := range strings.SplitSeq(out.String(), "\x00") {
		if name != "" && exists(root, name) {
			files = append(files, name)
		}
	}
	if len(files) == 0 {
		return nil, errors.New("git lists no Go files: is this a clone of the repository?")
	}
	return files, nil
}

// visible runs a program in the repository with its output on the console.
func visible(ctx context.Context, con *console.Console, root, path string, args ...string) error {
	return proc.Run(ctx, proc.Command{
		Name: path, Path: path, Args: args, Dir: root, Stdout: con.Out(), Stderr: con.Out(),
	})
}
