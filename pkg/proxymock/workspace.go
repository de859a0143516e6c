package proxymock

import (
	"fmt"
	"io"
	"time"
)

// Snapshot is what a .metadata/snapshot.json says of the traffic in its folder. The file also holds the name and
// address of the person who made it; they are not read.
type Snapshot struct {
	ID, Name string
	// Start and End bound the captured traffic, zero when the file does not state them (its short form).
	Start, End time.Time
	// Services are the captured workloads.
	Services []string
}

// ParseSnapshot reads a snapshot binding in its full or short form. JSON without an id is [ErrOtherFile].
func ParseSnapshot(r io.Reader) (*Snapshot, error) {
	var file struct {
		ID   flexString `json:"id"`
		Meta *struct {
			Name     flexString `json:"name"`
			Start    flexString `json:"startTime"`
			End      flexString `json:"endTime"`
			Services []string   `json:"services"`
		} `json:"meta"`
	}
	if _, err := readJSON(r, "snapshot binding", &file); err != nil {
		return nil, err
	}
	if file.ID == "" || file.Meta == nil {
		return nil, fmt.Errorf("object is no snapshot binding (no id and meta): %w", ErrOtherFile)
	}
	s := &Snapshot{ID: string(file.ID), Name: string(file.Meta.Name), Services: file.Meta.Services}
	s.Start, _ = parseTime(string(file.Meta.Start))
	s.End, _ = parseTime(string(file.Meta.End))
	return s, nil
}

// Blueprint is a set of transform rules of a workspace. Its rules can hold literal secrets and are not read.
type Blueprint struct {
	ID, Name, Description string
	// Active is nil when the file does not say; such a blueprint applies.
	Active *bool
	// GeneratorRules and ResponderRules count the rules on replayed and on mocked traffic.
	GeneratorRules, ResponderRules int
}

// ParseBlueprint reads a blueprint. JSON without an id and rules is [ErrOtherFile].
func ParseBlueprint(r io.Reader) (*Blueprint, error) {
	var file struct {
		ID          flexString `json:"id"`
		Name        flexString `json:"name"`
		Description flexString `json:"description"`
		Active      any        `json:"active"`
		Rules       *struct {
			Generator []present `json:"generator"`
			Responder []present `json:"responder"`
		} `json:"tokenizeConfig"`
	}
	if _, err := readJSON(r, "blueprint", &file); err != nil {
		return nil, err
	}
	if file.ID == "" || file.Rules == nil {
		return nil, fmt.Errorf("object is no blueprint (no id and tokenizeConfig): %w", ErrOtherFile)
	}
	b := &Blueprint{
		ID: string(file.ID), Name: string(file.Name), Description: string(file.Description),
		GeneratorRules: len(file.Rules.Generator), ResponderRules: len(file.Rules.Responder),
	}
	if active, ok := file.Active.(bool); ok {
		b.Active = &active
	}
	return b, nil
}
