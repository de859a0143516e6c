package rrpair

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corpusRecording holds Markdown pairs of proxymock 2.5.842 itself.
const corpusRecording = "../../../../../shared/corpus/mock-lab/labs/loki/proxymock/recording/localhost"

// TestRenderEqualsProxymock reads real files and writes them again: the
// stand-in's form must be theirs, byte for byte.
func TestRenderEqualsProxymock(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(corpusRecording + "/*.md")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the corpus of real files (../shared/corpus) is absent")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			pair, err := ParseMarkdown(data)
			require.NoError(t, err)
			again, err := pair.renderMarkdown()
			require.NoError(t, err)
			assert.Equal(t, string(data), string(again))
			assert.Equal(t, strings.TrimSuffix(filepath.Base(file), ".md"), pair.TS.fileName())
		})
	}
}

func httpPair(change func(*Pair)) *Pair {
	pair := New(In, time.Date(2026, 11, 30, 10, 0, 0, 120_000_000, time.UTC))
	pair.L7Protocol, pair.Duration, pair.Command, pair.Location, pair.Status = "http", 3, "GET", "/a", "200"
	pair.Tags = map[string]string{"sequence": "7", "source": "goproxy", "proxyLocation": "in"}
	pair.HTTP = &HTTP{
		Req: HTTPRequest{URL: "/a", URI: "/a?b=1&c=2", Version: "1.1", Method: "GET", Host: "localhost:8080", Headers: map[string][]string{"Host": {"localhost:8080"}}},
		Res: HTTPResponse{ContentType: "text/plain", StatusCode: 200, StatusMessage: "200 OK", Headers: map[string][]string{}},
	}
	if change != nil {
		change(pair)
	}
	return pair
}

func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(*Pair)
		ext    string
		body   string // of the response after reading
	}{
		"empty bodies":           {nil, ".md", ""},
		"text":                   {func(p *Pair) { p.HTTP.Res.Body = []byte("not found\n") }, ".md", "not found\n"},
		"text without a newline": {func(p *Pair) { p.HTTP.Res.Body = []byte("ok") }, ".md", "ok"},
		"json is indented":       {func(p *Pair) { p.HTTP.Res.Body = []byte("{\"a\":[1,2]}\n") }, ".md", "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n"},
		"header values": {func(p *Pair) {
			p.HTTP.Res.Headers["Vary"] = []string{"Origin", "Accept-Encoding"}
			p.HTTP.Res.Headers["Date"] = []string{`Thu, 13 Aug 2026 \ x`}
		}, ".md", ""},
		"a code fence in the body": {func(p *Pair) { p.HTTP.Res.Body = []byte("a\n```\nb") }, ".json", "a\n```\nb"},
		"a heading in the body":    {func(p *Pair) { p.HTTP.Res.Body = []byte("a\n### METADATA ###\n") }, ".json", "a\n### METADATA ###\n"},
		"bytes":                    {func(p *Pair) { p.HTTP.Res.Body = []byte{0xff, 0x00, 0xfe} }, ".json", "\xff\x00\xfe"},
		"no http":                  {func(p *Pair) { p.HTTP, p.Postgres = nil, map[string]any{"request": "x"} }, ".json", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writer, err := NewWriter(dir, false)
			require.NoError(t, err)
			pair := httpPair(tc.change)
			path, err := writer.Write(pair, "localhost")
			require.NoError(t, err)
			assert.Equal(t, filepath.Join(dir, "localhost", "2026-11-30_10-00-00.12Z"+tc.ext), path)
			pairs, skipped, err := Load(dir)
			require.NoError(t, err)
			require.Empty(t, skipped)
			require.Len(t, pairs, 1)
			got := pairs[0].Pair
			assert.Equal(t, pair.UUID, got.UUID)
			assert.Equal(t, pair.Tags, got.Tags)
			assert.True(t, pair.TS.Equal(got.TS.Time))
			if pair.HTTP != nil {
				assert.Equal(t, tc.body, string(got.HTTP.Res.Body))
				assert.Equal(t, pair.HTTP.Req.URI, got.HTTP.Req.URI)
				assert.Equal(t, pair.HTTP.Req.Headers, got.HTTP.Req.Headers)
				if len(pair.HTTP.Res.Headers) > 0 {
					assert.Equal(t, pair.HTTP.Res.Headers, got.HTTP.Res.Headers)
				}
			}
		})
	}
}

