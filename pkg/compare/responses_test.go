package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/compare/comparetest"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// answer is one response in short: the body, then headers as "Name: value".
func answer(status int, body string, headers ...string) evidence.Response {
	r := evidence.Response{RefUUID: "r1", Endpoint: "GET /x", Status: status, Headers: map[string][]string{"Content-Type": {"application/json"}}, Body: []byte(body), Path: "x.md"}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if value == "" {
			delete(r.Headers, name)
			continue
		}
		r.Headers[name] = []string{value}
	}
	return r
}

func withResponses(s evidence.Side, responses ...evidence.Response) evidence.Side {
	s.Responses = nil
	for i, r := range responses {
		r.Ordinal = i
		s.Responses = append(s.Responses, r)
	}
	return s
}

func TestResponseDifferences(t *testing.T) {
	t.Parallel()
	type list = []evidence.Response
	for name, test := range map[string]struct {
		baseline, candidate list
		ignore              []string
		// want are "kind field: baseline → candidate".
		want    []string
		ignored []string
	}{
		"equal": {list{answer(200, `{"a":1}`)}, list{answer(200, `{"a":1}`)}, nil, nil, nil},
		"order of fields and spaces do not matter": {list{answer(200, `{"a":1,"b":[1,2]}`)}, list{answer(200, " {\"b\": [1, 2],\n \"a\": 1}\n")}, nil, nil, nil},
		"numbers compare by value":                 {list{answer(200, `{"a":1,"b":100,"c":0.1}`)}, list{answer(200, `{"a":1.0,"b":1e2,"c":1e-1}`)}, nil, nil, nil},
		"large numbers keep every digit": {list{answer(200, `{"a":12345678901234567890}`)}, list{answer(200, `{"a":12345678901234567891}`)}, nil,
			[]string{"value_changed body .a: 12345678901234567890 → 12345678901234567891"}, nil},
		"an exponent that no memory holds": {list{answer(200, `{"a":1e999999999}`)}, list{answer(200, `{"a":1e999999998}`)}, nil, []string{"value_changed body .a: 1e999999999 → 1e999999998"}, nil},
		"value":                            {list{answer(200, `{"a":{"b":"x"}}`)}, list{answer(200, `{"a":{"b":"y"}}`)}, nil, []string{`value_changed body .a.b: "x" → "y"`}, nil},
		"number became text":               {list{answer(200, `{"total_cents":1600}`)}, list{answer(200, `{"total_cents":"1600"}`)}, nil, []string{`type_changed body .total_cents: 1600 → "1600"`}, nil},
		"null is not absent":               {list{answer(200, `{"a":null}`)}, list{answer(200, `{}`)}, nil, []string{"field_removed body .a: null → absent"}, nil},
		"field added":                      {list{answer(200, `{}`)}, list{answer(200, `{"a b":[1]}`)}, nil, []string{`field_added body ["a b"]: absent → [1]`}, nil},
		"element removed":                  {list{answer(200, `[{"p":1},{"p":2}]`)}, list{answer(200, `[{"p":1}]`)}, nil, []string{`field_removed body [1]: {"p":2} → absent`}, nil},
		"element differs":                  {list{answer(200, `{"i":[{"p":1},{"p":2}]}`)}, list{answer(200, `{"i":[{"p":1},{"p":3}]}`)}, nil, []string{"value_changed body .i[1].p: 2 → 3"}, nil},
		"object became a list":             {list{answer(200, `{"a":{}}`)}, list{answer(200, `{"a":[]}`)}, nil, []string{"type_changed body .a: {} → []"}, nil},
		"status":                           {list{answer(201, `{}`)}, list{answer(200, `{}`)}, nil, []string{"status_changed status: 201 → 200"}, nil},
		"content type": {list{answer(200, `{}`)}, list{answer(200, `{}`, "Content-Type: text/plain")}, nil,
			[]string{"header_changed header Content-Type: application/json → text/plain"}, nil},
		"content type in another spelling": {list{answer(200, `{}`, "Content-Type: application/json; charset=utf-8")}, list{answer(200, `{}`, "Content-Type: application/json;Charset=utf-8")}, nil, nil, nil},
		"stable header":                    {list{answer(200, `{}`, "Cache-Control: no-store")}, list{answer(200, `{}`)}, nil, []string{"header_removed header Cache-Control: no-store → absent"}, nil},
		"secrets stay masked": {list{answer(200, `{}`, "Set-Cookie: sid=secret")}, list{answer(200, `{}`, "Set-Cookie: sid=other1")}, nil,
			[]string{"header_changed header Set-Cookie: string of 10 characters → string of 10 characters"}, nil},
		"fixed list": {list{answer(200, `{"a":1,"requestId":"x"}`, "Date: Mon", "X-Request-Id: 1", "traceparent: 00-1", "X-Speedscale-Chaos: 1")},
			list{answer(200, `{"a":1,"requestId":"y"}`, "Date: Tue", "X-Request-Id: 2", "traceparent: 00-2")}, nil, nil,
			[]string{"body .requestId (fixed list)", "header Date (fixed list)", "header Traceparent (fixed list)", "header X-Request-Id (fixed list)", "header X-Speedscale-Chaos (fixed list)"}},
		"volatile among the baseline's repeats": {list{answer(200, `{"at":"10:00","v":1}`, "ETag: 1"), answer(200, `{"at":"10:01","v":1}`, "ETag: 2")}, list{answer(200, `{"at":"11:00","v":1}`, "ETag: 3")}, nil, nil,
			[]string{"body .at (differs among the baseline's repeats)", "header Etag (differs among the baseline's repeats)"}},
		"volatile hides nothing else": {list{answer(200, `{"at":1,"v":1}`), answer(200, `{"at":2,"v":1}`)}, list{answer(200, `{"at":3,"v":2}`)}, nil,
			[]string{"value_changed body .v: 1 → 2"}, []string{"body .at (differs among the baseline's repeats)"}},
		"a list of changing length still has values": {list{answer(200, `{"i":[{"p":1}]}`), answer(200, `{"i":[{"p":1},{"p":1}]}`)}, list{answer(200, `{"i":[{"p":9}]}`)}, nil,
			[]string{"value_changed body .i[0].p: 1 → 9"}, nil},
		"ids as keys": {list{answer(200, `{"0f0f0f0f-0000-4000-8000-000000000001":{"p":1}}`), answer(200, `{"0f0f0f0f-0000-4000-8000-000000000002":{"p":1}}`)},
			list{answer(200, `{"0f0f0f0f-0000-4000-8000-000000000003":{"p":1}}`)}, nil, nil, []string{"body .* (differs among the baseline's repeats)"}},
		"profile: field": {list{answer(200, `{"v":"1","w":{"x":1}}`)}, list{answer(200, `{"v":"2","w":{"x":2}}`)}, []string{".v", "body .w"}, nil,
			[]string{"body .v (profile)", "body .w (profile)"}},
		"profile: element and header": {list{answer(200, `{"i":[{"id":1},{"id":2}]}`, "X-Version: 1")}, list{answer(200, `{"i":[{"id":3},{"id":4}]}`, "X-Version: 2")}, []string{"i[*].id", "header x-version"}, nil,
			[]string{"body .i[].id (profile)", "header X-Version (profile)"}},
		"profile: proxymock's address": {list{answer(200, `{"generated_at":1}`)}, list{answer(200, `{"generated_at":2}`)}, []string{"http.res.bodyBase64.generated_at"}, nil, []string{"body .generated_at (profile)"}},
		"profile: a longer name is another field": {list{answer(200, `{"price":1,"price_old":1}`)}, list{answer(200, `{"price":2,"price_old":2}`)}, []string{"price"},
			[]string{"value_changed body .price_old: 1 → 2"}, []string{"body .price (profile)"}},
		"profile: not met":           {list{answer(200, `{"a":1}`)}, list{answer(200, `{"a":1}`)}, []string{".nope"}, nil, nil},
		"text":                       {list{answer(200, "hello")}, list{answer(200, "hallo")}, nil, []string{`body_changed body: "hello" → "hallo"`}, nil},
		"JSON became text":           {list{answer(200, `{"a":1}`)}, list{answer(200, "oops")}, nil, []string{`body_changed body: "{\"a\":1}" → "oops"`}, nil},
		"two documents are not JSON": {list{answer(200, `{} {}`)}, list{answer(200, `{} {}`)}, nil, nil, nil},
		"volatile text":              {list{answer(200, "1"), answer(200, "x")}, list{answer(200, "y")}, nil, nil, []string{"body (differs among the baseline's repeats)"}},
		"body vanished":              {list{answer(200, `{"a":1}`)}, list{answer(200, ``)}, nil, []string{`body_changed body: "{\"a\":1}" → ""`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, c := withResponses(comparetest.Baseline(), test.baseline...), withResponses(comparetest.Candidate(), test.candidate...)
			p := comparetest.Profile()
			p.Ignore = test.ignore
			opts := options
			opts.ShowValues = true
			out := compare.Compare(b, c, p, opts)
			var got, ignored []string
			for _, d := range out.Responses.Differences {
				got = append(got, fmt.Sprintf("%s %s: %s → %s", d.Kind, d.Field, d.Baseline, d.Candidate))
			}
			for _, f := range out.Responses.Ignored {
				ignored = append(ignored, fmt.Sprintf("%s (%s)", f.Field, f.Reason))
			}
			assert.Equal(t, test.want, got)
			if test.ignored != nil {
				assert.Equal(t, test.ignored, ignored)
			}
			want := compare.Unchanged
			if len(test.want) > 0 {
				want = compare.Changed
			}
			assert.Equal(t, want, out.Verdict.Behaviour.Answer, out.Verdict.Behaviour.Headline)
			// The other way round the same fields differ.
			back := compare.Compare(c, b, p, opts)
			if len(test.baseline) == 1 && len(test.candidate) == 1 {
				assert.Len(t, back.Responses.Differences, len(got))
			}
		})
	}
}

