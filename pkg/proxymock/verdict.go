package proxymock

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Verdict is a replay-verdict file: one entry per replayed pair (v2.5.814 and later).
type Verdict struct {
	SchemaVersion int
	// Mode is "replay"; verification of a fix writes other values.
	Mode string
	// Verdict is the tool's own word: pass, mismatch, new-mismatch, fix-confirmed, bug-still-reproduces and others.
	Verdict string
	// ReplayDir and BaselineDir are as given on the command line of the run, relative to its working directory.
	ReplayDir, BaselineDir string
	// Pairs are in the file's order, which is not the order of time.
	Pairs   []VerdictPair
	Summary VerdictSummary
	Gate    *VerdictGate
	// Goals is the verdict on test-config goals, unread.
	Goals json.RawMessage
	// Problems are contradictions inside the file, in words.
	Problems []string
}

// VerdictSummary holds the file's own counts of pairs.
type VerdictSummary struct {
	Pairs, Mismatches, NewMismatches, BodyMismatches *int64
}

// VerdictGate is what the run's exit code was decided by: 0 pass, 1 the run or a --fail-if failed, 2 bug
// still reproduces, 3 new mismatch.
type VerdictGate struct {
	Enabled  bool
	ExitCode *int
}

// VerdictPair is one replayed pair.
type VerdictPair struct {
	// Endpoint is the path with query and real ids; see [EndpointName].
	Endpoint, Method string
	// RecordedStatus and ObservedStatus are HTTP statuses; nil when the pair was not replayed.
	RecordedStatus, ObservedStatus *int
	// Match is "pass" or "fail" for the status; a reproduced 500 is a pass.
	Match string
	// BodyMatch is "pass", "fail", or "" when bodies were not compared.
	BodyMatch   string
	BodyChanges []BodyChange
	// Classification is set only when a fix was verified.
	Classification string
	// RefUUID is the recorded pair's uuid in hex; repeats of one recorded pair share it.
	RefUUID string
	// SourceFile and ReplayFile are relative to the run's working directory. Resolve them by suffix
	// inside a root, never as they are.
	SourceFile, ReplayFile         string
	NewMismatch, ChangedVsBaseline bool
	// SemanticScore is 0 to 1 and SemanticBand its word, with --semantic only.
	SemanticScore *float64
	SemanticBand  string
}

// Passed tells whether status and, where compared, body agree with the recording.
func (p VerdictPair) Passed() bool {
	return strings.EqualFold(p.Match, "pass") && !strings.EqualFold(p.BodyMatch, "fail")
}

// BodyChange is one difference of a response body against the recording.
type BodyChange struct {
	Severity string `json:"severity"`
	// Kind is value_changed, field_added, field_removed, type_changed or a newer word.
	Kind     string `json:"kind"`
	Endpoint string `json:"endpoint"`
	// Location is like http.res.bodyBase64.total_cents.
	Location string `json:"location"`
	// Baseline and Candidate are any JSON value.
	Baseline  json.RawMessage `json:"baseline"`
	Candidate json.RawMessage `json:"candidate"`
}

type verdictFile struct {
	SchemaVersion flexInt            `json:"schemaVersion"`
	Mode          flexString         `json:"mode"`
	Verdict       flexString         `json:"verdict"`
	ReplayDir     flexString         `json:"replayDir"`
	BaselineDir   flexString         `json:"baselineDir"`
	Pairs         *[]verdictFilePair `json:"pairs"`
	Summary       struct {
		Pairs          flexInt `json:"pairs"`
		Mismatches     flexInt `json:"mismatches"`
		NewMismatches  flexInt `json:"newMismatches"`
		BodyMismatches flexInt `json:"bodyMismatches"`
	} `json:"summary"`
	Gate *struct {
		Enabled  bool    `json:"enabled"`
		ExitCode flexInt `json:"exitCode"`
	} `json:"gate"`
	Goals   json.RawMessage `json:"goals"`
	MsgType string          `json:"msgType"`
}