func TestWriterKeepsPairsOfOneInstantApart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writer, err := NewWriter(dir, false)
	require.NoError(t, err)
	seen := map[string]bool{}
	for range 3 {
		path, err := writer.Write(httpPair(nil), "localhost")
		require.NoError(t, err)
		seen[filepath.Base(path)] = true
	}
	assert.Equal(t, map[string]bool{"2026-11-30_10-00-00.12Z.md": true, "2026-11-30_10-00-00.120001Z.md": true, "2026-11-30_10-00-00.120002Z.md": true}, seen)
	assert.Equal(t, 3, writer.Written())
}

func TestJSONOnly(t *testing.T) {
	t.Parallel()
	writer, err := NewWriter(t.TempDir(), true)
	require.NoError(t, err)
	path, err := writer.Write(httpPair(nil), "localhost")
	require.NoError(t, err)
	assert.Equal(t, ".json", filepath.Ext(path))
}

func TestSafeName(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"localhost": "localhost", "api.example.com": "api.example.com", "localhost-5432": "localhost-5432",
		"::1": "__1", "../../etc": ".._.._etc", "..": "unknown", "": "unknown",
	}
	for host, want := range cases {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, want, safeName(host))
		})
	}
}

func TestLoadOrderAndForeignFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writer, err := NewWriter(dir, false)
	require.NoError(t, err)
	late := httpPair(func(p *Pair) { p.TS.Time = p.TS.Add(time.Second) })
	early := httpPair(nil)
	_, err = writer.Write(late, "a")
	require.NoError(t, err)
	path, err := writer.Write(early, "b")
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "blueprints"), 0o755))
	for name, content := range map[string]string{
		"copy.md": string(text), "quote-response.json": `{"sku":"x"}`, "README.md": "hello", "broken.json": `{"msgType":`,
		"proxymock.log": "x", "blueprints/rule.json": `{"active":true}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	pairs, skipped, err := Load(dir)
	require.NoError(t, err)
	require.Len(t, pairs, 2)
	assert.Equal(t, []ID{early.UUID, late.UUID}, []ID{pairs[0].UUID, pairs[1].UUID})
	assert.Len(t, skipped, 4, "three foreign files and one copy")
	_, _, err = Load(filepath.Join(dir, "absent"))
	require.ErrorContains(t, err, "--in")
}

func TestHTTPSignature(t *testing.T) {
	t.Parallel()
	text := func(req HTTPRequest) map[string]string {
		out := map[string]string{}
		for key, value := range HTTPSignature(&req) {
			out[key] = string(value)
		}
		return out
	}
	base := HTTPRequest{Method: "GET", Host: "api.example.com:443", URL: "/x", URI: "/x"}
	assert.Equal(t, map[string]string{SigHost: "api.example.com", SigMethod: "GET", SigURL: "/x", SigQuery: ""}, text(base))
	base.URI = "/x?a=1&b=2&b=3"
	assert.Equal(t, map[string]string{SigHost: "api.example.com", SigMethod: "GET", SigURL: "/x", SigQuery + ":a": "1", SigQuery + ":b": "2,3"}, text(base))
	one, two := base, base
	one.Body, two.Body = []byte(`{"a":1,"b":[2]}`), []byte("{\n \"b\": [2], \"a\": 1 }\n")
	assert.Equal(t, text(one), text(two), "blanks and key order do not count")
	two.Body = []byte(`{"a":1.0,"b":[2]}`)
	assert.NotEqual(t, text(one), text(two))
	one.Body = []byte("plain")
	assert.Len(t, HTTPSignature(&one)[SigBodyHash], 32)
}

func FuzzParseMarkdown(f *testing.F) {
	text, err := httpPair(func(p *Pair) { p.HTTP.Res.Body = []byte("{}") }).renderMarkdown()
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte("### REQUEST ###\n```\n```\n\njson: {}"))
	files, _ := filepath.Glob(corpusRecording + "/*.md")
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		pair, err := ParseMarkdown(data)
		if err != nil {
			return
		}
		if pair.MsgType != "rrpair" {
			t.Fatalf("accepted a file of type %q", pair.MsgType)
		}
	})
}
