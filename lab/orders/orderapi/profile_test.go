package orderapi

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/profile"
)

// The profile asks for metrics that the service has.
func TestProfileAsksForWhatThereIs(t *testing.T) {
	t.Parallel()
	file, err := os.Open("../../profiles/orders.yaml")
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	p, err := profile.Parse(file, file.Name())
	require.NoError(t, err)

	m := newMetrics()
	m.request.WithLabelValues("/orders", "GET", "200").Observe(1)
	m.query.WithLabelValues("lines of an order").Observe(1)
	families, err := m.registry.Gather()
	require.NoError(t, err)
	have := map[string][]string{}
	for _, f := range families {
		have[f.GetName()] = nil
		for _, l := range f.GetMetric()[0].GetLabel() {
			have[f.GetName()] = append(have[f.GetName()], l.GetName())
		}
	}
	assert.Subset(t, have[p.Request.Metric], []string{p.Request.Route, p.Request.Code})
	assert.Contains(t, have, p.CPU)
	for _, w := range p.Waits {
		assert.Contains(t, have, w.Metric)
		if w.Hold.Metric != "" {
			assert.Contains(t, have, w.Hold.Metric)
		}
	}
	for _, e := range p.Extra {
		metric, _, _ := strings.Cut(strings.TrimPrefix(e.PromQL, "sum(increase("), "_count")
		assert.Contains(t, have, metric)
	}
}
