package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// ownRows are the rows beyond the guide's table: exact, additive figures first.
func (in *input) ownRows() []Row {
	if !in.measured() {
		return in.runRows()
	}
	rows := []Row{in.meanRow()}
	for i, j := range in.joinedWaits() {
		rows = append(rows, in.waitShareRow(i, j), in.waitSecondsRow(i, j))
	}
	rows = append(rows, in.cpuRow(), in.activeCoresRow())
	rows = append(rows, in.poolRows()...)
	rows = append(rows, in.inFlightRow(), in.reconciliationRow(), in.errorsRow())
	return append(rows, in.runRows()...)
}

// measured says whether Prometheus was asked at all.
func (in *input) measured() bool {
	asked := func(s evidence.State) bool { return s != "" && s != evidence.StateNotConfigured }
	return asked(in.base.Metrics.State) || asked(in.cand.Metrics.State)
}

// metricRow makes a row from one figure per side.
func (in *input) metricRow(r Row, unit string, text func(float64) string, get func(evidence.Side) (*float64, string)) Row {
	b, codeB := get(in.base)
	c, codeC := get(in.cand)
	r.Baseline, r.Candidate = value(b, unit, text, codeB), value(c, unit, text, codeC)
	return r
}

func (in *input) meanRow() Row {
	r := in.metricRow(Row{Key: "requestMean", Label: "Mean request duration", Bounds: "Σ duration / requests, exact"}, "s", duration,
		func(s evidence.Side) (*float64, string) {
			h := s.Metrics.RequestDuration
			return h.MeanSeconds, metricCode(s.Metrics, h.Reasons, "meanSeconds", h.State)
		})
	return in.settled(in.proved(r, requestIDs).compared(lowerIsBetter, percentChange), 0)
}

// oneShare is a hundredth: shares that differ by less are the same.
const oneShare = 0.01

func suffix(i int) string {
	if i == 0 {
		return ""
	}
	return fmt.Sprint(i + 1)
}

func (in *input) waitFigure(j joinedWait, name string, get func(*evidence.Wait) *float64) (b, c *float64, codeB, codeC string) {
	read := func(w *evidence.Wait, m evidence.Metrics) (*float64, string) {
		if w == nil {
			return nil, metricCode(m, nil, name, evidence.StateAbsent)
		}
		return get(w), metricCode(m, w.Reasons, name, w.State)
	}
	b, codeB = read(j.base, in.base.Metrics)
	c, codeC = read(j.cand, in.cand.Metrics)
	return b, c, codeB, codeC
}

func (in *input) waitShareRow(i int, j joinedWait) Row {
	b, c, codeB, codeC := in.waitFigure(j, "share", func(w *evidence.Wait) *float64 { return w.Share })
	r := Row{Key: "waitShare" + suffix(i), Label: upperFirst(waitLabel(j.name)) + ", share of the mean", Bounds: "Σ wait / Σ duration, exact",
		Baseline: value(b, "ratio", percent, codeB), Candidate: value(c, "ratio", percent, codeC)}
	return in.settled(in.waitProved(r, j).compared(lowerIsBetter, points), oneShare)
}

func (in *input) waitSecondsRow(i int, j joinedWait) Row {
	b, c, codeB, codeC := in.waitFigure(j, "secondsPerRequest", func(w *evidence.Wait) *float64 { return w.SecondsPerRequest })
	r := Row{Key: "waitSeconds" + suffix(i), Label: upperFirst(waitLabel(j.name)) + " per request", Bounds: "Σ wait / requests, exact",
		Baseline: value(b, "s", duration, codeB), Candidate: value(c, "s", duration, codeC)}
	return in.settled(in.waitProved(r, j).compared(lowerIsBetter, percentChange), in.smallPart())
}

func (in *input) cpuRow() Row {
	r := in.metricRow(Row{Key: "cpuPerRequest", Label: "CPU per request", Bounds: "exact"}, "s", duration,
		func(s evidence.Side) (*float64, string) {
			return s.Metrics.CPU.SecondsPerRequest, metricCode(s.Metrics, s.Metrics.CPU.Reasons, "secondsPerRequest", s.Metrics.CPU.State)
		})
	r = in.proved(r, func(s evidence.Side) []string { return slices.Concat(cpuIDs(s), requestIDs(s)) })
	return in.settled(r.compared(lowerIsBetter, percentChange), in.smallPart())
}

// smallPart is a twentieth of the larger mean: a part of the mean that moved by less did not matter.
func (in *input) smallPart() float64 {
	const share = 0.05
	b, c, ok := in.means()
	if !ok {
		return 0
	}
	return share * max(b, c)
}

func (in *input) activeCoresRow() Row {
	r := in.metricRow(Row{Key: "activeCores", Label: "CPU cores over the active time", Bounds: "without the window's idle seconds"},
		"cores", func(v float64) string { return decimal(v, 2, 2) },
		func(s evidence.Side) (*float64, string) {
			return s.Metrics.CPU.ActiveCores, metricCode(s.Metrics, s.Metrics.CPU.Reasons, "activeCores", s.Metrics.CPU.State)
		})
	return in.proved(r, cpuIDs).compared(nil, percentChange)
}

