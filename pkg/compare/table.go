package compare

import (
	"fmt"
	"math"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// The directions of a row.
const (
	Better           = "better"
	Worse            = "worse"
	SameDirection    = "same"
	UnknownDirection = "unknown"
)

// table makes the guide's evidence table, row for row in its order and words, and our rows after it.
func (in *input) table(c Comparison) []Row {
	rows := []Row{
		in.requestsRow(), in.failedRow(), in.differencesRow(c.Responses), in.loadQuantileRow(), in.throughputRow(), in.durationRow(),
	}
	rows = append(rows, in.waitRows()...)
	rows = append(rows, in.coresRow())
	rows = append(rows, in.ownRows()...)
	if withheld(c.Verdict.Speed) {
		for i := range rows {
			if !stands[rows[i].Key] {
				rows[i].Change, rows[i].Direction = "withheld", UnknownDirection
			}
		}
	}
	return rows
}

// stands are the rows whose change is no statement on speed, so that it is shown even when the speed
// answer is withheld.
var stands = set([]string{"loadRequests", "failedRequests", "responseDifferences", "reconciliation", "errors"})

// withheld says that the sides are not comparable or answer differently.
func withheld(s SpeedJudgement) bool { return s.NullReasons["atLeastSeconds"] == ReasonWithheld }

// value makes a cell from a figure, or an explained empty one.
func value(v *float64, unit string, text func(float64) string, code string) Cell {
	c := Cell{Unit: unit, QueryIDs: []string{}}
	if f, ok := num(v); ok {
		c.Value, c.Text = &f, text(f)
		return c
	}
	if code == "" {
		code = evidence.ReasonUnknown
	}
	c.Text, c.Reasons = missingText(code), evidence.Reasons{"value": code}
	return c
}

// missingText says in words why a cell is empty; it never reads as 0.
func missingText(code string) string {
	words := map[string]string{
		evidence.ReasonNoObservations: "no observations",
		evidence.ReasonAbsentSeries:   "no such series",
		evidence.ReasonUnreachable:    "unreachable",
		evidence.ReasonRefused:        "refused",
		evidence.ReasonQueryFailed:    "query failed",
		evidence.ReasonInsufficient:   "too few samples",
		evidence.ReasonExpired:        "expired",
		evidence.ReasonNotConfigured:  "not measured",
		evidence.ReasonNoPrometheus:   "not measured",
		evidence.ReasonNoWindow:       "no window",
		evidence.ReasonGateFailed:     "gate failed",
		evidence.ReasonNotReported:    "not reported",
		evidence.ReasonNotScored:      "not scored",
		evidence.ReasonNoRun:          "no run",
		evidence.ReasonPoolUnknown:    "pool size not stated",
		ReasonNotCompared:             "not compared",
		evidence.ReasonNotInProfile:   "not in the profile",
		evidence.ReasonTooFewRequests: "too few requests",
		evidence.ReasonTimeMismatch:   "answered for another time",
		evidence.ReasonNotEvaluated:   "not measured",
		evidence.ReasonLayout:         "bucket layout",
		evidence.ReasonInfinite:       "infinite",
		evidence.ReasonSeveralSeries:  "several series",
		evidence.ReasonUnitConflict:   "units conflict",
		evidence.ReasonFuture:         "window in the future",

		evidence.ReasonTotalNotAccounted: "total not accounted for",
	}
	if w, ok := words[code]; ok {
		return w
	}
	return "unknown"
}

func integer(v *int64) *float64 {
	if v == nil {
		return nil
	}
	return ptr(float64(*v))
}

func countText(v float64) string { return evidence.FormatCount(int64(math.Round(v))) }

// loadFigure reads one figure of a load run with the reason why it is missing.
func loadFigure(l *evidence.Load, name string, get func(*evidence.Load) *float64) (*float64, string) {
	if l == nil {
		return nil, evidence.ReasonNoRun
	}
	code := l.Reasons[name]
	if code == "" {
		code = evidence.ReasonNotReported
	}
	return get(l), code
}

// loadRow makes a row from one figure of the load runs.
func (in *input) loadRow(r Row, name, unit string, get func(*evidence.Load) *float64, text func(float64) string) Row {
	b, codeB := loadFigure(in.base.Load, name, get)
	c, codeC := loadFigure(in.cand.Load, name, get)
	r.Baseline, r.Candidate = value(b, unit, text, codeB), value(c, unit, text, codeC)
	return r
}

// compared fills in change and direction of a row whose figures are plain numbers. lower says whether
// a smaller figure is the better one; nil when neither is.
func (r Row) compared(lower *bool, change func(b, c float64) string) Row {
	r.Direction, r.Change = UnknownDirection, "–"
	b, c, ok := both(r.Baseline.Value, r.Candidate.Value)
	if !ok {
		return r
	}
	r.Change = change(b, c)
	switch {
	case b == c || r.Change == "=":
		r.Direction = SameDirection
	case lower == nil:
	case (c < b) == *lower:
		r.Direction = Better
	default:
		r.Direction = Worse
	}
	return r
}

var lowerIsBetter, higherIsBetter = ptr(true), ptr(false)

// settled takes the colour from a row whose figures moved by no more than the tolerance: the change is
// shown, but it is called neither better nor worse. slack is what is always within it, in the row's unit.
func (in *input) settled(r Row, slack float64) Row {
	b, c, ok := both(r.Baseline.Value, r.Candidate.Value)
	if !ok || (r.Direction != Better && r.Direction != Worse) {
		return r
	}
	if d := math.Abs(c - b); d <= slack || d <= in.profile.TolerancePercent/100*max(math.Abs(b), math.Abs(c)) {
		r.Direction = SameDirection
	}
	return r
}

func (in *input) requestsRow() Row {
	r := in.loadRow(Row{Key: "loadRequests", Label: "Load requests (identical replay)", Guide: true, Bounds: "replay"},
		"requests", "requests", func(l *evidence.Load) *float64 { return integer(l.Requests) }, countText)
	r = r.compared(nil, percentChange)
	if r.Direction == UnknownDirection && r.Baseline.Value != nil && r.Candidate.Value != nil {
		r.Label, r.Bounds = "Load requests (not an identical replay)", "two workloads: speed is withheld"
	}
	return r
}

func (in *input) failedRow() Row {
	r := in.loadRow(Row{Key: "failedRequests", Label: "Failed requests", Guide: true, Bounds: "replay"},
		"failed", "requests", func(l *evidence.Load) *float64 { return integer(l.Failed) }, countText)
	return r.compared(lowerIsBetter, func(b, c float64) string {
		if b == c {
			return "="
		}
		return signed(c-b, 0)
	})
}

// coverage is the short form of what the differences cover.
func coverage(d Responses) string {
	if d.State == NotCompared {
		return "no responses were compared"
	}
	return pairsOf(d.Pairs, d.Expected) + ", " + counted(int64(len(d.Ignored)), "field", "fields") + " ignored"
}

func signed(v float64, decimals int) string {
	if v > 0 {
		return "+" + decimal(v, 0, decimals)
	}
	return decimal(v, 0, decimals)
}

func (in *input) differencesRow(d Responses) Row {
	r := Row{Key: "responseDifferences", Label: "Stable-field response differences", Guide: true, Change: "–", Direction: UnknownDirection, Bounds: coverage(d),
		Baseline: Cell{Text: "source", QueryIDs: []string{}, Reasons: evidence.Reasons{"value": evidence.ReasonComparisonSource}}}
	if d.State == NotCompared {
		r.Candidate = value(nil, "", countText, ReasonNotCompared)
		return r
	}
	total := float64(len(d.Differences)) + float64(d.Truncated)
	r.Candidate = value(&total, "", countText, "")
	r.Direction = SameDirection
	if total > 0 {
		r.Direction = Worse
	}
	return r
}

func (in *input) loadQuantileRow() Row {
	q := in.profile.Quantile
	r := in.loadRow(Row{Key: "loadQuantile", Label: "Load " + percentile(q) + " latency", Guide: true, Bounds: "replay, whole milliseconds"},
		percentile(q)+"Ms", "ms", func(l *evidence.Load) *float64 { return loadFigures(l).at[q] }, wholeMs)
	return in.settled(r.compared(lowerIsBetter, percentChange), in.profile.ToleranceMs)
}

func (in *input) throughputRow() Row {
	r := in.loadRow(Row{Key: "loadThroughput", Label: "Load throughput", Guide: true, Bounds: "replay, over the active time"},
		"requestsPerSecond", "req/s", func(l *evidence.Load) *float64 { return l.RequestsPerSecond }, func(v float64) string { return rate(v) + " req/s" })
	if u := in.cand.Saturation; u.Limit == "users" && u.Users != nil {
		r.Bounds += fmt.Sprintf("; limited by %s", counted(*u.Users, "user", "users"))
	}
	return in.settled(r.compared(higherIsBetter, func(b, c float64) string {
		if b <= 0 {
			return "–"
		}
		if c/b >= 2 || c/b <= 0.5 {
			return times(c / b)
		}
		return percentChange(b, c)
	}), 0)
}

// metricCode says why a figure of Prometheus is missing.
func metricCode(m evidence.Metrics, r evidence.Reasons, name string, s evidence.State) string {
	if m.State == evidence.StateNotConfigured {
		return evidence.ReasonNotConfigured
	}
	if code := r[name]; code != "" {
		return code
	}
	if m.State != evidence.StateOK && m.State != "" {
		s = m.State
	}
	switch s {
	case evidence.StateAbsent:
		return evidence.ReasonAbsentSeries
	case evidence.StateNoTraffic:
		return evidence.ReasonNoObservations
	case evidence.StateUnreachable:
		return evidence.ReasonUnreachable
	case evidence.StateRefused:
		return evidence.ReasonRefused
	case evidence.StateFailed:
		return evidence.ReasonQueryFailed
	case evidence.StateInsufficient:
		return evidence.ReasonInsufficient
	case evidence.StateExpired:
		return evidence.ReasonExpired
	case evidence.StateFuture:
		return evidence.ReasonFuture
	case evidence.StateNotConfigured, "":
		return evidence.ReasonNotConfigured
	}
	return evidence.ReasonUnknown
}

func (in *input) coresRow() Row {
	cell := func(m evidence.Metrics) Cell {
		c := value(m.CPU.AverageCores, "cores", func(v float64) string { return decimal(v, 2, 2) }, metricCode(m, m.CPU.Reasons, "averageCores", m.CPU.State))
		if c.Value != nil {
			c.Guide = c.Text
		}
		c.QueryIDs = ids(m.CPU.QueryID)
		return c
	}
	r := Row{Key: "averageCores", Label: "Prometheus average CPU cores", Guide: true, Baseline: cell(in.base.Metrics), Candidate: cell(in.cand.Metrics),
		Bounds: "over the padded window, as the guide has it"}
	return r.compared(nil, percentChange)
}
