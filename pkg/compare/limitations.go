package compare

import (
	"fmt"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// Codes of limitations.
const (
	LimitBucketQuantised   = "bucket_quantised"
	LimitExtrapolates      = "increase_extrapolates"
	LimitWaitIsAcquisition = "wait_is_pool_acquisition"
	LimitFixture           = "fixture_not_production"
	LimitShortScrape       = "short_scrape_interval"
	LimitLoadNotScored     = "load_not_scored"
	LimitOneRun            = "one_run_per_side"
	LimitFrozen            = "frozen_evidence"
	LimitStandIn           = "stand_in_harness"
	LimitHarnessBound      = "harness_bound"
	LimitPadding           = "window_padding"
	LimitWholeMs           = "replay_whole_ms"
	LimitWindowInferred    = "window_inferred"
	LimitPartlyCompared    = "responses_partly_compared"
	LimitLayoutsDiffer     = "bucket_layouts_differ"
	LimitUsersAreLimit     = "users_are_the_limit"
	LimitGuessedLinks      = "statements_linked_by_time"
)

// shortScrapeSeconds: production servers scrape every 15 to 60 seconds; below this the figures are
// finer than they will be there.
const shortScrapeSeconds = 5

// limitations lists what the evidence does not show, each only where it applies.
func (in *input) limitations(c Comparison) []Limitation {
	out := []Limitation{}
	add := func(code, format string, args ...any) {
		out = append(out, Limitation{code, fmt.Sprintf(format, args...)})
	}
	b, k := in.base.Metrics, in.cand.Metrics
	if in.anySide(func(s evidence.Side) bool { return hasBuckets(s.Metrics) }) {
		text := "a quantile of a histogram is a bucket, not a number"
		if w := bucketWidths(b.RequestDuration.P95Seconds, k.RequestDuration.P95Seconds); w != "" {
			text += ": the buckets here are " + w + " wide; finer ones, or a native histogram, would narrow the bounds"
		}
		add(LimitBucketQuantised, "%s", text)
	}
	if q := in.quantiles(); q.rebinned {
		add(LimitLayoutsDiffer, "the two histograms have different buckets: only the bounds they share were used")
	}
	if f := extrapolated(b, k); f != "" {
		add(LimitExtrapolates, "increase() extrapolates to the edges of the window (%s): the exact counts come from raw samples", f)
	}
	if in.poolWait() {
		add(LimitWaitIsAcquisition, "the wait histogram measures how long it took to get a connection from the pool, dialling included: that is neither the dependency's own time nor a handshake alone")
	}
	if t := in.fixtureText(); t != "" {
		add(LimitFixture, "%s", t)
	}
	if v, ok := in.shortestInterval(); ok && v <= shortScrapeSeconds {
		add(LimitShortScrape, "a scrape interval of %s is a lab setting: production scrapes less often and sees less of a short run", duration(v))
	}
	if u := c.Responses.Unscored; u != nil && *u > 0 {
		add(LimitLoadNotScored, "%s not scored: load mode does not score responses, so the functional runs and the comparison of their responses say whether the answers are right", counted(*u, "load request was", "load requests were"))
	}
	if c.Responses.State == PartlyCompared {
		add(LimitPartlyCompared, "%s compared: the other responses are not here", pairsOf(c.Responses.Pairs, c.Responses.Expected))
	}
	if c.Repeats == nil && (in.base.Load != nil || in.cand.Load != nil) {
		add(LimitOneRun, "%s: this speaks of the two measured replays only", in.fewRuns())
	}
	if in.usesReplayPercentiles(c) {
		add(LimitWholeMs, "the replay's own latencies are whole milliseconds, at least 1: 1 ms means at most 1 ms, and a difference of 1 ms is rounding")
	}
	if in.cand.Saturation.Limit == "users" {
		add(LimitUsersAreLimit, "the virtual users limit the candidate's throughput: it is not the service's capacity")
	}
	in.runLimitations(add)
	in.fileProblemLimitation(add)
	in.gateLimitations(add)
	return out
}

func (in *input) anySide(test func(evidence.Side) bool) bool { return test(in.base) || test(in.cand) }

func hasBuckets(m evidence.Metrics) bool {
	_, ok := num(m.RequestDuration.P95Seconds.Lower)
	return m.State == evidence.StateOK && ok
}

func bucketWidths(list_ ...evidence.Quantile) string {
	var words []string
	for _, q := range list_ {
		lower, upper, ok := both(q.Lower, q.Upper)
		if !ok {
			continue
		}
		if w := duration(upper - lower); !contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " and ")
}

// extrapolated names what increase() said beside the exact counts.
func extrapolated(sides ...evidence.Metrics) string {
	var words []string
	for _, m := range sides {
		r := m.Reconciliation
		v, ok := num(r.Extrapolated)
		if !ok || r.Seen == nil {
			continue
		}
		if f, known := num(r.Factor); known && f == 1 {
			continue
		}
		words = append(words, fmt.Sprintf("%s instead of %s", significantShort(v), evidence.FormatCount(*r.Seen)))
	}
	return list(words, 0)
}

func (in *input) poolWait() bool {
	for _, j := range in.joinedWaits() {
		for _, w := range []*evidence.Wait{j.base, j.cand} {
			if w != nil && w.Pool != "" && w.State == evidence.StateOK {
				return true
			}
		}
	}
	return false
}

func (in *input) fixtureText() string {
	timing, mocked := "", false
	for _, s := range []evidence.Side{in.base, in.cand} {
		if s.Declared != nil && s.Declared.Dependency != nil && s.Declared.Dependency.Mocked {
			mocked, timing = true, s.Declared.Dependency.Timing
		}
		if s.Mock != nil && s.Mock.Hits != nil && *s.Mock.Hits > 0 {
			mocked = true
		}
	}
	if !mocked {
		return ""
	}
	text := "the dependency was mocked"
	if timing != "" {
		text += " (timing " + timing + ")"
	}
	text += ": latency and throughput are those of this machine, no forecast of production"
	for _, j := range in.joinedWaits() {
		if b, k := in.peakCalls(in.base, j.base), in.peakCalls(in.cand, j.cand); b > 0 && k > b {
			text += fmt.Sprintf("; production must absorb up to %d calls at once (%d before)", k, b)
			break
		}
	}
	return text
}

func (in *input) shortestInterval() (float64, bool) {
	best, found := 0.0, false
	for _, m := range []evidence.Metrics{in.base.Metrics, in.cand.Metrics} {
		if v, ok := num(m.Coverage.IntervalSeconds); ok && v > 0 && (!found || v < best) {
			best, found = v, true
		}
	}
	return best, found
}

// usesReplayPercentiles says that an answer rests on the replay's whole milliseconds.
func (in *input) usesReplayPercentiles(c Comparison) bool {
	if c.Verdict.Speed.Basis == BasisReplay {
		return true
	}
	if len(c.Endpoints) > 1 {
		return true
	}
	return false
}

func (in *input) runLimitations(add func(code, format string, args ...any)) {
	if in.anySide(func(s evidence.Side) bool { return s.Frozen }) {
		var files []string
		for _, s := range []evidence.Side{in.base, in.cand} {
			if s.Frozen && !contains(files, s.FrozenFrom) {
				files = append(files, s.FrozenFrom)
			}
		}
		add(LimitFrozen, "the server no longer keeps the window: the metrics are those that were written down at the time (%s)", list(files, 0))
	}
	if in.anySide(func(s evidence.Side) bool {
		return strings.Contains(strings.ToLower(harness(s.Declared).Name), "stand-in")
	}) {
		add(LimitStandIn, "a stand-in replayed the traffic, not proxymock itself")
	}
	if in.anySide(func(s evidence.Side) bool { return bound(s.Load) != nil && *bound(s.Load) }) {
		add(LimitHarnessBound, "the replay itself was the limit on at least one side: throughput is a floor")
	}
	if it := in.paddingItem(); it != nil {
		add(LimitPadding, "the windows hold %s and %s idle time: figures per window second, such as the guide's average cores, are diluted, and unequally; the exact figures here use the active time", it.Baseline, it.Candidate)
	}
	var inferred []string
	for _, s := range []struct {
		name string
		side evidence.Side
	}{{"baseline", in.base}, {"candidate", in.cand}} {
		if w := s.side.Window; w != nil && w.Source == catalog.SourceSummary {
			inferred = append(inferred, fmt.Sprintf("%s ± %s", s.name, duration(w.Uncertainty)))
		}
	}
	if len(inferred) > 0 {
		add(LimitWindowInferred, "the window is inferred from the result's file time (%s)", list(inferred, 0))
	}
	for _, s := range []*evidence.Statements{in.base.Statements, in.cand.Statements} {
		if s != nil && s.State == evidence.StateOK && s.Linking == "time containment" {
			add(LimitGuessedLinks, "statements were tied to requests by time alone: a guess as soon as requests overlap")
			break
		}
	}
}

// gateRemark is a gate with the side that it speaks of: baseline, candidate or both sides.
type gateRemark struct {
	evidence.Gate
	side string
}

// gateRemarks lists the gates in one of the states; what both sides say in the same words is said once.
func (in *input) gateRemarks(states ...string) []gateRemark {
	var out []gateRemark
	for _, g := range in.base.Gates {
		if contains(states, g.State) {
			out = append(out, gateRemark{g, "baseline"})
		}
	}
	for _, g := range in.cand.Gates {
		if !contains(states, g.State) {
			continue
		}
		twice := false
		for i, o := range out {
			if o.Code == g.Code && o.State == g.State && o.Detail == g.Detail {
				out[i].side, twice = "both sides", true
			}
		}
		if !twice {
			out = append(out, gateRemark{g, "candidate"})
		}
	}
	return out
}

// gateLimitations pass on what the gates noted.
func (in *input) gateLimitations(add func(code, format string, args ...any)) {
	for _, g := range in.gateRemarks(evidence.GateFailed, evidence.GateNoted) {
		add("gate_"+g.Code, "gate %s (%s) %s, %s: %s", g.Code, g.Name, g.State, g.side, g.Detail)
	}
}
