// Package catalog finds sides and runs below the configured roots, classifies each run by what it
// contains, and resolves the exact window of a run. It knows nothing of metrics.
package catalog

import (
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// Kind says what a run is. It is decided by content, never by the name of the directory.
type Kind string

// The kinds of run.
const (
	// KindFunctional is a replay whose responses were scored against the recording.
	KindFunctional Kind = "functional"
	// KindLoad is a replay in load mode: percentiles, no scoring.
	KindLoad Kind = "load"
	// KindRecording holds pairs written by the recorder.
	KindRecording Kind = "recording"
	// KindMock holds pairs (or counts) written by the mock.
	KindMock Kind = "mock"
	// KindUnknown is a directory with result files that could not be classified; Problems says why.
	KindUnknown Kind = "unknown"
)

// WindowSource says how the window of a run is known, best first.
type WindowSource string

// The sources of a window in order of precedence.
const (
	SourceWindowFile WindowSource = "window.json"
	SourcePairs      WindowSource = "pairs"
	// SourceSummary is inferred from the summary's active time and the file's modification time.
	SourceSummary WindowSource = "summary"
)

// Window is the exact interval of one run. The first five names are those of window.json, because
// query_end and window_seconds are passed on unchanged.
type Window struct {
	Start         time.Time    `json:"start"`
	End           time.Time    `json:"end"`
	QueryStart    time.Time    `json:"query_start"`
	QueryEnd      time.Time    `json:"query_end"`
	WindowSeconds int64        `json:"window_seconds"`
	Source        WindowSource `json:"source"`
	// Uncertainty is how far start and end may be off, in seconds; 0 for stated instants.
	Uncertainty float64 `json:"uncertainty"`
	// Derived names the fields that were computed because the file did not state them.
	Derived []string `json:"derived,omitempty"`
	// Notes are sentences for the reader, such as "inferred from the file time of summary.json".
	Notes []string `json:"notes,omitempty"`
}

// Problem is one thing that was wrong with a file, in words for a user. Nothing else is lost by it.
type Problem struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Code is stable: incomplete, unreadable, unsupported, not_a_pair, too_large, limit, conflict, missing,
	// duplicate, and note for what is odd but harmless.
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Run is one replay or recording inside a side.
type Run struct {
	// ID is root name, slash, path below the root; stable as long as the directory is.
	ID   string `json:"id"`
	Root string `json:"root"`
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	// Window is nil when none could be known; Problems says why.
	Window *Window `json:"window"`
	// Result is the replay's own figures; nil for recordings.
	Result  *proxymock.Result  `json:"-"`
	Verdict *proxymock.Verdict `json:"-"`
	// ResultFile is the file the figures came from, relative to the root.
	ResultFile string `json:"resultFile,omitempty"`
	// GateFailed is true when the run's own gate tripped (failed-summary.json, failIfExitCode).
	GateFailed bool `json:"gateFailed"`
	// PairFiles is the number of files that look like pairs; they are parsed on demand.
	PairFiles int       `json:"pairFiles"`
	Problems  []Problem `json:"problems"`
	// Token changes whenever a file of the run changes (names, sizes, modification times).
	Token string `json:"token"`

	// Mock holds the counts of a tuning summary; nil without one.
	Mock *proxymock.MockCounts `json:"-"`
	// Logs are the tool logs of the run, relative to the root.
	Logs []string `json:"-"`
	// Written is the modification time of ResultFile; zero without one.
	Written time.Time `json:"-"`

	pairs, maybe []entry
	// rejected says which window file was rejected and why; empty when none was.
	rejected string
}

// SideFile is the optional side.json: what a person or a lab says of a side.
type SideFile struct {
	Label   string `json:"label,omitempty"`
	Version string `json:"version,omitempty"`
	Commit  string `json:"commit,omitempty"`
	// Changed says what changed in this side, in the person's words.
	Changed string `json:"changed,omitempty"`
	// Pools holds the size of each pool by name. It belongs here, not in the profile: it is what changes.
	Pools map[string]float64 `json:"pools,omitempty"`
	// Workload states what the replay was told to do; proxymock's results do not carry it.
	Workload *Workload `json:"workload,omitempty"`
	// Harness names the program that replayed, e.g. "proxymock 2.5.842" or "stand-in for proxymock".
	Harness *Harness `json:"harness,omitempty"`
	// Dependency states how the dependency was answered.
	Dependency *Dependency `json:"dependency,omitempty"`
	// Tables holds the number of rows of the database's tables before the load run, by table: what a run
	// finds there is part of its workload.
	Tables map[string]int64 `json:"tables,omitempty"`
}

// Workload is the declared work of a side's load run.
type Workload struct {
	Users            int    `json:"users,omitempty"`
	Passes           int    `json:"passes,omitempty"`
	FunctionalPasses int    `json:"functionalPasses,omitempty"`
	Mode             string `json:"mode,omitempty"`
	// Recording is the path of the recording, relative to the root or to a directory above the side.
	Recording string `json:"recording,omitempty"`
}

// Harness names the program that wrote the runs.
type Harness struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// Dependency says how the service's dependency was answered during the runs.
type Dependency struct {
	Mocked bool   `json:"mocked"`
	Timing string `json:"timing,omitempty"`
}

// Side is one directory of a root (or several joined with "+") chosen as baseline or candidate.
type Side struct {
	// ID is root name, slash, path; combined sides join the paths with "+".
	ID    string   `json:"id"`
	Root  string   `json:"root"`
	Paths []string `json:"paths"`
	// Label is side.json's label, else the path.
	Label    string    `json:"label"`
	Declared *SideFile `json:"declared"`
	Runs     []Run     `json:"runs"`
	Problems []Problem `json:"problems"`
	Token    string    `json:"token"`

	// Logs are tool logs directly in the side's directories, relative to the root.
	Logs []string `json:"-"`
}
