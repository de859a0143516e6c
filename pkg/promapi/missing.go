package promapi

import (
	"context"
	"fmt"
	"time"
)

// noteClock says in G1 and G2 that the edges of the run were moved because the clocks differ.
func (m *measurement) noteClock() {
	if m.widened == 0 {
		return
	}
	word := "ahead of"
	if m.widened < 0 {
		word = "behind"
	}
	for i, g := range m.out.Gates {
		if g.State == GatePassed && (g.Code == GateBase || g.Code == GateFinal) {
			m.out.Gates[i].State = GateNoted
			m.out.Gates[i].Detail += fmt.Sprintf("; the server's clock is %s %s ours, so the run was widened by that on both sides", seconds(m.widened.Abs().Milliseconds()), word)
		}
	}
}

// explainMissing says why no target covers the run, and counts what was seen of it all the same.
func (m *measurement) explainMissing(ctx context.Context) error {
	switch {
	case m.explainFuture():
	case len(m.raw["up"]) == 0:
		return m.explainNoScrapes(ctx)
	}
	return m.soFar(ctx)
}

// explainFuture names a run that ends after the server's now, with both instants. It returns false for any
// other. Without the server's clock, ours has to do.
func (m *measurement) explainFuture() bool {
	whose, now := "this machine's", time.Now().UTC()
	var uncertainty time.Duration
	if clock := m.out.Coverage.Clock; clock != nil {
		whose, now = "the server's", clock.Server
		uncertainty = time.Duration(clock.Uncertainty * float64(time.Second))
	}
	if !m.req.End.Add(-m.req.Uncertainty).After(now.Add(uncertainty)) {
		return false
	}
	m.out.State = StateFuture
	m.out.Message = fmt.Sprintf("the window ends %s, but %s clock says %s: the run is not over and there is nothing to ask yet, or the clocks differ",
		m.req.End.UTC().Format(time.RFC3339), whose, now.Format(time.RFC3339))
	m.out.Next = "Check the clock of the machine that wrote window.json; if the run is still going on, evaluate again after its end."
	for i, g := range m.out.Gates {
		if g.State == GateFailed {
			m.out.Gates[i].Next = m.out.Next
		}
	}
	return true
}

// explainNoScrapes tells a window that is too old from a target that was never scraped.
func (m *measurement) explainNoScrapes(ctx context.Context) error {
	m.out.State = StateAbsent
	m.out.Message = "the server has no scrape of " + m.req.Selectors.Up + " around the run"
	m.out.Next = "Check the profile's target.job and target.instance, and that the server scrapes it."
	kept, err := m.client.Expired(ctx, m.req.Start, m.req.End)
	if err != nil {
		return err
	}
	if kept.Expired {
		m.out.State = StateExpired
		m.out.Message = kept.Detail
		m.out.Next = "Use an evidence file that was written while the server still had the window, or run the replay again."
	}
	return nil
}

// soFar counts the requests up to the last good scrapes of targets that have a base but no final
// scrape, so that "wait and evaluate again" comes with a number.
func (m *measurement) soFar(ctx context.Context) error {
	var parts []TargetSpan
	for _, s := range m.out.Spans {
		if s.soFar != nil {
			parts = append(parts, *s.soFar)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	sel := m.req.Selectors.Request
	for _, q := range [][2]string{{"request count", sel.Count}, {"request native", sel.Native}} {
		if err := m.read(ctx, q[0], q[1], m.readEnd, m.readLength); err != nil {
			return err
		}
	}
	h, _ := Histogram(RawHistogram{Metric: sel.Metric, Count: m.raw["request count"]}, parts)
	if h.Count == nil {
		h, _ = Histogram(RawHistogram{Metric: sel.Metric, Native: onlyNative(m.raw["request native"])}, parts)
	}
	m.out.SeenSoFar = h.Count
	if h.Count != nil {
		m.out.Gates = append(m.out.Gates, m.soFarGate(*h.Count))
	}
	return nil
}
