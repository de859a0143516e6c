// Package reference holds one measured run of the lab beside the guide's own figures, and the table of
// the README that shows both. `go tool mage lab:reference` takes the figures of the last run over.
package reference

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/report"
)

// Reference is one run with where and with what it was measured.
type Reference struct {
	MeasuredAt time.Time         `json:"measuredAt"`
	Host       Host              `json:"host"`
	Versions   map[string]string `json:"versions"`
	Workload   Workload          `json:"workload"`
	// Answers are the three answers by question.
	Answers map[string]string `json:"answers"`
	Rows    []Row             `json:"rows"`
}

// Host is the machine of the run. Latency and throughput are its own.
type Host struct {
	System string `json:"system"`
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
}

// Workload is what both sides replayed.
type Workload struct {
	Users            int    `json:"users"`
	Passes           int    `json:"passes"`
	FunctionalPasses int    `json:"functionalPasses"`
	DependencyTiming string `json:"dependencyTiming"`
}

// Row is one measure as measured and as the guide has it; Guide texts are empty where it has none.
type Row struct {
	Key            string `json:"key"`
	Label          string `json:"label"`
	Baseline       string `json:"baseline"`
	Candidate      string `json:"candidate"`
	GuideBaseline  string `json:"guideBaseline"`
	GuideCandidate string `json:"guideCandidate"`
}

// guide are the figures of the guide's own reference run (Apple arm64, Prometheus 3.12.0, proxymock 2.5.842).
var guide = map[string][2]string{
	"loadRequests":        {"1,200", "1,200"},
	"failedRequests":      {"0", "0"},
	"responseDifferences": {"source", "0"},
	"loadQuantile":        {"173 ms", "46 ms"},
	"loadThroughput":      {"46.4 req/s", "176.8 req/s"},
	"requestQuantile":     {"190 ms", "49 ms"},
	"waitQuantile":        {"140 ms", "0.99 ms"},
	"averageCores":        {"0.05", "0.10"},
}

// ours are the rows that the guide's table does not have.
var ours = []string{"requestMean", "waitShare", "cpuPerRequest", "poolUtilisation", "reconciliation"}

// From takes the reference over from a comparison.
func From(c compare.Comparison) (Reference, error) {
	r := Reference{
		MeasuredAt: c.GeneratedAt.Truncate(time.Second), Versions: map[string]string{},
		Host:    Host{System: runtime.GOOS + "/" + runtime.GOARCH, CPU: cpuModel(), Cores: runtime.NumCPU()},
		Answers: map[string]string{"behaviour": string(c.Verdict.Behaviour.Answer), "speed": string(c.Verdict.Speed.Answer), "cause": string(c.Verdict.Cause.Answer)},
	}
	for _, row := range c.Table {
		g, known := guide[row.Key]
		if !known && !slices.Contains(ours, row.Key) {
			continue
		}
		r.Rows = append(r.Rows, Row{Key: row.Key, Label: row.Label, Baseline: cell(row.Baseline), Candidate: cell(row.Candidate), GuideBaseline: g[0], GuideCandidate: g[1]})
	}
	if want := len(guide) + len(ours); len(r.Rows) != want {
		return Reference{}, fmt.Errorf("the comparison has %d of the %d rows of the reference; run `go tool mage lab` to its end first", len(r.Rows), want)
	}
	d := c.Sides.Baseline.Declared
	if d == nil || d.Workload == nil || d.Harness == nil || d.Dependency == nil {
		return Reference{}, fmt.Errorf("side.json of %s does not say workload, harness and dependency; run `go tool mage lab` anew", c.Sides.Baseline.ID)
	}
	r.Workload = Workload{Users: d.Workload.Users, Passes: d.Workload.Passes, FunctionalPasses: d.Workload.FunctionalPasses, DependencyTiming: d.Dependency.Timing}
	r.Versions["harness"] = strings.TrimSpace(d.Harness.Name + " " + d.Harness.Version)
	r.Versions["go"] = runtime.Version()
	_, server, _ := strings.Cut(c.Sides.Baseline.Metrics.Server, "(")
	r.Versions["server"] = strings.TrimSuffix(server, ")")
	return r, nil
}

// cell writes a bucket together with the figure that the guide's own query gives.
func cell(c compare.Cell) string {
	if c.Guide != "" && c.Guide != c.Text && strings.ContainsAny(c.Text, "–m") && c.Unit == "s" {
		return c.Guide + " (" + c.Text + ")"
	}
	return c.Text
}

func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// Table writes the README's table.
func (r Reference) Table() string {
	var b strings.Builder
	b.WriteString("| measure | baseline | candidate | guide's baseline | guide's candidate |\n| --- | --: | --: | --: | --: |\n")
	for _, row := range r.Rows {
		g := [2]string{row.GuideBaseline, row.GuideCandidate}
		for i := range g {
			if g[i] == "" {
				g[i] = "–"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", row.Label, row.Baseline, row.Candidate, g[0], g[1])
	}
	return b.String()
}

// The markers between which the README shows the table.
const (
	begin = "<!-- reference table: begin -->\n"
	end   = "<!-- reference table: end -->\n"
)

// Between returns what a README shows between the markers.
func Between(readme string) (string, error) {
	_, rest, ok := strings.Cut(readme, begin)
	if !ok {
		return "", fmt.Errorf("the README has no line %q", strings.TrimSpace(begin))
	}
	table, _, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("the README has no line %q", strings.TrimSpace(end))
	}
	return table, nil
}

// File is where the reference lies below the repository.
var File = filepath.Join("lab", "evidence", "reference.json")

// Update writes the reference and the README's table from the evidence.json of a run.
func Update(root, evidenceFile string) error {
	f, err := os.Open(evidenceFile)
	if err != nil {
		return fmt.Errorf("taking over the reference: %w; run `go tool mage lab` first", err)
	}
	c, err := report.ReadJSON(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("taking over the reference from %s: %w", evidenceFile, err)
	}
	r, err := From(c)
	if err != nil {
		return err
	}
	if r.Versions["client_golang"], err = required(root, "github.com/prometheus/client_golang"); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the reference: %w", err)
	}
	readmeFile := filepath.Join(root, "README.md")
	readme, err := os.ReadFile(readmeFile)
	if err != nil {
		return fmt.Errorf("updating the README's table: %w", err)
	}
	old, err := Between(string(readme))
	if err != nil {
		return err
	}
	updated := strings.Replace(string(readme), begin+old+end, begin+r.Table()+end, 1)
	if err := os.WriteFile(filepath.Join(root, File), append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the reference: %w", err)
	}
	if err := os.WriteFile(readmeFile, []byte(updated), 0o644); err != nil {
		return fmt.Errorf("updating the README's table: %w", err)
	}
	return nil
}

// required is the version of a module that go.mod asks for.
func required(root, module string) (string, error) {
	file := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading the version of %s: %w", module, err)
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		return "", fmt.Errorf("reading the version of %s: %w", module, err)
	}
	for _, r := range mod.Require {
		if r.Mod.Path == module {
			return r.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("%s does not require %s", file, module)
}

// Read reads a reference.
func Read(r io.Reader) (Reference, error) {
	var ref Reference
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&ref); err != nil {
		return Reference{}, fmt.Errorf("reading the reference: %w", err)
	}
	return ref, nil
}
