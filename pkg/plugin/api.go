package plugin

import (
	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// APIVersion of the resources, sent as apiVersion in every document of this file. The resources live
// under /v1; the version changes together with that prefix.
const APIVersion = "1"

// API lists every document the resources answer with, so that one JSON Schema, and from it the
// TypeScript types, can be generated. It is never sent itself.
type API struct {
	Sides       SidesResponse       `json:"sides"`
	Evidence    evidence.Side       `json:"evidence"`
	Comparison  compare.Comparison  `json:"comparison"`
	Diff        DiffResponse        `json:"diff"`
	Boundary    BoundaryResponse    `json:"boundary"`
	MetricNames MetricNamesResponse `json:"metricNames"`
	Check       CheckResponse       `json:"check"`
	Settings    SettingsResponse    `json:"settings"`
	Health      HealthDetails       `json:"health"`
	Problem     Problem             `json:"problem"`
}

// SidesResponse lists what was found below the roots.
type SidesResponse struct {
	APIVersion string            `json:"apiVersion"`
	Roots      []RootState       `json:"roots"`
	Sides      []SideRow         `json:"sides"`
	Profiles   []ProfileRef      `json:"profiles"`
	Problems   []catalog.Problem `json:"problems"`
}

// RootState says whether a root can be read.
type RootState struct {
	Name     string `json:"name"`
	Readable bool   `json:"readable"`
	// Message names what is wrong and what to do; empty when readable.
	Message string `json:"message"`
	Sides   int    `json:"sides"`
	Runs    int    `json:"runs"`
}

// SideRow is one side of the Runs page.
type SideRow struct {
	ID       string            `json:"id"`
	Root     string            `json:"root"`
	Path     string            `json:"path"`
	Label    string            `json:"label"`
	Declared *catalog.SideFile `json:"declared"`
	Runs     []RunRow          `json:"runs"`
	Problems []catalog.Problem `json:"problems"`
}

// RunRow is one run with the replay's own figures. Latencies are whole milliseconds.
type RunRow struct {
	ID                string            `json:"id"`
	Path              string            `json:"path"`
	Kind              catalog.Kind      `json:"kind"`
	Window            *catalog.Window   `json:"window"`
	Requests          *int64            `json:"requests"`
	Failed            *int64            `json:"failed"`
	MatchPct          *float64          `json:"matchPct"`
	P95Ms             *float64          `json:"p95Ms"`
	RequestsPerSecond *float64          `json:"requestsPerSecond"`
	ActiveSeconds     *float64          `json:"activeSeconds"`
	HarnessBound      *bool             `json:"harnessBound"`
	GateFailed        bool              `json:"gateFailed"`
	PairFiles         int               `json:"pairFiles"`
	Problems          []catalog.Problem `json:"problems"`
	Reasons           evidence.Reasons  `json:"reasons,omitempty"`
}

// ProfileRef names one profile.
type ProfileRef struct {
	Name          string `json:"name"`
	RequestMetric string `json:"requestMetric"`
	Job           string `json:"job"`
	// Problem is empty when the profile can be used.
	Problem string `json:"problem"`
}

// DiffResponse shows one recorded pair's responses of both sides. Values are masked unless the
// caller asked for them and may see them.
type DiffResponse struct {
	APIVersion  string                       `json:"apiVersion"`
	RefUUID     string                       `json:"refUuid"`
	Endpoint    string                       `json:"endpoint"`
	Masked      bool                         `json:"masked"`
	Baseline    *ResponseView                `json:"baseline"`
	Candidate   *ResponseView                `json:"candidate"`
	Differences []compare.ResponseDifference `json:"differences"`
	Ignored     []evidence.IgnoredField      `json:"ignored"`
}

// ResponseView is one response as a person may see it.
type ResponseView struct {
	Path    string              `json:"path"`
	Status  int                 `json:"status"`
	Headers map[string][]string `json:"headers"`
	// Body is pretty-printed JSON where it is JSON, else text; cut at 64 KiB.
	Body      string `json:"body"`
	Truncated bool   `json:"truncated"`
}

// BoundaryResponse is the boundary of a recording: what came in, what went out.
type BoundaryResponse struct {
	APIVersion string            `json:"apiVersion"`
	RunID      string            `json:"runId"`
	Masked     bool              `json:"masked"`
	Inbound    []BoundaryCall    `json:"inbound"`
	Outbound   []BoundaryCall    `json:"outbound"`
	Total      int               `json:"total"`
	Problems   []catalog.Problem `json:"problems"`
}

// BoundaryCall is one recorded call.
type BoundaryCall struct {
	UUID      string `json:"uuid"`
	Direction string `json:"direction"`
	Protocol  string `json:"protocol"`
	// Operation is method and path, or the SQL statement.
	Operation string `json:"operation"`
	Status    string `json:"status"`
	// DurationMs is null when unknown: the local recorder stores every outbound HTTP call as 1 ms.
	DurationMs *float64         `json:"durationMs"`
	At         string           `json:"at"`
	Body       string           `json:"body"`
	Path       string           `json:"path"`
	Reasons    evidence.Reasons `json:"reasons,omitempty"`
}

// MetricNamesResponse suggests metric names for a profile.
type MetricNamesResponse struct {
	APIVersion string   `json:"apiVersion"`
	Names      []string `json:"names"`
	Truncated  bool     `json:"truncated"`
}

// CheckResponse is the live check of a profile draft.
type CheckResponse struct {
	APIVersion string      `json:"apiVersion"`
	Valid      bool        `json:"valid"`
	Lines      []CheckLine `json:"lines"`
}

// CheckLine is one sentence of a check, such as "this histogram exists, 14 buckets, 1 s scrape".
type CheckLine struct {
	// Subject is the setting, e.g. "request.metric".
	Subject string `json:"subject"`
	// State is ok, warning or error.
	State string `json:"state"`
	Text  string `json:"text"`
	Next  string `json:"next"`
}

// SettingsResponse is the effective configuration, without secrets.
type SettingsResponse struct {
	APIVersion string `json:"apiVersion"`
	// OperatorRoots are the names the operator configured; only these can be picked.
	OperatorRoots []string     `json:"operatorRoots"`
	Roots         []RootState  `json:"roots"`
	Prometheus    PromSettings `json:"prometheus"`
	Profiles      []ProfileRef `json:"profiles"`
	// Problems are bad settings, each named.
	Problems []SettingProblem `json:"problems"`
	// CanConfigure is true for admins.
	CanConfigure bool `json:"canConfigure"`
}

// PromSettings says how Prometheus is reached.
type PromSettings struct {
	// Mode is datasource, url or none.
	Mode          string `json:"mode"`
	DataSourceUID string `json:"datasourceUid"`
	URL           string `json:"url"`
	// Token is managed, configured or none.
	Token string `json:"token"`
}

// SettingProblem is one bad setting.
type SettingProblem struct {
	Setting string `json:"setting"`
	Message string `json:"message"`
	Next    string `json:"next"`
}

// HealthDetails is the JSON of the health check.
type HealthDetails struct {
	APIVersion string `json:"apiVersion"`
	// Prometheus is ok, not_configured, no_token, token_refused, not_allowed, datasource_missing,
	// prometheus_down, not_prometheus or failed.
	Prometheus     string           `json:"prometheus"`
	PrometheusText string           `json:"prometheusText"`
	PrometheusNext string           `json:"prometheusNext"`
	Roots          []RootState      `json:"roots"`
	Runs           int              `json:"runs"`
	Problems       []SettingProblem `json:"problems"`
}

// Problem is a problem document (RFC 9457) with a cause a user can act on.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	// Code is stable, for tests and translations.
	Code string `json:"code"`
	// Next is what the user can do.
	Next string `json:"next"`
}
