package proxymock

import (
	"net/url"
	"strings"
)

// idSegment stands for every changing segment of a path.
const idSegment = "{id}"

// EndpointName joins the ways in which artefacts name one endpoint: templates of results
// ("/orders/{id}"), reports ("/orders/*"), verdicts (real ids and a query), raw paths of pairs, absolute
// URLs. The name is the verb in capitals and the path without query, in which every placeholder
// ({x}, *, :x, <x>) and every segment that looks like an id (an integer, a uuid, a ULID, a long hex
// number) is "{id}". Text that is no path, such as a statement, keeps its words with single blanks, and
// its command as written.
// The aggregate row's name is [AggregateName]. Applying it to the path of its own result changes nothing.
func EndpointName(method, urlOrPath string) string {
	method = strings.TrimSpace(method)
	target := strings.TrimSpace(urlOrPath)
	if target == AggregateName || method == AggregateName {
		return AggregateName
	}
	if path, ok := pathOf(target); ok {
		method = strings.ToUpper(method)
		segments := strings.Split(path, "/")
		for i, segment := range segments {
			if isID(segment) {
				segments[i] = idSegment
			}
		}
		target = strings.Join(segments, "/")
	} else {
		target = strings.Join(strings.Fields(target), " ")
	}
	return strings.TrimSpace(method + " " + target)
}

// pathOf returns the path of an absolute URL or a path, without query and fragment. False for other text.
func pathOf(target string) (string, bool) {
	if target == "" {
		return "/", true
	}
	if i := strings.Index(target, "://"); i > 0 && isScheme(target[:i]) {
		target = target[i+len("://"):]
		end := strings.IndexAny(target, "/?#")
		if end < 0 {
			return "/", true
		}
		if target = target[end:]; target[0] != '/' {
			return "/", true
		}
	}
	if target[0] != '/' {
		return "", false
	}
	if end := strings.IndexAny(target, "?#"); end >= 0 {
		target = target[:end]
	}
	return strings.TrimSpace(target), true
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return true
}

// isID decides whether a path segment names one thing rather than a kind of thing.
func isID(segment string) bool {
	if strings.Contains(segment, "%") {
		if decoded, err := url.PathUnescape(segment); err == nil {
			segment = decoded
		}
	}
	n := len(segment)
	if n == 0 {
		return false
	}
	first, last := segment[0], segment[n-1]
	switch {
	case segment == "*" || segment == "**":
		return true
	case n > 2 && (first == '{' && last == '}' || first == '<' && last == '>'):
		return true
	case n > 1 && first == ':':
		return true
	}
	digits, hexes, others := 0, 0, 0
	for i := range n {
		switch c := segment[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			hexes++
		default:
			others++
		}
	}
	switch {
	case digits == n:
		return true
	case n == 36 && digits+hexes == 32:
		return segment[8] == '-' && segment[13] == '-' && segment[18] == '-' && segment[23] == '-'
	case others == 0 && n >= 12 && digits > 0:
		// Shorter or letters only would catch words such as "facade" and "cafe2024".
		return true
	case n == 26:
		return isULID(segment)
	}
	return false
}

// isULID tells a ULID by its alphabet (Crockford's base 32, capitals) and its first digit.
func isULID(s string) bool {
	if s[0] < '0' || s[0] > '7' {
		return false
	}
	for i := range len(s) {
		if !strings.ContainsRune("0123456789ABCDEFGHJKMNPQRSTVWXYZ", rune(s[i])) {
			return false
		}
	}
	return true
}
