package rrpair

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

const fence = "```\n"

// Headings of the sections, in file order.
const (
	headRequest   = "### REQUEST ###\n"
	headResponse  = "### RESPONSE ###\n"
	headSignature = "### SIGNATURE ###\n"
	headMetadata  = "### METADATA ###\n"
	headInternal  = "### INTERNAL - DO NOT MODIFY ###\n"
)

// fitsMarkdown says whether the pair can be written as Markdown and read back:
// HTTP, with text bodies that hold neither a code fence nor a heading.
func (p *Pair) fitsMarkdown() bool {
	if p.HTTP == nil {
		return false
	}
	for _, body := range [][]byte{p.HTTP.Req.Body, p.HTTP.Res.Body} {
		if !utf8.Valid(body) || bytes.ContainsRune(body, 0) || bytes.Contains(body, []byte("```")) || bytes.Contains(body, []byte("\n### ")) {
			return false
		}
	}
	return true
}

// renderMarkdown is the file text of an HTTP pair in the layout of 2.5.842.
func (p *Pair) renderMarkdown() ([]byte, error) {
	var out strings.Builder
	req, res := &p.HTTP.Req, &p.HTTP.Res
	out.WriteString(headRequest + fence)
	fmt.Fprintf(&out, "%s %s://%s%s HTTP/%s\n", req.Method, p.L7Protocol, req.Host, req.URI, req.Version)
	writeHeaders(&out, req.Headers)
	writeBody(&out, req.Body)
	out.WriteString(headResponse + fence)
	fmt.Fprintf(&out, "HTTP/1.1 %s\n", res.StatusMessage)
	writeHeaders(&out, res.Headers)
	writeBody(&out, res.Body)
	if len(p.Signature) > 0 {
		out.WriteString(headSignature + fence)
		for _, key := range slices.Sorted(maps.Keys(p.Signature)) {
			value := "-NONE-"
			if len(p.Signature[key]) > 0 {
				value = printable(p.Signature[key])
			}
			fmt.Fprintf(&out, "%s is %s\n", key, value)
		}
		out.WriteString(fence + "\n")
	}
	out.WriteString(headMetadata + fence)
	fmt.Fprintf(&out, "direction: %s\nuuid: %s\nts: %s\nduration: %dms\ntags: %s\n", p.Direction, p.UUID, p.TS.Short(), p.Duration, tagLine(p.Tags))
	out.WriteString(fence + "\n" + headInternal + fence)
	internal, err := p.internalJSON()
	if err != nil {
		return nil, err
	}
	out.WriteString("json: ")
	out.Write(internal)
	out.WriteString(fence)
	return []byte(out.String()), nil
}

// internalJSON is the one-line JSON without headers and bodies: since 2.5.354
// those exist in the text sections alone.
func (p *Pair) internalJSON() ([]byte, error) {
	stripped := *p
	stripped.HTTP = &HTTP{Req: p.HTTP.Req, Res: p.HTTP.Res}
	stripped.HTTP.Req.Headers, stripped.HTTP.Req.QueryParams, stripped.HTTP.Req.Body = nil, nil, nil
	stripped.HTTP.Res.Headers, stripped.HTTP.Res.Body = nil, nil
	return encodeJSON(&stripped, "")
}

// encodeJSON keeps "&" as it is, as proxymock does, and ends with a newline.
func encodeJSON(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encoding a pair: %w", err)
	}
	return out.Bytes(), nil
}

// writeHeaders writes one line a header, alphabetically, without
// Content-Length, and closes the block. Commas and backslashes inside a value
// are escaped; several values are joined by a bare ", ".
func writeHeaders(out *strings.Builder, headers map[string][]string) {
	escape := strings.NewReplacer(`\`, `\\`, `,`, `\,`)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if strings.EqualFold(name, "Content-Length") {
			continue
		}
		values := make([]string, len(headers[name]))
		for i, value := range headers[name] {
			values[i] = escape.Replace(value)
		}
		fmt.Fprintf(out, "%s: %s\n", name, strings.Join(values, ", "))
	}
	out.WriteString(fence + "\n")
}

// writeBody writes the body block; JSON is indented by two blanks, and a body
// that ended with a newline shows an extra empty line.
func writeBody(out *strings.Builder, body []byte) {
	out.WriteString(fence)
	if len(body) > 0 {
		text := body
		var pretty bytes.Buffer
		if json.Indent(&pretty, bytes.TrimRight(body, " \t\r\n"), "", "  ") == nil {
			if bytes.HasSuffix(body, []byte("\n")) {
				pretty.WriteByte('\n')
			}
			text = pretty.Bytes()
		}
		out.Write(text)
		out.WriteByte('\n')
	}
	out.WriteString(fence + "\n")
}

// tagLine is "k=v, k=v"; proxyLocation is in the JSON alone.
func tagLine(tags map[string]string) string {
	parts := make([]string, 0, len(tags))
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		if key != "proxyLocation" {
			parts = append(parts, key+"="+tags[key])
		}
	}
	return strings.Join(parts, ", ")
}

// printable spells bytes that are no text as \xNN.
func printable(value []byte) string {
	var out strings.Builder
	for len(value) > 0 {
		r, size := utf8.DecodeRune(value)
		if (r == utf8.RuneError && size == 1) || r < ' ' {
			for _, b := range value[:size] {
				fmt.Fprintf(&out, `\x%02X`, b)
			}
		} else {
			out.Write(value[:size])
		}
		value = value[size:]
	}
	return out.String()
}