type verdictFilePair struct {
	Endpoint          flexString      `json:"endpoint"`
	Method            flexString      `json:"method"`
	RecordedStatus    flexInt         `json:"recordedStatus"`
	ObservedStatus    flexInt         `json:"observedStatus"`
	Match             flexString      `json:"match"`
	BodyMatch         flexString      `json:"bodyMatch"`
	BodyChanges       []BodyChange    `json:"bodyChanges"`
	Classification    flexString      `json:"classification"`
	RefUUID           flexString      `json:"refUuid"`
	SourceFile        flexString      `json:"sourceFile"`
	ReplayFile        flexString      `json:"replayFile"`
	NewMismatch       bool            `json:"newMismatch"`
	ChangedVsBaseline bool            `json:"changedVsBaseline"`
	SemanticScore     json.RawMessage `json:"semanticScore"`
	SemanticBand      flexString      `json:"semanticBand"`
}

// ParseVerdict reads a replay verdict. JSON without pairs and verdict is [ErrOtherFile].
func ParseVerdict(r io.Reader) (*Verdict, error) {
	var file verdictFile
	note, err := readJSON(r, "replay verdict", &file)
	if err != nil {
		return nil, err
	}
	if file.MsgType != "" || (file.Pairs == nil && file.Verdict == "") {
		return nil, fmt.Errorf("object is no replay verdict (no pairs and no verdict): %w", ErrOtherFile)
	}
	v := &Verdict{
		SchemaVersion: int(file.SchemaVersion.value), Mode: string(file.Mode), Verdict: string(file.Verdict),
		ReplayDir: string(file.ReplayDir), BaselineDir: string(file.BaselineDir), Goals: file.Goals,
		Summary: VerdictSummary{
			Pairs: file.Summary.Pairs.pointer(), Mismatches: file.Summary.Mismatches.pointer(),
			NewMismatches: file.Summary.NewMismatches.pointer(), BodyMismatches: file.Summary.BodyMismatches.pointer(),
		},
	}
	if isNull(v.Goals) {
		v.Goals = nil
	}
	if note != "" {
		v.Problems = append(v.Problems, note)
	}
	if file.Gate != nil {
		v.Gate = &VerdictGate{Enabled: file.Gate.Enabled, ExitCode: file.Gate.ExitCode.intPointer()}
	}
	if file.Pairs != nil {
		for i := range *file.Pairs {
			v.Pairs = append(v.Pairs, (*file.Pairs)[i].pair())
		}
	}
	v.check()
	return v, nil
}

func (f *verdictFilePair) pair() VerdictPair {
	p := VerdictPair{
		Endpoint: string(f.Endpoint), Method: string(f.Method), Match: strings.ToLower(string(f.Match)),
		BodyMatch: strings.ToLower(string(f.BodyMatch)), BodyChanges: f.BodyChanges,
		Classification: string(f.Classification), RefUUID: strings.ToLower(defined(string(f.RefUUID))),
		SourceFile: string(f.SourceFile), ReplayFile: string(f.ReplayFile),
		NewMismatch: f.NewMismatch, ChangedVsBaseline: f.ChangedVsBaseline, SemanticBand: string(f.SemanticBand),
	}
	// Zero is how the writer says that no status was seen.
	if f.RecordedStatus.ok && f.RecordedStatus.value != 0 {
		p.RecordedStatus = f.RecordedStatus.intPointer()
	}
	if f.ObservedStatus.ok && f.ObservedStatus.value != 0 {
		p.ObservedStatus = f.ObservedStatus.intPointer()
	}
	if score, ok := parseNumber(f.SemanticScore); ok {
		p.SemanticScore = &score
	}
	return p
}

func (v *Verdict) check() {
	if v.SchemaVersion > 1 {
		v.Problems = append(v.Problems, fmt.Sprintf("schema version %d is newer than the one known (1); fields may have changed", v.SchemaVersion))
	}
	if n := v.Summary.Pairs; n != nil && *n != int64(len(v.Pairs)) {
		v.Problems = append(v.Problems, fmt.Sprintf("the summary counts %s, the file lists %d", Counted(*n, "pair", "pairs"), len(v.Pairs)))
	}
	var failed int64
	for i := range v.Pairs {
		if !v.Pairs[i].Passed() {
			failed++
		}
	}
	if n := v.Summary.Mismatches; n != nil && *n == 0 && failed > 0 && v.Summary.BodyMismatches == nil {
		v.Problems = append(v.Problems, fmt.Sprintf("the summary counts no mismatch, but %s did not pass", Counted(failed, "pair", "pairs")))
	}
}
