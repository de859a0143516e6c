package plugin

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// generatorName stands in the documents that the plugin exports.
const generatorName = "Replay Evidence for Grafana"

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

// maxMeasurements is how many sides are measured at the same time, over all organisations; two make a comparison. The
// others wait for their turn, so that many open pages neither fill the memory nor flood Prometheus. What is cached
// never waits.
const maxMeasurements = 8

// measured is one side with what it was made from.
type measured struct {
	side *evidence.Side
	key  string
}

// measure measures one side, or returns it from the cache when neither its files nor the questions nor
// the server changed.
func (i *Instance) measure(ctx context.Context, ref string, p profile.Profile) (measured, error) {
	side, err := i.catalog.Side(ctx, ref)
	if err != nil {
		return measured{}, err
	}
	recording, err := i.recordingKey(ctx, side)
	if err != nil {
		return measured{}, err
	}
	client, server, prob := i.client(ctx)
	key := resultKey("side", side.ID, side.Token, recording, profileKey(p), server)
	got, err := i.sideResults.do(ctx, key, func(ctx context.Context) (*evidence.Side, bool, error) {
		in := evidence.Input{Side: side, Files: i.catalog, Profile: p, Now: i.now()}
		if client != nil {
			in.Prometheus = client
		}
		got, err := i.measureInTurn(ctx, in)
		if err != nil {
			return nil, false, err
		}
		if client == nil && i.settings.Prometheus.Mode() != modeNone && got.Metrics.State == evidence.StateNotConfigured {
			got.Metrics.State, got.Metrics.Message, got.Metrics.Next = unaskedState(prob), prob.title+": "+prob.detail, prob.next
		}
		return got, settled(got), nil
	})
	if err != nil {
		return measured{}, err
	}
	i.tellUnasked(ctx, got)
	return measured{side: got, key: key}, nil
}

// measureInTurn measures one side as soon as fewer than maxMeasurements are being measured.
func (i *Instance) measureInTurn(ctx context.Context, in evidence.Input) (*evidence.Side, error) {
	if err := i.op.turns.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("waiting for other measurements to end: %w", err)
	}
	defer i.op.turns.Release(1)
	got, err := evidence.Measure(ctx, in)
	if err == nil {
		// What is asked last is only an addition; cut off there, the side would look whole.
		err = ctx.Err()
	}
	return got, err
}

// recordingKey identifies the one run outside a side that its evidence is made from, and its state.
func (i *Instance) recordingKey(ctx context.Context, side *catalog.Side) (string, error) {
	run, err := evidence.DeclaredRecording(ctx, i.catalog, side)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil || run == nil: // the side will say that there is none
		return "", nil //nolint:nilerr // a recording that cannot be read is a problem of the side
	}
	return run.ID + " " + run.Token, nil
}

// settled tells whether asking again could give another answer although nothing changed on disk: an
// unreachable server may come back, a final scrape may land, a store that was missing may answer. A window that the
// server no longer keeps is read from a frozen evidence.json, which is no run and has no state here.
func settled(s *evidence.Side) bool {
	switch s.Metrics.State {
	case evidence.StateOK:
	case evidence.StateNotConfigured, evidence.StateInsufficient:
		return s.Metrics.Server == "" // nobody was asked
	default:
		return false
	}
	for _, g := range s.Gates {
		if g.State == evidence.GateFailed && (g.Code == promapi.GateFinal || g.Code == promapi.GateNotes) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Queries, func(q evidence.Query) bool { return unanswered(q.State) })
}

// unanswered tells whether a state means that the server could not be asked, or refused or failed to answer.
func unanswered(s evidence.State) bool {
	return s == evidence.StateUnreachable || s == evidence.StateRefused || s == evidence.StateFailed
}

// comparison compares two sides. showValues reveals the values of differing response fields.
func (i *Instance) comparison(ctx context.Context, baseline, candidate, profileName string, showValues bool) (*compare.Comparison, error) {
	p, prob := i.profileNamed(profileName)
	if prob != nil {
		return nil, prob
	}
	sides, err := evidence.MeasureSides(ctx,
		func(ctx context.Context) (measured, error) { return i.measure(ctx, baseline, p) },
		func(ctx context.Context) (measured, error) { return i.measure(ctx, candidate, p) },
	)
	if err != nil {
		return nil, err
	}
	b, c := sides[0], sides[1]
	key := resultKey("comparison", b.key, c.key, strconv.FormatBool(showValues))
	return i.comparisons.do(ctx, key, func(context.Context) (*compare.Comparison, bool, error) {
		got := compare.Compare(*b.side, *c.side, p, compare.Options{
			Now: i.now(), ShowValues: showValues,
			Generator: compare.Generator{Name: generatorName, Version: i.op.Version},
		})
		return &got, settled(b.side) && settled(c.side), nil
	})
}

// What a side and a comparison keep in memory beside the responses of the side, about.
const (
	sideBytes       = 50 << 10
	comparisonBytes = 100 << 10
)

// sideWeight is about how many bytes a side keeps.
func sideWeight(s *evidence.Side) int64 {
	total := int64(sideBytes)
	for n := range s.Responses {
		r := &s.Responses[n]
		total += int64(len(r.Body) + len(r.Path))
		for name, values := range r.Headers {
			total += int64(len(name))
			for _, v := range values {
				total += int64(len(v))
			}
		}
	}
	return total
}

// comparisonWeight is about how many bytes a comparison keeps. The responses are those of its sides, which may have
// been dropped before it.
func comparisonWeight(c *compare.Comparison) int64 {
	return comparisonBytes + sideWeight(&c.Sides.Baseline) + sideWeight(&c.Sides.Candidate)
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func quoted(s string) string { return "\"" + s + "\"" }

// profileKey identifies the questions: everything of a profile that can change an answer.
func profileKey(p profile.Profile) string {
	text, err := yaml.Marshal(p)
	if err != nil { // a parsed profile can always be written again
		return fmt.Sprintf("%+v", p)
	}
	return string(text)
}
