package promapi_test

import (
	"context"
	"math"
	"testing"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// native makes a histogram of durations at an exponential schema: one observation list in, counts out.
func native(schema int32, observations []float64) *histogram.FloatHistogram {
	base := math.Pow(2, math.Pow(2, -float64(schema)))
	counts := map[int32]float64{}
	h := &histogram.FloatHistogram{Schema: schema, ZeroThreshold: 1e-128}
	lowest, highest := int32(math.MaxInt32), int32(math.MinInt32)
	for _, v := range observations {
		h.Count++
		h.Sum += v
		if v == 0 {
			h.ZeroCount++
			continue
		}
		i := int32(math.Ceil(math.Log(v) / math.Log(base)))
		counts[i]++
		lowest, highest = min(lowest, i), max(highest, i)
	}
	if len(counts) > 0 {
		h.PositiveSpans = []histogram.Span{{Offset: lowest, Length: uint32(highest - lowest + 1)}}
		for i := lowest; i <= highest; i++ {
			h.PositiveBuckets = append(h.PositiveBuckets, counts[i])
		}
	}
	return h
}

// spread makes n observations from low to high.
func spread(n int, low, high float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = low + (high-low)*float64(i)/float64(n)
	}
	return out
}

func upSeries(instance string, points int) promtest.Series {
	s := promtest.Series{Labels: map[string]string{"__name__": "up", "job": "j", "instance": instance}}
	for i := range points {
		s.Points = append(s.Points, promtest.Point{T: int64(1_000_000 + i*1000), V: 1})
	}
	return s
}

func nativeSeries(instance string, samples ...*histogram.FloatHistogram) promtest.Series {
	s := promtest.Series{Labels: map[string]string{"__name__": "h", "job": "j", "instance": instance}}
	for i, h := range samples {
		if h != nil {
			s.Histograms = append(s.Histograms, promtest.HistogramPoint{T: int64(1_000_000 + i*1000), H: h})
		}
	}
	return s
}

func measureNative(t *testing.T, kind string, series ...promtest.Series) *promapi.Exact {
	t.Helper()
	e, err := newClient(t, promtest.NewServerWith(t, series)).Measure(context.Background(), promapi.ExactRequest{
		Selectors: selectorsFor(t, nil), Quantile: .95, Start: at(1001.5), End: at(1004.5), Kind: kind,
	})
	require.NoError(t, err)
	return e
}

func TestNativeHistogram(t *testing.T) {
	t.Parallel()
	before := spread(10, .5, .6)
	during := spread(200, .02, .045)
	after := append(append([]float64{}, before...), during...)
	half := after[:110]
	e := measureNative(t, "", upSeries("a", 8), nativeSeries("a",
		native(3, before), native(3, before), native(3, half), native(3, after), native(3, after), native(3, after), native(3, after), native(3, after)))
	require.Equal(t, promapi.StateOK, e.State, e.Message)
	assert.Equal(t, promapi.KindNative, e.Request.Kind)
	assert.EqualValues(t, 200, *e.Request.Count)
	assert.InDelta(t, spreadSum(during), *e.Request.Sum, 1e-9)
	assert.Equal(t, promapi.GatePassed, gateOf(t, e, "G6", "request").State)
	p95 := during[189]
	assert.Greater(t, p95, e.Quantile.Sample.Lower)
	assert.LessOrEqual(t, p95, e.Quantile.Sample.Upper)
	assert.Less(t, e.Quantile.Sample.Upper/e.Quantile.Sample.Lower, 1.1, "a schema of 3 is finer than 10 %")
	assert.EqualValues(t, 200, e.Steps[0].Count+e.Steps[1].Count+e.Steps[2].Count+e.Steps[3].Count)
}

func spreadSum(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}

// TestNativeResolutionChanges: a coarser resolution inside the window is read at the shared bounds.
func TestNativeResolutionChanges(t *testing.T) {
	t.Parallel()
	during := spread(200, .02, .045)
	e := measureNative(t, "", upSeries("a", 8), nativeSeries("a",
		native(3, nil), native(3, nil), native(3, during[:100]), native(1, during), native(1, during), native(1, during), native(1, during), native(1, during)))
	require.Equal(t, promapi.StateOK, e.State, e.Message)
	assert.EqualValues(t, 200, *e.Request.Count)
	require.NotNil(t, e.Request.Buckets, "%+v", e.Gates)
	p95 := during[189]
	assert.Greater(t, p95, e.Quantile.Sample.Lower)
	assert.LessOrEqual(t, p95, e.Quantile.Sample.Upper)
}

func TestNativeBornAndRestarted(t *testing.T) {
	t.Parallel()
	during := spread(100, .02, .045)
	born := measureNative(t, "", upSeries("a", 8), nativeSeries("a", nil, nil, nil, native(3, during), native(3, during), native(3, during), native(3, during)))
	assert.EqualValues(t, 100, *born.Request.Count)
	assert.True(t, born.Request.Children[0].Born)

	restarted := measureNative(t, "", upSeries("a", 8), nativeSeries("a",
		native(3, during), native(3, during), native(3, during[:10]), native(3, during[:50]), native(3, during[:60]), native(3, during[:60]), native(3, during[:60])))
	assert.EqualValues(t, 60, *restarted.Request.Count)
	assert.Equal(t, promapi.GateFailed, gateOf(t, restarted, "G4", "request").State)
}

// TestKindsAreNeverMixed: with both kinds stored the classic one is read, or the one asked for.
func TestKindsAreNeverMixed(t *testing.T) {
	t.Parallel()
	during := spread(100, .02, .045)
	classic := func(le string, v float64) promtest.Series {
		s := promtest.Series{Labels: map[string]string{"__name__": "h_bucket", "job": "j", "instance": "a", "le": le}}
		for i := range 8 {
			s.Points = append(s.Points, promtest.Point{T: int64(1_000_000 + i*1000), V: min(v, v*float64(i)/3)})
		}
		return s
	}
	series := []promtest.Series{upSeries("a", 8), nativeSeries("a", native(3, nil), native(3, nil), native(3, during), native(3, during), native(3, during), native(3, during), native(3, during)),
		classic("0.05", 90), classic("+Inf", 90)}
	auto := measureNative(t, "", series...)
	assert.Equal(t, promapi.KindClassic, auto.Request.Kind)
	assert.EqualValues(t, 60, *auto.Request.Count)
	asked := measureNative(t, promapi.KindNative, series...)
	assert.Equal(t, promapi.KindNative, asked.Request.Kind)
	assert.EqualValues(t, 100, *asked.Request.Count)
}
