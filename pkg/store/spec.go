package store

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// Spec is one configured root.
type Spec struct {
	// Name is what the root is called in ids, URLs and messages.
	Name string
	// Path is the directory, cleaned; it may be relative to the process's working directory.
	Path string
}

var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func checkName(name string) error {
	if !nameRule.MatchString(name) {
		return fmt.Errorf("root name %q: use 1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit", name)
	}
	return nil
}

// ParseSpec reads a list of roots, "lab=/var/lib/results, ci=/srv/ci": name=path items separated by commas or
// newlines, blanks around them ignored. Names are unique; a path cannot contain a comma. An empty
// text is an empty list.
func ParseSpec(text string) ([]Spec, error) {
	var specs []Spec
	seen := map[string]bool{}
	for _, item := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == '\n' || c == '\r' }) {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		name, dir, ok := strings.Cut(item, "=")
		name, dir = strings.TrimSpace(name), strings.TrimSpace(dir)
		if !ok || dir == "" {
			return nil, fmt.Errorf("root %q: write it as name=path, for example lab=/var/lib/results", item)
		}
		if err := checkName(name); err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, fmt.Errorf("root name %q is used twice; give each root its own name", name)
		}
		seen[name] = true
		specs = append(specs, Spec{Name: name, Path: filepath.Clean(dir)})
	}
	return specs, nil
}
