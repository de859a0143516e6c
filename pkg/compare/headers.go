package compare

import (
	"mime"
	"net/http"
	"sort"
	"strings"
)

func sawStatus(answers []answer, status int) bool {
	for _, a := range answers {
		if a.Status == status {
			return true
		}
	}
	return false
}

func headerNames(a answer) []string {
	names := make([]string, 0, len(a.Headers))
	for n := range a.Headers {
		names = append(names, http.CanonicalHeaderKey(n))
	}
	sort.Strings(names)
	return names
}

func canonical(h map[string][]string) map[string][]string {
	out := make(map[string][]string, len(h))
	for n, v := range h {
		n = http.CanonicalHeaderKey(n)
		out[n] = append(out[n], v...)
	}
	return out
}

// diffHeaders calls report for every header that differs. The media type is compared as one, so that
// spacing and the case of its parameters do not matter.
func diffHeaders(b, c answer, report func(name, kind string, bv, cv []string)) {
	x, y := canonical(b.Headers), canonical(c.Headers)
	names := headerNames(b)
	for _, n := range headerNames(c) {
		if _, ok := x[n]; !ok {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	for _, n := range names {
		bv, inB := x[n]
		cv, inC := y[n]
		switch {
		case !inC:
			report(n, kindHRemove, bv, nil)
		case !inB:
			report(n, kindHAdded, nil, cv)
		case !sameHeader(n, bv, cv):
			report(n, kindHeader, bv, cv)
		}
	}
}

func sameHeader(name string, b, c []string) bool {
	x, y := strings.Join(b, ", "), strings.Join(c, ", ")
	if x == y {
		return true
	}
	if name != "Content-Type" {
		return false
	}
	mx, px, errX := mime.ParseMediaType(x)
	my, py, errY := mime.ParseMediaType(y)
	return errX == nil && errY == nil && mime.FormatMediaType(mx, px) == mime.FormatMediaType(my, py)
}

func headerText(v []string) string {
	if v == nil {
		return "absent"
	}
	return strings.Join(v, ", ")
}

func maskHeader(v []string) string {
	if v == nil {
		return "absent"
	}
	return show(strings.Join(v, ", "), true)
}

func wholeBody(a answer, masked bool) string {
	if masked {
		return counted(int64(len(a.Body)), "byte", "bytes")
	}
	return show(string(a.Body), false)
}