// Values of recorded traffic can hold secrets: they are shown on request only.
func TestValuesAreMasked(t *testing.T) {
	t.Parallel()
	b := withResponses(comparetest.Baseline(), answer(200, `{"token":"s3cr3t-one","n":[1,2],"o":{"a":1}}`, "X-Tenant: s3cr3t"))
	c := withResponses(comparetest.Candidate(), answer(200, `{"token":"s3cr3t-two"}`, "X-Tenant: s3cr3t2"))
	out := judge(t, b, c)
	require.Len(t, out.Responses.Differences, 4)
	for _, d := range out.Responses.Differences {
		assert.True(t, d.Masked)
		assert.NotContains(t, d.Baseline+d.Candidate, "s3cr3t")
	}
	assert.NotContains(t, texts(out.Verdict.Behaviour), "s3cr3t")
}

// Repeats of one recorded pair: all are compared, each difference is listed once and counted.
func TestRepeatsOfOnePair(t *testing.T) {
	t.Parallel()
	b := withResponses(comparetest.Baseline(), answer(200, `{"a":1}`))
	c := withResponses(comparetest.Candidate(), answer(200, `{"a":1}`), answer(200, `{"a":2}`), answer(200, `{"a":2}`))
	out := judge(t, b, c)
	require.Len(t, out.Responses.Differences, 1)
	assert.EqualValues(t, 2, out.Responses.Differences[0].Count)
	assert.EqualValues(t, 3, out.Responses.Compared)
	assert.EqualValues(t, 1, out.Responses.Pairs)
}

