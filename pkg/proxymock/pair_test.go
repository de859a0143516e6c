package proxymock_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

func parsePair(t testing.TB, text string) *proxymock.Pair {
	t.Helper()
	p, err := proxymock.ParsePair(strings.NewReader(text), proxymock.FormAuto)
	require.NoError(t, err)
	return p
}

// pairJSON is a small pair with further fields spliced in.
func pairJSON(fields string) string {
	return `{"msgType":"rrpair","ts":"2026-09-30T11:02:10Z","l7protocol":"http","direction":"OUT",` + fields + `}`
}

func TestParsePairRefuses(t *testing.T) {
	t.Parallel()
	current := string(readData(t, "pair-current.md"))
	execute := string(readData(t, "pair-execute.json"))
	cases := map[string]struct {
		text string
		want error
		says string
	}{
		"empty":                       {"", proxymock.ErrIncomplete, "empty"},
		"blank":                       {"\n\n ", proxymock.ErrIncomplete, "empty"},
		"markdown cut in the body":    {current[:strings.Index(current, "json:")], proxymock.ErrIncomplete, "before its json line"},
		"markdown cut in the line":    {current[:len(current)-80], proxymock.ErrIncomplete, "middle"},
		"json cut":                    {execute[:len(execute)/2], proxymock.ErrIncomplete, "middle"},
		"json malformed":              {`{"msgType": rrpair}`, proxymock.ErrMalformed, ""},
		"no time":                     {`{"msgType": "rrpair"}`, proxymock.ErrMalformed, "ts"},
		"another object":              {`{"sku": "SSC-4110", "ts": 5}`, proxymock.ErrNotPair, "msgType"},
		"another message":             {`{"msgType": "audit"}`, proxymock.ErrNotPair, "audit"},
		"an array":                    {`["a"]`, proxymock.ErrNotPair, ""},
		"notes":                       {"# Recording\n\nText.\n", proxymock.ErrNotPair, "no json line"},
		"notes that quote a pair":     {"# Notes\n\njson: {\"msgType\":\"rrpair\n", proxymock.ErrNotPair, ""},
		"a log":                       {"2026-01-01 INFO started\n", proxymock.ErrNotPair, ""},
		"February 2025":               {"# Request\n```\nGET / HTTP/2\n```\n# Response\n", proxymock.ErrUnsupported, "February 2025"},
		"February 2025 after a blank": {"\r\n# Request\r\n", proxymock.ErrUnsupported, "February 2025"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := proxymock.ParsePair(strings.NewReader(c.text), proxymock.FormAuto)
			require.ErrorIs(t, err, c.want)
			assert.Contains(t, err.Error(), c.says)
			assert.Nil(t, got)
		})
	}
	broken := errors.New("disk gone")
	_, err := proxymock.ParsePair(iotest.ErrReader(broken), proxymock.FormMarkdown)
	require.ErrorIs(t, err, broken)
}

func TestMarkdownSurvivesOtherLineEnds(t *testing.T) {
	t.Parallel()
	want := parsePair(t, string(readData(t, "pair-current.md")))
	got := parsePair(t, "\xef\xbb\xbf"+strings.ReplaceAll(string(readData(t, "pair-current.md")), "\n", "\r\n"))
	assert.Equal(t, want, got)
}

func TestSpacingDoesNotMatter(t *testing.T) {
	t.Parallel()
	text := string(readData(t, "pair-chaos.json"))
	var spaced bytes.Buffer
	require.NoError(t, json.Indent(&spaced, []byte(text), " ", "\t"))
	assert.Equal(t, parsePair(t, text), parsePair(t, spaced.String()))
}

