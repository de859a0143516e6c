package evidence

// ReasonUnitConflict marks figures that cannot be: a part larger than its whole, a mean outside its buckets.
const ReasonUnitConflict = "unit_conflict"

const (
	// impossiblePart is how far a part may exceed its whole before it is no rounding.
	impossiblePart = 1.05
	// impossibleUse is how far a pool of declared size may be over-full, impossibleFlight how far the users.
	impossibleUse    = 1.5
	impossibleFlight = 1.2
)

// checkUnits takes sums back that contradict the buckets beside them or the requests around them; the usual
// cause is a metric in milliseconds that is declared as seconds.
func (m *measurement) checkUnits() {
	mx := &m.side.Metrics
	if d := &mx.RequestDuration; d.outsideBuckets() {
		m.problem("", "conflict", "%s: its mean of %s lies outside its own buckets: sum and buckets are not in one unit (milliseconds exported as seconds?)", d.Metric, FormatDuration(*d.MeanSeconds))
		d.SumSeconds, d.MeanSeconds = nil, nil
		d.Reasons.set("sumSeconds", ReasonUnitConflict)
		d.Reasons.set("meanSeconds", ReasonUnitConflict)
		mx.CPU.Share = nil
		mx.CPU.Reasons.set("share", ReasonUnitConflict)
		for i := range mx.Waits {
			mx.Waits[i].Share, mx.Waits[i].ShareError = nil, nil
		}
	}
	for i := range mx.Waits {
		w := &mx.Waits[i]
		over := w.Share != nil && *w.Share > impossiblePart
		if !over && !w.outsideBuckets() {
			continue
		}
		m.problem("", "conflict", "%s: a wait of %s per request cannot be (mean request %s): not in seconds (milliseconds exported as seconds?)",
			w.Metric, known(w.SecondsPerRequest), known(mx.RequestDuration.MeanSeconds))
		w.SumSeconds, w.MeanSeconds, w.SecondsPerRequest, w.Share, w.ShareError, w.MeanWaiting = nil, nil, nil, nil, nil, nil
		for _, field := range []string{"sumSeconds", "meanSeconds", "secondsPerRequest", "share", "shareError", "meanWaiting"} {
			delete(w.Reasons, field)
			w.Reasons.set(field, ReasonUnitConflict)
		}
	}
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
	var low, high float64
	var n int64
	open := false
	for _, b := range h.Buckets {
		n += b.Count
		low += float64(b.Count) * b.Lower
		switch {
		case b.Upper != nil:
			high += float64(b.Count) * *b.Upper
		case b.Count > 0:
			open = true
		}
	}
	return n == *h.Count && (*h.SumSeconds*impossiblePart < low || (!open && *h.SumSeconds > high*impossiblePart))
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
