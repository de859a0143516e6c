package evidence

import (
	"math"
	"strings"
)

// The kinds of a part of the mean.
const (
	PartWait        = "wait"
	PartCPU         = "cpu"
	PartUnexplained = "unexplained"
)

// breakdown splits the mean request duration into what was waited, what was worked, and the rest. Only
// sums are used: they add up, quantiles do not (rule 6).
func (m *measurement) breakdown() {
	mx := &m.side.Metrics
	b := &mx.Breakdown
	b.State, b.TotalSeconds, b.Parts = mx.RequestDuration.State, mx.RequestDuration.MeanSeconds, []Part{}
	if b.TotalSeconds != nil {
		rest := *b.TotalSeconds
		for i := range mx.Waits {
			if w := &mx.Waits[i]; w.SecondsPerRequest != nil {
				b.add(PartWait, w.Name, *w.SecondsPerRequest)
				rest -= *w.SecondsPerRequest
			}
		}
		if s := mx.CPU.SecondsPerRequest; s != nil {
			b.add(PartCPU, "CPU", *s)
			rest -= *s
		}
		b.add(PartUnexplained, "unexplained", rest)
	} else {
		b.Reasons.set("totalSeconds", reasonOr(mx.RequestDuration.Reasons["meanSeconds"], reasonOr(m.missing, ReasonUnknown)))
	}
	m.secondWitness(b)
	explain(b, &b.Reasons, ReasonNoRun)
}

// nameRest names what is left of the mean. It holds every part that the profile asks for and that could not be
// measured, so that it must not read as proven to be unexplained: each of them is named with its reason code.
func (m *measurement) nameRest() {
	mx := &m.side.Metrics
	var missing []string
	for i := range mx.Waits {
		if w := &mx.Waits[i]; w.SecondsPerRequest == nil {
			missing = append(missing, sentence("the wait %s (%s)", w.Name, w.Reasons["secondsPerRequest"]))
		}
	}
	if m.in.Profile.CPU != "" && mx.CPU.SecondsPerRequest == nil {
		missing = append(missing, sentence("CPU time (%s)", mx.CPU.Reasons["secondsPerRequest"]))
	}
	for i := range mx.Breakdown.Parts {
		if p := &mx.Breakdown.Parts[i]; p.Kind == PartUnexplained && len(missing) > 0 {
			p.Name = "unexplained, or " + joinAnd(missing) + ", which could not be measured"
		}
	}
}

func (b *Breakdown) add(kind, name string, seconds float64) {
	share := 0.0
	if *b.TotalSeconds != 0 {
		share = seconds / *b.TotalSeconds
	}
	b.Parts = append(b.Parts, Part{Kind: kind, Name: name, Seconds: seconds, Share: share})
}

// witnessSeconds and witnessShare are how far the two witnesses may be apart: two means in whole milliseconds
// can be off by one each, and the unloaded one comes from few, partly cold requests.
const (
	witnessSeconds = 0.002
	witnessShare   = 0.10
)

// secondWitness compares the wait histograms with the loaded mean less the unloaded mean, both as the
// replay measured them, so that its own overhead cancels.
func (m *measurement) secondWitness(b *Breakdown) {
	f, l := m.side.Functional, m.side.Load
	if f == nil || l == nil {
		b.Witness = "no second witness: it needs a functional and a load run of the same side"
		return
	}
	if f.AvgMs == nil {
		b.Witness = "no second witness: the functional run states no mean"
		b.Reasons.set("unloadedSeconds", ReasonNotReported)
		b.Reasons.set("queueingSeconds", ReasonNotReported)
		b.Reasons.set("witnessAgrees", ReasonNotReported)
		return
	}
	b.UnloadedSeconds = finite(*f.AvgMs / 1000)
	loaded := b.TotalSeconds
	if l.AvgMs != nil {
		loaded = finite(*l.AvgMs / 1000)
	}
	if loaded == nil || b.UnloadedSeconds == nil {
		b.Witness = "no second witness: the load run states no mean"
		b.Reasons.set("queueingSeconds", ReasonNotReported)
		b.Reasons.set("witnessAgrees", ReasonNotReported)
		return
	}
	queueing := *loaded - *b.UnloadedSeconds
	b.QueueingSeconds = finite(queueing)
	queueText := sentence("the loaded mean of %s less the unloaded mean of %s leaves %s",
		FormatDuration(*loaded), FormatDuration(*b.UnloadedSeconds), FormatDuration(queueing))
	const caveat = " (whole milliseconds, and time on a busy processor counts as well)"
	waited, known := 0.0, len(m.side.Metrics.Waits) > 0
	for i := range m.side.Metrics.Waits {
		s := m.side.Metrics.Waits[i].SecondsPerRequest
		if s == nil {
			known = false
			break
		}
		waited += *s
	}
	if !known {
		b.Witness = queueText + caveat + "; no wait histogram to compare with"
		if metric := m.conflicting(); metric != "" {
			b.Witness = queueText + caveat + "; nothing to compare with, because the unit of " + metric + " is in conflict"
		}
		b.Reasons.set("witnessAgrees", reasonOr(firstReason(m.side.Metrics.Waits), reasonOr(m.missing, ReasonAbsentSeries)))
		return
	}
	difference := queueing - waited
	agrees := math.Abs(difference) <= witnessSeconds+witnessShare*math.Max(math.Abs(queueing), waited)
	b.WitnessAgrees = &agrees
	waitText := sentence("the wait histograms say %s per request", FormatDuration(waited))
	switch {
	case agrees:
		b.Witness = "the witnesses agree: " + waitText + ", " + queueText + caveat
	case difference > 0:
		b.Witness = sentence("the witnesses disagree by %s: %s, %s%s; something without a wait histogram queues as well, such as the processor or another pool",
			FormatDuration(difference), waitText, queueText, caveat)
	default:
		b.Witness = sentence("the witnesses disagree by %s: %s, %s%s; the unloaded run waited too, or waiting overlaps other work",
			FormatDuration(-difference), waitText, queueText, caveat)
	}
}

func firstReason(waits []Wait) string {
	for i := range waits {
		if code := waits[i].Reasons["secondsPerRequest"]; code != "" {
			return code
		}
	}
	return ""
}

func reasonOr(code, otherwise string) string {
	if code == "" {
		return otherwise
	}
	return code
}

// joinAnd writes "a, b and c".
func joinAnd(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}
