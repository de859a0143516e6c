package packagecheck

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// images are the formats that screenshots and logos may have.
var images = []string{".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"}

// checkImages wants the logos and screenshots of every plugin, nested ones included, and drawings without programs.
func checkImages(c *contents, _ Options) ([]Fault, error) {
	var faults []Fault
	for _, folder := range c.folders() {
		m := c.plugins[folder]
		named := []string{m.Info.Logos.Small, m.Info.Logos.Large}
		for _, shot := range m.Info.Screenshots {
			named = append(named, shot.Path)
		}
		slices.Sort(named)
		for _, name := range slices.Compact(named) {
			file, ok := inside(folder, name)
			switch {
			case !ok || !c.has(file):
				faults = append(faults, Fault{File: path.Join(folder, "plugin.json"), Text: fmt.Sprintf("it names the image %q, which is not in the package", name)})
			case !slices.Contains(images, path.Ext(file)):
				faults = append(faults, Fault{File: file, Text: "it is no image"})
			}
		}
	}
	for _, name := range c.names {
		if path.Ext(name) != ".svg" {
			continue
		}
		text, err := fs.ReadFile(c.fsys, name)
		if err != nil {
			return nil, err
		}
		if why := unsafeSVG(text); why != "" {
			faults = append(faults, Fault{File: name, Text: why})
		}
	}
	return faults, nil
}

// unsafeSVG says why a drawing could do more than be drawn; empty when it cannot.
func unsafeSVG(text []byte) string {
	decoder := xml.NewDecoder(bytes.NewReader(text))
	decoder.Entity = map[string]string{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return ""
		}
		if err != nil {
			return "it is not well-formed: " + err.Error()
		}
		switch t := token.(type) {
		case xml.Directive:
			return "it declares a document type, by which entities come in"
		case xml.StartElement:
			if slices.Contains([]string{"script", "foreignobject", "iframe", "embed", "object", "animate", "set", "handler"}, strings.ToLower(t.Name.Local)) {
				return "it holds the element " + t.Name.Local
			}
			for _, a := range t.Attr {
				key, value := strings.ToLower(a.Name.Local), strings.ToLower(strings.TrimSpace(a.Value))
				if strings.HasPrefix(key, "on") {
					return "it holds the handler " + a.Name.Local
				}
				if key == "href" && !strings.HasPrefix(value, "#") {
					return "it refers to " + a.Value
				}
				if strings.Contains(value, "javascript:") || strings.Contains(value, "url(http") {
					return "it refers to " + a.Value
				}
			}
		}
	}
}

// template are sentences of the scaffold's README.
var template = []string{
	"This is a template", "Grafana app plugin template", "Building a plugin? Start here",
	"What are Grafana app plugins?", "To help maximize the impact of your README",
}

// checkDocuments wants a README of the plugin's own, a licence and a changelog that knows the version.
func checkDocuments(c *contents, _ Options) ([]Fault, error) {
	var faults []Fault
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
		if !c.has(name) {
			faults = append(faults, Fault{File: name, Text: "it is missing"})
			continue
		}
		text, err := fs.ReadFile(c.fsys, name)
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(text)) < 200 {
			faults = append(faults, Fault{File: name, Text: "it says next to nothing"})
		}
		for _, sentence := range template {
			if name == "README.md" && bytes.Contains(text, []byte(sentence)) {
				faults = append(faults, Fault{File: name, Text: fmt.Sprintf("it still has the template's %q", sentence)})
			}
		}
	}
	return faults, nil
}
