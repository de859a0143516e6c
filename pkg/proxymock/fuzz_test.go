package proxymock_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// seed adds the synthetic files with one of the prefixes and, where it is present, the corpus's files whose path contains one
// of the names.
func seed(f *testing.F, prefixes, names []string) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*"))
	if err != nil {
		f.Fatal(err)
	}
	add := func(path string) {
		// Large seeds slow the engine down without reaching new code.
		if data, err := os.ReadFile(path); err == nil && len(data) < 64<<10 {
			f.Add(data)
		}
	}
	for _, path := range files {
		for _, prefix := range prefixes {
			if strings.HasPrefix(filepath.Base(path), prefix) {
				add(path)
			}
		}
	}
	if _, err := os.Stat(corpusDir); err != nil {
		return
	}
	for _, path := range corpusFiles(f, ".md", ".json", ".jsonl", ".log") {
		for _, name := range names {
			if strings.Contains(path, name) {
				add(path)
			}
		}
	}
}

// mustEncode fails on what JSON cannot carry, above all NaN and infinity.
func mustEncode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("cannot be encoded: %v", err)
	}
	return data
}

func FuzzParseResult(f *testing.F) {
	seed(f, []string{"result-"}, []string{"summary.json", "reference.json"})
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := proxymock.ParseResult(bytes.NewReader(data))
		if (r == nil) == (err == nil) {
			t.Fatalf("result %v, error %v", r, err)
		}
		if err != nil {
			return
		}
		mustEncode(t, r)
		if seconds, known := r.ActiveSeconds(); known && seconds <= 0 {
			t.Fatalf("active for %v s", seconds)
		}
		for _, e := range r.Endpoints {
			if e.URL == proxymock.AggregateName {
				t.Fatal("the aggregate is listed as an endpoint")
			}
			for _, n := range []*int64{e.Total, e.Succeeded, e.Failed} {
				if n != nil && *n < 0 {
					t.Fatalf("negative count %d", *n)
				}
			}
		}
	})
}

func FuzzParseWindow(f *testing.F) {
	seed(f, []string{"window-"}, []string{"window.json"})
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := proxymock.ParseWindow(bytes.NewReader(data))
		if err != nil {
			return
		}
		mustEncode(t, w)
		if !w.End.After(w.Start) || !w.QueryEnd.After(w.QueryStart) || w.WindowSeconds < 1 {
			t.Fatalf("impossible window %+v", w)
		}
	})
}

func FuzzParseVerdict(f *testing.F) {
	seed(f, []string{"verdict-"}, []string{"replay-verdict.json"})
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := proxymock.ParseVerdict(bytes.NewReader(data))
		if err != nil {
			return
		}
		mustEncode(t, v)
		for _, p := range v.Pairs {
			if p.ObservedStatus != nil && *p.ObservedStatus == 0 {
				t.Fatal("a status of zero is no status")
			}
			proxymock.EndpointName(p.Method, p.Endpoint)
		}
	})
}

// usePair asks a pair everything; nothing may panic and no secret header may survive masking.
func usePair(t *testing.T, p *proxymock.Pair) {
	t.Helper()
	facts := factsOf(p)
	if facts.Pair.UUID != "" && len(facts.Pair.UUID) != 36 {
		t.Fatalf("uuid %q", facts.Pair.UUID)
	}
	if p.End().Before(p.TS) {
		t.Fatalf("ends at %v before %v", p.End(), p.TS)
	}
	before := mustEncode(t, p)
	masked := proxymock.Mask(p, proxymock.MaskOptions{Bodies: true})
	if after := mustEncode(t, p); !bytes.Equal(before, after) {
		t.Fatal("masking changed the pair")
	}
	mustEncode(t, masked)
	if masked.HTTP != nil {
		for name, values := range masked.HTTP.RequestHeaders {
			for _, value := range values {
				if proxymock.SecretName(name) && value != proxymock.Masked {
					t.Fatalf("header %s shows %q", name, value)
				}
			}
		}
	}
}

