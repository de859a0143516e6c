package host

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// pluginSettings serves GET /api/plugins/{id}/settings: the plugin's meta as its configuration page gets it.
func (s *Server) pluginSettings(w http.ResponseWriter, r *http.Request) {
	p, found := s.plugin(r.PathValue("id"))
	if !found {
		grafanaError(w, http.StatusNotFound, "Plugin not found, no installed plugin with that id")
		return
	}
	org := s.orgs.get(identify(r).org)
	var meta map[string]any
	if err := json.Unmarshal(p.Meta, &meta); err != nil {
		grafanaError(w, http.StatusInternalServerError, err.Error())
		return
	}
	meta["enabled"], meta["pinned"] = true, true
	meta["module"] = "public/plugins/" + p.ID + "/module.js"
	meta["baseUrl"] = "public/plugins/" + p.ID
	meta["jsonData"] = json.RawMessage(jsonOr(org.JSONData))
	fields := map[string]bool{}
	for name := range org.SecureJSONData {
		fields[name] = true
	}
	meta["secureJsonFields"] = fields
	writeJSON(w, http.StatusOK, meta)
}

// savePluginSettings serves POST /api/plugins/{id}/settings, which Grafana grants to administrators.
func (s *Server) savePluginSettings(w http.ResponseWriter, r *http.Request) {
	who := identify(r)
	if who.role != "Admin" {
		grafanaError(w, http.StatusForbidden, "You'll need additional permissions to perform this action. Permissions needed: plugins:write")
		return
	}
	if _, found := s.plugin(r.PathValue("id")); !found {
		grafanaError(w, http.StatusNotFound, "Plugin not installed")
		return
	}
	var body struct {
		JSONData       json.RawMessage   `json:"jsonData"`
		SecureJSONData map[string]string `json:"secureJsonData"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&body); err != nil {
		grafanaError(w, http.StatusBadRequest, "bad request data: "+err.Error())
		return
	}
	s.orgs.change(who.org, func(o *Org) { o.saveSettings(body.JSONData, body.SecureJSONData) })
	grafanaMessage(w, "Plugin settings updated")
}

func grafanaMessage(w http.ResponseWriter, message string) {
	writeJSON(w, http.StatusOK, map[string]string{"message": message})
}

// dataSources serves GET /api/datasources: what a data source picker offers.
func (s *Server) dataSources(w http.ResponseWriter, r *http.Request) {
	org := s.orgs.get(identify(r).org)
	list := org.DataSources
	if list == nil {
		list = []DataSource{}
	}
	writeJSON(w, http.StatusOK, list)
}

// putOrg is the host's own control: it replaces the configuration of one organisation.
func (s *Server) putOrg(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		grafanaError(w, http.StatusBadRequest, "the organisation is a whole number above 0")
		return
	}
	var org Org
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&org); err != nil {
		grafanaError(w, http.StatusBadRequest, "read the organisation: "+err.Error())
		return
	}
	s.orgs.change(id, func(o *Org) { *o = org })
	grafanaMessage(w, "organisation changed")
}

// visit is the host's own switch for people: /host/visit?role=Viewer&org=2&to=/a/… sets who you are and goes there.
func (s *Server) visit(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	for param, cookie := range map[string]string{"role": roleCookie, "org": orgCookie} {
		if value := query.Get(param); value != "" {
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: url.QueryEscape(value), Path: "/", SameSite: http.SameSiteStrictMode})
		}
	}
	// Only a path of this host: the address bar is the only thing that may send people elsewhere.
	to, err := url.Parse(query.Get("to"))
	if err != nil || to.Path == "" {
		to = &url.URL{Path: "/"}
	}
	local := url.URL{Path: "/" + trimSlashes(to.Path), RawQuery: to.RawQuery}
	http.Redirect(w, r, local.String(), http.StatusSeeOther)
}