func TestKindAndMatch(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		fields string
		kind   proxymock.PairKind
		match  proxymock.Match
	}{
		"recorded":               {`"tags":{"source":"goproxy"}`, proxymock.KindRecording, proxymock.MatchNone},
		"replayed, pass":         {`"tags":{"source":"generator","match":"pass"}`, proxymock.KindReplay, proxymock.MatchPass},
		"replayed, fail":         {`"tags":{"source":"generator","match":"FAIL"}`, proxymock.KindReplay, proxymock.MatchFail},
		"replayed, older":        {`"tags":{"source":"generator"}`, proxymock.KindReplay, proxymock.MatchNone},
		"mock hit":               {`"tags":{"source":"responder","match":"HIT"}`, proxymock.KindMock, proxymock.MatchHit},
		"mock match":             {`"tags":{"source":"responder","match":"MATCH"}`, proxymock.KindMock, proxymock.MatchHit},
		"mock miss":              {`"tags":{"source":"responder","match":"MISS"}`, proxymock.KindMock, proxymock.MatchMiss},
		"mock no match":          {`"tags":{"source":"responder","match":"NO_MATCH"}`, proxymock.KindMock, proxymock.MatchMiss},
		"mock no match in words": {`"tags":{"source":"responder","match":"no match"}`, proxymock.KindMock, proxymock.MatchMiss},
		"mock pass is through":   {`"tags":{"source":"responder","match":"PASS"}`, proxymock.KindMock, proxymock.MatchPassthrough},
		"mock fail is a miss":    {`"tags":{"source":"responder","match":"FAIL"}`, proxymock.KindMock, proxymock.MatchMiss},
		"mock passthrough":       {`"tags":{"source":"responder","match":"PASSTHROUGH","proxyVersion":"v2.5.842"}`, proxymock.KindMock, proxymock.MatchPassthrough},
		"early recorded call":    {`"tags":{"source":"responder","match":"PASSTHROUGH","proxyVersion":"v2.3.564"}`, proxymock.KindRecording, proxymock.MatchPassthrough},
		"field instead of a tag": {`"tags":{"source":"responder"},"responderMatch":"HIT"`, proxymock.KindMock, proxymock.MatchHit},
		"stale header is mute": {`"tags":{"source":"responder","match":"HIT"},"http":{"res":{"headers":{"X-Speedscale-Cache-Passthrough":["true"]}}}`,
			proxymock.KindMock, proxymock.MatchHit},
		"no source, reference": {`"tags":{"refUuid":"11111111-1111-4111-8111-111111111111"}`, proxymock.KindReplay, proxymock.MatchNone},
		"no tags":              {`"uuid":null`, proxymock.KindRecording, proxymock.MatchNone},
		"unknown word":         {`"tags":{"match":"perhaps"}`, proxymock.KindRecording, proxymock.MatchNone},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := parsePair(t, pairJSON(c.fields))
			assert.Equal(t, c.kind, p.Kind())
			assert.Equal(t, c.match, p.Match())
		})
	}
}

func TestDurationKnown(t *testing.T) {
	t.Parallel()
	const http = `,"http":{"req":{"version":"1.1","method":"GET","url":"/"}}`
	execute := `,"postgres":{"request":{"execute":{}},"response":{"execute":{"messages":[]}}}`
	cases := map[string]struct {
		fields string
		known  bool
		took   time.Duration
	}{
		"outbound, 1 ms":                 {`"duration":1,"tags":{"proxyType":"dual","proxyVersion":"v2.5.842"}` + http, false, 0},
		"outbound, 1 ms, version hidden": {`"duration":1,"tags":{"proxyType":"dual","proxyVersion":"undefined"},"elapsed":"0.00017s"` + http, false, 0},
		"outbound, 40 ms":                {`"duration":40` + http, true, 40 * time.Millisecond},
		"outbound, 1 ms, early build":    {`"duration":1,"tags":{"proxyType":"dual","proxyVersion":"v2.3.645"}` + http, true, time.Millisecond},
		"outbound, 1 ms, cluster":        {`"duration":1,"tags":{"proxyType":"transparent","proxyVersion":"v2.5.814"}` + http, true, time.Millisecond},
		"outbound, 1 ms, cluster, h2": {`"duration":1,"tags":{"proxyType":"transparent"},"http":{"req":{"version":"2.0"}}`,
			false, 0},
		"outbound, kernel capture": {`"duration":1,"tags":{"proxyType":"none","captureMode":"eBPF"}` + http, true, time.Millisecond},
		"inbound, 1 ms":            {`"duration":1,"direction":"IN"` + http, true, time.Millisecond},
		"microseconds win":         {`"duration":7,"elapsed":"0.007654s","direction":"IN"` + http, true, 7654 * time.Microsecond},
		"absent":                   {`"tags":{}` + http, false, 0},
		"execution":                {`"duration":1` + execute, false, 0},
		"prepare":                  {`"duration":11,"postgres":{"request":{"parse":{}}}`, true, 11 * time.Millisecond},
		"mis-paired answer": {`"duration":105445,"location":"ROLLBACK","postgres":{"request":{"query":{"query":"ROLLBACK"}},` +
			`"response":{"query":{"messages":[{"complete":{"tag":"DISCARD ALL"}}]}}}`, false, 0},
		"negative":     {`"duration":-5,"direction":"IN"` + http, false, 0},
		"not a number": {`"duration":"soon","direction":"IN"` + http, false, 0},
		"years":        {`"duration":9000000000000,"direction":"IN"` + http, false, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := parsePair(t, pairJSON(c.fields))
			assert.Equal(t, c.known, p.DurationKnown())
			assert.Equal(t, c.known, p.DurationDoubt() == "")
			took, known := p.Took()
			assert.Equal(t, c.known, known)
			assert.Equal(t, c.took, took)
			assert.False(t, p.End().Before(p.TS))
		})
	}
}

