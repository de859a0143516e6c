// Package blueprint reads the transform rules that lie beside a recording and
// applies the ones a mock needs: replacing a query parameter or a JSON body
// field by a constant, in the recorded and the observed request alike, so that a
// value that changes on every call no longer decides whether they match.
package blueprint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// Set is the masking rules of a recording. The zero value masks nothing.
type Set struct {
	masks []mask
	// Ignored describes rules that the stand-in does not know.
	Ignored []string
}

// mask replaces one value of a matching request.
type mask struct {
	filters     []filter
	queryParam  string   // set for a query parameter
	bodyPath    []string // set for a field of a JSON body
	replacement string
}

// file is the part of a blueprint that matters here.
type file struct {
	Name           string `json:"name"`
	Active         bool   `json:"active"`
	TokenizeConfig struct {
		Responder []chain `json:"responder"`
	} `json:"tokenizeConfig"`
}

type chain struct {
	Filters struct {
		Filters []filter `json:"filters"`
	} `json:"filters"`
	Extractor  step   `json:"extractor"`
	Transforms []step `json:"transforms"`
}

type step struct {
	Type   string            `json:"type"`
	Config map[string]string `json:"config"`
}

type filter struct {
	Include          bool   `json:"include"`
	Operator         string `json:"operator"` // "CONTAINS", else equality
	NetworkAddress   string `json:"network_address"`
	DetectedLocation string `json:"detectedLocation"`
	DetectedCommand  string `json:"detectedCommand"`
}

// Load reads <dir>/blueprints/*.json. No such directory is an empty set: rules
// belong to the whole recording and are not looked for above or below it.
func Load(dir string) (*Set, error) {
	set := &Set{}
	base := filepath.Join(dir, "blueprints")
	entries, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		return set, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the recording's blueprints: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() || filepath.Ext(entry.Name()) != ".json" {
			continue
		}
		path := filepath.Join(base, entry.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading a blueprint: %w", err)
		}
		if err := set.add(data); err != nil {
			return nil, fmt.Errorf("reading blueprint %s (correct or remove it): %w", path, err)
		}
	}
	return set, nil
}

func (s *Set) add(data []byte) error {
	var parsed file
	if err := json.Unmarshal(data, &parsed); err != nil {
		return err
	}
	if !parsed.Active {
		s.Ignored = append(s.Ignored, parsed.Name+": not active")
		return nil
	}
	for i, chain := range parsed.TokenizeConfig.Responder {
		m, ok := maskOf(chain)
		if !ok {
			s.Ignored = append(s.Ignored, fmt.Sprintf("%s: responder rule %d (%s)", parsed.Name, i+1, chain.Extractor.Type))
			continue
		}
		s.masks = append(s.masks, m)
	}
	return nil
}

// maskOf understands http_queryparam + constant and req_body + json_path +
// constant.
func maskOf(c chain) (mask, bool) {
	m := mask{filters: c.Filters.Filters}
	steps := c.Transforms
	switch c.Extractor.Type {
	case "http_queryparam":
		m.queryParam = c.Extractor.Config["name"]
	case "req_body":
		if len(steps) == 0 || steps[0].Type != "json_path" {
			return mask{}, false
		}
		m.bodyPath = strings.Split(steps[0].Config["path"], ".")
		steps = steps[1:]
	default:
		return mask{}, false
	}
	if len(steps) != 1 || steps[0].Type != "constant" || (m.queryParam == "" && m.bodyPath == nil) {
		return mask{}, false
	}
	m.replacement = steps[0].Config["new"]
	return m, true
}

// Len is the number of rules in force.
func (s *Set) Len() int { return len(s.masks) }

// Apply returns req with every matching rule applied; req itself is not changed.
func (s *Set) Apply(req rrpair.HTTPRequest) rrpair.HTTPRequest {
	for _, m := range s.masks {
		if !m.applies(&req) {
			continue
		}
		if m.queryParam != "" {
			req.URI = maskQuery(req.URI, m.queryParam, m.replacement)
		} else {
			req.Body = maskBody(req.Body, m.bodyPath, m.replacement)
		}
	}
	return req
}

func (m *mask) applies(req *rrpair.HTTPRequest) bool {
	for _, f := range m.filters {
		if f.holds(req) != f.Include {
			return false
		}
	}
	return true
}

func (f *filter) holds(req *rrpair.HTTPRequest) bool {
	compare := func(want, have string) bool {
		if want == "" {
			return true
		}
		if f.Operator == "CONTAINS" {
			return strings.Contains(have, want)
		}
		return want == have
	}
	return compare(f.NetworkAddress, req.Host) && compare(f.DetectedLocation, req.URL) && compare(f.DetectedCommand, req.Method)
}

// maskQuery sets a parameter that is present; an absent one stays absent.
func maskQuery(uri, name, replacement string) string {
	path, raw, found := strings.Cut(uri, "?")
	query, err := url.ParseQuery(raw)
	if !found || err != nil || !query.Has(name) {
		return uri
	}
	query.Set(name, replacement)
	return path + "?" + query.Encode()
}

// maskBody sets a field of a JSON object that is present.
func maskBody(body []byte, path []string, replacement string) []byte {
	var document map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	if decoder.Decode(&document) != nil || !setPath(document, slices.Clone(path), replacement) {
		return body
	}
	masked, err := json.Marshal(document)
	if err != nil {
		return body
	}
	return masked
}

func setPath(object map[string]any, path []string, replacement string) bool {
	value, ok := object[path[0]]
	if !ok {
		return false
	}
	if len(path) == 1 {
		object[path[0]] = replacement
		return true
	}
	inner, ok := value.(map[string]any)
	return ok && setPath(inner, path[1:], replacement)
}
