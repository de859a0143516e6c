package rrpair

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxFileBytes bounds one pair file.
const maxFileBytes = 16 << 20

// ErrNotAPair marks a file that holds something else.
var ErrNotAPair = errors.New("not a request/response pair")

// Loaded is a pair with the path it was read from.
type Loaded struct {
	*Pair
	// Path is the file, below the directory as it was given.
	Path string
}

// Skipped is a file below the directory that was not used, and why.
type Skipped struct {
	Path string
	Err  error
}

// Load reads every pair below root, ordered by time and then by sequence, each
// uuid once. Foreign files are returned in skipped; blueprints and hidden
// directories are not entered.
func Load(root string) (pairs []Loaded, skipped []Skipped, err error) {
	seen := map[ID]bool{}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "blueprints") {
				return filepath.SkipDir
			}
			return nil
		}
		extension := filepath.Ext(name)
		if extension != ".md" && extension != ".json" {
			return nil
		}
		pair, err := readFile(path)
		switch {
		case err != nil:
			skipped = append(skipped, Skipped{path, err})
		case seen[pair.UUID]:
			skipped = append(skipped, Skipped{path, fmt.Errorf("uuid %s was read before", pair.UUID)})
		default:
			seen[pair.UUID] = true
			pairs = append(pairs, Loaded{pair, path})
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading pairs below %s (--in names another directory): %w", root, err)
	}
	slices.SortStableFunc(pairs, func(a, b Loaded) int {
		if c := a.TS.Compare(b.TS.Time); c != 0 {
			return c
		}
		return a.sequence() - b.sequence()
	})
	return pairs, skipped, nil
}

func (p *Pair) sequence() int {
	n, _ := strconv.Atoi(p.Tags["sequence"]) // pairs without one keep their file order
	return n
}

func readFile(path string) (*Pair, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFileBytes {
		return nil, fmt.Errorf("%d bytes are more than the limit of %d", info.Size(), maxFileBytes)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(path) == ".md" {
		return ParseMarkdown(data)
	}
	return ParseJSON(data)
}

// ParseJSON reads the JSON form.
func ParseJSON(data []byte) (*Pair, error) {
	var pair Pair
	if err := json.Unmarshal(data, &pair); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotAPair, err)
	}
	if pair.MsgType != "rrpair" {
		return nil, ErrNotAPair
	}
	return &pair, nil
}

// ParseMarkdown reads the Markdown form: the INTERNAL line first, then headers
// and bodies from the REQUEST and RESPONSE sections where they are present.
func ParseMarkdown(data []byte) (*Pair, error) {
	at := bytes.LastIndex(data, []byte("\njson: {"))
	if at < 0 {
		return nil, ErrNotAPair
	}
	line := data[at+len("\njson: "):]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	pair, err := ParseJSON(line)
	if err != nil || pair.HTTP == nil {
		return pair, err
	}
	text := string(data[:at])
	rest, ok := strings.CutPrefix(text, headRequest)
	if !ok {
		// An older layout: everything is in the JSON line.
		return pair, nil
	}
	request, rest, ok := strings.Cut(rest, "\n"+headResponse)
	if !ok {
		return pair, nil
	}
	response := rest
	if end := strings.LastIndex(response, "\n"+headMetadata); end >= 0 {
		response = response[:end]
	}
	if end := strings.LastIndex(response, "\n"+headSignature); end >= 0 {
		response = response[:end]
	}
	if headers, body, ok := parseSection(request); ok {
		pair.HTTP.Req.Headers, pair.HTTP.Req.Body = headers, body
	}
	if headers, body, ok := parseSection(response); ok {
		pair.HTTP.Res.Headers, pair.HTTP.Res.Body = headers, body
	}
	return pair, nil
}

// parseSection splits a REQUEST or RESPONSE section into headers and body.
func parseSection(section string) (headers map[string][]string, body []byte, ok bool) {
	head, rest, ok := strings.Cut(strings.TrimPrefix(section, fence), "\n"+fence)
	if !ok {
		return nil, nil, false
	}
	headers = map[string][]string{}
	lines := strings.Split(head, "\n")
	for _, line := range lines[1:] {
		if name, value, found := strings.Cut(line, ": "); found {
			headers[name] = splitValues(value)
		}
	}
	rest, ok = strings.CutPrefix(strings.TrimPrefix(rest, "\n"), fence)
	if !ok {
		return headers, nil, true
	}
	end := strings.LastIndex(rest, fence)
	if end < 0 {
		return nil, nil, false
	}
	if text := strings.TrimSuffix(rest[:end], "\n"); text != "" {
		body = []byte(text)
	}
	return headers, body, true
}

// splitValues undoes the joining and escaping of header values.
func splitValues(text string) []string {
	var values []string
	var current strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			current.WriteByte(text[i])
		case text[i] == ',' && i+1 < len(text) && text[i+1] == ' ':
			values = append(values, current.String())
			current.Reset()
			i++
		default:
			current.WriteByte(text[i])
		}
	}
	return append(values, current.String())
}