func FuzzParsePairMarkdown(f *testing.F) {
	seed(f, []string{"pair-current", "pair-signed"}, []string{".md"})
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := proxymock.ParsePair(bytes.NewReader(data), proxymock.FormMarkdown); err == nil {
			usePair(t, p)
		}
	})
}

func FuzzParsePairJSON(f *testing.F) {
	seed(f, []string{"pair-execute", "pair-chaos"}, []string{"/localhost/", "/localhost-54330/", "/orders/", "postgres-service"})
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := proxymock.ParsePair(bytes.NewReader(data), proxymock.FormJSON); err == nil {
			usePair(t, p)
		}
		for p, err := range proxymock.ParsePairLines(bytes.NewReader(data)) {
			if (p == nil) == (err == nil) {
				t.Fatalf("pair %v, error %v", p, err)
			}
		}
	})
}

func FuzzEndpointName(f *testing.F) {
	for _, target := range []string{
		"/orders/17/status?x=1", "http://localhost:8080/a/*", "/orders/%7Bid%7D", "SELECT 1", "", "https://x?y", "/a//b/", ":/ /", "/%", "-ALL-",
		"/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/e56a157a-0665-4bfa-b4cb-68b6f4a35c4e",
	} {
		f.Add("GET", target)
	}
	f.Fuzz(func(t *testing.T, method, target string) {
		name := proxymock.EndpointName(method, target)
		// The path of a name is a template of the same endpoint.
		if i := strings.IndexByte(name, '/'); i > 0 && name[i-1] == ' ' && !strings.ContainsAny(name[:i-1], " \t") {
			if again := proxymock.EndpointName(name[:i-1], name[i:]); again != name {
				t.Fatalf("%q became %q", name, again)
			}
		}
		if strings.HasPrefix(name, "GET /") && strings.ContainsAny(name, "?#") {
			t.Fatalf("%q keeps a query", name)
		}
	})
}

func FuzzParseMockLog(f *testing.F) {
	seed(f, []string{"mock"}, []string{".log"})
	f.Fuzz(func(t *testing.T, data []byte) {
		counts, err := proxymock.ParseMockLog(bytes.NewReader(data))
		if err != nil {
			return
		}
		mustEncode(t, counts)
		if lines := int64(bytes.Count(data, []byte("\n")) + 1); counts.Observed() > lines {
			t.Fatalf("%d answers in %d lines", counts.Observed(), lines)
		}
		if counts.Misses != int64(len(counts.MissDetails))+counts.MissesDropped {
			t.Fatalf("%+v loses misses", counts)
		}
	})
}

func FuzzSQLComments(f *testing.F) {
	for _, query := range []string{"SELECT 1 /*a='1'*/", "SELECT $x$ /* $x$ /* /* */ */", `E'\' "a""b" -- x`, "/*a='%'*/"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		proxymock.SQLComments(query)
		p := &proxymock.Pair{Postgres: &proxymock.Postgres{Query: query, Normalised: query, CompleteTag: query}}
		proxymock.Mask(p, proxymock.MaskOptions{Bodies: true})
		p.Postgres.AnswerMismatch()
	})
}

func FuzzMaskBody(f *testing.F) {
	for _, body := range []string{`{"a":[1,"x",null,true,{"b":{}}]}`, "[]", `"x"`, "text", `{"a":1,"a":2}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		masked := proxymock.MaskBody(body)
		if !json.Valid(body) || len(bytes.TrimSpace(body)) == 0 {
			return
		}
		if !json.Valid(masked) {
			t.Fatalf("%q became %q", body, masked)
		}
		if again := proxymock.MaskBody(masked); len(again) != 0 && !bytes.Equal(bytes.ReplaceAll(masked, []byte(`"<number>"`), []byte(`"<string>"`)),
			bytes.ReplaceAll(again, []byte(`"<number>"`), []byte(`"<string>"`))) && !bytes.Contains(masked, []byte("<boolean>")) {
			t.Fatalf("structure changed: %q, %q", masked, again)
		}
	})
}
