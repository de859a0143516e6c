package replay

import (
	"regexp"
	"strings"
)

// idSegment matches path segments that name one thing rather than a kind of
// thing: numbers, UUIDs, long hex strings, and article-like codes such as
// SSC-4110.
var idSegment = regexp.MustCompile(`^(?:[0-9]+` +
	`|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}` +
	`|[0-9a-fA-F]{16,}` +
	`|[A-Za-z]{1,6}[-_][0-9]{3,})$`)

// template is the endpoint of a path: without the query, ids as "{id}".
func template(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if idSegment.MatchString(segment) {
			segments[i] = "{id}"
		}
	}
	return strings.Join(segments, "/")
}
