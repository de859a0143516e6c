package proxymock_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

func TestParseResultRefuses(t *testing.T) {
	t.Parallel()
	raw := string(readData(t, "result-no-aggregate.json"))
	cases := map[string]struct {
		text string
		want error
	}{
		"empty":                      {"", proxymock.ErrIncomplete},
		"blank":                      {" \r\n\n", proxymock.ErrIncomplete},
		"only a byte order mark":     {"\xef\xbb\xbf", proxymock.ErrIncomplete},
		"truncated":                  {raw[:len(raw)/2], proxymock.ErrIncomplete},
		"one brace":                  {"{", proxymock.ErrIncomplete},
		"teardown lines only":        {"request failed: context canceled\n", proxymock.ErrIncomplete},
		"malformed":                  {`{"endpoints": [}`, proxymock.ErrMalformed},
		"an array":                   {`[1, 2]`, proxymock.ErrOtherFile},
		"a pair":                     {`{"msgType": "rrpair", "ts": "x"}`, proxymock.ErrOtherFile},
		"a verdict":                  {`{"schemaVersion": 1, "pairs": []}`, proxymock.ErrOtherFile},
		"a window":                   {`{"start": "2026-01-01T00:00:00Z", "end": "2026-01-01T00:00:01Z"}`, proxymock.ErrOtherFile},
		"nothing":                    {`{}`, proxymock.ErrOtherFile},
		"a brace line in the notice": {"{not json}\n", proxymock.ErrMalformed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := proxymock.ParseResult(strings.NewReader(c.text))
			require.ErrorIs(t, err, c.want)
			assert.Nil(t, got)
		})
	}
}

func TestParseResultPassesReadErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk gone")
	_, err := proxymock.ParseResult(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}

func TestParseResultSkipsABraceLineBeforeTheObject(t *testing.T) {
	t.Parallel()
	r, err := proxymock.ParseResult(strings.NewReader("{source:generator} context canceled\r\n" + string(readData(t, "result-no-aggregate.json"))))
	require.NoError(t, err)
	assert.Equal(t, []string{"{source:generator} context canceled"}, r.SkippedLines)
	assert.Equal(t, 1, r.ContextCanceledLines)
	assert.Len(t, r.Endpoints, 1)
}

func TestMissingAggregateIsNeverAnEndpoint(t *testing.T) {
	t.Parallel()
	r, err := proxymock.ParseResult(strings.NewReader(string(readData(t, "result-no-aggregate.json"))))
	require.NoError(t, err)
	assert.Nil(t, r.Aggregate)
	require.Len(t, r.Problems, 1)
	assert.Contains(t, r.Problems[0], "no aggregate")
	_, known := r.ActiveSeconds()
	assert.False(t, known)
}

func TestActiveSeconds(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		metrics string
		want    float64
		known   bool
	}{
		"total over rate":   {`"requests.total": 1200, "requests.per-second": 46.436`, 25.842, true},
		"no rate":           {`"requests.total": 1200`, 0, false},
		"rate of zero":      {`"requests.total": 1200, "requests.per-second": 0`, 0, false},
		"no requests":       {`"requests.total": 0, "requests.per-second": 3`, 0, false},
		"rate out of range": {`"requests.total": 1200, "requests.per-second": 1e999`, 0, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := proxymock.ParseResult(strings.NewReader(`{"endpoints":[{"url":"-ALL-","method":"-ALL-","metrics":{` + c.metrics + `}}]}`))
			require.NoError(t, err)
			got, known := r.ActiveSeconds()
			assert.Equal(t, c.known, known)
			assert.InDelta(t, c.want, got, 0.001)
		})
	}
	_, known := (*proxymock.Result)(nil).ActiveSeconds()
	assert.False(t, known)
}

func TestSkippedLinesAreBounded(t *testing.T) {
	t.Parallel()
	noise := strings.Repeat(strings.Repeat("x", 5000)+" context canceled\n", 300)
	r, err := proxymock.ParseResult(strings.NewReader(noise + `{"hits": 1, "hitRate": 100}`))
	require.NoError(t, err)
	assert.Len(t, r.SkippedLines, 100)
	assert.Less(t, len(r.SkippedLines[0]), 500)
	assert.Equal(t, 300, r.ContextCanceledLines, "the count is of all of them")
}