// A baseline that answers one request with two statuses cannot say what is right.
func TestUnsteadyBaseline(t *testing.T) {
	t.Parallel()
	b := withResponses(comparetest.Baseline(), answer(200, `{}`), answer(503, `{}`))
	c := withResponses(comparetest.Candidate(), answer(200, `{}`), answer(200, `{}`))
	out := judge(t, b, c)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Behaviour.Answer)
	assert.Contains(t, codes(out.Verdict.Behaviour), compare.CodeBaselineUnsteady)
}

func TestChaosIsLeftOut(t *testing.T) {
	t.Parallel()
	broken := answer(500, `{}`)
	broken.ChaosAffected = true
	b := withResponses(comparetest.Baseline(), answer(200, `{}`))
	c := withResponses(comparetest.Candidate(), answer(200, `{}`), broken)
	out := judge(t, b, c)
	assert.Equal(t, compare.Unchanged, out.Verdict.Behaviour.Answer)
	assert.Contains(t, out.Responses.Text, "1 response was left out, because faults were injected")
}

// What could not be compared is said beside the zero.
func TestPartialCoverage(t *testing.T) {
	t.Parallel()
	eight := func(s evidence.Side) evidence.Side {
		s.Recording.InboundPairs = comparetest.Ptr(int64(8))
		return s
	}
	b, c := eight(withResponses(comparetest.Baseline(), answer(200, `{}`))), eight(withResponses(comparetest.Candidate(), answer(200, `{}`)))
	out := judge(t, b, c)
	assert.Equal(t, compare.Unchanged, out.Verdict.Behaviour.Answer, "the replay scored all of them")
	assert.Equal(t, compare.PartlyCompared, out.Responses.State)
	assert.Contains(t, out.Responses.Text, "0 differences in 1 of 8 pairs")
	assert.Contains(t, codes(out.Verdict.Behaviour), compare.CodeNotAllCompared)
	assert.Contains(t, limits(out), compare.LimitPartlyCompared)

	// Without the replay's own score, seven unknown pairs are seven unknown pairs.
	c.Functional.MatchPct = nil
	c.Functional.Reasons["matchPct"] = evidence.ReasonNotScored
	out = judge(t, b, c)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Behaviour.Answer)
	assert.Contains(t, out.Verdict.Behaviour.Headline, "only 1 of 8 pairs could be compared")
}

