// Package projects is the catalogue's data and its HTTP face.
package projects

import (
	"encoding/json"
	"net/http"
)

// Project is one entry of the catalogue.
type Project struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Maturity string `json:"maturity"`
}

// All returns the catalogue: invented projects, at least one of each maturity that has a price of its
// own and one of none.
func All() []Project {
	return []Project{
		{"alder-mesh", "Alder Mesh", "Graduated"},
		{"brook-queue", "Brook Queue", "Incubating"},
		{"cinder-store", "Cinder Store", "Sandbox"},
		{"dune-gateway", "Dune Gateway", "Graduated"},
		{"ember-trace", "Ember Trace", "Incubating"},
		{"fjord-cache", "Fjord Cache", "Sandbox"},
		{"grove-scheduler", "Grove Scheduler", "Archived"},
	}
}

// Handler serves GET /v1/project (all), GET /v1/project/{id} (one, 404 when unknown) and GET /healthz.
// Query parameters are ignored.
func Handler() http.Handler {
	byID := map[string]Project{}
	for _, p := range All() {
		byID[p.ID] = p
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /v1/project", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string][]Project{"projects": All()})
	})
	mux.HandleFunc("GET /v1/project/{id}", func(w http.ResponseWriter, r *http.Request) {
		p, ok := byID[r.PathValue("id")]
		if !ok {
			answer(w, http.StatusNotFound, map[string]string{"error": "no such project"})
			return
		}
		answer(w, http.StatusOK, p)
	})
	return mux
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // plain structs; the caller is gone when this fails
}
