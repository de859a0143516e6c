package compare

import (
	"fmt"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// runsForTest is how many runs of each side a permutation test over runs needs to reach a p-value below 0.05:
// with four of each the smallest is 2/70 = 0.029, with three 2/20 = 0.1.
const runsForTest = 4

// thisPair names the two runs that the figures are of.
func thisPair(rep *Repeats) string {
	if rep == nil {
		return "these two replays"
	}
	return "the measured pair of runs"
}

// surer is the next step after an answer that is proven for one pair of runs.
func surer(a Answer, rep *Repeats) string {
	look := ""
	if a == Regressed {
		look = "look at the cause below; "
	}
	if rep == nil {
		return look + "repeat the load run until each side has four runs, to learn the noise"
	}
	if n := min(len(rep.Baseline), len(rep.Candidate)); n < runsForTest {
		return look + fmt.Sprintf("add load runs until each side has four: with %d no test over runs can reach p < 0.05", n)
	}
	if a == Regressed {
		return "look at the cause below; the noise is measured, so more runs are not needed"
	}
	return "no more runs are needed; watch the same figures when the change is rolled out"
}

// sureness says how far the answer reaches: one pair of runs speaks of these two replays only.
func (in *input) sureness(s *SpeedJudgement, rep *Repeats) {
	if rep != nil {
		s.Reasons = append(s.Reasons, Reason{CodeNoiseFloor, rep.Text})
		return
	}
	s.Reasons = append(s.Reasons, Reason{CodeOneRunPerSide, in.fewRuns() + ": no noise estimate; four runs per side would allow a test"})
}

// fewRuns says how many load runs there are where they are too few for a noise floor.
func (in *input) fewRuns() string {
	b, c := max(1, len(in.base.Repeats)), max(1, len(in.cand.Repeats))
	if b == 1 && c == 1 {
		return "one run per side"
	}
	return fmt.Sprintf("%s of the baseline and %d of the candidate", counted(int64(b), "load run", "load runs"), c)
}

// notOneRun returns the failed workload gates (G9) of sides whose runs themselves passed: their window and
// their summary are of different runs, so that no figure of the load run can be held for this side's.
func (in *input) notOneRun() []gateRemark {
	var out []gateRemark
	for _, s := range in.both() {
		g := failedGate(s.side, []string{"G9"})
		if g != nil && functionalGate(s.side.Functional).state != failed && loadGate(s.side.Load).state != failed {
			out = append(out, gateRemark{*g, s.name})
		}
	}
	return out
}

// foreignTraffic says that a strong answer of the replay's own percentiles was measured under more load than
// the replay's: Prometheus saw requests that the replay did not send.
func (in *input) foreignTraffic(s *SpeedJudgement) {
	if s.Basis != BasisReplay || (s.Answer != Improved && s.Answer != Regressed) {
		return
	}
	var words []string
	for _, x := range in.both() {
		r := x.side.Metrics.Reconciliation
		if n, m, ok := bothCounts(r.Seen, r.Expected); ok && r.State == evidence.SeenMore && n > m {
			words = append(words, fmt.Sprintf("%s on the %s", counted(n-m, "request", "requests"), x.name))
		}
	}
	if len(words) == 0 {
		return
	}
	s.Reasons = append(s.Reasons, Reason{CodeForeignTraffic, "other load was on the service during the run (" + list(words, 0) + " beyond the replay's own): these percentiles are not of the replay's load alone"})
	s.Next = "keep other traffic away from the service, and replay both sides again"
}

// opposite says that one answer is improved and the other regressed.
func opposite(a, b Answer) bool {
	return (a == Improved && b == Regressed) || (a == Regressed && b == Improved)
}

// basesDisagree takes a strong answer back: the service's histogram and the replay's own percentiles of
// the same requests point in opposite directions, so at least one of them is of other requests.
func (in *input) basesDisagree(s *SpeedJudgement, m replayMove, q quantilePair) {
	text := fmt.Sprintf("the histogram reads %s (%s), the replay's own percentiles read %s (%s): they cannot both be of these runs",
		s.Answer, arrow(rangeText(q.base), rangeText(q.cand)), m.answer, m.text)
	s.Answer, s.Basis = Inconclusive, BasisNone
	s.Headline = "Inconclusive: histogram and replay contradict each other"
	s.AtLeastSeconds, s.AtMostSeconds, s.RatioLower, s.RatioUpper = nil, nil, nil, nil
	s.NullReasons = withoutReasons(s.NullReasons, "atLeastSeconds", "atMostSeconds", "ratioLower", "ratioUpper")
	s.unbounded(ReasonBasesDisagree)
	s.Reasons = []Reason{{CodeBasesDisagree, text}}
	s.Next = "check that each side's window and summary are of one run and that no other traffic reached the service, then replay both sides again"
}
