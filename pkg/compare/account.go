package compare

import (
	"cmp"
	"fmt"
	"math"
	"sort"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// account is the additive account of the mean request duration in both sides, seconds per request.
type account struct {
	ok bool
	// head and why say what keeps the account from being made: in a few words, and in full.
	head, why  string
	base, cand float64
	parts      []Moved
	waits, cpu float64 // changes
	waitsKnown bool
	cpuKnown   bool
	// unmeasured says in words which parts are not known on both sides, and why.
	unmeasured []string
	topWait    *evidence.Wait
}

// account builds the additive account from exact sums.
func (in *input) account() account {
	a := account{parts: []Moved{}}
	b, c, ok := in.means()
	if !ok {
		a.head, a.why = in.whyNoAccount()
		return a
	}
	a.ok, a.base, a.cand = true, b, c
	for _, j := range in.joinedWaits() {
		m := Moved{Kind: PartWait, Name: j.name, Baseline: secondsOf(j.base), Candidate: secondsOf(j.cand)}
		if x, y, known := both(m.Baseline, m.Candidate); known {
			a.waits += y - x
			a.waitsKnown = true
		} else {
			a.unmeasured = append(a.unmeasured, "the wait "+j.name+" was not measured: "+in.whyNoWait(j))
		}
		m.missing(waitCode(in.base.Metrics, j.base), waitCode(in.cand.Metrics, j.cand))
		a.parts = append(a.parts, completed(m, a))
	}
	a.topWait = in.topWait()
	cpu := Moved{Kind: PartCPU, Name: "CPU", Baseline: finitePtr(in.base.Metrics.CPU.SecondsPerRequest), Candidate: finitePtr(in.cand.Metrics.CPU.SecondsPerRequest)}
	if x, y, known := both(cpu.Baseline, cpu.Candidate); known {
		a.cpu, a.cpuKnown = y-x, true
	} else {
		a.unmeasured = append(a.unmeasured, "CPU time was not measured: "+in.whyNoCPU())
	}
	cpu.missing(cpuCode(in.base.Metrics), cpuCode(in.cand.Metrics))
	a.parts = append(a.parts, completed(cpu, a))
	a.parts = append(a.parts, completed(in.unexplained(), a))
	sortMoved(a.parts)
	return a
}

func (in *input) whyNoAccount() (head, why string) {
	for _, s := range in.both() {
		m := s.side.Metrics
		switch g := failedGate(s.side, sumGates); {
		case m.State == evidence.StateNotConfigured || m.State == "":
			return "the service was not measured", "the service was not measured (no Prometheus or no profile)"
		case m.State != evidence.StateOK:
			return fmt.Sprintf("%s not measured (%s)", s.name, m.State), fmt.Sprintf("the %s's metrics are not there (%s)", s.name, stateText(m.State, m.Message))
		case g != nil:
			return fmt.Sprintf("the %s's gate %s (%s) failed", s.name, g.Code, g.Name),
				fmt.Sprintf("the %s's gate %s (%s) failed: %s", s.name, g.Code, g.Name, g.Detail)
		}
	}
	for _, s := range in.both() {
		if h := s.side.Metrics.RequestDuration; h.MeanSeconds == nil {
			return "the " + s.name + "'s mean is not known", fmt.Sprintf("the %s's mean request duration is not known: %s", s.name, missingText(metricCode(s.side.Metrics, h.Reasons, "meanSeconds", h.State)))
		}
	}
	return "the mean is not known", "the mean request duration is not known"
}

// missing explains the figures of a part that are null, with the code of each side.
func (m *Moved) missing(codeB, codeC string) {
	if m.Candidate == nil {
		m.Reasons = withReason(withReason(m.Reasons, "candidate", codeC), "change", codeC)
	}
	if m.Baseline == nil {
		m.Reasons = withReason(withReason(m.Reasons, "baseline", codeB), "change", codeB)
	}
}

// completed adds the change, the text and whether the part is ruled out.
func completed(m Moved, a account) Moved {
	x, y, ok := both(m.Baseline, m.Candidate)
	if !ok {
		if m.Text == "" {
			m.Text = m.Name + ": not measured on both sides"
		}
		return m
	}
	m.Change = figure(y - x)
	m.RuledOut = m.Kind != PartUnexplained && share(y-x, a.cand-a.base) < someOfTheChange
	m.Text = fmt.Sprintf("%s: %s per request (%s)", m.Name, arrow(duration(x), duration(y)), signedDuration(y-x))
	if d := a.cand - a.base; math.Abs(d) >= sameMeanSeconds {
		m.Text += ", " + percent(share(y-x, d)) + " of the change"
	}
	return m
}

// share is how much of a change a part covers; a part that moved the other way covers nothing.
func share(part, whole float64) float64 {
	if math.Abs(whole) < sameMeanSeconds || part*whole <= 0 {
		return 0
	}
	return part / whole
}

func sortMoved(m []Moved) {
	sort.SliceStable(m, func(i, j int) bool {
		x, _ := num(m[i].Change)
		y, _ := num(m[j].Change)
		return math.Abs(x) > math.Abs(y)
	})
}

type joinedWait struct {
	name       string
	base, cand *evidence.Wait
}

// joinedWaits joins the waits of both sides by name, in the profile's order.
func (in *input) joinedWaits() []joinedWait {
	var out []joinedWait
	at := map[string]int{}
	for i := range in.base.Metrics.Waits {
		w := &in.base.Metrics.Waits[i]
		at[w.Name] = len(out)
		out = append(out, joinedWait{name: w.Name, base: w})
	}
	for i := range in.cand.Metrics.Waits {
		w := &in.cand.Metrics.Waits[i]
		if j, ok := at[w.Name]; ok {
			out[j].cand = w
			continue
		}
		out = append(out, joinedWait{name: w.Name, cand: w})
	}
	return out
}

func secondsOf(w *evidence.Wait) *float64 {
	if w == nil {
		return nil
	}
	return finitePtr(w.SecondsPerRequest)
}

// topWait is the wait that moved most, or the longest one when none did.
func (in *input) topWait() *evidence.Wait {
	var top *evidence.Wait
	var best float64
	for _, j := range in.joinedWaits() {
		x, y, ok := both(secondsOf(j.base), secondsOf(j.cand))
		if !ok {
			continue
		}
		if v := math.Abs(y-x)*1e6 + max(x, y); top == nil || v > best {
			top, best = j.cand, v
		}
	}
	return top
}

// unexplained is what the profile's metrics leave of the mean. Where one of them could not be measured, the
// remainder holds that part too, so that it is not known how much of it is unexplained.
func (in *input) unexplained() Moved {
	m := Moved{Kind: PartUnexplained, Name: "not explained by the profile's metrics"}
	var missing []string
	left := func(s evidence.Side) (*float64, string) {
		names, code := unmeasuredParts(s.Metrics)
		for _, n := range names {
			if !contains(missing, n) {
				missing = append(missing, n)
			}
		}
		if len(names) > 0 {
			return nil, code
		}
		return remainder(s.Metrics.Breakdown), evidence.ReasonUnknown
	}
	var codeB, codeC string
	m.Baseline, codeB = left(in.base)
	m.Candidate, codeC = left(in.cand)
	m.missing(codeB, codeC)
	if len(missing) > 0 {
		m.Text = m.Name + ": not known, because " + list(missing, 0) + " could not be measured"
	}
	return m
}

// unmeasuredParts names the parts of the mean that a side's profile asks for and that have no figure, with the
// reason code of the first one.
func unmeasuredParts(m evidence.Metrics) (names []string, code string) {
	for i := range m.Waits {
		if w := &m.Waits[i]; secondsOf(w) == nil {
			names, code = append(names, waitLabel(w.Name)), cmp.Or(code, waitCode(m, w))
		}
	}
	if _, ok := num(m.CPU.SecondsPerRequest); !ok {
		if why := cpuCode(m); why != evidence.ReasonNotConfigured && why != evidence.ReasonNotInProfile {
			names, code = append(names, "CPU time"), cmp.Or(code, why)
		}
	}
	return names, code
}

// remainder is the unexplained part of a side's mean, seconds per request.
func remainder(b evidence.Breakdown) *float64 {
	if b.State != evidence.StateOK {
		return nil
	}
	for _, p := range b.Parts {
		if p.Kind == PartUnexplained {
			return figure(p.Seconds)
		}
	}
	return nil
}

// witnesses compares the two witnesses for wait: the change of the wait histograms, and the change of
// queueing (loaded mean minus the unloaded mean of the functional run).
func (in *input) witnesses() (histogram, queueing float64, agree, ok bool) {
	x, y, known := both(in.base.Metrics.Breakdown.QueueingSeconds, in.cand.Metrics.Breakdown.QueueingSeconds)
	if !known {
		return 0, 0, false, false
	}
	found := false
	for _, j := range in.joinedWaits() {
		if b, c, k := both(secondsOf(j.base), secondsOf(j.cand)); k {
			histogram, found = histogram+c-b, true
		}
	}
	if !found {
		return 0, 0, false, false
	}
	queueing = y - x
	agree = math.Abs(histogram-queueing) <= max(witnessSeconds, witnessTolerance*max(math.Abs(histogram), math.Abs(queueing)))
	return histogram, queueing, agree, true
}

// waitCode says why a wait's time per request is null; a wait that one side's profile does not name is not
// configured there.
func waitCode(m evidence.Metrics, w *evidence.Wait) string {
	if w == nil {
		return evidence.ReasonNotInProfile
	}
	return metricCode(m, w.Reasons, "secondsPerRequest", w.State)
}

func cpuCode(m evidence.Metrics) string {
	return metricCode(m, m.CPU.Reasons, "secondsPerRequest", m.CPU.State)
}

// whyNoWait says why a wait is not known on one of the sides.
func (in *input) whyNoWait(j joinedWait) string {
	for _, x := range []struct {
		m evidence.Metrics
		w *evidence.Wait
	}{{in.base.Metrics, j.base}, {in.cand.Metrics, j.cand}} {
		switch {
		case x.w == nil:
			return "one side's profile does not name it"
		case secondsOf(x.w) == nil:
			return missingText(waitCode(x.m, x.w))
		}
	}
	return missingText(evidence.ReasonUnknown)
}

// whyNoCPU says why the CPU time is not known on one of the sides.
func (in *input) whyNoCPU() string {
	for _, m := range []evidence.Metrics{in.base.Metrics, in.cand.Metrics} {
		if _, ok := num(m.CPU.SecondsPerRequest); !ok {
			return missingText(cpuCode(m))
		}
	}
	return missingText(evidence.ReasonUnknown)
}
