// Package orderapi is the orders service of the lab: a small shop on PostgreSQL that sells project
// support by the maturity of the project, which it asks an upstream catalogue for.
//
// It lists orders in one of two ways. With APP_SLOW=0 one statement reads the orders with the count
// of their lines; with APP_SLOW=1 one statement reads the orders and another one the lines of each
// order, which is an N+1. The answers are the same.
package orderapi

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/replaylab/replay-evidence/lab/service"
)

// Config holds every setting of the orders service.
type Config struct {
	// Addr is the address to listen on, such as ":8080".
	Addr string
	// DatabaseURL is the connection string of the database.
	DatabaseURL string
	// CatalogueURL is the base URL of the project catalogue.
	CatalogueURL *url.URL
	// ProxyURL is the forward proxy for calls of the catalogue, or nil. The standard library's own
	// choice never sends localhost through a proxy, so the address is read here.
	ProxyURL *url.URL
	// Version is v1 or v2. v2 answers total_cents as text: a change that clients notice.
	Version string
	// Slow chooses the N+1 for the list of orders.
	Slow bool
	// IDSeed makes the ids of new orders repeatable from the start of the process; empty means random.
	// A database that holds orders of the same seed refuses them.
	IDSeed string
}

// The versions of the service.
const (
	V1 = "v1"
	V2 = "v2"
)

// ConfigFromEnv reads PORT, DATABASE_URL, DEMO_API_URL, HTTP_PROXY (or http_proxy), APP_VERSION,
// APP_SLOW and APP_ID_SEED through getenv. The error names the variable that has to change.
func ConfigFromEnv(getenv func(string) string) (Config, error) {
	cfg := Config{Addr: ":8080", Version: V1, DatabaseURL: getenv("DATABASE_URL"), IDSeed: getenv("APP_ID_SEED")}
	if text := getenv("PORT"); text != "" {
		port, err := strconv.Atoi(text)
		if err != nil || port < 0 || port > 65535 {
			return Config{}, fmt.Errorf("PORT is %q: give a port number", text)
		}
		cfg.Addr = ":" + text
	}
	if cfg.DatabaseURL == "" {
		return Config{}, fmt.Errorf("DATABASE_URL is empty: give one such as postgres://user:password@localhost:5432/orders?sslmode=disable")
	}
	var err error
	if cfg.CatalogueURL, err = service.URL(getenv, "DEMO_API_URL", "http://localhost:8091"); err != nil {
		return Config{}, err
	}
	if cfg.ProxyURL, err = service.Proxy(getenv); err != nil {
		return Config{}, err
	}
	switch version := getenv("APP_VERSION"); version {
	case "", V1:
	case V2:
		cfg.Version = V2
	default:
		return Config{}, fmt.Errorf("APP_VERSION is %q: give v1 or v2", version)
	}
	switch slow := getenv("APP_SLOW"); slow {
	case "", "0":
	case "1":
		cfg.Slow = true
	default:
		return Config{}, fmt.Errorf("APP_SLOW is %q: give 0 or 1", slow)
	}
	return cfg, nil
}
