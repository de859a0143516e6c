package drive

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/catalogue/projects"
)

func TestPlanHoldsTheGuidesNumbers(t *testing.T) {
	t.Parallel()
	steps := plan()
	assert.Len(t, steps, 135)
	assert.Equal(t, 135, Total)
	known := map[string]bool{}
	for _, p := range projects.All() {
		known[p.ID] = true
	}
	count := map[string]int{}
	lines, unknown := 0, 0
	for _, s := range steps {
		count[s.method+" "+strings.ReplaceAll(s.path, unknownOrder, "%s")]++
		if s.status >= 400 {
			count["bad"]++
		}
		var order struct {
			Items []item `json:"items"`
		}
		if s.body == "" || json.Unmarshal([]byte(s.body), &order) != nil {
			continue
		}
		for _, i := range order.Items {
			if known[i.ProjectID] {
				lines++
			} else {
				unknown++
			}
		}
	}
	assert.Equal(t, map[string]int{
		"GET /healthz": 1, "GET /catalog": 3, "POST /orders": 44, "GET /orders": 5,
		"GET /orders/%s": 41, "GET /orders/%s/status": 41, "bad": 6,
	}, count)
	assert.Equal(t, 65, lines)
	assert.Equal(t, Lines, lines)
	assert.Equal(t, 2, unknown)
}

func TestRunReportsWrongAnswers(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(server.Close)
	result, err := Run(t.Context(), server.URL+"/")
	require.NoError(t, err)
	assert.Equal(t, "sent 135 requests, 135 unexpected", result.String())
	assert.Contains(t, result.Problems[0], "GET /healthz: answered 418, not 200")
}

func TestRunSaysWhenNobodyAnswers(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := Run(t.Context(), server.URL)
	require.ErrorContains(t, err, "is the service running?")
	_, err = Run(t.Context(), "localhost:8080")
	require.ErrorContains(t, err, "no base URL")
}
