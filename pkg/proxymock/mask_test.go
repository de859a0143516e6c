package proxymock_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

func TestMaskHidesEverySecretAndChangesNothing(t *testing.T) {
	t.Parallel()
	const secret = "hush-hush"
	text := pairJSON(`"session":"` + secret + `","tags":{"file":"/home/` + secret + `/x.md"},"http":{"req":{"uri":"/x?access_token=` + secret +
		`&page=1&flag&api%5Fkey=` + secret + `","headers":{"authorization":["Bearer ` + secret + `"],"Cookie":["a=` + secret + `"],"X-Api-Key":["` + secret +
		`"],"X-My-Secret":["` + secret + `"],"X-Custom-Token":["` + secret + `"],"Accept":["text/plain"]}},"res":{"headers":{"Set-Cookie":["` + secret +
		`","` + secret + `"]}}}`)
	p := parsePair(t, text)
	before, err := json.Marshal(p)
	require.NoError(t, err)
	masked := proxymock.Mask(p, proxymock.MaskOptions{})
	after, err := json.Marshal(p)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "the pair itself stays")

	shown, err := json.Marshal(masked)
	require.NoError(t, err)
	assert.NotContains(t, string(shown), secret)
	assert.Equal(t, []string{"text/plain"}, masked.HTTP.RequestHeaders["Accept"])
	assert.Equal(t, []string{proxymock.Masked, proxymock.Masked}, masked.HTTP.ResponseHeaders["Set-Cookie"])
	assert.Equal(t, "/x?access_token=[masked]&page=1&flag&api%5Fkey=[masked]", masked.HTTP.URI)

	masked.HTTP.RequestHeaders["Accept"][0] = "changed"
	assert.Equal(t, "text/plain", p.HTTP.RequestHeaders.Get("Accept"), "the copy shares no memory")
	assert.Nil(t, proxymock.Mask(nil, proxymock.MaskOptions{}))
}

func TestMaskLeavesStartupSecretsOut(t *testing.T) {
	t.Parallel()
	p := parsePair(t, pairJSON(`"command":"Startup","postgres":{"request":{"startup":{"messages":[{"sasl":{"data":"hush"}},{"password":"hush"}]}},`+
		`"response":{"startup":{"messages":[{"saslFinal":{"data":"hush"}}]}}}`))
	shown, err := json.Marshal(p)
	require.NoError(t, err)
	assert.NotContains(t, string(shown), "hush", "they are never read in the first place")
}

func TestMaskBody(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ body, want string }{
		"empty":      {"", ""},
		"object":     {`{"b":"x","a":1,"c":[true,null,2.5,{"d":"y"}],"e":{},"f":[]}`, `{"b":"<string>","a":"<number>","c":["<boolean>",null,"<number>",{"d":"<string>"}],"e":{},"f":[]}`},
		"scalar":     {`"x"`, `"<string>"`},
		"key escape": {`{"a<\"b":1}`, `{"a<\"b":"<number>"}`},
		"text":       {"hello", "[masked: 5 bytes]"},
		"two values": {`{} {}`, "[masked: 5 bytes]"},
		"cut":        {`{"a":`, "[masked: 5 bytes]"},
		"binary":     {"\xff\x00", "[masked: 2 bytes]"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, string(proxymock.MaskBody([]byte(c.body))))
		})
	}
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	assert.Equal(t, deep, string(proxymock.MaskBody([]byte(deep))))
}

func TestSecretName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"authorization": true, "Set-Cookie": true, "x-api-key": true, "access_token": true, "password": true, "client_secret": true,
		"sig": true, "code": true, "key": true, "page": false, "sku": false, "Content-Type": false, "monkey": false, "tokenizer": false,
		"design": false, "Etag": false, "keyboard": false,
	} {
		assert.Equal(t, want, proxymock.SecretName(name), name)
	}
}

func TestParseMockLog(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log  string
		want string
	}{
		"silent":    {"2026-09-30 INFO started\n", "mock answers unknown"},
		"prose":     {"hit the button\nno match for words\n", "mock answers unknown"},
		"hits":      {"HIT a\nMATCH b\n", "2 mock hits, 0 misses, 0 passthroughs"},
		"misses":    {"MISS\nNO_MATCH\nNO MATCH\nNO-MATCH\n", "0 mock hits, 4 misses, 0 passthroughs"},
		"both":      {"NO_MATCH, PASSTHROUGH\n", "0 mock hits, 0 misses, 1 passthrough"},
		"totals":    {"HIT=3 NO_MATCH: 4\n{\"HIT\": 3}\nHIT", "1 mock hit, 0 misses, 0 passthroughs"},
		"no cutoff": {strings.Repeat("x", 200_000) + " HIT\n", "1 mock hit, 0 misses, 0 passthroughs"},
		"sub-words": {"HITS MISSING PASSTHROUGHS\n", "mock answers unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := proxymock.ParseMockLog(strings.NewReader(c.log))
			require.NoError(t, err)
			assert.Equal(t, c.want, got.String())
		})
	}
	_, err := proxymock.ParseMockLog(strings.NewReader("\n"))
	require.ErrorIs(t, err, proxymock.ErrIncomplete)

	many, err := proxymock.ParseMockLog(strings.NewReader(strings.Repeat("NO_MATCH GET /x?token=hush\n", 250)))
	require.NoError(t, err)
	assert.EqualValues(t, 250, many.Misses)
	assert.Len(t, many.MissDetails, 200)
	assert.EqualValues(t, 50, many.MissesDropped)
	assert.Equal(t, proxymock.MockMiss{Line: 1, Text: "NO_MATCH GET /x?token=[masked]", Method: "GET", URL: "/x?token=[masked]"}, many.MissDetails[0])
}

func TestMockCountsFromPairs(t *testing.T) {
	t.Parallel()
	var counts proxymock.MockCounts
	for _, fields := range []string{
		`"tags":{"source":"responder","match":"HIT"}`,
		`"tags":{"source":"responder","match":"MISS"},"http":{"req":{"method":"GET","uri":"/p?ts=17&token=hush"}}`,
		`"tags":{"source":"responder","match":"PASSTHROUGH"}`,
		`"tags":{"source":"responder"}`,
		`"tags":{"source":"generator","match":"pass"}`,
		`"tags":{"source":"goproxy"}`,
	} {
		counts.AddPair(parsePair(t, pairJSON(fields)))
	}
	assert.Equal(t, "1 mock hit, 1 miss, 1 passthrough, 1 unknown answer", counts.String())
	assert.Equal(t, []proxymock.MockMiss{{Method: "GET", URL: "/p?ts=17&token=[masked]"}}, counts.MissDetails)
	assert.EqualValues(t, 4, counts.Observed())
}
