package runner

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// Names by which a harness is called on screen and in side.json.
const (
	proxymockName = "proxymock"
	standInName   = "stand-in for proxymock"
	// standInChoice is the value of PROXYMOCK that asks for the stand-in.
	standInChoice = "stand-in"
)

// minProxymock is the oldest proxymock whose commands, flags and files the lab knows.
var minProxymock = version{2, 5, 842}

// Harness is the program that records, mocks and replays: proxymock, or the lab's stand-in for it.
// Both take the same commands and flags, and one code path drives them.
type Harness struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Path is the binary.
	Path string `json:"-"`
}

// StandIn says whether the lab's own stand-in is used.
func (h Harness) StandIn() bool { return h.Name == standInName }

func (h Harness) String() string { return h.Name + " " + h.Version }

// findHarness picks the program. choice is the value of PROXYMOCK: empty means the proxymock on
// PATH if there is one, else the stand-in; "stand-in" the stand-in; anything else is a path.
// buildStandIn is called only when the stand-in is used.
func findHarness(ctx context.Context, choice string, lookPath func(string) (string, error), buildStandIn func() (string, error)) (Harness, error) {
	path := choice
	if choice == "" {
		found, err := lookPath("proxymock")
		switch {
		case err == nil:
			path = found
		case errors.Is(err, exec.ErrNotFound):
			choice = standInChoice
		default:
			return Harness{}, fmt.Errorf("look for proxymock on PATH: %w", err)
		}
	}
	if choice == standInChoice {
		bin, err := buildStandIn()
		if err != nil {
			return Harness{}, err
		}
		out, err := versionOutput(ctx, bin)
		if err != nil {
			return Harness{}, err
		}
		v, _ := findVersion(out)
		return Harness{Name: standInName, Version: v.String(), Path: bin}, nil
	}
	out, err := versionOutput(ctx, path)
	if err != nil {
		return Harness{}, fmt.Errorf("%w\nset PROXYMOCK=%s to use the lab's stand-in", err, standInChoice)
	}
	v, err := usableProxymock(out)
	if err != nil {
		return Harness{}, fmt.Errorf("%s: %w, or set PROXYMOCK=%s to use the lab's stand-in", path, err, standInChoice)
	}
	return Harness{Name: proxymockName, Version: v.String(), Path: path}, nil
}

func versionOutput(ctx context.Context, bin string) (string, error) {
	out, err := proc.Output(ctx, proc.Command{Name: bin + " version", Path: bin, Args: []string{"version"}})
	// An uninitialised proxymock may end with an error and still say what it is.
	if err != nil && out == "" {
		return "", fmt.Errorf("ask %s for its version: %w", bin, err)
	}
	return out, nil
}

// usableProxymock reads the output of `proxymock version`.
func usableProxymock(output string) (version, error) {
	v, ok := findVersion(output)
	if !ok {
		return version{}, errors.New("`proxymock version` names no version: install proxymock 2.5.842 or newer")
	}
	if v.less(minProxymock) {
		return version{}, fmt.Errorf("proxymock %s is older than %s: upgrade it", v, minProxymock)
	}
	if strings.Contains(strings.ToLower(output), "not initialized") {
		return version{}, fmt.Errorf("proxymock %s is not initialised: run `proxymock init` once", v)
	}
	return v, nil
}

// version is a release number of three parts.
type version [3]int

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

func (v version) less(o version) bool {
	for i := range v {
		if v[i] != o[i] {
			return v[i] < o[i]
		}
	}
	return false
}

var versionPattern = regexp.MustCompile(`\bv?(\d+)\.(\d+)\.(\d+)`)

// findVersion returns the first release number in text.
func findVersion(text string) (version, bool) {
	m := versionPattern.FindStringSubmatch(text)
	if m == nil {
		return version{}, false
	}
	var v version
	for i := range v {
		n, err := strconv.Atoi(m[i+1])
		if err != nil {
			return version{}, false
		}
		v[i] = n
	}
	return v, true
}
