package drive

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Numbers of the list. They fix what a recording of it holds: 135 requests, 6 of them refused; with
// Orders orders of 65 lines 70 catalogue calls, 2 of them for unknown projects.
const (
	Orders       = 40
	CatalogCalls = 3
	ListCalls    = 5
	BadRequests  = 6
	// Total is all requests: one health check, the catalogue, three requests per order, the lists, the
	// bad ones.
	Total = 1 + CatalogCalls + 3*Orders + ListCalls + BadRequests
	// Lines is the number of order lines.
	Lines = 65
)

// unknownOrder is a well-formed id that no order has.
const unknownOrder = "00000000-0000-4000-8000-000000000000"

// step is one request. A path with %s gets the id of the latest order.
type step struct {
	method, path string
	body         string
	status       int
	// creates marks the step whose answer holds the id of a new order.
	creates bool
}

type item struct {
	ProjectID string `json:"project_id"`
	Quantity  int    `json:"quantity"`
}

// shelf is what is ordered, in turn; ids of the catalogue.
var shelf = []string{
	"alder-mesh", "brook-queue", "cinder-store", "dune-gateway", "ember-trace", "fjord-cache", "grove-scheduler",
}

// orderBody is the body of the n-th order. 15 of 40 orders have one line, the others two.
func orderBody(n int) string {
	items := []item{{shelf[n%len(shelf)], 1 + n%3}}
	if n%8 != 1 && n%8 != 4 && n%8 != 6 {
		items = append(items, item{shelf[(n+3)%len(shelf)], 1 + n%2})
	}
	return body(fmt.Sprintf("customer-%02d", 1+n%9), items)
}

func body(customer string, items []item) string {
	text, err := json.Marshal(map[string]any{"customer": customer, "items": items})
	if err != nil {
		// Strings and integers only.
		panic(err)
	}
	return string(text)
}

// plan is the whole list in order. The lists come after all orders, so that each returns all of them.
func plan() []step {
	steps := []step{{method: http.MethodGet, path: "/healthz", status: http.StatusOK}}
	for range CatalogCalls {
		steps = append(steps, step{method: http.MethodGet, path: "/catalog", status: http.StatusOK})
	}
	for n := range Orders {
		steps = append(steps,
			step{method: http.MethodPost, path: "/orders", body: orderBody(n), status: http.StatusCreated, creates: true},
			step{method: http.MethodGet, path: "/orders/%s", status: http.StatusOK},
			step{method: http.MethodGet, path: "/orders/%s/status", status: http.StatusOK},
		)
	}
	for range ListCalls {
		steps = append(steps, step{method: http.MethodGet, path: "/orders", status: http.StatusOK})
	}
	return append(steps,
		step{method: http.MethodPost, path: "/orders", body: `{"customer":`, status: http.StatusBadRequest},
		step{method: http.MethodPost, path: "/orders", body: body("customer-01", []item{}), status: http.StatusBadRequest},
		step{method: http.MethodPost, path: "/orders", body: body("customer-01", []item{{"no-such-project", 1}}), status: http.StatusUnprocessableEntity},
		step{method: http.MethodPost, path: "/orders", body: body("customer-02", []item{{"not-in-the-catalogue", 2}}), status: http.StatusUnprocessableEntity},
		step{method: http.MethodGet, path: "/orders/" + unknownOrder, status: http.StatusNotFound},
		step{method: http.MethodGet, path: "/orders/" + unknownOrder + "/status", status: http.StatusNotFound},
	)
}
