package projects_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/replaylab/replay-evidence/lab/catalogue/projects"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	handler := projects.Handler()
	for name, c := range map[string]struct {
		path   string
		status int
		body   string
	}{
		"one":               {"/v1/project/alder-mesh?ts=1", 200, `{"id":"alder-mesh","name":"Alder Mesh","maturity":"Graduated"}`},
		"unknown":           {"/v1/project/nothing", 404, `{"error":"no such project"}`},
		"an id with escape": {"/v1/project/a%2Fb", 404, `{"error":"no such project"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, c.path, nil))
			assert.Equal(t, c.status, w.Code)
			assert.JSONEq(t, c.body, w.Body.String())
		})
	}
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/project?ts=2", nil))
		assert.Equal(t, http.StatusOK, w.Code)
		for _, p := range projects.All() {
			assert.Contains(t, w.Body.String(), p.ID)
		}
	})
}
