package compare

import (
	"time"

	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
)

// Options are what a comparison needs besides the two sides and the profile.
type Options struct {
	// Now stamps the comparison; the package has no clock of its own.
	Now time.Time
	// Generator names the program that asks.
	Generator Generator
	// ShowValues puts the values of differing response fields into the result. Recorded traffic can
	// hold secrets, so they are masked unless asked for; well-known secret headers stay masked.
	ShowValues bool
	// MaxDifferences bounds the listed response differences; 0 means DefaultMaxDifferences. All of
	// them are counted.
	MaxDifferences int
}

// DefaultMaxDifferences is how many response differences are listed unless Options says otherwise.
const DefaultMaxDifferences = 200

// input is what every part of the comparison reads. Nothing writes to it after newInput.
type input struct {
	base, cand evidence.Side
	profile    Profile
	opts       Options
}

// Compare judges a candidate against a baseline. It is a pure function: no files, no network, no
// clock. It never fails; what cannot be judged reads inconclusive and says what would settle it.
//
// The sides are not changed. In the returned copy of the candidate, the figures of the functional run
// that only a comparison knows are filled in.
func Compare(baseline, candidate evidence.Side, p profile.Profile, opts Options) Comparison {
	in := newInput(baseline, candidate, p, opts)

	items := in.identity()
	broken := breaking(items)
	diff := in.responses()
	errs := in.errorChange()
	behaviour := in.behaviour(items, diff, errs)
	repeats := in.repeats()
	endpoints := in.endpoints(repeats)
	quantiles := in.quantiles()
	speed := in.speed(broken, behaviour, endpoints, quantiles, repeats)
	if withheld(speed) {
		withholdEndpoints(endpoints)
	}
	statements := in.statements()
	cause := in.cause(speed, endpoints, statements)

	in.fillFunctional(diff)
	c := Comparison{
		SchemaVersion: SchemaVersion,
		GeneratedAt:   opts.Now.UTC(),
		Generator:     opts.Generator,
		Profile:       in.profile,
		Verdict:       Verdict{Behaviour: behaviour, Speed: speed, Cause: cause},
		Comparable:    len(broken) == 0,
		Identity:      items,
		Responses:     diff.Responses,
		Endpoints:     endpoints,
		Statements:    statements,
		Repeats:       repeats,
		Tests:         in.tests(),
		Sides:         Sides{Baseline: in.base, Candidate: in.cand},
	}
	c.Table = in.table(c)
	c.Findings = in.findings(c, errs, quantiles)
	c.Limitations = in.limitations(c)
	return c
}

func newInput(baseline, candidate evidence.Side, p profile.Profile, opts Options) *input {
	if opts.MaxDifferences <= 0 {
		opts.MaxDifferences = DefaultMaxDifferences
	}
	in := &input{base: baseline, cand: candidate, opts: opts, profile: Profile{
		Name:             p.Name,
		Quantile:         p.Quantile,
		TolerancePercent: p.Tolerance.Percent,
		ToleranceMs:      p.Tolerance.Milliseconds,
		RequestMetric:    p.Request.Metric,
		Ignore:           append([]string{}, p.Ignore...),
	}}
	// A comparison without a profile works on the replay's own figures with the usual limits.
	if q := in.profile.Quantile; q <= 0 || q >= 1 {
		in.profile.Quantile = profile.DefaultQuantile
	}
	if in.profile.TolerancePercent == 0 && in.profile.ToleranceMs == 0 {
		in.profile.TolerancePercent = profile.DefaultTolerancePercent
		in.profile.ToleranceMs = profile.DefaultToleranceMilliseconds
	}
	return in
}

// fillFunctional writes what only a comparison knows into copies of the functional runs.
func (in *input) fillFunctional(diff responseDiff) {
	if f := in.cand.Functional; f != nil {
		filled := *f
		filled.Reasons = withoutReasons(f.Reasons, "pairsCompared", "stableDifferences")
		filled.PairsCompared, filled.StableDifferences = nil, nil
		filled.IgnoredFields = diff.Ignored
		if diff.Pairs > 0 {
			filled.PairsCompared, filled.StableDifferences = ptr(diff.Pairs), ptr(diff.total)
		} else {
			code := diff.Reasons["pairs"]
			if code == "" {
				code = ReasonNotCompared
			}
			filled.Reasons = withReason(filled.Reasons, "pairsCompared", code)
			filled.Reasons = withReason(filled.Reasons, "stableDifferences", code)
		}
		in.cand.Functional = &filled
	}
	if f := in.base.Functional; f != nil {
		filled := *f
		filled.PairsCompared, filled.StableDifferences = nil, nil
		filled.Reasons = withoutReasons(f.Reasons, "pairsCompared", "stableDifferences")
		filled.Reasons = withReason(filled.Reasons, "pairsCompared", evidence.ReasonComparisonSource)
		filled.Reasons = withReason(filled.Reasons, "stableDifferences", evidence.ReasonComparisonSource)
		filled.IgnoredFields = append([]evidence.IgnoredField{}, f.IgnoredFields...)
		in.base.Functional = &filled
	}
}

// withReason returns reasons with one more entry, in a map of its own.
func withReason(r evidence.Reasons, field, code string) evidence.Reasons {
	out := withoutReasons(r)
	if out == nil {
		out = evidence.Reasons{}
	}
	out[field] = code
	return out
}

// withoutReasons copies reasons and leaves the named fields out.
func withoutReasons(r evidence.Reasons, fields ...string) evidence.Reasons {
	var out evidence.Reasons
	for k, v := range r {
		if contains(fields, k) {
			continue
		}
		if out == nil {
			out = evidence.Reasons{}
		}
		out[k] = v
	}
	return out
}
