package quoteapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// maxPriceBytes bounds what is read of one dependency answer.
const maxPriceBytes = 64 << 10

// price is the dependency's answer; anything else in it is an error.
type price struct {
	SKU            string `json:"sku"`
	UnitPriceCents int    `json:"unit_price_cents"`
	Currency       string `json:"currency"`
}

// pricingClient asks the pricing dependency and measures how long each call
// waits for a connection.
type pricingClient struct {
	base     *url.URL
	client   *http.Client
	connWait prometheus.Observer
}

func newPricingClient(cfg Config, connWait prometheus.Observer) *pricingClient {
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConns:        cfg.Budget,
		MaxIdleConnsPerHost: cfg.Budget,
		MaxConnsPerHost:     cfg.Budget,
		IdleConnTimeout:     90 * time.Second,
	}
	if cfg.ProxyURL != nil {
		transport.Proxy = http.ProxyURL(cfg.ProxyURL)
	}
	return &pricingClient{
		base:     cfg.PricingURL,
		client:   &http.Client{Transport: transport, Timeout: 5 * time.Second},
		connWait: connWait,
	}
}

// close lets go of idle connections.
func (p *pricingClient) close() { p.client.CloseIdleConnections() }

// priceOf asks once for the unit price of sku. It fails on any transport error,
// any status but 200, unknown fields, another SKU, a price below 1 cent and an
// empty currency.
func (p *pricingClient) priceOf(ctx context.Context, sku string) (price, error) {
	var wanted time.Time
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { wanted = time.Now() },
		GotConn: func(httptrace.GotConnInfo) { p.connWait.Observe(time.Since(wanted).Seconds()) },
	})
	target := p.base.JoinPath("v1", "price", sku).String()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return price{}, fmt.Errorf("building the price request for %s: %w", sku, err)
	}
	res, err := p.client.Do(req)
	if err != nil {
		return price{}, fmt.Errorf("asking pricing for %s: %w", sku, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		// Draining lets the connection be used again.
		_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxPriceBytes))
		return price{}, fmt.Errorf("asking pricing for %s: it answered %s", sku, res.Status)
	}
	decoder := json.NewDecoder(io.LimitReader(res.Body, maxPriceBytes))
	decoder.DisallowUnknownFields()
	var got price
	if err := decoder.Decode(&got); err != nil {
		return price{}, fmt.Errorf("reading the price of %s: %w", sku, err)
	}
	// Reading to the end hands the connection back to the pool.
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxPriceBytes))
	switch {
	case got.SKU != sku:
		return price{}, fmt.Errorf("pricing answered for %q instead of %q", got.SKU, sku)
	case got.UnitPriceCents <= 0:
		return price{}, fmt.Errorf("pricing answered %d cents for %s", got.UnitPriceCents, sku)
	case got.Currency == "":
		return price{}, errors.New("pricing answered without a currency")
	}
	return got, nil
}
