package host

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"time"
)

// The ways in which an organisation's plugin gets a token for Grafana's own API.
const (
	// TokenManaged is Grafana with managed service accounts: the plugin gets a token that is accepted.
	TokenManaged = "managed"
	// TokenNone is Grafana without them: the plugin gets no token.
	TokenNone = "none"
	// TokenRefused is a token that Grafana no longer accepts.
	TokenRefused = "refused"
)

// DataSource is a data source of an organisation.
type DataSource struct {
	UID  string `json:"uid"`
	Name string `json:"name"`
	Type string `json:"type"`
	URL  string `json:"url"`
	// Refuse makes the proxy answer 403, as for a service account without datasources:query.
	Refuse bool `json:"refuse"`
	// JSONData are the settings of a data source of the plugin itself.
	JSONData json.RawMessage `json:"jsonData,omitempty"`
}

// Org is what an organisation has configured. Tests use one organisation each, so that they do not meet.
type Org struct {
	// JSONData and SecureJSONData are the app's settings.
	JSONData       json.RawMessage   `json:"jsonData"`
	SecureJSONData map[string]string `json:"secureJsonData"`
	// Token is managed, none or refused; empty means managed.
	Token       string       `json:"token"`
	DataSources []DataSource `json:"dataSources"`
}

// orgState adds what the host keeps beside the configuration.
type orgState struct {
	Org
	// updated changes with the settings only: a new value makes the SDK build a new plugin instance.
	updated time.Time
	// accepted is the token that the host's own API accepts for this organisation.
	accepted string
}

// orgs holds the organisations; one that nobody configured starts as a copy of the initial one.
type orgs struct {
	initial Org
	start   time.Time

	mu  sync.Mutex
	all map[int64]*orgState
}

func newOrgs(initial Org, start time.Time) *orgs {
	return &orgs{initial: initial, start: start.Truncate(time.Millisecond), all: map[int64]*orgState{}}
}

func (o *orgs) locked(id int64) *orgState {
	state := o.all[id]
	if state == nil {
		state = &orgState{Org: o.initial, updated: o.start, accepted: fmt.Sprintf("host-%d-%s", id, rand.Text())}
		o.all[id] = state
	}
	return state
}

// get returns a copy of an organisation's state.
func (o *orgs) get(id int64) orgState {
	o.mu.Lock()
	defer o.mu.Unlock()
	return *o.locked(id)
}

// change lets f change an organisation; the plugin sees it as new settings.
func (o *orgs) change(id int64, f func(*Org)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	state := o.locked(id)
	f(&state.Org)
	// The wire carries milliseconds; two changes within one must still differ.
	state.updated = state.updated.Add(time.Millisecond)
}

// byToken finds the organisation that a bearer token belongs to.
func (o *orgs) byToken(token string) (orgState, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, state := range o.all {
		if state.accepted == token {
			return *state, true
		}
	}
	return orgState{}, false
}

// pluginToken is the token that the plugin is given; empty for none.
func (s orgState) pluginToken() string {
	switch s.Token {
	case TokenNone:
		return ""
	case TokenRefused:
		return "no-longer-accepted"
	default:
		return s.accepted
	}
}

func (s orgState) dataSource(uid string) (DataSource, bool) {
	for _, ds := range s.DataSources {
		if ds.UID == uid {
			return ds, true
		}
	}
	return DataSource{}, false
}

// saveSettings does what Grafana does when the configuration page is saved: jsonData is replaced, secrets are
// added to, and an empty secret removes one.
func (o *Org) saveSettings(jsonData json.RawMessage, secrets map[string]string) {
	if len(jsonData) > 0 {
		o.JSONData = jsonData
	}
	merged := maps.Clone(o.SecureJSONData)
	if merged == nil {
		merged = map[string]string{}
	}
	for name, value := range secrets {
		if value == "" {
			delete(merged, name)
		} else {
			merged[name] = value
		}
	}
	o.SecureJSONData = merged
}
