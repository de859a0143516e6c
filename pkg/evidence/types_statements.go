package evidence

import "github.com/replaylab/replay-evidence/pkg/catalog"

// Statements is the statement inventory of a side's recording.
type Statements struct {
	State   State  `json:"state"`
	Message string `json:"message,omitempty"`
	RunID   string `json:"runId,omitempty"`
	// Executions counts Query and Execute Prepared Statement pairs without transaction control.
	Executions *int64 `json:"executions"`
	// Messages counts all SQL messages; detail only, never compared across drivers.
	Messages   *int64              `json:"messages"`
	Reads      *int64              `json:"reads"`
	Writes     *int64              `json:"writes"`
	Errors     *int64              `json:"errors"`
	Inventory  []Statement         `json:"inventory"`
	ByEndpoint []EndpointStatement `json:"byEndpoint"`
	// Linking says how statements were tied to requests: trace id, time containment, mixed or none.
	Linking  string            `json:"linking"`
	Problems []catalog.Problem `json:"problems"`
	Reasons  Reasons           `json:"reasons,omitempty"`
}

// Statement is one fingerprint of a statement inventory.
type Statement struct {
	Fingerprint string   `json:"fingerprint"`
	SQL         string   `json:"sql"`
	Verb        string   `json:"verb"`
	Tables      []string `json:"tables"`
	Executions  int64    `json:"executions"`
	Rows        int64    `json:"rows"`
	Errors      int64    `json:"errors"`
	// SpanSeconds is the time from the first message of each group to its end, summed; null if unknown.
	SpanSeconds *float64 `json:"spanSeconds"`
	Reasons     Reasons  `json:"reasons,omitempty"`
}

// EndpointStatement is one fingerprint below one endpoint.
type EndpointStatement struct {
	Endpoint    string `json:"endpoint"`
	Fingerprint string `json:"fingerprint"`
	// Calls is the number of inbound requests of the endpoint in the recording.
	Calls      int64   `json:"calls"`
	Executions int64   `json:"executions"`
	PerCall    float64 `json:"perCall"`
	MaxPerCall int64   `json:"maxPerCall"`
	// GuessedExecutions were tied by time containment while requests overlapped.
	GuessedExecutions int64 `json:"guessedExecutions"`
	// ParentFingerprint names the statement whose returned rows the executions grow with (N+1).
	ParentFingerprint string   `json:"parentFingerprint,omitempty"`
	RowsOfParent      int64    `json:"rowsOfParent"`
	SpanSeconds       *float64 `json:"spanSeconds"`
	Reasons           Reasons  `json:"reasons,omitempty"`
}
