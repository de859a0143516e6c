package proxymock

import (
	"bytes"
	"fmt"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
)

// Headings and marks of the Markdown form.
const (
	headRequest   = "### REQUEST ###"
	headResponse  = "### RESPONSE ###"
	headSignature = "### SIGNATURE ###"
	headMetadata  = "### METADATA ###"
	headInternal  = "### INTERNAL - DO NOT MODIFY ###"
	fence         = "```"
	jsonMark      = "json: {"
	oldestRequest = "# Request"
)

// parseMarkdown reads the "json:" line first, which all three supported generations have, and takes headers
// and bodies from the sections where the line no longer carries them.
func parseMarkdown(data []byte) (*Pair, error) {
	data = bytes.TrimPrefix(data, []byte(utf8BOM))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("pair is empty: %w", ErrIncomplete)
	}
	lines := strings.Split(string(data), "\n")
	first := ""
	for _, line := range lines {
		if first = strings.TrimRight(line, "\r \t"); first != "" {
			break
		}
	}
	at := internalJSON(lines)
	if at < 0 {
		switch {
		case first == oldestRequest:
			return nil, fmt.Errorf("layout of February 2025 (raw HTTP without time, direction or uuid): %w", ErrUnsupported)
		case strings.HasPrefix(first, "### REQUEST") || strings.HasPrefix(first, "### RESPONSE"):
			return nil, fmt.Errorf("pair ends before its json line: %w", ErrIncomplete)
		}
		return nil, fmt.Errorf("text has no json line: %w", ErrNotPair)
	}
	object := strings.TrimSpace(strings.TrimPrefix(lines[at], "json:"))
	p, err := parsePairJSON([]byte(object), FormMarkdown)
	if err != nil {
		if lastHeading(lines[:at], at, headInternal) < 0 && lastHeading(lines[:at], at, headInternal+"\r") < 0 {
			return nil, fmt.Errorf("text with a json line outside a pair's layout: %w", ErrNotPair)
		}
		return nil, err
	}
	if h := p.HTTP; h != nil && len(h.RequestHeaders) == 0 && len(h.ResponseHeaders) == 0 && h.RequestBody == nil && h.ResponseBody == nil {
		p.readSections(lines[:at])
	}
	return p, nil
}

// internalJSON finds the line with the pair's JSON. It is looked for from the end, because a body may
// hold lines that look like it.
func internalJSON(lines []string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], jsonMark) {
			return i
		}
	}
	return -1
}

// readSections fills headers and bodies from the current layout. before is everything above the json line.
func (p *Pair) readSections(before []string) {
	if len(before) > 0 && strings.HasSuffix(before[0], "\r") {
		// The file went through a tool that rewrote its line ends.
		for i := range before {
			before[i] = strings.TrimSuffix(before[i], "\r")
		}
	}
	end := lastHeading(before, len(before), headInternal)
	if end = lastHeading(before, end, headMetadata); end < 0 {
		p.problem("no %s section; headers and bodies were not read", headMetadata)
		return
	}
	end = p.skipSignature(before, end)
	start := 0
	for start < end && before[start] != headRequest {
		start++
	}
	requestHead, bodyStart := fenced(before, start+1, end)
	if requestHead == nil {
		p.problem("no %s section with a fenced head; headers and bodies were not read", headRequest)
		return
	}
	response := p.findResponse(before, bodyStart, end)
	if response < 0 {
		p.problem("no %s section with a status line; headers and bodies were not read", headResponse)
		return
	}
	responseHead, responseBody := fenced(before, response+1, end)
	h := p.HTTP
	h.RequestHeaders = parseHead(requestHead[1:])
	h.ResponseHeaders = parseHead(responseHead[1:])
	h.RequestBody = bodyBetween(before, bodyStart, response)
	h.ResponseBody = bodyBetween(before, responseBody, end)
	h.Reformatted = true
}

// lastHeading finds the last line before end that is the heading, -1 when there is none.
func lastHeading(lines []string, end int, heading string) int {
	for i := end - 1; i >= 0; i-- {
		if lines[i] == heading {
			return i
		}
	}
	return -1
}

// skipSignature returns where the response section ends: at the signature's heading, if the block directly
// above end is a signature, else at end.
func (p *Pair) skipSignature(lines []string, end int) int {
	close := lastFence(lines, end)
	if close < 0 || !blank(lines[close+1:end]) {
		return end
	}
	open := lastFence(lines, close)
	if open < 1 || lines[open-1] != headSignature {
		return end
	}
	return open - 1
}

func lastFence(lines []string, end int) int { return lastHeading(lines, end, fence) }

func blank(lines []string) bool {
	for _, line := range lines {
		if line != "" {
			return false
		}
	}
	return true
}

// fenced returns the lines of the fenced block that begins at the first line from start that is not blank,
// and the line after it. nil when there is no such block or it is empty.
func fenced(lines []string, start, end int) ([]string, int) {
	for start < end && lines[start] == "" {
		start++
	}
	if start >= end || lines[start] != fence {
		return nil, start
	}
	for i := start + 1; i < end; i++ {
		if lines[i] == fence {
			if i == start+1 {
				return nil, i + 1
			}
			return lines[start+1 : i], i + 1
		}
	}
	return nil, end
}

// findResponse finds the heading of the response section. A body may contain the heading too, so it
// must follow a closed block, open one with a status line, and agree with the status that the json line
// states; the first that does is taken, else the first with any status line.
func (p *Pair) findResponse(lines []string, start, end int) int {
	fallback := -1
	for i := start; i < end; i++ {
		if lines[i] != headResponse || i == 0 {
			continue
		}
		last := i - 1
		for last > start && lines[last] == "" {
			last--
		}
		block, _ := fenced(lines, i+1, end)
		if lines[last] != fence || block == nil || !strings.HasPrefix(block[0], "HTTP/") {
			continue
		}
		fields := strings.Fields(block[0])
		if len(fields) > 1 && fields[1] == strconv.Itoa(p.HTTP.StatusCode) {
			return i
		}
		if fallback < 0 {
			fallback = i
		}
	}
	return fallback
}

// bodyBetween returns the body whose opening fence is the first line that is not blank from start and whose closing
// fence is the last one before end: fences inside the body stay part of it.
func bodyBetween(lines []string, start, end int) []byte {
	for start < end && lines[start] == "" {
		start++
	}
	close := lastFence(lines, end)
	if start >= end || lines[start] != fence || close <= start+1 {
		return nil
	}
	return []byte(strings.Join(lines[start+1:close], "\n"))
}

// parseHead reads header lines below a request or status line.
func parseHead(lines []string) http.Header {
	header := make(http.Header, len(lines))
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" {
			continue
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		header[name] = append(header[name], splitValues(strings.TrimPrefix(value, " "))...)
	}
	return header
}

// splitValues undoes the escaping of header lines: values of one name are joined by a comma and a blank,
// a comma or backslash inside a value is preceded by a backslash.
func splitValues(text string) []string {
	if !strings.ContainsAny(text, `\,`) {
		return []string{text}
	}
	var values []string
	var value strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && (text[i+1] == '\\' || text[i+1] == ','):
			i++
			value.WriteByte(text[i])
		case c == ',' && i+1 < len(text) && text[i+1] == ' ':
			i++
			values = append(values, value.String())
			value.Reset()
		default:
			value.WriteByte(c)
		}
	}
	return append(values, value.String())
}
