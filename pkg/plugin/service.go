package plugin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/store"
)

// generatorName stands in the documents that the plugin exports.
const generatorName = "Replay Evidence for Grafana"

// retryDelay is the pause before an empty answer is asked again. It is short, because waiting for the final
// scrape is a step of its own, and a person is waiting for the page.
const retryDelay = 200 * time.Millisecond

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

// profileNamed returns the profile of a request. No name means the first one; an app without profiles
// compares the replay's own figures alone.
func (i *Instance) profileNamed(name string) (profile.Profile, *problem) {
	if name == "" {
		if len(i.profiles) > 0 {
			return *i.profiles[0], nil
		}
		return profile.Profile{}, nil
	}
	known := make([]string, 0, len(i.profiles))
	for _, p := range i.profiles {
		if p.Name == name {
			return *p, nil
		}
		known = append(known, p.Name)
	}
	return profile.Profile{}, &problem{
		status: http.StatusNotFound, code: "profile_unknown", title: "Unknown profile",
		detail: "No profile is named " + quoted(name) + "; configured are " + orNone(known) + ".",
		next:   "Choose one of the profiles, or add it on the configuration page.",
	}
}

// measured is one side with what it was made from.
type measured struct {
	side *evidence.Side
	// keep is false when the answer depends on a server's passing state.
	keep bool
	key  string
}

// measure measures one side, or returns it from the cache when neither its files nor the questions nor
// the server changed.
func (i *Instance) measure(ctx context.Context, ref string, p profile.Profile) (measured, error) {
	side, err := i.catalog.Side(ctx, ref)
	if err != nil {
		return measured{}, err
	}
	ep, epProblem := i.endpointFor(ctx)
	address := ""
	if ep != nil {
		address = ep.mode + " " + ep.address
	}
	key := resultKey("side", side.ID, side.Token, profileKey(p), address)
	v, err := i.results.do(ctx, key, func(ctx context.Context) (any, bool, error) {
		in := evidence.Input{Side: side, Files: i.catalog, Profile: p, Now: i.now()}
		if ep != nil {
			client, err := promapi.New(promapi.Config{Address: ep.address, RoundTripper: ep.transport, RetryDelay: retryDelay})
			if err != nil {
				return nil, false, err
			}
			in.Prometheus = client
		}
		got, err := evidence.Measure(ctx, in)
		if err != nil {
			return nil, false, err
		}
		if ep == nil && i.settings.Prometheus.Mode() != modeNone && got.Metrics.State == evidence.StateNotConfigured {
			got.Metrics.State, got.Metrics.Message, got.Metrics.Next = evidence.StateRefused, epProblem.title+": "+epProblem.detail, epProblem.next
		}
		return got, settled(got), nil
	})
	if err != nil {
		return measured{}, err
	}
	got, ok := v.(*evidence.Side)
	if !ok {
		return measured{}, errors.New("the cache of results holds an entry of another kind")
	}
	return measured{side: got, keep: settled(got), key: key}, nil
}

// settled tells whether asking again could give another answer although nothing changed on disk: an
// unreachable server may come back, a final scrape may land.
func settled(s *evidence.Side) bool {
	switch s.Metrics.State {
	case evidence.StateOK, evidence.StateExpired:
	default:
		return false
	}
	for _, g := range s.Gates {
		if g.State == evidence.GateFailed && g.Code == "G2" {
			return false
		}
	}
	for _, q := range s.Queries {
		switch q.State {
		case evidence.StateUnreachable, evidence.StateRefused, evidence.StateFailed:
			return false
		}
	}
	return true
}

// comparison compares two sides. showValues reveals the values of differing response fields.
func (i *Instance) comparison(ctx context.Context, baseline, candidate, profileName string, showValues bool) (*compare.Comparison, error) {
	p, prob := i.profileNamed(profileName)
	if prob != nil {
		return nil, prob
	}
	b, err := i.measure(ctx, baseline, p)
	if err != nil {
		return nil, err
	}
	c, err := i.measure(ctx, candidate, p)
	if err != nil {
		return nil, err
	}
	key := resultKey("comparison", b.key, c.key, boolKey(showValues))
	v, err := i.results.do(ctx, key, func(context.Context) (any, bool, error) {
		got := compare.Compare(*b.side, *c.side, p, compare.Options{
			Now: i.now(), ShowValues: showValues,
			Generator: compare.Generator{Name: generatorName, Version: i.op.Version},
		})
		return &got, b.keep && c.keep, nil
	})
	if err != nil {
		return nil, err
	}
	got, ok := v.(*compare.Comparison)
	if !ok {
		return nil, errors.New("the cache of results holds an entry of another kind")
	}
	return got, nil
}

// toProblem turns any error of a request into what the user reads.
func toProblem(err error) *problem {
	var p *problem
	var unknownSide *catalog.UnknownSideError
	var ambiguous *catalog.AmbiguousSideError
	var unknownRoot *catalog.UnknownRootError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &unknownSide):
		return &problem{status: http.StatusNotFound, code: "side_unknown", title: "Side not found", detail: err.Error(),
			next: "The directory may have been removed or renamed: refresh the list of runs and choose again.", err: err}
	case errors.As(err, &ambiguous):
		return &problem{status: http.StatusBadRequest, code: "side_ambiguous", title: "More than one side has this name", detail: err.Error(),
			next: "Name the side with its root and whole path.", err: err}
	case errors.As(err, &unknownRoot):
		return &problem{status: http.StatusNotFound, code: "root_unknown", title: "Root not found", detail: err.Error(),
			next: "Choose one of the configured roots.", err: err}
	case errors.Is(err, fs.ErrInvalid), errors.Is(err, store.ErrOutsideRoot):
		return &problem{status: http.StatusBadRequest, code: "outside_root", title: "Outside the roots", detail: err.Error(),
			next: "Name a path below one of the configured roots.", err: err}
	case errors.Is(err, fs.ErrNotExist):
		return &problem{status: http.StatusNotFound, code: "vanished", title: "A file or directory is gone", detail: err.Error(),
			next: "Refresh the list of runs; a replay may be writing it anew.", err: err}
	case isCancelled(err):
		// 499 is nginx's word for it; nobody reads this answer.
		return &problem{status: 499, code: "cancelled", title: "The request was cancelled", detail: "The caller went away.", next: "Nothing to do.", err: err}
	default:
		return &problem{status: http.StatusInternalServerError, code: "internal", title: "The request failed", detail: err.Error(),
			next: "Try again; if it persists, look into the server's log.", err: err}
	}
}

func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func quoted(s string) string { return "\"" + s + "\"" }

func boolKey(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// profileKey identifies the questions: everything of a profile that can change an answer.
func profileKey(p profile.Profile) string {
	text, err := yaml.Marshal(p)
	if err != nil { // a parsed profile can always be written again
		return fmt.Sprintf("%+v", p)
	}
	return string(text)
}
