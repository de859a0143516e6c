package plugin

import (
	"context"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// sides lists everything below the roots.
func (i *Instance) sides(ctx context.Context) (SidesResponse, error) {
	listing, err := i.catalog.Sides(ctx)
	if err != nil {
		return SidesResponse{}, err
	}
	out := SidesResponse{
		APIVersion: APIVersion, Roots: i.roots(listing), Sides: make([]SideRow, 0, len(listing.Sides)),
		Profiles: i.profileRefs(), Problems: nonNil(listing.Problems),
	}
	for n := range listing.Sides {
		out.Sides = append(out.Sides, sideRow(&listing.Sides[n]))
	}
	return out, nil
}

// roots joins what could be opened with what could be listed.
func (i *Instance) roots(listing catalog.Listing) []RootState {
	out := append([]RootState{}, i.rootStates...)
	for n := range out {
		for _, state := range listing.Roots {
			if state.Name != out[n].Name {
				continue
			}
			out[n].Sides, out[n].Runs = state.Sides, state.Runs
			if state.Err != nil {
				out[n].Readable, out[n].Message = false, state.Err.Error()
			}
		}
	}
	return out
}

func sideRow(s *catalog.Side) SideRow {
	row := SideRow{
		ID: s.ID, Root: s.Root, Path: strings.Join(s.Paths, "+"), Label: s.Label, Declared: s.Declared,
		Runs: make([]RunRow, 0, len(s.Runs)), Problems: nonNil(s.Problems),
	}
	for n := range s.Runs {
		row.Runs = append(row.Runs, runRow(&s.Runs[n]))
	}
	return row
}

func runRow(r *catalog.Run) RunRow {
	row := RunRow{
		ID: r.ID, Path: r.Path, Kind: r.Kind, Window: r.Window, GateFailed: r.GateFailed,
		PairFiles: r.PairFiles, Problems: nonNil(r.Problems), Reasons: evidence.Reasons{},
	}
	reason := evidence.ReasonNotReported
	if r.Result == nil {
		reason = evidence.ReasonNoRun
	} else {
		if a := r.Result.Aggregate; a != nil {
			row.Requests, row.Failed, row.MatchPct = a.Total, a.Failed, a.MatchPct
			row.P95Ms, row.RequestsPerSecond = a.Latency.P95, a.PerSecond
		}
		if seconds, ok := r.Result.ActiveSeconds(); ok {
			row.ActiveSeconds = &seconds
		}
		if res := r.Result.Resources; res != nil {
			row.HarnessBound = res.HarnessBound
		}
	}
	for name, absent := range map[string]bool{
		"requests": row.Requests == nil, "failed": row.Failed == nil, "p95Ms": row.P95Ms == nil,
		"requestsPerSecond": row.RequestsPerSecond == nil, "activeSeconds": row.ActiveSeconds == nil,
	} {
		if absent {
			row.Reasons[name] = reason
		}
	}
	if row.MatchPct == nil {
		row.Reasons["matchPct"] = evidence.ReasonNotScored
	}
	if row.HarnessBound == nil {
		row.Reasons["harnessBound"] = evidence.ReasonNotReported
	}
	return row
}

func (i *Instance) profileRefs() []ProfileRef {
	out := make([]ProfileRef, 0, len(i.profiles))
	for _, p := range i.profiles {
		out = append(out, ProfileRef{Name: p.Name, RequestMetric: p.Request.Metric, Job: p.Target.Job})
	}
	return out
}
