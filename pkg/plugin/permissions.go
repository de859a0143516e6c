package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/hashicorp/golang-lru/v2/expirable"
)

const (
	// permissionTTL bounds how long a granted or withdrawn permission may go unnoticed; Grafana's own
	// permission cache lives as long.
	permissionTTL = time.Minute
	// permissionEntries bounds the cache; one entry is an identity and a boolean.
	permissionEntries = 1024
	// keySetTTL bounds how long a rotated signing key may go unnoticed.
	keySetTTL = 10 * time.Minute
	// keySetPause is the shortest time between two reads of the signing keys.
	keySetPause = 5 * time.Second
	// idTokenHeader carries Grafana's signed statement of who the user is.
	idTokenHeader = "X-Grafana-Id"
)

// permissionCache outlives a request; the credential with which Grafana is asked does not.
type permissionCache struct {
	holds *expirable.LRU[string, bool]
	keys  *expirable.LRU[string, cachedKeys]
}

func newPermissionCache() *permissionCache {
	return &permissionCache{
		holds: expirable.NewLRU[string, bool](permissionEntries, nil, permissionTTL),
		keys:  expirable.NewLRU[string, cachedKeys](4, nil, keySetTTL),
	}
}

// grafanaPermissions asks Grafana whether a user holds an action, with the plugin's own identity.
// Sources: Grafana's access control API (GET /api/access-control/users/permissions/search with
// namespacedId and action) and its signing keys (GET /api/signing-keys/keys, ES256).
type grafanaPermissions struct {
	base      string
	transport http.RoundTripper
	cache     *permissionCache
	// notAsked is told why Grafana could not be asked.
	notAsked func(error)
}

// errNotAsked means that Grafana could not be asked: neither a grant nor a refusal.
var errNotAsked = errors.New("grafana could not be asked for permissions")

// holds reports whether the identity in idToken, which must belong to login, holds action.
func (g *grafanaPermissions) holds(ctx context.Context, login, idToken, action string) (bool, error) {
	if idToken == "" {
		return false, fmt.Errorf("%w: no id token was forwarded", errNotAsked)
	}
	subject, err := g.subject(ctx, login, idToken)
	if err != nil {
		return false, err
	}
	key := subject + "\x00" + action
	if v, found := g.cache.holds.Get(key); found {
		return v, nil
	}
	// The answer is one object per user: permissions by action, each with its scopes.
	var byUser map[string]map[string][]string
	q := url.Values{"namespacedId": {subject}, "action": {action}}
	if err := g.get(ctx, "/api/access-control/users/permissions/search?"+q.Encode(), &byUser); err != nil {
		return false, err
	}
	held := false
	for _, actions := range byUser {
		if _, has := actions[action]; has {
			held = true
		}
	}
	g.cache.holds.Add(key, held)
	return held, nil
}

// subject verifies the id token and returns who it is about, such as "user:1".
func (g *grafanaPermissions) subject(ctx context.Context, login, idToken string) (string, error) {
	token, err := jwt.ParseSigned(idToken, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return "", fmt.Errorf("reading the id token: %w", err)
	}
	var claims jwt.Claims
	var rest struct {
		Username string `json:"username"`
	}
	keys, err := g.keySet(ctx, false)
	if err != nil {
		return "", err
	}
	if err := token.Claims(keys, &claims, &rest); err != nil {
		// Grafana signs with a new key from time to time; a key that is not known yet is no forgery.
		if keys, err = g.keySet(ctx, true); err != nil {
			return "", err
		}
		if err := token.Claims(keys, &claims, &rest); err != nil {
			return "", fmt.Errorf("verifying the id token: %w", err)
		}
	}
	if err := claims.Validate(jwt.Expected{Time: time.Now()}); err != nil {
		return "", fmt.Errorf("the id token is not valid now: %w", err)
	}
	// Grafana states a username for users only; service accounts are told by their subject alone.
	if strings.HasPrefix(claims.Subject, "user:") && rest.Username != login {
		return "", errors.New("the id token belongs to another user than the request")
	}
	return claims.Subject, nil
}

// cachedKeys are Grafana's signing keys with the time they were read at.
type cachedKeys struct {
	set  *jose.JSONWebKeySet
	read time.Time
}

// keySet returns Grafana's signing keys. fresh asks for keys newer than the cached ones; they are read at most
// once in keySetPause, so that forged tokens cannot make the plugin ask at their own rate.
func (g *grafanaPermissions) keySet(ctx context.Context, fresh bool) (*jose.JSONWebKeySet, error) {
	cached, found := g.cache.keys.Get(g.base)
	if found && (!fresh || time.Since(cached.read) < keySetPause) {
		return cached.set, nil
	}
	keys := &jose.JSONWebKeySet{}
	if err := g.get(ctx, "/api/signing-keys/keys", keys); err != nil {
		return nil, err
	}
	g.cache.keys.Add(g.base, cachedKeys{set: keys, read: time.Now()})
	return keys, nil
}

// get asks Grafana. Its every error wraps errNotAsked and is told; nothing of it is cached.
func (g *grafanaPermissions) get(ctx context.Context, path string, into any) error {
	err := g.fetch(ctx, path, into)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%w: %w", errNotAsked, err)
	if ctx.Err() == nil {
		g.notAsked(err)
	}
	return err
}

func (g *grafanaPermissions) fetch(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+path, nil)
	if err != nil {
		return err
	}
	resp, err := g.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(into)
}
