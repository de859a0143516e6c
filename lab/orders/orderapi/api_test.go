package orderapi

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConfigFromEnv(t *testing.T) {
	t.Parallel()
	const database = "postgres://u:p@localhost/orders"
	for name, c := range map[string]struct {
		env  map[string]string
		want Config
		err  string
	}{
		"defaults": {map[string]string{"DATABASE_URL": database}, Config{Addr: ":8080", Version: "v1", DatabaseURL: database}, ""},
		"all": {map[string]string{
			"PORT": "9000", "DATABASE_URL": database, "APP_VERSION": "v2", "APP_SLOW": "1", "APP_ID_SEED": "s",
		}, Config{Addr: ":9000", Version: "v2", Slow: true, IDSeed: "s", DatabaseURL: database}, ""},
		"no database":       {nil, Config{}, "DATABASE_URL is empty"},
		"no port":           {map[string]string{"DATABASE_URL": database, "PORT": "http"}, Config{}, "PORT"},
		"unknown version":   {map[string]string{"DATABASE_URL": database, "APP_VERSION": "v3"}, Config{}, "APP_VERSION"},
		"slow is 0 or 1":    {map[string]string{"DATABASE_URL": database, "APP_SLOW": "yes"}, Config{}, "APP_SLOW"},
		"catalogue, no URL": {map[string]string{"DATABASE_URL": database, "DEMO_API_URL": "localhost:1"}, Config{}, "DEMO_API_URL"},
		"proxy, no URL":     {map[string]string{"DATABASE_URL": database, "HTTP_PROXY": "localhost"}, Config{}, "HTTP_PROXY"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ConfigFromEnv(func(key string) string { return c.env[key] })
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "http://localhost:8091", got.CatalogueURL.String())
			got.CatalogueURL = nil
			assert.Equal(t, c.want, got)
		})
	}
}

func TestPricesFollowMaturity(t *testing.T) {
	t.Parallel()
	for maturity, want := range map[string]int32{"Graduated": 1200, "Incubating": 800, "Sandbox": 500, "Archived": 1000, "": 1000} {
		assert.Equal(t, want, project{Maturity: maturity}.priceCents(), maturity)
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	a, b, other := idSource("x"), idSource("x"), idSource("y")
	first := a()
	assert.Equal(t, first, b())
	assert.NotEqual(t, first, a())
	assert.NotEqual(t, first, other())
	random := idSource("")
	assert.NotEqual(t, random(), random())
}

func TestVersionsDifferInTheTotal(t *testing.T) {
	t.Parallel()
	o := order{
		id: uuid.MustParse("2cfa6a74-eace-4f52-8354-f048465c4cfe"), customer: "c", status: "placed", totalCents: 1600,
		createdAt: time.Date(2026, 3, 1, 10, 0, 0, 123_999_000, time.FixedZone("x", 3600)),
	}
	for version, total := range map[string]string{V1: `1600`, V2: `"1600"`} {
		w := httptest.NewRecorder()
		a := &api{version: version, log: slog.New(slog.DiscardHandler)}
		a.write(w, http.StatusOK, a.answer(o))
		assert.Equal(t, `{"id":"2cfa6a74-eace-4f52-8354-f048465c4cfe","customer":"c","status":"placed","total_cents":`+total+
			`,"created_at":"2026-03-01T09:00:00.123Z"}`, w.Body.String())
	}
}

// offline is a service whose database and catalogue answer nothing, or what upstream answers.
func offline(t *testing.T, upstream http.HandlerFunc) (http.Handler, *bytes.Buffer) {
	t.Helper()
	if upstream == nil {
		upstream = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }
	}
	catalogue := httptest.NewServer(upstream)
	t.Cleanup(catalogue.Close)
	base, err := url.Parse(catalogue.URL)
	require.NoError(t, err)
	log := &bytes.Buffer{}
	handler, stop, err := Handler(t.Context(), Config{
		DatabaseURL: "postgres://u:p@127.0.0.1:1/none?connect_timeout=1&sslmode=disable", CatalogueURL: base, Version: V1,
	}, slog.New(slog.NewTextHandler(log, nil)))
	require.NoError(t, err)
	t.Cleanup(stop)
	return handler, log
}

