package build

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

// Tags are the build tags of the plugin. The SDK builds the backend with them; tests and linters use
// the same ones, so that all share what the compiler has cached.
const Tags = "arrow_json_stdlib"

// Counts are the tests of a runner, subtests included.
type Counts struct{ Passed, Failed, Skipped int }

// Add returns the sum.
func (c Counts) Add(o Counts) Counts {
	return Counts{c.Passed + o.Passed, c.Failed + o.Failed, c.Skipped + o.Skipped}
}

func (c Counts) String() string {
	s := fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
	if c.Skipped > 0 {
		s += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	return s
}

// GoTestOptions choose what GoTest runs.
type GoTestOptions struct {
	// Packages are patterns; empty means all of the repository.
	Packages []string
	// Race turns the race detector on, which needs cgo and a C compiler.
	Race bool
	// Args go to `go test` as they are, Env is added to the environment.
	Args, Env []string
	// Counts receives the number of tests when it is set.
	Counts *Counts
}

// GoTest runs Go tests and prints what `go test` prints, a line for each package.
func GoTest(ctx context.Context, con *console.Console, root string, o GoTestOptions) error {
	record, err := os.CreateTemp("", "go-test-*.json")
	if err != nil {
		return fmt.Errorf("make the file for the test events: %w", err)
	}
	defer func() { _ = os.Remove(record.Name()) }()
	if err := record.Close(); err != nil {
		return err
	}
	packages := o.Packages
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	args := []string{
		"tool", "gotestsum", "--format", "standard-quiet", "--format-hide-empty-pkg", "--jsonfile", record.Name(), "--",
		"-tags", Tags, "-p", strconv.Itoa(runtime.NumCPU()),
	}
	env := append([]string{}, o.Env...)
	if o.Race {
		args = append(args, "-race")
		env = append(env, "CGO_ENABLED=1")
	}
	args = append(append(args, o.Args...), packages...)
	testErr := proc.Run(ctx, proc.Command{
		Name: "go test", Path: "go", Dir: root, Args: args, Env: env, Stdout: con.Out(), Stderr: con.Out(),
	})
	counts, err := readCounts(record.Name())
	if o.Counts != nil {
		*o.Counts = o.Counts.Add(counts)
	}
	if testErr != nil {
		return errors.New("go test failed; its report is above")
	}
	return err
}

// readCounts counts the finished tests in a stream of test2json events.
func readCounts(path string) (Counts, error) {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return Counts{}, fmt.Errorf("read the test events: %w", err)
	}
	defer func() { _ = f.Close() }()
	return countEvents(f)
}

func countEvents(r io.Reader) (Counts, error) {
	var c Counts
	blamed := map[string]bool{} // packages with a failed test
	dec := json.NewDecoder(bufio.NewReader(r))
	for {
		var event struct{ Action, Package, Test string }
		switch err := dec.Decode(&event); {
		case errors.Is(err, io.EOF):
			return c, nil
		case err != nil:
			return c, fmt.Errorf("read the test events: %w", err)
		}
		switch {
		case event.Action == "fail":
			// A package that fails without a failed test did not build, or died: one failure more.
			if event.Test != "" || !blamed[event.Package] {
				c.Failed++
			}
			blamed[event.Package] = true
		case event.Test == "":
		case event.Action == "pass":
			c.Passed++
		case event.Action == "skip":
			c.Skipped++
		}
	}
}
