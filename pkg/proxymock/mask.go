package proxymock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Masked stands for a secret value.
const Masked = "[masked]"

// MaskOptions say what is masked besides known secrets.
type MaskOptions struct {
	// Bodies replaces every scalar of bodies by a marker of its type and every text literal and bound
	// parameter of SQL; keys and structure of JSON stay. Bodies of other kinds become a note of their length.
	Bodies bool
}

var secretHeaders = map[string]bool{
	"Authorization": true, "Proxy-Authorization": true, "Cookie": true, "Set-Cookie": true, "X-Api-Key": true,
	"Api-Key": true, "Apikey": true, "X-Auth-Token": true, "X-Access-Token": true, "X-Csrf-Token": true, "X-Xsrf-Token": true,
	"X-Amz-Security-Token": true, "X-Goog-Api-Key": true, "X-Vault-Token": true, "X-Session-Id": true, "X-Session-Token": true,
	"Www-Authenticate": true, "X-Forwarded-Client-Cert": true, "X-Speedscale-Signature": true,
}

// secretName finds secrets in names of headers and query parameters beyond the list.
var secretName = regexp.MustCompile(`(?i)(^|[-_.])(token|secret|passwo?r?d|passwd|api[-_]?key|apikey|signature|sig|session[-_]?id|jwt|credential|access[-_]?key)s?($|[-_.])|^(code|auth|key|sid)$`)

// homePath finds the home directory of the machine that wrote a pair.
var homePath = regexp.MustCompile(`^(?:/Users/|/home/|[A-Za-z]:\\Users\\)[^/\\]+`)

// Mask returns a copy of the pair that is fit to be shown: values of known secret headers, cookies and query
// parameters, the session key and home directories are replaced. The pair itself is not changed.
func Mask(p *Pair, options MaskOptions) *Pair {
	if p == nil {
		return nil
	}
	masked := *p
	masked.Tags = maps.Clone(p.Tags)
	if file, ok := masked.Tags["file"]; ok {
		masked.Tags["file"] = homePath.ReplaceAllString(file, "~")
	}
	masked.Problems = slices.Clone(p.Problems)
	if masked.Session != "" {
		masked.Session = Masked
	}
	if p.HTTP != nil {
		h := *p.HTTP
		h.URI = maskURI(h.URI)
		h.RequestHeaders, h.ResponseHeaders = maskHeaders(h.RequestHeaders), maskHeaders(h.ResponseHeaders)
		h.QueryParams = maskQuery(h.QueryParams)
		if options.Bodies {
			h.RequestBody, h.ResponseBody = MaskBody(h.RequestBody), MaskBody(h.ResponseBody)
		} else {
			h.RequestBody, h.ResponseBody = slices.Clone(h.RequestBody), slices.Clone(h.ResponseBody)
		}
		masked.HTTP = &h
	}
	if p.Postgres != nil {
		pg := *p.Postgres
		pg.CompleteTags = slices.Clone(pg.CompleteTags)
		pg.Parameters = slices.Clone(pg.Parameters)
		if options.Bodies {
			pg.Query, pg.Normalised = maskSQL(pg.Query), maskSQL(pg.Normalised)
			masked.Location = maskSQL(masked.Location)
			for i := range pg.Parameters {
				if !pg.Parameters[i].Null {
					pg.Parameters[i] = PostgresValue{Raw: []byte(Masked), OID: pg.Parameters[i].OID}
				}
			}
		}
		masked.Postgres = &pg
	}
	return &masked
}

// SecretName tells whether a header or parameter of this name is treated as a secret.
func SecretName(name string) bool {
	return secretHeaders[http.CanonicalHeaderKey(name)] || secretName.MatchString(name)
}

func maskHeaders(header http.Header) http.Header {
	masked := make(http.Header, len(header))
	for name, values := range header {
		masked[name] = maskValues(name, values)
	}
	return masked
}

func maskQuery(query url.Values) url.Values {
	if query == nil {
		return nil
	}
	masked := make(url.Values, len(query))
	for name, values := range query {
		masked[name] = maskValues(name, values)
	}
	return masked
}

func maskValues(name string, values []string) []string {
	if !SecretName(name) {
		return slices.Clone(values)
	}
	masked := make([]string, len(values))
	for i := range masked {
		masked[i] = Masked
	}
	return masked
}

// maskURI masks values of secret parameters in a query and leaves the rest of the text as it is.
func maskURI(uri string) string {
	path, query, ok := strings.Cut(uri, "?")
	if !ok {
		return uri
	}
	items := strings.Split(query, "&")
	for i, item := range items {
		name, _, valued := strings.Cut(item, "=")
		decoded, err := url.QueryUnescape(name)
		if err != nil {
			decoded = name
		}
		if valued && SecretName(decoded) {
			items[i] = name + "=" + Masked
		}
	}
	return path + "?" + strings.Join(items, "&")
}

// maskSQL replaces the insides of text literals; comments, quoted names and parameters stay.
func maskSQL(query string) string {
	var out strings.Builder
	last := 0
	scanSQL(query, func(kind sqlToken, start, end int) {
		if kind == sqlLiteral {
			out.WriteString(query[last:start] + "'" + Masked + "'")
			last = end
		}
	})
	return out.String() + query[last:]
}

// MaskBody replaces every scalar of a JSON body by a marker of its type ("<string>", "<number>", "<boolean>";
// null stays) and keeps keys, their order and the structure. Another body becomes a note of its length.
func MaskBody(body []byte) []byte {
	if len(bytes.TrimSpace(body)) == 0 {
		return slices.Clone(body)
	}
	var out bytes.Buffer
	if err := maskJSON(&out, body); err != nil {
		return fmt.Appendf(nil, "[masked: %s]", Counted(len(body), "byte", "bytes"))
	}
	return out.Bytes()
}

// maskJSON rewrites one JSON value token by token, which keeps the order of keys and needs no recursion.
func maskJSON(out *bytes.Buffer, body []byte) error {
	if !json.Valid(body) {
		return ErrMalformed
	}
	type level struct {
		object bool
		tokens int
	}
	var levels []level
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			out.WriteByte(byte(delim))
			levels = levels[:len(levels)-1]
			continue
		}
		key := false
		if n := len(levels); n > 0 {
			top := &levels[n-1]
			key = top.object && top.tokens%2 == 0
			if top.object && !key {
				out.WriteByte(':')
			} else if top.tokens > 0 {
				out.WriteByte(',')
			}
			top.tokens++
		}
		switch value := token.(type) {
		case json.Delim:
			out.WriteByte(byte(value))
			levels = append(levels, level{object: value == '{'})
		case string:
			if !key {
				value = "<string>"
			}
			encoded := json.NewEncoder(out)
			encoded.SetEscapeHTML(false)
			if err := encoded.Encode(value); err != nil {
				return err
			}
			out.Truncate(out.Len() - 1)
		case json.Number:
			out.WriteString(`"<number>"`)
		case bool:
			out.WriteString(`"<boolean>"`)
		case nil:
			out.WriteString("null")
		}
	}
}
