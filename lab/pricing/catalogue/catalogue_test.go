package catalogue

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		method, path string
		status       int
		body         string
	}{
		"health has no body":          {http.MethodGet, "/healthz", http.StatusNoContent, ""},
		"known article":               {http.MethodGet, "/v1/price/SSC-4110", http.StatusOK, `{"sku":"SSC-4110","unit_price_cents":1899,"currency":"USD"}` + "\n"},
		"another article":             {http.MethodGet, "/v1/price/SSC-7300", http.StatusOK, `{"sku":"SSC-7300","unit_price_cents":12999,"currency":"USD"}` + "\n"},
		"unknown article":             {http.MethodGet, "/v1/price/SSC-9999", http.StatusNotFound, "unknown SKU\n"},
		"price list cannot be posted": {http.MethodPost, "/v1/price/SSC-4110", http.StatusMethodNotAllowed, "Method Not Allowed\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := httptest.NewRecorder()
			Handler(0).ServeHTTP(rec, httptest.NewRequest(tc.method, tc.path, nil))
			assert.Equal(t, tc.status, rec.Code)
			assert.Equal(t, tc.body, rec.Body.String())
		})
	}
}

func TestUnknownArticleIsAnsweredWithoutTheDelay(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	// With an hour of delay the test would never end if 404 had to wait for it.
	Handler(time.Hour).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/v1/price/NO-1", nil))
	assert.Equal(t, http.StatusNotFound, rec.Code)
}

func TestHandlerGivesUpWhenTheCallerIsGone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rec := httptest.NewRecorder()
	Handler(time.Hour).ServeHTTP(rec, httptest.NewRequestWithContext(ctx, http.MethodGet, "/v1/price/SSC-4110", nil))
	assert.Empty(t, rec.Body.String())
}
