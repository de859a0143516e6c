package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"
)

// MaxBytes is the largest profile that is read.
const MaxBytes = 256 << 10

// Problem is one fault of a profile.
type Problem struct {
	// File is the name that was given to Parse.
	File string
	// Line is 1-based; 0 when the fault has no line, such as a missing field of an empty file.
	Line int
	// Field is the path of the field, such as waits[0].metric; empty for faults of the YAML itself.
	Field string
	// Message says what is wrong and what to write instead.
	Message string
}

func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Message)
	return b.String()
}

// Error lists every fault of a profile, in the order of their lines.
type Error struct{ Problems []Problem }

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Parse reads one profile. The name of the file is used in messages only. A profile with faults is
// reported as *Error with all of them; unknown fields are faults.
func Parse(r io.Reader, file string) (*Profile, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading profile %s: %w", file, err)
	}
	one := func(line int, format string, args ...any) error {
		return &Error{Problems: []Problem{{File: file, Line: line, Message: fmt.Sprintf(format, args...)}}}
	}
	if len(data) > MaxBytes {
		return nil, one(0, "the profile is larger than %d KiB", MaxBytes>>10)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		line, message := splitLine(err.Error())
		return nil, one(line, "not valid YAML: %s", message)
	}
	if root.Kind == 0 || len(root.Content) == 0 || root.Content[0].Tag == "!!null" {
		return nil, one(0, "the profile is empty: it needs at least name, target.job and request.metric")
	}
	if root.Content[0].Kind != yaml.MappingNode {
		return nil, one(root.Content[0].Line, "a profile is a mapping of fields such as name: and request:")
	}
	var problems []Problem
	// What the file leaves out keeps its default; what it states as 0 is checked as 0.
	p := &Profile{}
	p.withDefaults()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(p); err != nil {
		var typeErr *yaml.TypeError
		if !errors.As(err, &typeErr) {
			line, message := splitLine(err.Error())
			return nil, one(line, "%s", message)
		}
		for _, text := range typeErr.Errors {
			line, message := splitLine(text)
			problems = append(problems, Problem{File: file, Line: line, Message: reword(message)})
		}
	}
	var next yaml.Node
	if err := dec.Decode(&next); !errors.Is(err, io.EOF) {
		problems = append(problems, Problem{File: file, Line: next.Line, Message: "a file holds one profile: put a second document into a file of its own"})
	}
	p.holdDefaults()
	decoding, lost := problems, undecoded(root.Content[0], nil)
	for _, f := range p.check() {
		line := lineOf(root.Content[0], f.path...)
		// A field that could not be decoded has been reported with its own line already.
		if slices.ContainsFunc(lost, func(prefix []any) bool { return hasPrefix(f.path, prefix) }) {
			continue
		}
		if slices.ContainsFunc(decoding, func(q Problem) bool { return q.Line == line && line > 0 }) {
			continue
		}
		problems = append(problems, Problem{File: file, Line: line, Field: pathText(f.path), Message: f.message})
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
		return nil, &Error{Problems: problems}
	}
	return p, nil
}

// Validate checks a profile that was made by hand and fills in its defaults.
func (p *Profile) Validate() error {
	p.withDefaults()
	faults := p.check()
	if len(faults) == 0 {
		return nil
	}
	name := p.Name
	if name == "" {
		name = "profile"
	}
	e := &Error{}
	for _, f := range faults {
		e.Problems = append(e.Problems, Problem{File: name, Field: pathText(f.path), Message: f.message})
	}
	return e
}

