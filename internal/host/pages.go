package host

import (
	"net/http"
	"path/filepath"
	"strings"
)

// index answers every address that is a page: the bundle routes by itself.
func (s *Server) index(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if r.URL.Path == "/" {
		http.Redirect(w, r, "/a/"+s.App().ID+"/", http.StatusFound)
		return
	}
	http.ServeFile(w, r, filepath.Join(s.opt.Page, "index.html"))
}

// boot tells the page what Grafana's own index page would: who the user is and which plugins there are.
func (s *Server) boot(w http.ResponseWriter, r *http.Request) {
	who := identify(r)
	type bootPlugin struct {
		ID     string `json:"id"`
		Type   string `json:"type"`
		Name   string `json:"name"`
		Module string `json:"module"`
	}
	plugins := make([]bootPlugin, 0, len(s.plugins))
	for _, p := range s.plugins {
		plugins = append(plugins, bootPlugin{p.ID, p.Type, p.Name, "/public/plugins/" + p.ID + "/module.js"})
	}
	sources := s.orgs.get(who.org).DataSources
	if sources == nil {
		sources = []DataSource{}
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"version": GrafanaVersion, "plugins": plugins, "dataSources": sources,
		"user": map[string]any{"login": who.user().Login, "name": who.user().Name, "orgId": who.org, "orgRole": who.role},
	})
}

// forApp finds the plugin of the path and refuses users who may use none, as Grafana does before it calls a backend.
func (s *Server) forApp(next func(http.ResponseWriter, *http.Request, Plugin, identity)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who := identify(r)
		p, found := s.plugin(r.PathValue("id"))
		switch {
		case who.role == "None":
			grafanaError(w, http.StatusForbidden, "You'll need additional permissions to perform this action. Permissions needed: plugins.app:access")
		case !found || p.Type != "app":
			grafanaError(w, http.StatusNotFound, "Plugin not found")
		default:
			next(w, r, p, who)
		}
	}
}

// forDataSource finds the data source of the path and the plugin that serves it.
func (s *Server) forDataSource(next func(http.ResponseWriter, *http.Request, Plugin, identity, DataSource)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who := identify(r)
		ds, found := s.orgs.get(who.org).dataSource(r.PathValue("uid"))
		if !found {
			grafanaError(w, http.StatusNotFound, "Data source not found")
			return
		}
		p, found := s.plugin(ds.Type)
		if !found {
			grafanaError(w, http.StatusNotFound, "the host has no plugin "+ds.Type)
			return
		}
		next(w, r, p, who, ds)
	}
}

func trimSlashes(path string) string { return strings.TrimLeft(path, "/\\") }
