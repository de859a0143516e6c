package blueprint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

func load(t *testing.T, text string) (*Set, error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "blueprints"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "blueprints", "rule.json"), []byte(text), 0o644))
	return Load(dir)
}

func TestApply(t *testing.T) {
	t.Parallel()
	const queryRule = `{"extractor":{"type":"http_queryparam","config":{"index":"0","name":"ts"}},"transforms":[{"type":"constant","config":{"new":"*"}}]}`
	const bodyRule = `{"extractor":{"type":"req_body"},"transforms":[{"type":"json_path","config":{"path":"payment.token"}},{"type":"constant","config":{"new":"*"}}]}`
	const filtered = `{"filters":{"filters":[{"include":true,"operator":"CONTAINS","network_address":"catalog"},{"include":true,"detectedCommand":"GET"}]},` +
		`"extractor":{"type":"http_queryparam","config":{"name":"ts"}},"transforms":[{"type":"constant","config":{"new":"*"}}]}`
	cases := map[string]struct {
		rule           string
		req            rrpair.HTTPRequest
		uri, body      string
		rules, ignored int
	}{
		"query parameter":        {queryRule, rrpair.HTTPRequest{URI: "/p?ts=17&id=2"}, "/p?id=2&ts=%2A", "", 1, 0},
		"parameter absent":       {queryRule, rrpair.HTTPRequest{URI: "/p?id=2"}, "/p?id=2", "", 1, 0},
		"no query":               {queryRule, rrpair.HTTPRequest{URI: "/p"}, "/p", "", 1, 0},
		"body field":             {bodyRule, rrpair.HTTPRequest{URI: "/p", Body: []byte(`{"payment":{"token":"x","sum":1}}`)}, "/p", `{"payment":{"sum":1,"token":"*"}}`, 1, 0},
		"body field absent":      {bodyRule, rrpair.HTTPRequest{URI: "/p", Body: []byte(`{"payment":1}`)}, "/p", `{"payment":1}`, 1, 0},
		"body is no JSON":        {bodyRule, rrpair.HTTPRequest{URI: "/p", Body: []byte(`token`)}, "/p", `token`, 1, 0},
		"filter holds":           {filtered, rrpair.HTTPRequest{URI: "/p?ts=1", Host: "catalog:80", Method: "GET"}, "/p?ts=%2A", "", 1, 0},
		"filter on another host": {filtered, rrpair.HTTPRequest{URI: "/p?ts=1", Host: "other:80", Method: "GET"}, "/p?ts=1", "", 1, 0},
		"filter on another verb": {filtered, rrpair.HTTPRequest{URI: "/p?ts=1", Host: "catalog:80", Method: "PUT"}, "/p?ts=1", "", 1, 0},
		"unknown rule":           {`{"extractor":{"type":"res_body"},"transforms":[{"type":"dlp_field"}]}`, rrpair.HTTPRequest{URI: "/p?ts=1"}, "/p?ts=1", "", 0, 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := load(t, `{"name":"rules","active":true,"tokenizeConfig":{"responder":[`+tc.rule+`]}}`)
			require.NoError(t, err)
			assert.Equal(t, tc.rules, set.Len())
			assert.Len(t, set.Ignored, tc.ignored)
			got := set.Apply(tc.req)
			assert.Equal(t, tc.uri, got.URI)
			assert.Equal(t, tc.body, string(got.Body))
		})
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	set, err := Load(t.TempDir())
	require.NoError(t, err)
	assert.Zero(t, set.Len(), "no blueprints directory masks nothing")
	_, err = load(t, `{`)
	require.ErrorContains(t, err, "rule.json")
	set, err = load(t, `{"name":"off","active":false,"tokenizeConfig":{"responder":[{}]}}`)
	require.NoError(t, err)
	assert.Zero(t, set.Len())
	assert.Equal(t, []string{"off: not active"}, set.Ignored)
}

func TestLoadRealBlueprint(t *testing.T) {
	t.Parallel()
	const dir = "../../../../../shared/corpus/demo/go-drift-demo/proxymock"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the corpus of real files (../shared/corpus) is absent")
	}
	set, err := Load(dir)
	require.NoError(t, err)
	assert.Equal(t, 11, set.Len())
	assert.Empty(t, set.Ignored)
	masked := set.Apply(rrpair.HTTPRequest{URI: "/x?cache_bust=1&keep=2"})
	assert.Equal(t, "/x?cache_bust=%2A&keep=2", masked.URI)
}