var (
	linePattern    = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\s*)?line (\d+): (?s:(.*))$`)
	unknownPattern = regexp.MustCompile(`^field (.+) not found in type profile\.(\w+)$`)
	typePattern    = regexp.MustCompile(`^cannot unmarshal !!(\w+)(?: (.*))? into (\S+)$`)
	twicePattern   = regexp.MustCompile(`^mapping key (".*") already defined at line (\d+)$`)
)

// splitLine takes the line number out of a message of the YAML library.
func splitLine(s string) (line int, message string) {
	m := linePattern.FindStringSubmatch(s)
	if m == nil {
		return 0, strings.TrimPrefix(s, "yaml: ")
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0, m[2]
	}
	return n, m[2]
}

// knownFields lists the fields of each part of a profile, for the message about an unknown one.
var knownFields = map[string]string{
	"Profile":   "name, target, request, waits, cpu, errors, ignore, quantile, tolerance, extra",
	"Target":    "job, instance",
	"Request":   "metric, matchers, route, code",
	"Wait":      "name, metric, matchers, pool, hold",
	"Tolerance": "percent, milliseconds",
	"Extra":     "name, unit, promql",
}

// reword turns a message of the YAML library, which speaks of Go types, into one for its author.
func reword(s string) string {
	if m := unknownPattern.FindStringSubmatch(s); m != nil {
		return fmt.Sprintf("unknown field %q; known here: %s", m[1], knownFields[m[2]])
	}
	if m := twicePattern.FindStringSubmatch(s); m != nil {
		return fmt.Sprintf("field %s is given twice, first at line %s", m[1], m[2])
	}
	if m := typePattern.FindStringSubmatch(s); m != nil {
		want := map[string]string{
			"string": "a text", "float64": "a number", "[]string": "a list of texts",
			"[]profile.Wait": "a list", "[]profile.Extra": "a list",
			"profile.Target": "a mapping", "profile.Request": "a mapping", "profile.Tolerance": "a mapping",
			"profile.Wait": "a mapping", "profile.Extra": "a mapping",
		}[m[3]]
		if want == "" {
			want = "something else"
		}
		got := map[string]string{"str": "a text", "seq": "a list", "map": "a mapping", "int": "a number", "float": "a number", "bool": "true or false"}[m[1]]
		if got == "" {
			got = m[1]
		}
		return fmt.Sprintf("expected %s here, found %s %s", want, got, m[2])
	}
	return s
}

// lineOf finds the line of a field by its path; of the nearest parent that exists otherwise.
func lineOf(n *yaml.Node, path ...any) int {
	line := 0
	for _, step := range path {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		var child *yaml.Node
		switch key := step.(type) {
		case string:
			for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == key {
					line, child = n.Content[i].Line, n.Content[i+1]
				}
			}
		case int:
			if n.Kind == yaml.SequenceNode && key < len(n.Content) {
				child = n.Content[key]
				line = child.Line
			}
		}
		if child == nil {
			return line
		}
		n = child
	}
	return line
}

// undecoded lists the paths of mappings with a key that is given twice: the YAML library decodes nothing of
// them. Of a list with such an item the whole list is named, because the library leaves the item out and the
// others move up.
func undecoded(n *yaml.Node, path []any) [][]any {
	var out [][]any
	switch n.Kind {
	case yaml.MappingNode:
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			if seen[key] {
				return [][]any{path}
			}
			seen[key] = true
			out = append(out, undecoded(n.Content[i+1], append(slices.Clone(path), key))...)
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if len(undecoded(item, nil)) > 0 {
				return [][]any{path}
			}
		}
	}
	return out
}

func hasPrefix(path, prefix []any) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

func pathText(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch s := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		case string:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

// UnmarshalYAML reads matchers from one text or from a list of texts.
func (m *Matchers) UnmarshalYAML(n *yaml.Node) error {
	var texts []string
	switch n.Kind {
	case yaml.ScalarNode:
		texts = []string{n.Value}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return typeError(item.Line, "a list of matchers holds texts such as route=\"/api/quote\"")
			}
			texts = append(texts, item.Value)
		}
	default:
		return typeError(n.Line, "matchers are written as one text, such as route=\"/api/quote\", or as a list of texts")
	}
	*m = nil
	for _, text := range texts {
		parsed, err := parseMatchers(text)
		if err != nil {
			return typeError(n.Line, err.Error())
		}
		*m = append(*m, parsed...)
	}
	return nil
}

// String writes the matchers as they stand inside a selector's braces.
func (m Matchers) String() string {
	parts := make([]string, len(m))
	for i, one := range m {
		parts[i] = one.Name + one.Type.String() + quote(one.Value)
	}
	return strings.Join(parts, ",")
}

// MarshalYAML writes the matchers as one text.
func (m Matchers) MarshalYAML() (any, error) { return m.String(), nil }

// Match says whether a series with these labels passes every matcher. A missing label is empty, as
// it is for Prometheus.
func (m Matchers) Match(labels map[string]string) bool {
	for _, one := range m {
		if !one.Matches(labels[one.Name]) {
			return false
		}
	}
	return true
}

// UnmarshalYAML reads the name of a histogram, a duration such as 40ms, or the word remainder.
func (h *Hold) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return typeError(n.Line, "hold is a duration such as 40ms, the name of a histogram, or remainder")
	}
	parsed, err := ParseHold(n.Value)
	if err != nil {
		return typeError(n.Line, "hold: "+err.Error())
	}
	*h = parsed
	return nil
}

// ParseHold reads a holding time: a positive Go duration (declared), the name of a histogram without
// suffix, or remainder, which an empty text means too.
func ParseHold(s string) (Hold, error) {
	s = strings.TrimSpace(s)
	if s == "" || s == string(HoldRemainder) {
		return Hold{Kind: HoldRemainder}, nil
	}
	if d, err := time.ParseDuration(s); err == nil {
		if d <= 0 {
			return Hold{}, fmt.Errorf("a holding time of %s is not possible: give a positive duration such as 40ms", s)
		}
		return Hold{Kind: HoldDeclared, Duration: d}, nil
	}
	if !model.LegacyValidation.IsValidMetricName(s) {
		return Hold{}, fmt.Errorf("%q is neither a duration such as 40ms, nor the name of a histogram, nor remainder", s)
	}
	return Hold{Kind: HoldHistogram, Metric: s}, nil
}

// String writes the holding time as ParseHold reads it.
func (h Hold) String() string {
	switch h.Kind {
	case HoldDeclared:
		return h.Duration.String()
	case HoldHistogram:
		return h.Metric
	}
	return string(HoldRemainder)
}

// MarshalYAML writes the holding time as ParseHold reads it.
func (h Hold) MarshalYAML() (any, error) { return h.String(), nil }

// typeError is collected by the YAML library together with its own, so that one bad field does not
// hide the others.
func typeError(line int, message string) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %s", line, message)}}
}
