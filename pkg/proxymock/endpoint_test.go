package proxymock_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

func TestEndpointName(t *testing.T) {
	t.Parallel()
	const status = "GET /orders/{id}/status"
	cases := map[string]struct{ method, target, want string }{
		"template":             {"GET", "/orders/{id}/status", status},
		"other placeholder":    {"GET", "/orders/{orderId}/status", status},
		"report":               {"GET", "/orders/*/status", status},
		"router syntax":        {"GET", "/orders/:id/status", status},
		"angle brackets":       {"GET", "/orders/<uuid>/status", status},
		"uuid":                 {"get", "/orders/e56a157a-0665-4bfa-b4cb-68b6f4a35c4e/status", status},
		"uuid in capitals":     {"GET", "/orders/E56A157A-0665-4BFA-B4CB-68B6F4A35C4E/status", status},
		"integer":              {"GET", "/orders/17/status", status},
		"long hex":             {"GET", "/orders/5e9d0d96eda699382d09d1ee/status", status},
		"ulid":                 {"GET", "/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV/status", status},
		"escaped placeholder":  {"GET", "/orders/%7Bid%7D/status", status},
		"query":                {"GET", "/orders/17/status?x=/a/1", status},
		"fragment":             {"GET", "/orders/17/status#top", status},
		"absolute":             {"GET", "http://localhost:8080/orders/17/status?x=1", status},
		"odd authority":        {"GET", "http://localhost:8080:8080/orders/17/status", status},
		"blanks":               {" GET ", "  /orders/17/status ", status},
		"kept sku":             {"GET", "/v1/price/SSC-4110", "GET /v1/price/SSC-4110"},
		"kept version":         {"GET", "/v4/rockets", "GET /v4/rockets"},
		"kept hex word":        {"GET", "/facade/cafe2024", "GET /facade/cafe2024"},
		"kept long hex word":   {"GET", "/decadedecade", "GET /decadedecade"},
		"kept almost a uuid":   {"GET", "/e56a157a-0665-4bfa-b4cb68b6f4a35c4e-", "GET /e56a157a-0665-4bfa-b4cb68b6f4a35c4e-"},
		"kept trailing slash":  {"GET", "/orders/", "GET /orders/"},
		"kept bad escape":      {"GET", "/100%/x", "GET /100%/x"},
		"grpc":                 {"POST", "/shop.Orders/Get", "POST /shop.Orders/Get"},
		"root":                 {"GET", "", "GET /"},
		"host alone":           {"GET", "https://example.com", "GET /"},
		"host with query":      {"GET", "https://example.com?a=1", "GET /"},
		"no method":            {"", "/a", "/a"},
		"statement":            {"StatementExecute", "SELECT  *\n FROM t WHERE id = 17", "StatementExecute SELECT * FROM t WHERE id = 17"},
		"aggregate":            {"-ALL-", "-ALL-", "-ALL-"},
		"empty braces":         {"GET", "/a/{}/b", "GET /a/{}/b"},
		"a colon alone":        {"GET", "/a/:/b", "GET /a/:/b"},
		"url in a query value": {"GET", "/go?to=http://x/1", "GET /go"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, proxymock.EndpointName(c.method, c.target))
		})
	}
}
