package plugin

import (
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// The measures of the elapsed series with their units.
var elapsedMeasures = map[string]struct {
	display, unit string
	get           func(evidence.ElapsedPoint) *float64
}{
	"requestsPerSecond": {"Requests per second", unitRate, func(p evidence.ElapsedPoint) *float64 { return p.RequestsPerSecond }},
	"p95":               {"Quantile, upper bound", unitSeconds, func(p evidence.ElapsedPoint) *float64 { return p.P95Upper }},
	"mean":              {"Mean request duration", unitSeconds, func(p evidence.ElapsedPoint) *float64 { return p.MeanSeconds }},
	"waiting":           {"Requests waiting", unitShort, func(p evidence.ElapsedPoint) *float64 { return p.Waiting }},
	"cores":             {"Cores", unitShort, func(p evidence.ElapsedPoint) *float64 { return p.Cores }},
}

// elapsedFrames puts both runs on one time axis: second 0 of each run is the start of the dashboard's range,
// because panels draw over time and not over elapsed seconds; the elapsed seconds stand beside.
func elapsedFrames(c *compare.Comparison, q Query, tr backend.TimeRange) (data.Frames, error) {
	m, ok := elapsedMeasures[q.Measure]
	if q.Measure == "" {
		m, ok = elapsedMeasures["requestsPerSecond"]
	}
	if !ok {
		return nil, badParameter("measure", quoted(q.Measure)+" is not one of requestsPerSecond, p95, mean, waiting and cores")
	}
	var out data.Frames
	for _, s := range []struct {
		name string
		side evidence.Side
	}{{"baseline", c.Sides.Baseline}, {"candidate", c.Sides.Candidate}} {
		points := s.side.Metrics.Elapsed
		value := collect("value", s.name+": "+m.display, m.unit, points, m.get)
		value.Labels = data.Labels{"side": s.name}
		elapsed := collect("elapsed", "Elapsed", unitSeconds, points, func(p evidence.ElapsedPoint) float64 { return p.Seconds })
		// A time series panel would draw the seconds as a series of their own.
		elapsed.Config.Custom = map[string]any{"hideFrom": map[string]bool{"viz": true, "legend": true, "tooltip": false}}
		f := data.NewFrame(s.name,
			collect("time", "Time", "", points, func(p evidence.ElapsedPoint) time.Time {
				return tr.From.Add(time.Duration(p.Seconds * float64(time.Second)))
			}),
			value,
			elapsed,
		)
		// The type tells alert rules to take the first number of each frame and to leave the elapsed seconds alone.
		f.Meta = &data.FrameMeta{Type: data.FrameTypeTimeSeriesMulti, TypeVersion: data.FrameTypeVersion{0, 1}, PreferredVisualization: data.VisTypeGraph}
		if s.side.Metrics.State != evidence.StateOK {
			f.AppendNotices(data.Notice{Severity: data.NoticeSeverityWarning, Text: s.name + ": " + string(s.side.Metrics.State) + ". " + s.side.Metrics.Message})
		}
		out = append(out, f)
	}
	return out, nil
}
