package runner

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// Side is side.json: what the lab says of one side, beside its runs. It states what the scenario
// set, never what was measured.
type Side struct {
	Label   string `json:"label"`
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Changed string `json:"changed,omitempty"`
	// Pools holds connection budgets by name.
	Pools      map[string]int `json:"pools"`
	Workload   *Workload      `json:"workload,omitempty"`
	Harness    Harness        `json:"harness"`
	Dependency Dependency     `json:"dependency"`
}

// pricingPool is the name of the connection budget in Pools.
const pricingPool = "pricing"

// Workload says what a side was made to do.
type Workload struct {
	Users            int    `json:"users"`
	Passes           int    `json:"passes"`
	Mode             string `json:"mode"`
	Recording        string `json:"recording"`
	FunctionalPasses int    `json:"functionalPasses"`
}

// Dependency says how the dependency was served: mocked with the factor Timing on the recorded
// duration.
type Dependency struct {
	Mocked bool   `json:"mocked"`
	Timing string `json:"timing,omitempty"`
}

// commit names the checked-out revision of the repository, or nothing where git cannot tell.
func commit(ctx context.Context, root string) string {
	out, err := proc.Output(ctx, proc.Command{
		Name: "git", Path: "git", Dir: root, Args: []string{"rev-parse", "--short=12", "HEAD"},
	})
	if err != nil || strings.ContainsAny(out, " \n") {
		return ""
	}
	return out
}

func writeSide(dir string, s Side) error { return writeJSON(filepath.Join(dir, "side.json"), s) }
