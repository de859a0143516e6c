package orderapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// maxCatalogueBytes bounds what is read of one catalogue answer.
const maxCatalogueBytes = 1 << 20

// project is one entry of the upstream catalogue.
type project struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Maturity string `json:"maturity"`
}

// priceCents is what a project costs by its maturity.
func (p project) priceCents() int32 {
	switch p.Maturity {
	case "Graduated":
		return 1200
	case "Incubating":
		return 800
	case "Sandbox":
		return 500
	}
	return 1000
}

// errNoProject says that the catalogue does not know the id.
var errNoProject = errors.New("no such project")

// catalogue asks the upstream catalogue. Every call carries the time and an id of its own, as callers
// of hosted APIs do to get past caches; that is what a mock has to see through.
type catalogue struct {
	base   *url.URL
	client *http.Client
	now    func() time.Time
}

func newCatalogue(cfg Config) *catalogue {
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConns:        16,
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     90 * time.Second,
	}
	if cfg.ProxyURL != nil {
		transport.Proxy = http.ProxyURL(cfg.ProxyURL)
	}
	return &catalogue{
		base:   cfg.CatalogueURL,
		client: &http.Client{Transport: transport, Timeout: 5 * time.Second},
		now:    time.Now,
	}
}

// close lets go of idle connections.
func (c *catalogue) close() { c.client.CloseIdleConnections() }

// list reads the whole catalogue.
func (c *catalogue) list(ctx context.Context) ([]project, error) {
	var answer struct {
		Projects []project `json:"projects"`
	}
	if err := c.get(ctx, &answer, "v1", "project"); err != nil {
		return nil, fmt.Errorf("list the catalogue: %w", err)
	}
	return answer.Projects, nil
}

// project reads one entry. The error is errNoProject when the catalogue does not know it.
func (c *catalogue) project(ctx context.Context, id string) (project, error) {
	var p project
	if err := c.get(ctx, &p, "v1", "project", url.PathEscape(id)); err != nil {
		return project{}, fmt.Errorf("ask the catalogue for %q: %w", id, err)
	}
	if p.ID != id || p.Name == "" {
		return project{}, fmt.Errorf("ask the catalogue for %q: it answered with project %q, name %q", id, p.ID, p.Name)
	}
	return p, nil
}

func (c *catalogue) get(ctx context.Context, into any, path ...string) error {
	target := c.base.JoinPath(path...)
	target.RawQuery = url.Values{"ts": {strconv.FormatInt(c.now().UnixMilli(), 10)}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return fmt.Errorf("build the request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "lab-orders/1")
	req.Header.Set("X-Request-Id", uuid.NewString())
	res, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer func() {
		// Reading to the end hands the connection back.
		_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxCatalogueBytes))
		_ = res.Body.Close()
	}()
	switch res.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return errNoProject
	default:
		return fmt.Errorf("it answered %s", res.Status)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxCatalogueBytes)).Decode(into); err != nil {
		return fmt.Errorf("read its answer: %w", err)
	}
	return nil
}
