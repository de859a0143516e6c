package compare

import (
	"encoding/json"
	"testing"
)

// FuzzDiffJSON holds what must hold for every pair of bodies: no panic, a body equals itself, and the
// differences are the same fields both ways round.
func FuzzDiffJSON(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":1}`, `{"a":1.0}`},
		{`{"sku":"SSC-4110","quantity":3,"total_cents":5697}`, `{"sku":"SSC-4110","quantity":3,"total_cents":"5697"}`},
		{`[1,[2,{"x":null}]]`, `[1,[2,{"x":false}],3]`},
		{`{"a":1e999999999}`, `{"a":-0}`},
		{`{"a":1,"a":2}`, `{"a":2}`},
		{`"text"`, `not json`},
		{`{"0f0f0f0f-0000-4000-8000-000000000001":1}`, `{"2026":{"]":"["}}`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, x, y []byte) {
		b, okB := parseJSON(x)
		c, okC := parseJSON(y)
		if okB && !json.Valid(x) {
			t.Fatalf("%q is taken for JSON", x)
		}
		if !okB || !okC {
			return
		}
		diffJSON(fieldPath{}, b, b, func(d delta) { t.Fatalf("a body differs from itself in %s", d.path.exact) })
		there, back := map[string]bool{}, map[string]bool{}
		diffJSON(fieldPath{}, b, c, func(d delta) { there[d.path.exact] = true; show(d.baseline, true); show(d.candidate, false) })
		diffJSON(fieldPath{}, c, b, func(d delta) { back[d.path.exact] = true })
		if len(there) != len(back) {
			t.Fatalf("%v one way, %v the other", there, back)
		}
		for p := range there {
			if !back[p] {
				t.Fatalf("%s differs one way only", p)
			}
		}
	})
}

func FuzzIgnoreEntry(f *testing.F) {
	for _, s := range []string{".a", "header X", "body .i[*].id", "http.res.headers.X-Request-Id[0]", "$", "[", "*", `["a b"]`, "http.res.bodyBase64.total"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, entry string) {
		ig := newIgnores([]string{entry})
		ig.inProfile(".total.at")
	})
}

func BenchmarkDiffResponses(b *testing.B) {
	body := []byte(`{"sku":"SSC-4110","quantity":3,"unit_price_cents":1899,"total_cents":5697,"currency":"USD","items":[{"id":1,"p":2},{"id":2,"p":3}]}`)
	for b.Loop() {
		v, _ := parseJSON(body)
		w, _ := parseJSON(body)
		diffJSON(fieldPath{}, v, w, func(delta) {})
	}
}
