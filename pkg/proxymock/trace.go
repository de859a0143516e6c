package proxymock

import (
	"net/url"
	"strings"
)

// TraceID is the 32-digit trace id that links a request to the statements it caused: from the request's
// traceparent header, or from the comment that sqlcommenter libraries append to a statement. "" when
// there is none.
func (p *Pair) TraceID() string {
	if p.HTTP != nil {
		if id := traceOf(p.HTTP.RequestHeaders.Get("Traceparent")); id != "" {
			return id
		}
		if id := strings.ToLower(p.HTTP.RequestHeaders.Get("X-B3-Traceid")); isHex(id, 32) && strings.Trim(id, "0") != "" {
			return id
		}
	}
	if p.Postgres != nil {
		return traceOf(SQLComments(p.Postgres.Query)["traceparent"])
	}
	return ""
}

// traceOf takes the trace id out of a W3C traceparent: version-trace-parent-flags in lower-case hex.
func traceOf(traceparent string) string {
	parts := strings.Split(strings.ToLower(strings.TrimSpace(traceparent)), "-")
	if len(parts) < 4 || !isHex(parts[0], 2) || parts[0] == "ff" || !isHex(parts[1], 32) || !isHex(parts[2], 16) {
		return ""
	}
	if strings.Trim(parts[1], "0") == "" {
		return ""
	}
	return parts[1]
}

func isHex(s string, n int) bool {
	if len(s) != n {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// SQLComments reads the key='value' lists of a statement's block comments, as the sqlcommenter
// specification writes them: keys and values URL-encoded, quotes escaped by a backslash. Text inside string
// literals and quoted names is not taken for a comment. nil when there is none.
func SQLComments(query string) map[string]string {
	var found map[string]string
	for _, comment := range blockComments(query) {
		for _, item := range strings.Split(comment, ",") {
			key, value, ok := strings.Cut(strings.TrimSpace(item), "=")
			if !ok || len(value) < 2 || value[0] != '\'' || value[len(value)-1] != '\'' {
				continue
			}
			value = strings.ReplaceAll(value[1:len(value)-1], `\'`, `'`)
			if decoded, err := url.PathUnescape(value); err == nil {
				value = decoded
			}
			if decoded, err := url.PathUnescape(key); err == nil {
				key = decoded
			}
			if found == nil {
				found = map[string]string{}
			}
			found[key] = value
		}
	}
	return found
}

// blockComments returns the insides of /* */ comments outside literals, nested ones with their outer one.
func blockComments(query string) []string {
	var comments []string
	scanSQL(query, func(kind sqlToken, start, end int) {
		if kind == sqlComment {
			comments = append(comments, query[start+2:end-2])
		}
	})
	return comments
}

// sqlToken is a part of a statement that other parts must not be looked for in.
type sqlToken int

const (
	sqlLiteral sqlToken = iota
	sqlName
	sqlComment
)

// scanSQL calls found for every text literal (dollar-quoted ones included), quoted name and closed block comment, with
// the indexes of its first byte and behind its last.
func scanSQL(query string, found func(kind sqlToken, start, end int)) {
	for i := 0; i < len(query); {
		start := i
		switch c := query[i]; {
		case c == '\'':
			escapes := i > 0 && query[i-1]|0x20 == 'e'
			i = skipQuoted(query, i+1, c, escapes)
			found(sqlLiteral, start, i)
		case c == '"':
			i = skipQuoted(query, i+1, c, false)
			found(sqlName, start, i)
		case c == '$':
			if i = skipDollar(query, i); i > start+1 {
				found(sqlLiteral, start, i)
			}
		case strings.HasPrefix(query[i:], "--"):
			end := strings.IndexByte(query[i:], '\n')
			if end < 0 {
				return
			}
			i += end + 1
		case strings.HasPrefix(query[i:], "/*"):
			if i = skipComment(query, i+2); i < 0 {
				return
			}
			found(sqlComment, start, i)
		default:
			i++
		}
	}
}

// skipQuoted returns the index behind the closing quote; a doubled quote is part of the text.
func skipQuoted(s string, i int, quote byte, escapes bool) int {
	for ; i < len(s); i++ {
		if escapes && s[i] == '\\' {
			i++
		} else if s[i] == quote {
			if i+1 >= len(s) || s[i+1] != quote {
				return i + 1
			}
			i++
		}
	}
	return len(s)
}

// skipDollar returns the index behind a dollar-quoted string that begins at i, or i+1 when it is none (a
// parameter such as $1).
func skipDollar(s string, i int) int {
	end := i + 1
	for end < len(s) && (s[end] == '_' || s[end] >= '0' && s[end] <= '9' && end > i+1 || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
		end++
	}
	if end >= len(s) || s[end] != '$' {
		return i + 1
	}
	tag := s[i : end+1]
	if close := strings.Index(s[end+1:], tag); close >= 0 {
		return end + 1 + close + len(tag)
	}
	return len(s)
}

// skipComment returns the index behind the end of a comment whose inside begins at i, -1 when it is not closed.
func skipComment(s string, i int) int {
	for depth := 1; i+1 < len(s); {
		switch s[i : i+2] {
		case "/*":
			depth++
			i += 2
		case "*/":
			i += 2
			if depth--; depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return -1
}
