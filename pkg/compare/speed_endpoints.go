package compare

import (
	"fmt"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// fromEndpoints lets one endpoint speak where the aggregate hides it. With a single endpoint the
// aggregate is that endpoint, and the better basis has already answered.
func (in *input) fromEndpoints(s *SpeedJudgement, endpoints []EndpointChange, rep *Repeats) {
	if len(endpoints) < 2 {
		return
	}
	var up, down []EndpointChange
	for _, e := range endpoints {
		switch e.Answer {
		case Regressed:
			up = append(up, e)
		case Improved:
			down = append(down, e)
		}
	}
	name := func(moved []EndpointChange) string {
		var words []string
		for _, e := range moved {
			words = append(words, e.Name)
		}
		return list(words, 2)
	}
	take := func(answer Answer, moved []EndpointChange) {
		aggregate := s.Answer
		s.Answer, s.Basis = answer, BasisReplay
		s.AtLeastSeconds, s.AtMostSeconds, s.RatioLower, s.RatioUpper = nil, nil, nil, nil
		s.NullReasons = withoutReasons(s.NullReasons, "atLeastSeconds", "atMostSeconds", "ratioLower", "ratioUpper")
		s.unbounded(ReasonNotBounded)
		s.Headline = fmt.Sprintf("%s on %s: %s", upperFirst(string(answer)), name(moved), moved[0].Text)
		if aggregate == Improved || aggregate == Regressed {
			s.Headline += fmt.Sprintf("; over all requests %s %s", percentile(in.profile.Quantile), string(aggregate))
		}
		for i, r := range s.Reasons {
			if contains([]string{CodeReplayPercentile, CodeIntervals, CodeWithinNoise}, r.Code) {
				s.Reasons[i].Text = "over all requests " + r.Text
			}
		}
		s.Reasons = append(in.endpointReasons(moved, aggregate == NoProvableChange), s.Reasons...)
		s.Next = surer(answer, rep)
	}
	switch {
	case len(up) > 0 && s.Answer != Regressed:
		take(Regressed, up)
	case len(down) > 0 && len(up) == 0 && (s.Answer == NoProvableChange || s.Answer == Inconclusive):
		take(Improved, down)
	case len(up) > 0:
		s.Headline += fmt.Sprintf("; on %s: %s", name(up), up[0].Text)
		s.Reasons = append(s.Reasons, in.endpointReasons(up, false)...)
	case len(down) > 0 && s.Answer == Improved:
		s.Headline += fmt.Sprintf("; on %s: %s", name(down), down[0].Text)
		s.Reasons = append(s.Reasons, in.endpointReasons(down, false)...)
	}
}

// endpointReasons says what each moved endpoint did; still says that the aggregate did not show it.
func (in *input) endpointReasons(moved []EndpointChange, still bool) []Reason {
	reasons := []Reason{}
	for _, e := range moved {
		text := e.Name + ": " + e.Text + ", by the replay's own percentiles"
		if share, ok := shareOf(e); ok && still && share < 1-in.profile.Quantile {
			text += fmt.Sprintf("; the %s over all requests hides it, because it is %s of them", percentile(in.profile.Quantile), shareText(share))
		}
		reasons = append(reasons, Reason{CodeEndpoint, text})
	}
	return reasons
}

// shareText says in a sentence how much of all requests an endpoint has; a tenth of a percent is enough.
func shareText(share float64) string {
	if share < 0.001 {
		return evidence.FormatPercent(share)
	}
	return decimal(share*100, 0, 1) + " %"
}

func shareOf(e EndpointChange) (float64, bool) {
	for _, x := range []*evidence.Endpoint{e.Candidate, e.Baseline} {
		if x != nil {
			if v, ok := num(x.Share); ok {
				return v, true
			}
		}
	}
	return 0, false
}
