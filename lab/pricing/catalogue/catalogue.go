// Package catalogue is the pricing fixture of the lab: a fixed price list
// behind HTTP whose answers take a fixed time. The delay is what makes a
// connection budget in front of it measurable.
package catalogue

import (
	"encoding/json"
	"net/http"
	"time"
)

// DefaultDelay is how long the fixture thinks before it answers a known SKU.
const DefaultDelay = 40 * time.Millisecond

// unitPriceCents is the whole price list, in US cents per piece.
var unitPriceCents = map[string]int{
	"SSC-4110": 1899,
	"SSC-4111": 2499,
	"SSC-5200": 649,
	"SSC-5201": 4250,
	"SSC-7300": 12999,
}

// Price is the answer of GET /v1/price/{sku}.
type Price struct {
	// SKU repeats the article asked for.
	SKU string `json:"sku"`
	// UnitPriceCents is the price of one piece in hundredths of Currency.
	UnitPriceCents int `json:"unit_price_cents"`
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
}

// Handler serves the price list. A known SKU is answered after delay, an
// unknown one with 404 at once: only real look-ups cost time.
func Handler(delay time.Duration) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /v1/price/{sku}", func(w http.ResponseWriter, r *http.Request) {
		sku := r.PathValue("sku")
		cents, ok := unitPriceCents[sku]
		if !ok {
			http.Error(w, "unknown SKU", http.StatusNotFound)
			return
		}
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			// The caller hung up: nobody is left to answer.
			return
		}
		w.Header().Set("Content-Type", "application/json")
		// A failed write means the caller is gone; there is nothing to undo.
		_ = json.NewEncoder(w).Encode(Price{SKU: sku, UnitPriceCents: cents, Currency: "USD"})
	})
	return mux
}
