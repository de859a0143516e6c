package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// verdictPair is one replayed pair of replay-verdict.json. Match compares the
// status alone, bodyMatch the body: the file keeps them apart, while the match
// percentage of the result asks for both.
type verdictPair struct {
	Endpoint       string       `json:"endpoint"`
	Method         string       `json:"method"`
	RecordedStatus int          `json:"recordedStatus"`
	ObservedStatus int          `json:"observedStatus"`
	Match          string       `json:"match"`
	BodyMatch      string       `json:"bodyMatch,omitempty"`
	BodyChanges    []bodyChange `json:"bodyChanges,omitempty"`
	RefUUID        string       `json:"refUuid"`
	SourceFile     string       `json:"sourceFile"`
	ReplayFile     string       `json:"replayFile"`
	NewMismatch    bool         `json:"newMismatch"`
	ChangedVsBase  bool         `json:"changedVsBaseline"`
}

type verdictFile struct {
	SchemaVersion int           `json:"schemaVersion"`
	Mode          string        `json:"mode"`
	Verdict       string        `json:"verdict"`
	ReplayDir     string        `json:"replayDir"`
	Pairs         []verdictPair `json:"pairs"`
	Summary       struct {
		Pairs          int `json:"pairs"`
		Mismatches     int `json:"mismatches"`
		BodyMismatches int `json:"bodyMismatches"`
	} `json:"summary"`
	Gate struct {
		Enabled  bool `json:"enabled"`
		ExitCode int  `json:"exitCode"`
	} `json:"gate"`
	ProducedBy string `json:"producedBy"`
}

// verdict collects scored pairs. It is safe for concurrent use.
type verdict struct {
	mu    sync.Mutex
	pairs []verdictPair
}

func (v *verdict) add(pair verdictPair) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pairs = append(v.pairs, pair)
}

// write stores replay-verdict.json in dir. exitCode is what the run will end
// with.
func (v *verdict) write(dir string, exitCode int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := verdictFile{SchemaVersion: 1, Mode: "replay", Verdict: "pass", ReplayDir: dir, Pairs: v.pairs, ProducedBy: producedBy}
	out.Gate.ExitCode = exitCode
	out.Summary.Pairs = len(v.pairs)
	for _, pair := range v.pairs {
		if pair.BodyMatch == "fail" {
			out.Summary.BodyMismatches++
		}
		if pair.Match == "fail" || pair.BodyMatch == "fail" {
			out.Summary.Mismatches++
			out.Verdict = "mismatch"
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text) // escapes "&", as proxymock does here
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(out); err != nil {
		return fmt.Errorf("encoding the verdict: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "replay-verdict.json"), text.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the verdict: %w", err)
	}
	return nil
}

func passFail(pass bool) string {
	if pass {
		return "pass"
	}
	return "fail"
}
