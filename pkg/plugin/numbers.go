package plugin

import (
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
// value, and its own "no data" setting decides.
type number struct {
	labels        data.Labels
	display, unit string
	value         *float64
}

func numbersFrame(name string, numbers []number) *data.Frame {
	fields := make([]*data.Field, len(numbers))
	for n, v := range numbers {
		fields[n] = column(data.NewField("value", v.labels, []*float64{v.value}), v.display, v.unit)
	}
	f := data.NewFrame(name, fields...)
	f.Meta = &data.FrameMeta{Type: data.FrameTypeNumericWide, TypeVersion: data.FrameTypeVersion{0, 1}}
	return f
}

// measureNumbers are the measures of a side. A quantile has its bounds beside the interpolated value, under the
// measure's key with .lower and .upper.
func measureNumbers(s *evidence.Side) *data.Frame {
	var numbers []number
	for _, m := range measuresOf(s) {
		add := func(suffix, words string, v *float64) {
			numbers = append(numbers, number{
				labels: data.Labels{"measure": m.key + suffix}, display: m.name + words, unit: grafanaUnits[m.unit], value: v,
			})
		}
		add("", "", m.value)
		if m.quantile {
			add(".lower", ", lower bound", m.lower)
			add(".upper", ", upper bound", m.upper)
		}
	}
	return numbersFrame("measures", numbers)
}

// comparisonNumbers are the answers as numbers (see score) and both figures of each row of the table.
func comparisonNumbers(c *compare.Comparison) *data.Frame {
	numbers := []number{
		{data.Labels{"measure": "behaviour"}, "Behaviour", unitShort, score(c.Verdict.Behaviour.Answer)},
		{data.Labels{"measure": "speed"}, "Speed", unitShort, score(c.Verdict.Speed.Answer)},
	}
	for _, row := range c.Table {
		for _, cell := range []struct {
			side string
			of   compare.Cell
		}{{"baseline", row.Baseline}, {"candidate", row.Candidate}} {
			if cell.of.Reasons["value"] == evidence.ReasonComparisonSource {
				continue // it can have no figure, and one empty field leaves an alert rule at "no data"
			}
			numbers = append(numbers, number{
				labels:  data.Labels{"measure": row.Key, "side": cell.side},
				display: row.Label + ", " + cell.side, unit: grafanaUnits[cell.of.Unit], value: cell.of.Value,
			})
		}
	}
	f := numbersFrame("comparison", numbers)
	f.AppendNotices(notices(c)...)
	return f
}
