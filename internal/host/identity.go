package host

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/config"
)

// A request says who it comes from by these cookies or, stronger, headers. Without either it is the administrator of
// organisation 1.
const (
	roleCookie = "host_role"
	orgCookie  = "host_org"
	roleHeader = "X-Host-Role"
	orgHeader  = "X-Host-Org"
)

// roles are Grafana's organisation roles; None may use no plugin.
var roles = []string{"None", "Viewer", "Editor", "Admin"}

type identity struct {
	org  int64
	role string
}

func identify(r *http.Request) identity {
	said := func(header, cookie string) string {
		if v := r.Header.Get(header); v != "" {
			return v
		}
		if c, err := r.Cookie(cookie); err == nil {
			return c.Value
		}
		return ""
	}
	who := identity{org: 1, role: "Admin"}
	if role := said(roleHeader, roleCookie); slices.Contains(roles, role) {
		who.role = role
	}
	if org, err := strconv.ParseInt(said(orgHeader, orgCookie), 10, 64); err == nil && org > 0 {
		who.org = org
	}
	return who
}

func (i identity) user() *backend.User {
	login := strings.ToLower(i.role)
	return &backend.User{Login: login, Name: i.role, Email: login + "@localhost", Role: i.role}
}

// namespace is Grafana's name of an organisation: "default" for the first one.
func (i identity) namespace() string {
	if i.org == 1 {
		return "default"
	}
	return fmt.Sprintf("org-%d", i.org)
}

// pluginContext is what Grafana tells a backend with each call. ds is nil for the app.
func (s *Server) pluginContext(p Plugin, who identity, org orgState, ds *DataSource) backend.PluginContext {
	grafana := map[string]string{config.AppURL: s.url}
	if token := org.pluginToken(); token != "" {
		grafana[config.AppClientSecret] = token
	}
	pc := backend.PluginContext{
		OrgID:     who.org, //nolint:staticcheck // Grafana still sends it beside the namespace
		Namespace: who.namespace(), PluginID: p.ID, PluginVersion: p.Info.Version, User: who.user(),
		GrafanaConfig: config.NewGrafanaCfg(grafana),
	}
	if ds != nil {
		pc.DataSourceInstanceSettings = &backend.DataSourceInstanceSettings{
			ID: 1, UID: ds.UID, Name: ds.Name, Type: ds.Type, URL: ds.URL, JSONData: jsonOr(ds.JSONData), Updated: org.updated,
		}
		return pc
	}
	pc.AppInstanceSettings = &backend.AppInstanceSettings{
		JSONData: jsonOr(org.JSONData), DecryptedSecureJSONData: org.SecureJSONData, Updated: org.updated,
	}
	return pc
}

func jsonOr(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("{}")
	}
	return raw
}
