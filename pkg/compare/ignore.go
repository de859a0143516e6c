package compare

import (
	"net/http"
	"regexp"
	"sort"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// The reasons why a field is left out of the response comparison.
const (
	IgnoredFixed    = "fixed list"
	IgnoredProfile  = "profile"
	IgnoredVolatile = "differs among the baseline's repeats"
	// IgnoredGenerated applies to recordings only, which have no repeats: both sides hold an id or a
	// time that was made at run time.
	IgnoredGenerated = "id or time made at run time"
)

// fixedHeaders never tell two versions of a service apart: the clock, the ids of one request, the
// connection, and what follows from the body that is compared itself.
var fixedHeaders = set([]string{
	"Date", "Age", "Expires", "Last-Modified",
	"X-Request-Id", "Request-Id", "X-Correlation-Id", "Correlation-Id", "X-Amzn-Requestid", "X-Amz-Request-Id", "X-Amz-Cf-Id", "Cf-Ray",
	"Traceparent", "Tracestate", "Traceresponse", "X-Trace-Id", "X-Amzn-Trace-Id", "X-Cloud-Trace-Context", "Uber-Trace-Id",
	"X-B3-Traceid", "X-B3-Spanid", "X-B3-Parentspanid", "X-B3-Sampled", "B3",
	"Server-Timing", "X-Runtime", "X-Response-Time", "X-Envoy-Upstream-Service-Time",
	"Connection", "Keep-Alive", "Transfer-Encoding", "Content-Length",
})

// secretHeaders stay masked even when values are asked for.
var secretHeaders = set([]string{"Set-Cookie", "Cookie", "Authorization", "Proxy-Authorization", "X-Api-Key", "X-Auth-Token"})

// harnessHeaders begin the names that the replay and its mock add.
const harnessHeaders = "X-Speedscale-"

// fixedBodyKeys are request and trace ids inside bodies, compared without case, dash and underscore.
var fixedBodyKeys = set([]string{"requestid", "traceid", "spanid", "correlationid", "xrequestid", "traceparent"})

func fixedHeader(name string) bool {
	return fixedHeaders[name] || strings.HasPrefix(name, harnessHeaders)
}

var squash = strings.NewReplacer("-", "", "_", "")

func fixedBody(general string) bool {
	last := general[strings.LastIndexAny(general, ".[")+1:]
	return fixedBodyKeys[squash.Replace(strings.ToLower(strings.Trim(last, `"]`)))]
}

// ignores decides which fields are left out and remembers which were met, so that each is named.
type ignores struct {
	headers map[string]bool
	bodies  []*regexp.Regexp
	// volatile fields by "header X" or "body .path" plus "?" for fields that come and go, per endpoint.
	volatile map[string]map[string]bool
	met      map[string]string
}

func newIgnores(profile []string) *ignores {
	ig := &ignores{headers: map[string]bool{}, volatile: map[string]map[string]bool{}, met: map[string]string{}}
	for _, f := range profile {
		ig.add(strings.TrimSpace(strings.ToValidUTF8(f, "\uFFFD")))
	}
	return ig
}

// add reads one entry of the profile: "header X-Version", "body .total.at", ".total.at" or "total.at",
// with [] or [*] for every element of an array and * for any key; the address that proxymock writes
// (http.res.bodyBase64.total.at, http.res.headers.X-Version[0]) is understood as well. An entry covers
// everything below the field.
func (ig *ignores) add(f string) {
	lower := strings.ToLower(f)
	for _, p := range []string{"header ", "http.res.headers."} {
		if strings.HasPrefix(lower, p) {
			name := strings.TrimSpace(f[len(p):])
			if i := strings.IndexByte(name, '['); i >= 0 {
				name = name[:i]
			}
			ig.headers[http.CanonicalHeaderKey(name)] = true
			return
		}
	}
	for _, p := range []string{"body ", "http.res.bodybase64", "http.res.body"} {
		if strings.HasPrefix(lower, p) {
			f = strings.TrimSpace(f[len(p):])
			break
		}
	}
	f = strings.TrimPrefix(f, "$")
	if f == "" {
		return
	}
	if f[0] != '.' && f[0] != '[' {
		f = "." + f
	}
	pattern := regexp.QuoteMeta(f)
	pattern = strings.ReplaceAll(pattern, `\[\*\]`, `\[\]`)
	pattern = regexp.MustCompile(`\\\[[0-9]+\\\]`).ReplaceAllString(pattern, `\[\]`)
	pattern = strings.ReplaceAll(pattern, `\*`, `[^.\[]+`)
	ig.bodies = append(ig.bodies, regexp.MustCompile(`^`+pattern+`($|[.\[])`))
}

// everyBody says that the entries leave out every field of every JSON body, so that a comparison of bodies
// compares nothing.
func (ig *ignores) everyBody() bool {
	const anyField = ".\u0000"
	for _, p := range ig.bodies {
		if p.MatchString(anyField) {
			return true
		}
	}
	return false
}

func (ig *ignores) meet(field, reason string) {
	if _, ok := ig.met[field]; !ok {
		ig.met[field] = reason
	}
}

// header says whether a header is left out, and remembers it.
func (ig *ignores) header(endpoint, name string) bool {
	field := "header " + name
	switch {
	case fixedHeader(name):
		ig.meet(field, IgnoredFixed)
	case ig.headers[name]:
		ig.meet(field, IgnoredProfile)
	case ig.volatile[endpoint][field]:
		ig.meet(field, IgnoredVolatile)
	default:
		return false
	}
	return true
}

// seen remembers a body field that is left out although nothing differs in it.
func (ig *ignores) seen(p fieldPath) {
	switch {
	case fixedBody(p.general):
		ig.meet("body "+p.general, IgnoredFixed)
	case ig.inProfile(p.general):
		ig.meet("body "+p.general, IgnoredProfile)
	}
}

func (ig *ignores) inProfile(general string) bool {
	for _, re := range ig.bodies {
		if re.MatchString(general) {
			return true
		}
	}
	return false
}

// body says whether a difference is left out, and remembers its field.
func (ig *ignores) body(endpoint string, d delta) bool {
	field := "body " + d.path.general
	switch {
	case fixedBody(d.path.general):
		ig.meet(field, IgnoredFixed)
	case ig.inProfile(d.path.general):
		ig.meet(field, IgnoredProfile)
	case ig.volatile[endpoint][volatileKey(d)]:
		ig.meet(field, IgnoredVolatile)
	default:
		return false
	}
	return true
}

// whole says whether a body that is not JSON is left out.
func (ig *ignores) whole(endpoint string) bool {
	if ig.volatile[endpoint]["body"] {
		ig.meet("body", IgnoredVolatile)
		return true
	}
	return false
}

func volatileKey(d delta) string {
	if d.presence() {
		return "body " + d.path.general + "?"
	}
	return "body " + d.path.general
}

func (ig *ignores) markVolatile(endpoint, field string) {
	if ig.volatile[endpoint] == nil {
		ig.volatile[endpoint] = map[string]bool{}
	}
	ig.volatile[endpoint][field] = true
}

// below says whether a field lies inside another one that is left out by the profile: that one is named.
func (ig *ignores) below(field string) bool {
	for i := len(field) - 1; i > len("body "); i-- {
		if (field[i] == '.' || field[i] == '[') && ig.met[field[:i]] == IgnoredProfile {
			return true
		}
	}
	return false
}

// fields returns what was left out, sorted.
func (ig *ignores) fields() []evidence.IgnoredField {
	out := make([]evidence.IgnoredField, 0, len(ig.met))
	for f, r := range ig.met {
		if ig.below(f) {
			continue
		}
		out = append(out, evidence.IgnoredField{Field: f, Reason: r})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Field < out[j].Field })
	return out
}