func do(handler http.Handler, method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}

func TestAnswersWithoutADatabase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		want               string
	}{
		"health":               {"GET", "/healthz", "", 200, `{"status":"ok"}`},
		"malformed id":         {"GET", "/orders/17", "", 404, `{"error":"no such order"}`},
		"status, malformed id": {"GET", "/orders/17/status", "", 404, `{"error":"no such order"}`},
		"no JSON":              {"POST", "/orders", "{", 400, `{"error":"the body is no order in JSON"}`},
		"no customer":          {"POST", "/orders", `{"items":[{"project_id":"a","quantity":1}]}`, 400, `{"error":"customer is missing"}`},
		"no items":             {"POST", "/orders", `{"customer":"c","items":[]}`, 400, `{"error":"an order has 1 to 20 items"}`},
		"no quantity":          {"POST", "/orders", `{"customer":"c","items":[{"project_id":"a"}]}`, 400, `{"error":"an item has a project_id and a quantity of 1 to 1000"}`},
		"catalogue down":       {"GET", "/catalog", "", 502, `{"error":"catalog unavailable"}`},
		"order, catalogue down": {
			"POST", "/orders", `{"customer":"c","items":[{"project_id":"a","quantity":1}]}`, 502, `{"error":"catalog unavailable"}`,
		},
		"list, database down": {"GET", "/orders", "", 500, `{"error":"the orders could not be read"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, log := offline(t, nil)
			w := do(handler, c.method, c.path, c.body)
			assert.Equal(t, c.status, w.Code)
			assert.Equal(t, c.want, w.Body.String())
			assert.Equal(t, "application/json", w.Header().Get("Content-Type"))
			assert.Equal(t, c.status >= 500, log.Len() > 0, "failures are logged with their cause, refusals are not")
		})
	}
}

func TestCatalogueCalls(t *testing.T) {
	t.Parallel()
	var seen []*http.Request
	handler, _ := offline(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r)
		switch r.URL.Path {
		case "/v1/project":
			_, _ = io.WriteString(w, `{"projects":[{"id":"a","name":"A","maturity":"Sandbox"}]}`)
		case "/v1/project/other":
			_, _ = io.WriteString(w, `{"id":"a","name":"A","maturity":"Sandbox"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	w := do(handler, "GET", "/catalog", "")
	assert.Equal(t, `{"projects":[{"id":"a","name":"A","maturity":"Sandbox","unit_price_cents":500}]}`, w.Body.String())
	w = do(handler, "POST", "/orders", `{"customer":"c","items":[{"project_id":"x","quantity":1}]}`)
	assert.Equal(t, http.StatusUnprocessableEntity, w.Code)
	assert.Equal(t, `{"error":"unknown project","project_id":"x"}`, w.Body.String())
	w = do(handler, "POST", "/orders", `{"customer":"c","items":[{"project_id":"other","quantity":1}]}`)
	assert.Equal(t, http.StatusBadGateway, w.Code, "an answer about another project is none")

	require.Len(t, seen, 3)
	ids := map[string]bool{}
	for _, r := range seen {
		assert.Len(t, r.URL.Query().Get("ts"), 13, "milliseconds since 1970")
		ids[r.Header.Get("X-Request-Id")] = true
	}
	assert.Len(t, ids, 3, "every call has an id of its own")
}

func TestOpenStoreNamesTheSetting(t *testing.T) {
	t.Parallel()
	_, _, err := Handler(t.Context(), Config{DatabaseURL: "nonsense://x"}, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "DATABASE_URL")
	require.ErrorContains(t, Migrate(t.Context(), "postgres://u@127.0.0.1:1/x?connect_timeout=1"), "DATABASE_URL")
}
