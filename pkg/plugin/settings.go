package plugin

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/profile"
)

// Settings is the jsonData of the app and of the nested data source; both read the same struct. All of
// it can be provisioned. Secrets are not here: they come decrypted from secureJsonData.
type Settings struct {
	// Roots picks among the operator's roots by name and may narrow one to a directory below it. Empty
	// means every root of the operator. It never widens.
	Roots []RootSetting `json:"roots,omitempty"`
	// Prometheus says where metrics are asked for.
	Prometheus PrometheusSetting `json:"prometheus"`
	// Profiles are the questions for services, as YAML texts.
	Profiles []ProfileSetting `json:"profiles,omitempty"`
	// Quantile, TolerancePercent and ToleranceMs override the profiles' own; zero keeps them.
	Quantile         float64 `json:"quantile,omitempty"`
	TolerancePercent float64 `json:"tolerancePercent,omitempty"`
	ToleranceMs      float64 `json:"toleranceMs,omitempty"`
}

// RootSetting picks one root of the operator.
type RootSetting struct {
	Name string `json:"name"`
	// Path narrows the root to a directory below it; empty keeps the whole root.
	Path string `json:"path,omitempty"`
}

// PrometheusSetting is either a Grafana data source by UID or a URL of its own.
type PrometheusSetting struct {
	DataSourceUID string `json:"datasourceUid,omitempty"`
	URL           string `json:"url,omitempty"`
	// GrafanaURL overrides Grafana's own address (its root_url) where the server cannot reach itself by it.
	GrafanaURL string `json:"grafanaUrl,omitempty"`
}

// ProfileSetting is one profile as YAML.
type ProfileSetting struct {
	YAML string `json:"yaml"`
}

// The modes of reaching Prometheus.
const (
	modeDataSource = "datasource"
	modeURL        = "url"
	modeNone       = "none"
)

// Mode says how Prometheus is reached: datasource, url or none.
func (p PrometheusSetting) Mode() string {
	switch {
	case p.DataSourceUID != "":
		return modeDataSource
	case p.URL != "":
		return modeURL
	default:
		return modeNone
	}
}

// withoutCredentials is a configured URL as every reader may see it. One that cannot be read is not shown: the list of
// problems names it.
func withoutCredentials(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// parseSettings reads jsonData. Bad settings become problems that name the setting; the good ones stay usable.
func parseSettings(jsonData []byte) (Settings, []*profile.Profile, []SettingProblem) {
	var s Settings
	var problems []SettingProblem
	if len(jsonData) > 0 {
		if err := json.Unmarshal(jsonData, &s); err != nil {
			problems = append(problems, SettingProblem{
				Setting: "jsonData", Message: fmt.Sprintf("the settings could not be read: %v", err),
				Next: "Save the configuration page again, or correct the provisioning file.",
			})
		}
	}
	problems = append(problems, checkPrometheus(s.Prometheus)...)
	if s.Quantile < 0 || s.Quantile >= 1 {
		problems = append(problems, SettingProblem{
			Setting: "quantile", Message: fmt.Sprintf("%v is not between 0 and 1", s.Quantile),
			Next: "Use a level such as 0.95, or leave it out to keep the profile's own.",
		})
		s.Quantile = 0
	}
	if s.TolerancePercent < 0 || s.ToleranceMs < 0 {
		problems = append(problems, SettingProblem{
			Setting: "tolerance", Message: "a tolerance cannot be negative",
			Next: "Use 10 percent and 2 milliseconds, or leave both out to keep the profile's own.",
		})
		s.TolerancePercent, s.ToleranceMs = 0, 0
	}
	var profiles []*profile.Profile
	seen := map[string]bool{}
	for i, ps := range s.Profiles {
		setting := fmt.Sprintf("profiles[%d]", i)
		p, err := profile.Parse(strings.NewReader(ps.YAML), setting)
		if err != nil {
			problems = append(problems, SettingProblem{
				Setting: setting, Message: err.Error(), Next: "Correct the profile on the configuration page.",
			})
			continue
		}
		if seen[p.Name] {
			problems = append(problems, SettingProblem{
				Setting: setting, Message: fmt.Sprintf("a second profile is named %q; the first one is used", p.Name),
				Next: "Give each profile a name of its own.",
			})
			continue
		}
		seen[p.Name] = true
		applyOverrides(p, s)
		profiles = append(profiles, p)
	}
	return s, profiles, problems
}

func applyOverrides(p *profile.Profile, s Settings) {
	if s.Quantile > 0 {
		p.Quantile = s.Quantile
	}
	if s.TolerancePercent > 0 {
		p.Tolerance.Percent = s.TolerancePercent
	}
	if s.ToleranceMs > 0 {
		p.Tolerance.Milliseconds = s.ToleranceMs
	}
}

func checkPrometheus(p PrometheusSetting) []SettingProblem {
	var problems []SettingProblem
	if p.DataSourceUID != "" && p.URL != "" {
		problems = append(problems, SettingProblem{
			Setting: "prometheus", Message: "both a data source and a URL are set; the data source is used",
			Next: "Clear one of the two.",
		})
	}
	for name, raw := range map[string]string{"prometheus.url": p.URL, "prometheus.grafanaUrl": p.GrafanaURL} {
		if raw == "" {
			continue
		}
		u, err := url.Parse(raw)
		switch {
		case err != nil:
			problems = append(problems, SettingProblem{Setting: name, Message: "is not a URL", Next: "Write it like http://prometheus:9090."})
		case u.Scheme != "http" && u.Scheme != "https":
			problems = append(problems, SettingProblem{Setting: name, Message: fmt.Sprintf("scheme %q is neither http nor https", u.Scheme), Next: "Write it like http://prometheus:9090."})
		case u.Host == "":
			problems = append(problems, SettingProblem{Setting: name, Message: "names no host", Next: "Write it like http://prometheus:9090."})
		case u.User != nil:
			problems = append(problems, SettingProblem{Setting: name, Message: "carries a user or password", Next: "Put credentials into the secure fields instead."})
		}
	}
	return problems
}