// Two recordings have no repeats: ids and times made at run time are known by their form, other values count.
func TestRecordingsPairedByOrder(t *testing.T) {
	t.Parallel()
	b, c := comparetest.Orders(false), comparetest.Orders(true)
	c.Responses[1].Body = []byte(strings.Replace(string(c.Responses[1].Body), `"total_cents":1600`, `"total_cents":"1600"`, 1))
	out := judge(t, b, c)
	assert.Equal(t, compare.Changed, out.Verdict.Behaviour.Answer)
	require.Len(t, out.Responses.Differences, 1)
	assert.Equal(t, "body .total_cents", out.Responses.Differences[0].Field)
	var reasons []string
	for _, f := range out.Responses.Ignored {
		reasons = append(reasons, f.Field+" ("+f.Reason+")")
	}
	assert.Equal(t, []string{"body .created_at (id or time made at run time)", "body .id (id or time made at run time)", "header Date (fixed list)"}, reasons)

	// One request more in one recording: not the same requests.
	c = comparetest.Orders(true)
	c.Responses = append(c.Responses, c.Responses[2])
	out = judge(t, b, c)
	assert.Equal(t, compare.Inconclusive, out.Verdict.Behaviour.Answer)
	assert.Contains(t, texts(out.Verdict.Behaviour), "do not hold the same requests")
}

func TestManyDifferencesAreBounded(t *testing.T) {
	t.Parallel()
	var b, c []evidence.Response
	for i := range 500 {
		x, y := answer(200, `{"a":1}`), answer(200, `{"a":2}`)
		x.RefUUID = fmt.Sprint("r", i)
		y.RefUUID = x.RefUUID
		b, c = append(b, x), append(c, y)
	}
	out := judge(t, withResponses(comparetest.Baseline(), b...), withResponses(comparetest.Candidate(), c...))
	assert.Len(t, out.Responses.Differences, compare.DefaultMaxDifferences)
	assert.EqualValues(t, 300, out.Responses.Truncated)
	assert.EqualValues(t, 500, *out.Sides.Candidate.Functional.StableDifferences)
}

// Two functional runs of 5,000 pairs each, every tenth body different.
func BenchmarkCompare5000Pairs(b *testing.B) {
	base, cand := comparetest.Baseline(), comparetest.Candidate()
	base.Responses, cand.Responses = nil, nil
	for i := range 5000 {
		price := int64(1800 + 3*i)
		x, y := comparetest.QuoteResponse("a", 0, price), comparetest.QuoteResponse("b", 0, price)
		if i%10 == 0 {
			y = comparetest.QuoteResponse("b", 0, price+3)
		}
		x.RefUUID = fmt.Sprint("r", i)
		y.RefUUID = x.RefUUID
		base.Responses, cand.Responses = append(base.Responses, x), append(cand.Responses, y)
	}
	for b.Loop() {
		compare.Compare(base, cand, comparetest.Profile(), options)
	}
}
