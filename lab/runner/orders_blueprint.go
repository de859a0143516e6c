package runner

import "path/filepath"

// blueprint is a file of transform rules, as far as masking a parameter needs it.
type blueprint struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Services    []string `json:"services"`
	Tokenize    struct {
		Name      string           `json:"name"`
		ID        string           `json:"id"`
		Responder []blueprintChain `json:"responder"`
	} `json:"tokenizeConfig"`
	Active bool `json:"active"`
}

// blueprintChain takes a value out of a request and replaces it, in the recorded request and in the
// one at hand, before the two are compared.
type blueprintChain struct {
	Filters    blueprintFilters `json:"filters"`
	Extractor  blueprintStep    `json:"extractor"`
	Transforms []blueprintStep  `json:"transforms"`
}

type blueprintFilters struct {
	Filters []blueprintFilter `json:"filters"`
}

type blueprintFilter struct {
	Include  bool   `json:"include"`
	Operator string `json:"operator"`
	Location string `json:"detectedLocation"`
}

type blueprintStep struct {
	Type   string            `json:"type"`
	Config map[string]string `json:"config"`
}

// maskTS masks the parameter ts of catalogue calls: it is the time of the call and says nothing about
// what is asked for.
func maskTS() blueprint {
	b := blueprint{
		ID: "6f0d8a52-2b7e-4d38-9a55-0c9f6f5c2a11", Name: "catalogue calls: mask ts",
		Description: "Every catalogue call carries the time as ts. It never matches a recorded one and says nothing about what is asked for.",
		Services:    []string{"my-app"}, Active: true,
	}
	b.Tokenize.Name, b.Tokenize.ID = b.Name, b.ID
	b.Tokenize.Responder = []blueprintChain{{
		Filters:    blueprintFilters{[]blueprintFilter{{Include: true, Operator: "CONTAINS", Location: "/v1/project"}}},
		Extractor:  blueprintStep{"http_queryparam", map[string]string{"name": "ts"}},
		Transforms: []blueprintStep{{"constant", map[string]string{"new": "*"}}},
	}}
	return b
}

// writeBlueprint puts the rule where a mock looks for it: into the workspace, and into the recording,
// which a mock is given as a whole.
func (o *orders) writeBlueprint() error {
	for _, dir := range []string{o.workspace(), o.baseline()} {
		if err := writeJSON(filepath.Join(dir, "blueprints", "mask-ts.json"), maskTS()); err != nil {
			return err
		}
	}
	return nil
}
