package evidence

import "math"

// ReasonUnitConflict marks figures that cannot be: a part larger than its whole, a mean outside its buckets.
const ReasonUnitConflict = "unit_conflict"

const (
	// impossiblePart is how far a part may exceed its whole before it is no rounding.
	impossiblePart = 1.05
	// impossibleUse is how far a pool of declared size may be over-full, impossibleFlight how far the users.
	impossibleUse    = 1.5
	impossibleFlight = 1.2
)

// conflict replaces the reasons of figures that were taken back.
func (r *Reasons) conflict(fields ...string) {
	for _, field := range fields {
		delete(*r, field)
		r.set(field, ReasonUnitConflict)
	}
}

// checkUnits takes sums back that contradict the buckets beside them or the requests around them, with all that
// is made of them; the usual cause is a metric in milliseconds that is declared as seconds.
func (m *measurement) checkUnits() {
	mx := &m.side.Metrics
	if d := &mx.RequestDuration; d.outsideBuckets() {
		m.problem("", "conflict", "%s: its mean of %s lies outside its own buckets: sum and buckets are not in one unit (milliseconds exported as seconds?)", d.Metric, FormatDuration(*d.MeanSeconds))
		d.SumSeconds, d.MeanSeconds, mx.CPU.Share = nil, nil, nil
		d.Reasons.conflict("sumSeconds", "meanSeconds")
		mx.CPU.Reasons.conflict("share")
		for i := range mx.Waits {
			if w := &mx.Waits[i]; w.SumSeconds != nil {
				w.Share, w.ShareError = nil, nil
				w.Reasons.conflict("share", "shareError")
			}
		}
	}
	for i := range mx.Waits {
		m.checkWait(&mx.Waits[i])
	}
}

// checkWait takes a wait back that is longer than the requests that waited. Where its buckets say so too, none
// of its durations is left.
func (m *measurement) checkWait(w *Wait) {
	d := &m.side.Metrics.RequestDuration
	over := w.Share != nil && *w.Share > impossiblePart
	if !over && !w.outsideBuckets() {
		return
	}
	m.problem("", "conflict", "%s: a wait of %s per request cannot be (mean request %s): not in seconds (milliseconds exported as seconds?)",
		w.Metric, known(w.SecondsPerRequest), known(d.MeanSeconds))
	w.SumSeconds, w.MeanSeconds, w.SecondsPerRequest, w.Share, w.ShareError, w.MeanWaiting = nil, nil, nil, nil, nil, nil
	w.Reasons.conflict("sumSeconds", "meanSeconds", "secondsPerRequest", "share", "shareError", "meanWaiting")
	if least, _ := w.sumBounds(); d.SumSeconds != nil && least > *d.SumSeconds*impossiblePart {
		w.Buckets = []Bucket{}
		w.P95Seconds = Quantile{Q: w.P95Seconds.Q}
		w.P95Seconds.Reasons.conflict("lower", "upper", "ciLower", "ciUpper", "promql")
	}
}

// conflicting names a metric whose sum was taken back; empty when none was.
func (m *measurement) conflicting() string {
	mx := &m.side.Metrics
	if mx.RequestDuration.Reasons["meanSeconds"] == ReasonUnitConflict {
		return mx.RequestDuration.Metric
	}
	for i := range mx.Waits {
		if mx.Waits[i].Reasons["meanSeconds"] == ReasonUnitConflict {
			return mx.Waits[i].Metric
		}
	}
	return ""
}

func known(seconds *float64) string {
	if seconds == nil {
		return "unknown"
	}
	return FormatDuration(*seconds)
}

// outsideBuckets says whether the sum is impossible beside the counts of the buckets.
func (h *Histogram) outsideBuckets() bool {
	if h.SumSeconds == nil || h.MeanSeconds == nil || h.Count == nil || *h.Count <= 0 || len(h.Buckets) == 0 {
		return false
	}
	var n int64
	for _, b := range h.Buckets {
		n += b.Count
	}
	least, most := h.sumBounds()
	return n == *h.Count && (*h.SumSeconds*impossiblePart < least || *h.SumSeconds > most*impossiblePart)
}

// sumBounds are the least and the largest sum that the buckets allow, in their unit; the largest is infinite when
// the highest bucket is not empty.
func (h *Histogram) sumBounds() (least, most float64) {
	for _, b := range h.Buckets {
		least += float64(b.Count) * b.Lower
		switch {
		case b.Upper != nil:
			most += float64(b.Count) * *b.Upper
		case b.Count > 0:
			most = math.Inf(1)
		}
	}
	return least, most
}

// checkUse takes utilisation and requests in flight back that cannot be.
func (m *measurement) checkUse() {
	s := &m.side.Saturation
	for i := range s.Pools {
		p := &s.Pools[i]
		if p.Utilisation == nil || *p.Utilisation <= impossibleUse || p.SizeSource != SizeDeclared {
			continue
		}
		m.problem("", "conflict", "pool %s: %s in use of %s cannot be: the holding time of %s (%s) or the size is wrong", p.Name,
			significant(*p.InUse, 3), significant(*p.Size, 3), known(p.HoldSeconds), p.HoldSource)
		p.InUse, p.Utilisation, p.Ceiling = nil, nil, nil
		for _, field := range []string{"inUse", "utilisation", "ceiling"} {
			p.Reasons.set(field, ReasonUnitConflict)
		}
	}
	if s.InFlight != nil && s.Users != nil && *s.InFlight > impossibleFlight*float64(*s.Users) {
		m.problem("", "conflict", "%s requests in flight of %s cannot be: the request histogram is not in seconds, or the users in side.json are wrong",
			significant(*s.InFlight, 3), plural(*s.Users, "user", "users"))
		s.InFlight = nil
		s.Reasons.set("inFlight", ReasonUnitConflict)
	}
}
