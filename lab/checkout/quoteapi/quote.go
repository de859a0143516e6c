package quoteapi

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
)

// skuPattern is two to four capitals, a dash, three to five digits.
var skuPattern = regexp.MustCompile(`^[A-Z]{2,4}-[0-9]{3,5}$`)

// maxQuantity is the largest number of pieces in one quote.
const maxQuantity = 99

// quote is the answer of GET /api/quote; money is in hundredths of Currency.
type quote struct {
	SKU            string `json:"sku"`
	Quantity       int    `json:"quantity"`
	UnitPriceCents int    `json:"unit_price_cents"`
	TotalCents     int    `json:"total_cents"`
	Currency       string `json:"currency"`
}

// quoteHandler answers GET /api/quote?sku=…&qty=…: 400 without a dependency
// call for bad input, 502 when pricing has no usable answer.
type quoteHandler struct {
	pricing     *pricingClient
	offsetCents int
	log         *slog.Logger
}

// ServeHTTP implements http.Handler.
func (h *quoteHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	sku := query.Get("sku")
	if !skuPattern.MatchString(sku) {
		http.Error(w, "sku must look like SSC-4110", http.StatusBadRequest)
		return
	}
	quantity, err := strconv.Atoi(query.Get("qty"))
	if err != nil || quantity < 1 || quantity > maxQuantity {
		http.Error(w, "qty must be a whole number from 1 to 99", http.StatusBadRequest)
		return
	}
	unit, err := h.pricing.priceOf(r.Context(), sku)
	if err != nil {
		h.log.WarnContext(r.Context(), "no price", "sku", sku, "error", err)
		http.Error(w, "pricing is unavailable", http.StatusBadGateway)
		return
	}
	cents := unit.UnitPriceCents + h.offsetCents
	w.Header().Set("Content-Type", "application/json")
	// A failed write means the caller is gone; there is nothing to undo.
	_ = json.NewEncoder(w).Encode(quote{
		SKU:            sku,
		Quantity:       quantity,
		UnitPriceCents: cents,
		TotalCents:     cents * quantity,
		Currency:       unit.Currency,
	})
}