func TestParseWindowRefuses(t *testing.T) {
	t.Parallel()
	const start, end = `"start": "2026-08-13T15:00:00Z"`, `"end": "2026-08-13T15:00:10Z"`
	cases := map[string]struct {
		text string
		want error
		says string
	}{
		"empty":                {"", proxymock.ErrIncomplete, "empty"},
		"truncated":            {`{"start": "2026-08-13T15`, proxymock.ErrIncomplete, "middle"},
		"not JSON":             {`start=1`, proxymock.ErrMalformed, ""},
		"an array":             {`[]`, proxymock.ErrOtherFile, ""},
		"another object":       {`{"endpoints": []}`, proxymock.ErrOtherFile, "no start or end"},
		"only a start":         {`{` + start + `}`, proxymock.ErrMalformed, "only one of its two ends"},
		"ends before it began": {`{"start": "2026-08-13T15:00:10Z", "end": "2026-08-13T15:00:00Z"}`, proxymock.ErrMalformed, "not after its start"},
		"no length":            {`{"start": "2026-08-13T15:00:10Z", "end": "2026-08-13T15:00:10Z"}`, proxymock.ErrMalformed, "not after its start"},
		"no zone":              {`{"start": "2026-08-13T15:00:00", ` + end + `}`, proxymock.ErrMalformed, "with a zone"},
		"query range reversed": {`{` + start + `,` + end + `, "query_start": "2026-08-13T15:00:20Z", "query_end": "2026-08-13T15:00:20Z"}`, proxymock.ErrMalformed, "query_end"},
		"zero seconds":         {`{` + start + `,` + end + `, "window_seconds": 0}`, proxymock.ErrMalformed, "at least 1"},
		"negative seconds":     {`{` + start + `,` + end + `, "window_seconds": -3}`, proxymock.ErrMalformed, "at least 1"},
		"half seconds":         {`{` + start + `,` + end + `, "window_seconds": 10.5}`, proxymock.ErrMalformed, "whole number"},
		"words for seconds":    {`{` + start + `,` + end + `, "window_seconds": "long"}`, proxymock.ErrMalformed, "whole number"},
		"a query range too short": {`{"query_start": "2026-08-13T15:00:00Z", "query_end": "2026-08-13T15:00:00.5Z"}`,
			proxymock.ErrMalformed, "at least 1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := proxymock.ParseWindow(strings.NewReader(c.text))
			require.ErrorIs(t, err, c.want)
			assert.Contains(t, err.Error(), c.says)
			assert.Nil(t, got)
		})
	}
}

func TestParseWindowKeepsTheFilesOwnSeconds(t *testing.T) {
	t.Parallel()
	w, err := proxymock.ParseWindow(strings.NewReader(string(readData(t, "window-query-range.json"))))
	require.NoError(t, err)
	assert.EqualValues(t, 29, w.WindowSeconds)
	assert.Empty(t, w.Derived)
	assert.Empty(t, w.Problems)
}

func TestParseVerdictRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"empty":          {"", proxymock.ErrIncomplete},
		"truncated":      {`{"schemaVersion": 1, "pairs": [{`, proxymock.ErrIncomplete},
		"a pair":         {`{"msgType": "rrpair", "verdict": "pass"}`, proxymock.ErrOtherFile},
		"another object": {`{"start": 1}`, proxymock.ErrOtherFile},
		"text":           {`verdict`, proxymock.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := proxymock.ParseVerdict(strings.NewReader(c.text))
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestVerdictPairPassed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pair   proxymock.VerdictPair
		passed bool
	}{
		"both":               {proxymock.VerdictPair{Match: "pass", BodyMatch: "pass"}, true},
		"body not compared":  {proxymock.VerdictPair{Match: "pass"}, true},
		"body differs":       {proxymock.VerdictPair{Match: "pass", BodyMatch: "fail"}, false},
		"status differs":     {proxymock.VerdictPair{Match: "fail", BodyMatch: "pass"}, false},
		"nothing was stated": {proxymock.VerdictPair{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.passed, c.pair.Passed())
		})
	}
}
