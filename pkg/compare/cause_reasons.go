package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// contradictedMean says that the account explains the mean of a histogram which the replay contradicts: at least
// one side's histogram did not count the replay's requests alone.
func (in *input) contradictedMean(c *CauseJudgement, a account) {
	if !a.ok {
		return
	}
	for _, s := range in.both() {
		if x := in.consistent(s.name, s.side); x != nil && x.code == CodeP95Inconsistent {
			c.Reasons = append(c.Reasons, Reason{CodeP95Inconsistent, "with care: the mean explained here is the " + s.name + "'s histogram's, and " + x.text})
		}
	}
}

func (in *input) cpuReason(c *CauseJudgement, a account, d float64, of string) {
	x, y, ok := both(in.base.Metrics.CPU.SecondsPerRequest, in.cand.Metrics.CPU.SecondsPerRequest)
	switch {
	case !ok:
		c.Reasons = append(c.Reasons, Reason{CodeNoMetrics, "CPU time was not measured: " + in.whyNoCPU() + "; work is not ruled out"})
	case share(a.cpu, d) < someOfTheChange:
		c.Reasons = append(c.Reasons, Reason{CodeCPURuledOut, fmt.Sprintf("CPU is ruled out: %s per request", arrow(duration(x), duration(y)))})
	default:
		c.Reasons = append(c.Reasons, Reason{CodeCPUMoved, fmt.Sprintf("%s %s were CPU time: %s per request", duration(math.Abs(a.cpu)), of, arrow(duration(x), duration(y)))})
	}
}

func (in *input) witnessReason(c *CauseJudgement, a account) {
	h, q, agree, ok := in.witnesses()
	if !ok || (c.Answer != CauseWait && c.Answer != CauseWaitAndWork) {
		return
	}
	if !agree {
		c.Reasons = append(c.Reasons, Reason{CodeWitnessesDisagree, in.witnessesDisagree(h, q)})
		return
	}
	moved := fmt.Sprintf("the wait histogram moved by %s, loaded minus unloaded mean by %s", signedDuration(h), signedDuration(q))
	// The witnesses may have moved alike and still be apart on one side: then both are said.
	var apart []string
	for _, s := range in.both() {
		if w := s.side.Metrics.Breakdown.WitnessAgrees; w != nil && !*w {
			apart = append(apart, "the "+s.name)
		}
	}
	text := "two witnesses agree: " + moved
	if len(apart) > 0 {
		text = "two witnesses moved alike: " + moved + "; within " + list(apart, 0) + " alone they are apart (see the second witness)"
	}
	c.Reasons = append(c.Reasons, Reason{CodeWitnesses, text})
}

// witnessesDisagree says that the witnesses for wait moved differently. Small differences within each side can
// add up to one of the change: then the sides' own sentences, that they agree, are not contradicted.
func (in *input) witnessesDisagree(histogram, queueing float64) string {
	text := "the two witnesses for wait disagree"
	if x, y := in.base.Metrics.Breakdown.WitnessAgrees, in.cand.Metrics.Breakdown.WitnessAgrees; x != nil && y != nil && *x && *y {
		text = "the two witnesses for wait agree roughly within each side, but not on the change"
	}
	return text + fmt.Sprintf(": the wait histogram moved by %s per request, loaded minus unloaded mean by %s", signedDuration(histogram), signedDuration(queueing))
}

func (in *input) limitReasons(c *CauseJudgement) {
	limits, common := map[string]string{}, ""
	for _, s := range in.both() {
		if limitKnown(s.side.Saturation) {
			limits[s.name] = s.side.Saturation.LimitedBy
		}
	}
	if len(limits) == len(in.both()) {
		limits["baseline"], limits["candidate"], common = sharedTail(limits["baseline"], limits["candidate"])
	}
	for _, s := range in.both() {
		if text := limits[s.name]; text != "" {
			c.Reasons = append(c.Reasons, Reason{CodeLimit, "what limits the " + s.name + ": " + text})
		}
	}
	if common != "" {
		c.Reasons = append(c.Reasons, Reason{CodeLimit, "on both sides " + common})
	}
}

// sharedTail takes the clauses off the end of two texts that both have, so that they are said once.
func sharedTail(a, b string) (restA, restB, common string) {
	const clause = "; "
	for {
		i, j := strings.LastIndex(a, clause), strings.LastIndex(b, clause)
		if i < 0 || j < 0 || a[i:] != b[j:] {
			return a, b, common
		}
		if common != "" {
			common = clause + common
		}
		a, b, common = a[:i], b[:j], a[i+len(clause):]+common
	}
}

// limitKnown says whether the arithmetic found what limits a side.
func limitKnown(s evidence.Saturation) bool {
	return s.LimitedBy != "" && s.Limit != "" && s.Limit != Unknown
}

// causeNext is the next step: never "raise the limit" without the proof that the dependency bears it.
func (in *input) causeNext(c *CauseJudgement, a account) string {
	switch c.Answer {
	case CauseWork:
		return "take a CPU profile of the service under the same load"
	case CauseWaitAndWork:
		return "take a CPU profile, and look at the wait apart from it: two things moved"
	case CauseWait:
		switch c.Mechanism {
		case MechanismQueryCount:
			return "fetch the rows in one statement (a join, or a list of ids) and compare again"
		case MechanismPool:
			if b, k := in.peakCalls(in.base, a.topWait), in.peakCalls(in.cand, a.topWait); b > 0 && k > 0 && k != b {
				return fmt.Sprintf("confirm that the dependency absorbs the new peak of %d calls at once, %d before", k, b)
			}
			return "confirm that the dependency absorbs the calls that the pool now lets through at once"
		}
		return "look at the dependency: why did it take another time for the same calls"
	}
	return "look where the profile's metrics do not: a profile of blocked time, or eBPF tooling for what is not instrumented"
}

// peakCalls is how many calls of the dependency can be under way at once: the size of the pool, or the
// number of virtual users when there are fewer of them.
func (in *input) peakCalls(s evidence.Side, w *evidence.Wait) int64 {
	if w == nil {
		return 0
	}
	for _, p := range s.Saturation.Pools {
		if p.Name != w.Pool && p.Name != w.Name {
			continue
		}
		size, ok := num(p.Size)
		if !ok || size < 1 {
			return 0
		}
		n := int64(size)
		if u := s.Saturation.Users; u != nil && *u > 0 && *u < n {
			n = *u
		}
		return n
	}
	return 0
}
