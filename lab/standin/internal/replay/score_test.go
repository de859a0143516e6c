package replay

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompareBodies(t *testing.T) {
	t.Parallel()
	type change = bodyChange
	at := func(severity, kind, location string, before, after any) change {
		return change{Severity: severity, Kind: kind, Endpoint: "GET /x", Location: "http.res.bodyBase64" + location, Baseline: before, Candidate: after}
	}
	cases := map[string]struct {
		recorded, observed string
		want               []change
	}{
		"equal":                {`{"a":1,"b":[true,null]}`, "{ \"b\": [true, null],\n\"a\": 1 }\n", nil},
		"equal numbers":        {`{"a":1.0}`, `{"a":1}`, nil},
		"large numbers":        {`{"a":9007199254740993}`, `{"a":9007199254740993}`, nil},
		"value":                {`{"a":1}`, `{"a":2}`, []change{at("medium", "value_changed", ".a", json.Number("1"), json.Number("2"))}},
		"type":                 {`{"total":1600}`, `{"total":"1600"}`, []change{at("high", "type_changed", ".total", json.Number("1600"), "1600")}},
		"null is another type": {`{"a":null}`, `{"a":0}`, []change{at("high", "type_changed", ".a", nil, json.Number("0"))}},
		"removed and added":    {`{"a":1}`, `{"b":1}`, []change{at("high", "field_removed", ".a", json.Number("1"), nil), at("low", "field_added", ".b", nil, json.Number("1"))}},
		"in a list":            {`[{"n":"x"}]`, `[{"n":"y"},1]`, []change{at("medium", "value_changed", "[0].n", "x", "y"), at("low", "field_added", "[1]", nil, json.Number("1"))}},
		"shorter list":         {`[1,2]`, `[1]`, []change{at("high", "field_removed", "[1]", json.Number("2"), nil)}},
		"text":                 {"not found\n", "not found", nil},
		"other text":           {"not found", "gone", []change{at("medium", "value_changed", "", "not found", "gone")}},
		"json became text":     {`{"a":1}`, "oops", []change{at("medium", "value_changed", "", `{"a":1}`, "oops")}},
		"both empty":           {"", "", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tc.want, compareBodies("GET /x", []byte(tc.recorded), []byte(tc.observed)))
		})
	}
	many, err := json.Marshal(make([]int, 500))
	require.NoError(t, err)
	assert.Len(t, compareBodies("GET /x", many, []byte("[]")), maxChanges)
}

func TestEvaluateResources(t *testing.T) {
	t.Parallel()
	at := func(seconds float64, generator, mock, app, idle float64) cpuSample {
		total := 2 * seconds // two processors
		return cpuSample{at: base.Add(time.Duration(seconds * float64(time.Second))), generator: &generator, mock: &mock, app: &app, hostIdle: &idle, hostTotal: &total}
	}
	t.Run("shares", func(t *testing.T) {
		t.Parallel()
		r := evaluate([]cpuSample{at(0, 0, 0, 0, 0), at(1, .1, .2, .3, 1.8), at(2, .3, .2, .4, 3), at(2.1, .3, .2, .4, 3.2)}, 100, 50)
		assert.Equal(t, 18.2, *r.GeneratorMaxCPUPct, "the short rest belongs to the second before")
		assert.Equal(t, 20., *r.MockMaxCPUPct)
		assert.Equal(t, 30., *r.HarnessMaxCPUPct, "the two maxima are not of one second")
		assert.Equal(t, 30., *r.AppMaxCPUPct)
		assert.Equal(t, 19., *r.AppAvgCPUPct)
		assert.Equal(t, 525., *r.RPSPerAppCore)
		assert.Equal(t, 63.6, *r.HostIdleMinPct)
		assert.Equal(t, 4, r.SampleCount)
		assert.True(t, r.MockAttributed)
		assert.False(t, *r.HarnessBound)
		assert.Len(t, r.Notes, 1)
	})
	t.Run("busy host", func(t *testing.T) {
		t.Parallel()
		r := evaluate([]cpuSample{at(0, 0, 0, 0, 0), at(1, .1, .1, .1, .1)}, 100, 2)
		assert.True(t, *r.HarnessBound)
		assert.Len(t, r.Notes, 2, "whole milliseconds are said at low percentiles")
	})
	t.Run("busy harness", func(t *testing.T) {
		t.Parallel()
		r := evaluate([]cpuSample{at(0, 0, 0, 0, 0), at(1, .6, .5, .4, .6)}, 100, 50)
		assert.True(t, *r.HarnessBound)
	})
	t.Run("unknown stays absent", func(t *testing.T) {
		t.Parallel()
		r := evaluate([]cpuSample{{at: base}, {at: base.Add(time.Second)}}, 100, 50)
		text, err := json.Marshal(r)
		require.NoError(t, err)
		assert.JSONEq(t, `{"sampleCount":2,"mockAttributed":false,"notes":["`+producedBy+`"]}`, string(text))
	})
}
