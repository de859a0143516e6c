package plugin

import (
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// formatNumbers is the format of measures and comparison that alert rules and Stat panels take: a frame of the type
// numeric-wide, one row, one labelled field for each number.
const formatNumbers = "numbers"

// grafanaUnits maps the units of measures and table cells to Grafana's unit ids.
var grafanaUnits = map[string]string{
	"requests": unitShort, "cores": unitShort, "requests/s": unitRate, "req/s": unitRate,
	"ms": unitMillis, "s": unitSeconds, "ratio": unitShare, "percent": unitPercent,
}

// number is one field of a frame of numbers. A figure that is not known is null, never 0: an alert rule then sees no
// value, and its own "no data" setting decides. why says in words why it is null.
type number struct {
	labels        data.Labels
	display, unit string
	value         *float64
	why           string
}

// numbersFrame puts numbers side by side. What is null is named in a notice, with its reason.
func numbersFrame(name string, numbers []number) *data.Frame {
	fields := make([]*data.Field, len(numbers))
	var reasons []string
	missing := map[string][]string{}
	for n, v := range numbers {
		fields[n] = column(data.NewField("value", v.labels, []*float64{v.value}), v.display, v.unit)
		if v.value == nil {
			if missing[v.why] == nil {
				reasons = append(reasons, v.why)
			}
			missing[v.why] = append(missing[v.why], v.display)
		}
	}
	f := data.NewFrame(name, fields...)
	f.Meta = &data.FrameMeta{Type: data.FrameTypeNumericWide, TypeVersion: data.FrameTypeVersion{0, 1}}
	for _, why := range reasons {
		f.AppendNotices(data.Notice{Severity: data.NoticeSeverityWarning, Text: "No value (" + why + "): " + strings.Join(missing[why], "; ")})
	}
	return f
}

// without are the reasons of figures that nobody asked for or that cannot be: nothing that happens to a service fills
// them. They are left out of frames of numbers, because one field that is always empty keeps an alert rule at "no data".
var without = map[string]bool{
	evidence.ReasonComparisonSource: true, evidence.ReasonNotConfigured: true, evidence.ReasonNoPrometheus: true,
	evidence.ReasonNotInProfile: true, evidence.ReasonPoolUnknown: true,
	string(evidence.StateNotConfigured): true,
}

// measureNumbers are the measures of a side. A quantile has its bounds beside the interpolated value, under the
// measure's key with .lower and .upper.
func measureNumbers(s *evidence.Side) *data.Frame {
	var numbers []number
	for _, m := range measuresOf(s) {
		add := func(suffix, words string, v *float64) {
			if v == nil && without[m.state] {
				return
			}
			numbers = append(numbers, number{
				labels: data.Labels{"measure": m.key + suffix}, display: m.name + words, unit: grafanaUnits[m.unit], value: v,
				why: strings.ReplaceAll(m.state, "_", " "),
			})
		}
		add("", "", m.value)
		if m.quantile {
			add(".lower", ", lower bound", m.lower)
			add(".upper", ", upper bound", m.upper)
		}
	}
	f := numbersFrame("measures", numbers)
	f.AppendNotices(gateNotices("", s)...)
	return f
}

// comparisonNumbers are the answers as numbers (see score) and both figures of each row of the table.
func comparisonNumbers(c *compare.Comparison) *data.Frame {
	answer := func(key, display string, j compare.Judgement) number {
		return number{data.Labels{"measure": key}, display, unitShort, score(j.Answer), "inconclusive: " + j.Headline}
	}
	numbers := []number{answer("behaviour", "Behaviour", c.Verdict.Behaviour), answer("speed", "Speed", c.Verdict.Speed.Judgement)}
	for _, row := range c.Table {
		for _, cell := range []struct {
			side string
			of   compare.Cell
		}{{"baseline", row.Baseline}, {"candidate", row.Candidate}} {
			if cell.of.Value == nil && without[cell.of.Reasons["value"]] {
				continue
			}
			numbers = append(numbers, number{
				labels:  data.Labels{"measure": row.Key, "side": cell.side},
				display: row.Label + ", " + cell.side, unit: grafanaUnits[cell.of.Unit], value: cell.of.Value, why: cell.of.Text,
			})
		}
	}
	f := numbersFrame("comparison", numbers)
	f.AppendNotices(notices(c)...)
	return f
}
