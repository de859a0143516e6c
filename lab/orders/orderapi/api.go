package orderapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// Limits of a new order.
const (
	maxBodyBytes = 64 << 10
	maxItems     = 20
	maxQuantity  = 1000
)

// api answers the endpoints.
type api struct {
	store     *store
	catalogue *catalogue
	version   string
	newID     func() uuid.UUID
	now       func() time.Time
	log       *slog.Logger
}

// idSource makes the ids of new orders: random, or the numbers 1, 2, 3 … hashed with a seed.
func idSource(seed string) func() uuid.UUID {
	if seed == "" {
		return uuid.New
	}
	space := uuid.NewSHA1(uuid.NameSpaceURL, []byte(seed))
	var n atomic.Int64
	return func() uuid.UUID { return uuid.NewSHA1(space, strconv.AppendInt(nil, n.Add(1), 10)) }
}

// The answers. Times are UTC with three digits.
type (
	lineAnswer struct {
		ProjectID      string `json:"project_id"`
		Name           string `json:"name"`
		Quantity       int32  `json:"quantity"`
		UnitPriceCents int32  `json:"unit_price_cents"`
	}
	orderAnswer struct {
		ID         uuid.UUID    `json:"id"`
		Customer   string       `json:"customer"`
		Status     string       `json:"status"`
		Items      []lineAnswer `json:"items,omitempty"`
		ItemCount  *int64       `json:"item_count,omitempty"`
		TotalCents any          `json:"total_cents"`
		CreatedAt  string       `json:"created_at"`
		// GeneratedAt differs in every answer.
		GeneratedAt string `json:"generated_at,omitempty"`
	}
	projectAnswer struct {
		ID             string `json:"id"`
		Name           string `json:"name"`
		Maturity       string `json:"maturity"`
		UnitPriceCents int32  `json:"unit_price_cents"`
	}
)

const timeLayout = "2006-01-02T15:04:05.000Z"

// stamp truncates: a time that was rounded up would lie in the future.
func stamp(t time.Time) string { return t.UTC().Truncate(time.Millisecond).Format(timeLayout) }

func (a *api) answer(o order) orderAnswer {
	out := orderAnswer{
		ID: o.id, Customer: o.customer, Status: o.status, TotalCents: o.totalCents, CreatedAt: stamp(o.createdAt),
	}
	if a.version == V2 {
		out.TotalCents = strconv.Itoa(int(o.totalCents))
	}
	for _, l := range o.lines {
		out.Items = append(out.Items, lineAnswer{l.projectID, l.name, l.quantity, l.unitPriceCents})
	}
	return out
}

func (a *api) health(w http.ResponseWriter, _ *http.Request) {
	a.write(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (a *api) listCatalogue(w http.ResponseWriter, r *http.Request) {
	projects, err := a.catalogue.list(r.Context())
	if err != nil {
		a.fail(w, r, http.StatusBadGateway, "catalog unavailable", err)
		return
	}
	answer := make([]projectAnswer, len(projects))
	for i, p := range projects {
		answer[i] = projectAnswer{p.ID, p.Name, p.Maturity, p.priceCents()}
	}
	a.write(w, http.StatusOK, map[string]any{"projects": answer})
}

// newOrder is the body of POST /orders.
type newOrder struct {
	Customer string `json:"customer"`
	Items    []struct {
		ProjectID string `json:"project_id"`
		Quantity  int32  `json:"quantity"`
	} `json:"items"`
}

func readNewOrder(body io.Reader) (newOrder, error) {
	var in newOrder
	if err := json.NewDecoder(io.LimitReader(body, maxBodyBytes)).Decode(&in); err != nil {
		return in, errors.New("the body is no order in JSON")
	}
	switch {
	case in.Customer == "":
		return in, errors.New("customer is missing")
	case len(in.Items) == 0 || len(in.Items) > maxItems:
		return in, fmt.Errorf("an order has 1 to %d items", maxItems)
	}
	for _, item := range in.Items {
		if item.ProjectID == "" || item.Quantity < 1 || item.Quantity > maxQuantity {
			return in, fmt.Errorf("an item has a project_id and a quantity of 1 to %d", maxQuantity)
		}
	}
	return in, nil
}

func (a *api) createOrder(w http.ResponseWriter, r *http.Request) {
	in, err := readNewOrder(r.Body)
	if err != nil {
		a.write(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	o := order{id: a.newID(), customer: in.Customer, status: "placed"}
	for _, item := range in.Items {
		p, err := a.catalogue.project(r.Context(), item.ProjectID)
		switch {
		case errors.Is(err, errNoProject):
			a.write(w, http.StatusUnprocessableEntity, map[string]string{"error": "unknown project", "project_id": item.ProjectID})
			return
		case err != nil:
			a.fail(w, r, http.StatusBadGateway, "catalog unavailable", err)
			return
		}
		l := line{projectID: p.ID, name: p.Name, quantity: item.Quantity, unitPriceCents: p.priceCents()}
		o.lines = append(o.lines, l)
		o.totalCents += l.quantity * l.unitPriceCents
	}
	if err := a.store.insert(r.Context(), &o); err != nil {
		a.fail(w, r, http.StatusInternalServerError, "the order could not be stored", err)
		return
	}
	w.Header().Set("Location", "/orders/"+o.id.String())
	a.write(w, http.StatusCreated, a.answer(o))
}

func (a *api) listOrders(w http.ResponseWriter, r *http.Request) {
	orders, err := a.store.list(r.Context())
	if err != nil {
		a.fail(w, r, http.StatusInternalServerError, "the orders could not be read", err)
		return
	}
	answer := make([]orderAnswer, len(orders))
	for i, o := range orders {
		answer[i] = a.answer(o)
		answer[i].ItemCount = &orders[i].itemCount
	}
	a.write(w, http.StatusOK, map[string]any{"orders": answer})
}

func (a *api) readOrder(w http.ResponseWriter, r *http.Request) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		a.notFound(w)
		return
	}
	o, err := a.store.order(r.Context(), id)
	switch {
	case errors.Is(err, errNoOrder):
		a.notFound(w)
	case err != nil:
		a.fail(w, r, http.StatusInternalServerError, "the order could not be read", err)
	default:
		answer := a.answer(o)
		answer.GeneratedAt = stamp(a.now())
		a.write(w, http.StatusOK, answer)
	}
}

func (a *api) readStatus(w http.ResponseWriter, r *http.Request) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		a.notFound(w)
		return
	}
	status, err := a.store.status(r.Context(), id)
	switch {
	case errors.Is(err, errNoOrder):
		a.notFound(w)
	case err != nil:
		a.fail(w, r, http.StatusInternalServerError, "the status could not be read", err)
	default:
		a.write(w, http.StatusOK, map[string]string{"id": id.String(), "status": status})
	}
}

func (a *api) notFound(w http.ResponseWriter) {
	a.write(w, http.StatusNotFound, map[string]string{"error": "no such order"})
}

// fail answers without the cause and logs it.
func (a *api) fail(w http.ResponseWriter, r *http.Request, status int, text string, err error) {
	a.log.Error(text, "method", r.Method, "path", r.URL.Path, "error", err)
	a.write(w, status, map[string]string{"error": text})
}

func (a *api) write(w http.ResponseWriter, status int, answer any) {
	body, err := json.Marshal(answer)
	if err != nil {
		a.log.Error("an answer is no JSON", "error", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone when this fails
}