func (in *input) poolRows() []Row {
	var names []string
	for _, s := range []evidence.Side{in.base, in.cand} {
		for _, p := range s.Saturation.Pools {
			if !contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	var rows []Row
	for i, name := range names {
		cell := func(s evidence.Side) Cell {
			for _, p := range s.Saturation.Pools {
				if p.Name != name {
					continue
				}
				code := p.Reasons["utilisation"]
				c := value(p.Utilisation, "ratio", percent, code)
				c.QueryIDs = ids("", p.QueryIDs...)
				if size, ok := num(p.Size); ok && c.Value != nil {
					c.Text += " of " + significant(size)
				}
				return c
			}
			return value(nil, "ratio", percent, evidence.ReasonPoolUnknown)
		}
		r := Row{Key: "poolUtilisation" + suffix(i), Label: "Utilisation of the pool " + name, Baseline: cell(in.base), Candidate: cell(in.cand), Bounds: "throughput × holding time / size"}
		for _, s := range []evidence.Side{in.cand, in.base} {
			for _, p := range s.Saturation.Pools {
				if p.Name == name && p.HoldSource == "remainder" {
					r.Bounds = "throughput × (mean − wait) / size: an upper bound"
				}
			}
		}
		rows = append(rows, r.compared(nil, points))
	}
	return rows
}

func (in *input) inFlightRow() Row {
	r := in.metricRow(Row{Key: "inFlight", Label: "Requests in flight, mean", Bounds: "throughput × mean (Little's law)"}, "requests", significantShort,
		func(s evidence.Side) (*float64, string) {
			code := s.Saturation.Reasons["inFlight"]
			if code == "" {
				code = metricCode(s.Metrics, nil, "inFlight", s.Metrics.State)
			}
			return s.Saturation.InFlight, code
		})
	if b, c := in.base.Saturation.Users, in.cand.Saturation.Users; b != nil && c != nil && *b == *c {
		r.Bounds += fmt.Sprintf("; %s", counted(*b, "virtual user", "virtual users"))
	}
	return in.proved(r, requestIDs).compared(nil, percentChange)
}

func significantShort(v float64) string {
	if v >= 100 {
		return evidence.FormatCount(int64(math.Round(v)))
	}
	return decimal(v, 1, 1)
}

func (in *input) reconciliationRow() Row {
	r := in.metricRow(Row{Key: "reconciliation", Label: "Requests seen by Prometheus", Bounds: "exact"}, "requests", countText,
		func(s evidence.Side) (*float64, string) {
			return integer(s.Metrics.Reconciliation.Seen), metricCode(s.Metrics, s.Metrics.Reconciliation.Reasons, "seen", s.Metrics.State)
		})
	for _, x := range []struct {
		cell *Cell
		rec  evidence.Reconciliation
	}{{&r.Baseline, in.base.Metrics.Reconciliation}, {&r.Candidate, in.cand.Metrics.Reconciliation}} {
		x.cell.QueryIDs = ids(x.rec.QueryID, x.rec.QueryIDs...)
		if x.rec.Expected != nil && x.cell.Value != nil {
			x.cell.Text += " of " + evidence.FormatCount(*x.rec.Expected)
		}
		if v, ok := num(x.rec.Extrapolated); ok {
			x.cell.Guide = significantShort(v)
		}
	}
	if r.Baseline.Guide != "" || r.Candidate.Guide != "" {
		r.Bounds += "; PromQL (extrapolated) " + shareUnit(r.Baseline.Guide, r.Candidate.Guide)
	}
	return r.compared(nil, percentChange)
}

func (in *input) errorsRow() Row {
	r := in.metricRow(Row{Key: "errors", Label: "Errors counted by Prometheus", Bounds: "exact"}, "requests", countText,
		func(s evidence.Side) (*float64, string) {
			return integer(s.Metrics.Errors.Count), metricCode(s.Metrics, s.Metrics.Errors.Reasons, "count", s.Metrics.Errors.State)
		})
	for _, x := range []struct {
		cell *Cell
		errs evidence.Errors
	}{{&r.Baseline, in.base.Metrics.Errors}, {&r.Candidate, in.cand.Metrics.Errors}} {
		x.cell.QueryIDs = ids(x.errs.QueryID, x.errs.QueryIDs...)
		if v, ok := num(x.errs.PromQL); ok {
			x.cell.Guide = significantShort(v)
		}
		if v, ok := num(x.errs.UpperRate); ok && x.cell.Value != nil && *x.cell.Value == 0 {
			r.Bounds = fmt.Sprintf("exact; true rate below %s %% (95 %%)", decimal(v*100, 0, 2))
		}
	}
	for _, n := range []string{in.cand.Metrics.Errors.Note, in.base.Metrics.Errors.Note} {
		if n != "" {
			r.Bounds += "; " + n
			break
		}
	}
	return r.compared(lowerIsBetter, func(b, c float64) string {
		if b == c {
			return "="
		}
		return signed(c-b, 0)
	})
}

// runRows are the replay's remaining figures.
func (in *input) runRows() []Row {
	var rows []Row
	for _, x := range []struct {
		key, label, name string
		get              func(*evidence.Load) *float64
	}{
		{"loadMean", "Load average latency", "avgMs", func(l *evidence.Load) *float64 { return l.AvgMs }},
		{"loadP50", "Load p50 latency", "p50Ms", func(l *evidence.Load) *float64 { return l.P50Ms }},
		{"loadP99", "Load p99 latency", "p99Ms", func(l *evidence.Load) *float64 { return l.P99Ms }},
		{"loadMax", "Load maximum latency", "maxMs", func(l *evidence.Load) *float64 { return l.MaxMs }},
	} {
		r := in.loadRow(Row{Key: x.key, Label: x.label, Bounds: "replay, whole milliseconds"}, x.name, "ms", x.get, wholeMs)
		if r.Baseline.Value == nil && r.Candidate.Value == nil {
			continue
		}
		r = in.settled(r.compared(lowerIsBetter, percentChange), in.profile.ToleranceMs)
		if b, c, ok := both(r.Baseline.Value, r.Candidate.Value); ok && b != c && c-b <= wholeMsResolution && b-c <= wholeMsResolution {
			r.Direction, r.Change = SameDirection, "within rounding"
		}
		rows = append(rows, r)
	}
	return rows
}
