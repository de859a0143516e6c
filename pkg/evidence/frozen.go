package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
)

// frozenSchema is the major version of evidence.json that can be read here.
const frozenSchema = "1."

// frozenFile is the part of evidence.json that a later evaluation reads back.
type frozenFile struct {
	SchemaVersion string `json:"schemaVersion"`
	Sides         struct {
		Baseline  *Side `json:"baseline"`
		Candidate *Side `json:"candidate"`
	} `json:"sides"`
}

// thaw takes the metrics of an expired window from an evidence.json that was written beside the runs while
// the server still had them. They are marked as frozen.
func (m *measurement) thaw(ctx context.Context) error {
	file, name, err := m.in.Files.OpenEvidence(ctx, m.in.Side)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		if !errors.Is(err, fs.ErrNotExist) {
			m.problem(name, "unreadable", "the frozen evidence could not be opened: %v", err)
		}
		return nil
	}
	frozen, err := ParseFrozen(file, m.side.ID, m.side.Window)
	if err := errors.Join(err, file.Close()); err != nil {
		if ctx.Err() != nil {
			return err
		}
		m.problem(name, "unsupported", "the metrics of %s could not be taken from it: %v", m.side.ID, err)
		return nil
	}
	frozen.Metrics.Message = "the server no longer keeps this window; read as frozen from " + name
	frozen.Metrics.Next = ""
	m.side.Metrics, m.side.Saturation = frozen.Metrics, frozen.Saturation
	m.side.Queries = frozen.Queries
	m.side.Gates = m.side.Gates[:0]
	for _, g := range frozen.Gates {
		if g.Code != "G8" && g.Code != "G9" {
			m.side.Gates = append(m.side.Gates, g)
		}
	}
	m.side.Frozen, m.side.FrozenFrom = true, name
	return nil
}

// ParseFrozen reads an evidence.json and returns its side with the given id and window. Roots may be named
// differently where the file was written, so the last part of the path counts; the window must be the
// same to the nanosecond, because metrics of another run would be a lie.
func ParseFrozen(r io.Reader, id string, window *catalog.Window) (*Side, error) {
	var file frozenFile
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	if !strings.HasPrefix(file.SchemaVersion, frozenSchema) {
		return nil, fmt.Errorf("its schema version is %q, this program reads %sx", file.SchemaVersion, frozenSchema)
	}
	for _, s := range []*Side{file.Sides.Baseline, file.Sides.Candidate} {
		if s == nil || s.Window == nil || window == nil || path.Base(s.ID) != path.Base(id) {
			continue
		}
		if !s.Window.Start.Equal(window.Start) || !s.Window.End.Equal(window.End) || s.Window.WindowSeconds != window.WindowSeconds {
			return nil, fmt.Errorf("its side %s is of another run (%s to %s)", s.ID, clock(s.Window.Start), clock(s.Window.End))
		}
		if s.Metrics.State != StateOK && s.Metrics.State != StateNoTraffic && s.Metrics.State != StateInsufficient {
			return nil, fmt.Errorf("its metrics of %s are %s", s.ID, s.Metrics.State)
		}
		fillLists(s)
		for _, part := range []any{s.Metrics, s.Saturation, s.Queries} {
			if err := CheckReasons(part); err != nil {
				return nil, fmt.Errorf("its metrics of %s are not whole: %w", s.ID, err)
			}
		}
		return s, nil
	}
	return nil, fmt.Errorf("it holds no side %s", id)
}

// fillLists makes lists that a file left out empty instead of null.
func fillLists(s *Side) {
	mx := &s.Metrics
	list(&mx.Waits)
	list(&mx.Elapsed)
	list(&mx.Extra)
	list(&mx.RequestDuration.Buckets)
	list(&mx.Breakdown.Parts)
	list(&mx.Coverage.Targets)
	list(&s.Saturation.Pools)
	list(&s.Queries)
	for i := range mx.Waits {
		list(&mx.Waits[i].Buckets)
	}
	for i := range s.Queries {
		list(&s.Queries[i].Warnings)
		list(&s.Queries[i].Infos)
	}
	if mx.Errors.ByCode == nil {
		mx.Errors.ByCode = map[string]int64{}
	}
}

func list[T any](l *[]T) {
	if *l == nil {
		*l = []T{}
	}
}
