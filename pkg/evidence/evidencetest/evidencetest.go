// Package evidencetest offers two measured sides for tests of the rooms below: the synthetic lab with a
// connection budget of 2 and of 16. They are what Measure made of pkg/evidence/testdata/lab and of an
// in-memory Prometheus; a test of pkg/evidence keeps them so.
package evidencetest

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

//go:embed baseline.json candidate.json
var files embed.FS

// RecordedUUID is the one recorded inbound pair of the synthetic lab.
const RecordedUUID = "6f1c2a10-0000-4000-8000-000000000001"

// Baseline is the side with a budget of 2; every call returns a copy of its own.
func Baseline() *evidence.Side { return load("baseline", "14:59:40") }

// Candidate is the side with a budget of 16; every call returns a copy of its own.
func Candidate() *evidence.Side { return load("candidate", "15:01:10") }

func load(name, clock string) *evidence.Side {
	data, err := files.ReadFile(name + ".json")
	if err != nil {
		panic(fmt.Errorf("evidencetest: %w", err)) // embedded at build time
	}
	var side evidence.Side
	if err := json.Unmarshal(data, &side); err != nil {
		panic(fmt.Errorf("evidencetest: %s.json: %w", name, err))
	}
	side.Recording.RefUUIDs = []string{RecordedUUID}
	for i := range 3 {
		side.Responses = append(side.Responses, evidence.Response{
			RefUUID: RecordedUUID, Ordinal: i, Endpoint: "GET /api/quote", Status: http.StatusOK,
			Headers: http.Header{"Content-Type": {"application/json"}, "Date": {"Thu, 13 Aug 2026 " + clock + " GMT"}},
			Body:    []byte(`{"sku":"SSC-4110","quantity":3,"unit_price_cents":1899,"total_cents":5697,"currency":"USD"}`),
			Path:    fmt.Sprintf("proxymock/results/%s/functional/localhost/%d.md", name, i), Match: "pass",
		})
	}
	return &side
}
