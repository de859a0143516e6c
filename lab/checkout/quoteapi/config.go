// Package quoteapi is the checkout API of the lab: it quotes an article by
// asking a pricing dependency once per request. How many connections it may
// open to that dependency is the one setting the lab turns.
package quoteapi

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/replaylab/replay-evidence/lab/service"
)

// Config holds every setting of the checkout API.
type Config struct {
	// Addr is the address to listen on, such as ":8080".
	Addr string
	// PricingURL is the base URL of the pricing dependency.
	PricingURL *url.URL
	// ProxyURL is the forward proxy for calls of the dependency, or nil. The
	// standard library's own choice never sends localhost through a proxy, and
	// the lab's dependency is on localhost, so the address is read here.
	ProxyURL *url.URL
	// Budget is the number of connections to the dependency: idle, idle per
	// host and maximum per host alike.
	Budget int
	// PriceOffsetCents is added to every unit price. It is 0 unless a build that
	// answers another price is wanted.
	PriceOffsetCents int
}

// ConfigFromEnv reads APP_ADDR, PRICING_URL, HTTP_PROXY (or http_proxy),
// LAB_BUDGET and LAB_PRICE_OFFSET_CENTS through getenv. The error names the
// variable that has to change.
func ConfigFromEnv(getenv func(string) string) (Config, error) {
	cfg := Config{Addr: ":8080", Budget: 2}
	if addr := getenv("APP_ADDR"); addr != "" {
		cfg.Addr = addr
	}
	var err error
	if cfg.PricingURL, err = service.URL(getenv, "PRICING_URL", "http://localhost:8090"); err != nil {
		return Config{}, err
	}
	if cfg.ProxyURL, err = service.Proxy(getenv); err != nil {
		return Config{}, err
	}
	if text := getenv("LAB_BUDGET"); text != "" {
		if cfg.Budget, err = strconv.Atoi(text); err != nil || cfg.Budget < 1 {
			return Config{}, fmt.Errorf("LAB_BUDGET is %q: give the number of connections, 1 or more", text)
		}
	}
	if text := getenv("LAB_PRICE_OFFSET_CENTS"); text != "" {
		if cfg.PriceOffsetCents, err = strconv.Atoi(text); err != nil {
			return Config{}, fmt.Errorf("LAB_PRICE_OFFSET_CENTS is %q: give whole cents", text)
		}
	}
	return cfg, nil
}
