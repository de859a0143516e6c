package cli

import (
	"fmt"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// verdict turns the comparison and the conditions into the exit status. A changed behaviour, a replay's own
// gate and a condition that holds come before what could not be judged; a failed gate of the measurement comes
// after it, because an unequal workload or a server that is away makes such gates fail.
func verdict(c compare.Comparison, conditions []condition) error {
	var held, undecided []string
	for _, cond := range conditions {
		ok, err := cond.holds(c)
		switch {
		case err != nil:
			undecided = append(undecided, err.Error())
		case ok:
			held = append(held, fmt.Sprintf("--fail-if held: %s", cond.text))
		}
	}
	behaviour := c.Verdict.Behaviour
	if behaviour.Answer == compare.Changed {
		held = append(held, "behaviour: "+behaviour.Headline)
	}
	if behaviour.Answer != compare.Changed {
		held = append(held, replayGates("baseline", c.Sides.Baseline)...)
		held = append(held, replayGates("candidate", c.Sides.Candidate)...)
	}
	gates := append(failedGates("baseline", c.Sides.Baseline), failedGates("candidate", c.Sides.Candidate)...)
	if len(held) > 0 {
		return &statusError{StatusHeld, strings.Join(append(append(held, gates...), undecided...), "\n")}
	}
	var blocked []string
	if !c.Comparable {
		text := "not comparable"
		for _, it := range c.Identity {
			if it.Breaks {
				text += "\n" + it.Name + ": " + it.Text
			}
		}
		blocked = append(blocked, text)
	}
	if text := notAsked(c.Sides.Baseline, c.Sides.Candidate); text != "" {
		blocked = append(blocked, text)
	}
	switch {
	case len(blocked) > 0:
		return &statusError{StatusNotComparable, strings.Join(append(append(blocked, gates...), undecided...), "\n")}
	case len(gates) > 0:
		return &statusError{StatusHeld, strings.Join(append(gates, undecided...), "\n")}
	case len(undecided) > 0:
		return &statusError{StatusNotComparable, strings.Join(undecided, "\n")}
	}
	return nil
}

// replayGates names the runs of a side whose own --fail-if tripped.
func replayGates(name string, s evidence.Side) []string {
	var out []string
	if s.Functional != nil && s.Functional.GateFailed {
		out = append(out, "the "+name+"'s functional gate failed")
	}
	if s.Load != nil && s.Load.GateFailed {
		out = append(out, "the "+name+"'s load gate failed")
	}
	return out
}

// failedGates names the gates G1 to G9 of a side that were evaluated and did not pass, one line for each.
func failedGates(name string, s evidence.Side) []string {
	var out []string
	for _, g := range s.Gates {
		if g.State == evidence.GateFailed {
			out = append(out, fmt.Sprintf("gate %s (%s) of the %s failed: %s", g.Code, g.Name, name, g.Detail))
		}
	}
	return out
}
