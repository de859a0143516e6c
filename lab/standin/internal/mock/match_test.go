package mock

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/standin/internal/blueprint"
	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

func recorded(uri, body, source string) rrpair.Loaded {
	pair := rrpair.New(rrpair.Out, time.Unix(0, 0))
	pair.Tags["source"] = source
	pair.HTTP = &rrpair.HTTP{Req: request(uri), Res: rrpair.HTTPResponse{StatusCode: 200, Body: []byte(body)}}
	return rrpair.Loaded{Pair: pair}
}

func request(uri string) rrpair.HTTPRequest {
	path := uri
	for i, r := range uri {
		if r == '?' {
			path = uri[:i]
			break
		}
	}
	return rrpair.HTTPRequest{Method: "GET", Host: "catalog:8090", URL: path, URI: uri}
}

func TestIndexFindsAndExplains(t *testing.T) {
	t.Parallel()
	pairs := []rrpair.Loaded{
		recorded("/p/flux?ts=1", "first", "goproxy"),
		recorded("/p/flux?ts=1", "second", "goproxy"),
		recorded("/p/argo?ts=2&x=1", "argo", "goproxy"),
		recorded("/replayed", "never", "generator"),
	}
	ix := newIndex(pairs, &blueprint.Set{})
	assert.Equal(t, 3, ix.size(), "replayed pairs answer nothing")

	req := request("/p/flux?ts=1")
	entry, ok := ix.find(ix.signature(&req))
	require.True(t, ok)
	var bodies []string
	for range 3 {
		bodies = append(bodies, string(entry.take().HTTP.Res.Body))
	}
	assert.Equal(t, []string{"first", "second", "first"}, bodies, "recorded order, then again from the start")

	cases := map[string]struct {
		uri  string
		want difference
	}{
		"one parameter":    {"/p/flux?ts=9", difference{[]string{"http:queryparams:ts"}, "1", "9"}},
		"parameter absent": {"/p/argo?ts=2", difference{[]string{"http:queryparams:x"}, "1", "(absent)"}},
		"never recorded":   {"/p/helm?ts=1", difference{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := request(tc.uri)
			signature := ix.signature(&req)
			_, ok := ix.find(signature)
			assert.False(t, ok)
			assert.Equal(t, tc.want, ix.explain(signature))
		})
	}
}

func TestMaskedParameterStillMatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "blueprints"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "blueprints", "ts.json"), []byte(`{"active":true,"tokenizeConfig":{"responder":[
		{"extractor":{"type":"http_queryparam","config":{"name":"ts"}},"transforms":[{"type":"constant","config":{"new":"*"}}]}]}}`), 0o644))
	masks, err := blueprint.Load(dir)
	require.NoError(t, err)
	ix := newIndex([]rrpair.Loaded{recorded("/p/flux?ts=1", "flux", "goproxy")}, masks)
	req := request("/p/flux?ts=424242")
	_, ok := ix.find(ix.signature(&req))
	assert.True(t, ok)
	req = request("/p/flux")
	_, ok = ix.find(ix.signature(&req))
	assert.False(t, ok, "a mask does not invent the parameter")
}

func TestParseTiming(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		text string
		want time.Duration // of a recorded millisecond
		bad  bool
	}{
		"factor":        {"40x", 40 * time.Millisecond, false},
		"fraction":      {"0.5x", 500 * time.Microsecond, false},
		"recorded":      {"recorded", time.Millisecond, false},
		"none":          {"none", 0, false},
		"default":       {"", 0, false},
		"no unit":       {"40", 0, true},
		"negative":      {"-1x", 0, true},
		"not a number":  {"NaNx", 0, true},
		"without limit": {"Infx", 0, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timing, err := ParseTiming(tc.text)
			if tc.bad {
				require.ErrorContains(t, err, "--mock-timing")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tc.want, timing.delay(1))
		})
	}
}
