// Package schema makes JSON Schemas from Go types and their comments, so that documents, their schema and
// the TypeScript types have one source.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// Module is the path under which types are described in full.
const Module = "github.com/replaylab/replay-evidence"

// Document describes one schema to be made. The working directory must be the module's, because comments
// are read from the sources.
type Document struct {
	// Root is a value of the type that is described.
	Root any
	// ID and Title go into the schema.
	ID, Title string
	// Plain are the packages (paths below the module) whose type names stay as they are; those of other
	// packages get the package's name in front, so that two types of one name stay apart.
	Plain []string
	// Comments are the directories whose comments become descriptions.
	Comments []string
	// Adjust may narrow the schema further, with words and patterns that Go types cannot say; may be nil.
	Adjust func(*jsonschema.Schema) error
}

// Make returns the schema as indented JSON with a newline at its end.
func Make(d Document) ([]byte, error) {
	name := namer(d.Plain)
	r := &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true, Namer: name}
	for _, dir := range d.Comments {
		if err := r.AddGoComments(Module, dir); err != nil {
			return nil, fmt.Errorf("reading the comments of %s: %w", dir, err)
		}
	}
	s := r.Reflect(d.Root)
	s.ID, s.Title = jsonschema.ID(d.ID), d.Title
	nullable(s, reflect.TypeOf(d.Root), name, map[reflect.Type]bool{})
	if d.Adjust != nil {
		if err := d.Adjust(s); err != nil {
			return nil, fmt.Errorf("adjusting the schema %s: %w", d.Title, err)
		}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		return nil, fmt.Errorf("writing the schema %s: %w", d.Title, err)
	}
	return buf.Bytes(), nil
}

// Enum restricts a property of a definition to some words.
func Enum(s *jsonschema.Schema, definition, property string, words ...any) error {
	def, ok := s.Definitions[definition]
	if !ok {
		return fmt.Errorf("no definition %s", definition)
	}
	p, ok := def.Properties.Get(property)
	if !ok {
		return fmt.Errorf("no property %s.%s", definition, property)
	}
	p.Enum = words
	return nil
}

func namer(plain []string) func(reflect.Type) string {
	return func(t reflect.Type) string {
		pkg := strings.TrimPrefix(t.PkgPath(), Module+"/")
		if pkg == t.PkgPath() { // not ours
			return t.Name()
		}
		for _, p := range plain {
			if pkg == p {
				return t.Name()
			}
		}
		last := pkg[strings.LastIndexByte(pkg, '/')+1:]
		return strings.ToUpper(last[:1]) + last[1:] + t.Name()
	}
}

// nullable allows null for every pointer that is not left out when empty: a missing figure.
func nullable(s *jsonschema.Schema, t reflect.Type, name func(reflect.Type) string, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] || !strings.HasPrefix(t.PkgPath(), Module) {
		return
	}
	seen[t] = true
	if def := s.Definitions[name(t)]; def != nil {
		fields(def, t)
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("json") != "-" {
			nullable(s, f.Type, name, seen)
		}
	}
}

func fields(def *jsonschema.Schema, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		key, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && key == "" {
			fields(def, f.Type)
			continue
		}
		prop, ok := def.Properties.Get(key)
		if !ok || f.Type.Kind() != reflect.Pointer || strings.Contains(rest, "omitempty") {
			continue
		}
		description := prop.Description
		prop.Description = ""
		def.Properties.Set(key, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{prop, {Type: "null"}}, Description: description})
	}
}