func TestStatusUserAndChaos(t *testing.T) {
	t.Parallel()
	status := func(p *proxymock.Pair) string {
		code, known := p.StatusCode()
		return fmt.Sprint(code, known)
	}
	assert.Equal(t, "502 true", status(parsePair(t, pairJSON(`"status":"200","http":{"res":{"statusCode":502}}`))))
	assert.Equal(t, "200 true", status(parsePair(t, pairJSON(`"status":"0","http":{"res":{"statusCode":200}}`))))
	assert.Equal(t, "0 false", status(parsePair(t, pairJSON(`"status":"200","http":{"req":{}}`))))
	assert.Equal(t, "0 false", status(parsePair(t, pairJSON(`"status":"OK"`))))

	for fields, want := range map[string]bool{
		`"tags":{"chaos":"latency"}`: true, `"tags":{"chaos":"none"}`: false, `"chaos":{"kind":"abort"}`: true, `"chaos":null`: false,
		`"chaos":{}`: false, `"http":{"res":{"headers":{"x-speedscale-chaos":["none"]}}}`: false,
		`"http":{"res":{"headers":{"X-Speedscale-Chaos":["latency"]}}}`: true, `"tags":{}`: false,
	} {
		assert.Equal(t, want, parsePair(t, pairJSON(fields)).ChaosAffected(), fields)
	}
}

func TestUUIDForms(t *testing.T) {
	t.Parallel()
	const want = "00010203-0405-4607-8809-0a0b0c0d0e0f"
	for name, text := range map[string]string{
		"base64": "AAECAwQFRgeICQoLDA0ODw==", "hex": want, "capitals": strings.ToUpper(want), "no dashes": strings.ReplaceAll(want, "-", ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := parsePair(t, pairJSON(`"uuid":"`+text+`","tags":{"refUuid":"`+text+`"}`))
			assert.Equal(t, want, p.UUID)
			assert.Equal(t, want, p.RefUUID)
			assert.Empty(t, p.Problems)
		})
	}
	p := parsePair(t, pairJSON(`"uuid":"nonsense","tags":{"refUuid":"undefined"}`))
	assert.Empty(t, p.UUID)
	assert.Empty(t, p.RefUUID)
	assert.Len(t, p.Problems, 1, "the placeholder is no problem, nonsense is one")
}

func TestParsePairLines(t *testing.T) {
	t.Parallel()
	long := pairJSON(`"command":"` + strings.Repeat("x", 300_000) + `"`)
	text := "# comment\n\n{\"sku\":\"a\"}\n" + pairJSON(`"command":"one"`) + "\r\n" + long + "\n{\"msgType\":\"rrpair\"}\n// more\n" +
		pairJSON(`"command":"three"`) + "\n" + `{"msgType":"rrpair","ts":"2026`
	var commands []string
	var failed []error
	for p, err := range proxymock.ParsePairLines(strings.NewReader(text)) {
		if err != nil {
			assert.Nil(t, p)
			failed = append(failed, err)
			continue
		}
		commands = append(commands, p.Command[:min(5, len(p.Command))])
	}
	assert.Equal(t, []string{"one", "xxxxx", "three"}, commands)
	require.Len(t, failed, 2)
	require.ErrorIs(t, failed[0], proxymock.ErrMalformed)
	require.ErrorIs(t, failed[1], proxymock.ErrIncomplete)
	var line *proxymock.LineError
	require.ErrorAs(t, failed[0], &line)
	assert.Equal(t, 6, line.Line)

	for p, err := range proxymock.ParsePairLines(strings.NewReader(text)) {
		require.NoError(t, err)
		assert.Equal(t, "one", p.Command)
		break // ending early must not panic
	}
	broken := errors.New("disk gone")
	for _, err := range proxymock.ParsePairLines(iotest.ErrReader(broken)) {
		require.ErrorIs(t, err, broken)
	}
}
