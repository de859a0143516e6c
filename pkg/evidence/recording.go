package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// Sources of a recording's identity, best first.
const (
	FromRecording = "recording"
	FromVerdict   = "verdict"
	FromPairs     = "pairs"
	FromUnknown   = "unknown"
)

// recording finds out what was replayed: the declared recording itself where it lies in the root, else
// the recorded pairs that the verdict or the replayed pairs refer to.
func (m *measurement) recording(ctx context.Context) error {
	id, err := m.fromRecording(ctx)
	if err != nil {
		return err
	}
	for _, next := range []func(context.Context) (*RecordingIdentity, error){m.fromVerdict, m.fromReplayed} {
		if id != nil {
			break
		}
		if id, err = next(ctx); err != nil {
			return err
		}
	}
	if id == nil {
		id = &RecordingIdentity{Source: FromUnknown}
	}
	explain(id, &id.Reasons, ReasonUnknown)
	m.side.Recording = *id
	return nil
}

func (m *measurement) fromRecording(ctx context.Context) (*RecordingIdentity, error) {
	run, err := DeclaredRecording(ctx, m.in.Files, m.in.Side)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		code := "unreadable"
		if errors.Is(err, fs.ErrNotExist) {
			code = "missing"
		}
		m.problem(m.in.Side.Declared.Workload.Recording, code, "the recording that side.json names could not be read: %v", err)
		return nil, nil
	}
	if run == nil {
		return nil, nil
	}
	pairs, problems, err := m.in.Files.Pairs(ctx, run)
	if err != nil {
		return nil, err
	}
	m.side.Problems = append(m.side.Problems, problems...)
	m.recorded = pairs
	var inbound []string
	for _, p := range pairs {
		if p.Direction == proxymock.In && p.UUID != "" {
			inbound = append(inbound, p.UUID)
		}
	}
	if len(inbound) == 0 {
		m.problem(run.Path, "missing", "the recording that side.json names holds no inbound pairs")
		return nil, nil
	}
	id := identify(FromRecording, inbound)
	id.Path = run.Path
	return id, nil
}

// DeclaredRecording finds the recording that the side.json of a side names: below the root, else below the nearest
// directory above the side. A workspace says where its recordings lie without knowing where it is kept itself. It is
// nil when side.json names none; an error that wraps fs.ErrNotExist means that nothing lies there.
//
// The recording is the one run outside a side that its evidence is made from.
func DeclaredRecording(ctx context.Context, files Files, side *catalog.Side) (*catalog.Run, error) {
	d := side.Declared
	if d == nil || d.Workload == nil || d.Workload.Recording == "" {
		return nil, nil
	}
	name := d.Workload.Recording
	run, first := files.RunAt(ctx, side.Root, name)
	if first == nil {
		return run, nil
	}
	for _, own := range side.Paths {
		for dir := path.Dir(own); dir != "." && dir != "/"; dir = path.Dir(dir) {
			run, err := files.RunAt(ctx, side.Root, path.Join(dir, name))
			if err == nil || ctx.Err() != nil {
				return run, err
			}
		}
	}
	return nil, first
}

func (m *measurement) fromVerdict(context.Context) (*RecordingIdentity, error) {
	if m.functional == nil || m.functional.Verdict == nil {
		return nil, nil
	}
	var refs []string
	for _, p := range m.functional.Verdict.Pairs {
		if p.RefUUID == "" {
			return nil, nil
		}
		refs = append(refs, p.RefUUID)
	}
	if len(refs) == 0 {
		return nil, nil
	}
	return identify(FromVerdict, refs), nil
}

// fromReplayed takes the recorded pairs that the functional run's pairs refer to. Without all its pairs
// the set may be incomplete: then it has no digest.
func (m *measurement) fromReplayed(ctx context.Context) (*RecordingIdentity, error) {
	if m.functional == nil {
		return nil, nil
	}
	var refs []string
	for _, r := range m.side.Responses {
		if r.RefUUID != "" {
			refs = append(refs, r.RefUUID)
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	id := identify(FromPairs, refs)
	f := m.side.Functional
	if f.PairsExpected == nil || *f.PairsExpected != f.PairsRead || int64(len(refs)) != f.PairsRead {
		id.Digest, id.InboundPairs = "", nil
	}
	return id, nil
}

// identify makes the digest of a set of recorded pairs: SHA-256 over the sorted uuids, one per line.
func identify(source string, uuids []string) *RecordingIdentity {
	set := slices.Clone(uuids)
	slices.Sort(set)
	set = slices.Compact(set)
	sum := sha256.Sum256([]byte(strings.Join(set, "\n") + "\n"))
	return &RecordingIdentity{Digest: hex.EncodeToString(sum[:]), Source: source, InboundPairs: ptr(int64(len(set))), RefUUIDs: set}
}
