package plugin

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/require"
)

type fakeChecker struct {
	held bool
	err  error
}

func (f fakeChecker) holds(context.Context, string, string, string) (bool, error) {
	return f.held, f.err
}

func TestMayRead(t *testing.T) {
	t.Parallel()
	user := func(role string) *backend.User { return &backend.User{Login: "sre", Role: role} }
	for name, tc := range map[string]struct {
		user    *backend.User
		checker permissionChecker
		refused bool
	}{
		"no role at all":                          {user: user("None"), refused: true},
		"empty role":                              {user: user(""), refused: true},
		"viewer":                                  {user: user("Viewer")},
		"editor":                                  {user: user("Editor")},
		"admin":                                   {user: user("Admin")},
		"grafana itself":                          {user: nil},
		"viewer who lost the permission":          {user: user("Viewer"), checker: fakeChecker{held: false}, refused: true},
		"None who was granted it":                 {user: user("None"), checker: fakeChecker{held: true}},
		"viewer while Grafana cannot be asked":    {user: user("Viewer"), checker: fakeChecker{err: errNotAsked}},
		"None while Grafana cannot be asked":      {user: user("None"), checker: fakeChecker{err: errNotAsked}, refused: true},
		"admin with a token that does not verify": {user: user("Admin"), checker: fakeChecker{err: fmt.Errorf("forged")}, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := mayRead(context.Background(), tc.user, "token", tc.checker)
			if !tc.refused {
				require.Nil(t, p)
				return
			}
			require.NotNil(t, p)
			require.Equal(t, http.StatusForbidden, p.status)
			require.NotEmpty(t, p.next)
		})
	}
}

func TestMayConfigure(t *testing.T) {
	t.Parallel()
	for role, allowed := range map[string]bool{"None": false, "Viewer": false, "Editor": false, "Admin": true} {
		require.Equal(t, allowed, mayConfigure(&backend.User{Role: role}) == nil, role)
	}
	require.NotNil(t, mayConfigure(nil))
}

// fakeGrafana signs tokens and answers the two questions that the plugin asks.
type fakeGrafana struct {
	*httptest.Server
	key      *ecdsa.PrivateKey
	searches atomic.Int32
	answer   map[string]map[string][]string
	status   int
}

func newFakeGrafana(t *testing.T) *fakeGrafana {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	g := &fakeGrafana{key: key, status: http.StatusOK}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/signing-keys/keys", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k1", Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /api/access-control/users/permissions/search", func(w http.ResponseWriter, r *http.Request) {
		g.searches.Add(1)
		if id := r.URL.Query().Get("namespacedId"); (id != "user:7" && id != "service-account:4") || r.URL.Query().Get("action") != actionRead {
			http.Error(w, "wrong question: "+r.URL.RawQuery, http.StatusBadRequest)
			return
		}
		w.WriteHeader(g.status)
		_ = json.NewEncoder(w).Encode(g.answer)
	})
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	return g
}

func (g *fakeGrafana) token(t *testing.T, key *ecdsa.PrivateKey, username string, expires time.Time) string {
	t.Helper()
	return g.tokenOf(t, key, "user:7", username, expires)
}

func (g *fakeGrafana) tokenOf(t *testing.T, key *ecdsa.PrivateKey, subject, username string, expires time.Time) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "k1"}}, nil)
	require.NoError(t, err)
	token, err := jwt.Signed(signer).Claims(jwt.Claims{Subject: subject, Expiry: jwt.NewNumericDate(expires)}).
		Claims(map[string]any{"username": username}).Serialize()
	require.NoError(t, err)
	return token
}

func TestGrafanaPermissions(t *testing.T) {
	t.Parallel()
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	later := time.Now().Add(time.Hour)
	granted := map[string]map[string][]string{"7": {actionRead: {"plugins:id:replaylab-evidence-app"}}}
	for name, tc := range map[string]struct {
		token    func(t *testing.T, g *fakeGrafana) string
		answer   map[string]map[string][]string
		status   int
		held     bool
		notAsked bool
		failed   bool
	}{
		"granted":               {token: func(t *testing.T, g *fakeGrafana) string { return g.token(t, g.key, "sre", later) }, answer: granted, held: true},
		"not granted":           {token: func(t *testing.T, g *fakeGrafana) string { return g.token(t, g.key, "sre", later) }, answer: map[string]map[string][]string{}},
		"no token":              {token: func(*testing.T, *fakeGrafana) string { return "" }, notAsked: true},
		"signed by another key": {token: func(t *testing.T, g *fakeGrafana) string { return g.token(t, other, "sre", later) }, answer: granted, failed: true},
		"of another user":       {token: func(t *testing.T, g *fakeGrafana) string { return g.token(t, g.key, "admin", later) }, answer: granted, failed: true},
		"expired":               {token: func(t *testing.T, g *fakeGrafana) string { return g.token(t, g.key, "sre", time.Now().Add(-time.Hour)) }, answer: granted, failed: true},
		"not a token":           {token: func(*testing.T, *fakeGrafana) string { return "abc" }, failed: true},
		"plugin may not ask":    {token: func(t *testing.T, g *fakeGrafana) string { return g.token(t, g.key, "sre", later) }, status: http.StatusForbidden, notAsked: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newFakeGrafana(t)
			g.answer = tc.answer
			if tc.status != 0 {
				g.status = tc.status
			}
			told := 0
			p := &grafanaPermissions{base: g.URL, transport: http.DefaultTransport, cache: newPermissionCache(), notAsked: func(error) { told++ }}
			defer func() {
				require.Equal(t, tc.status != 0, told > 0, "Grafana's refusal is told, and only that")
			}()
			for range 2 { // the second answer comes from the cache
				held, err := p.holds(context.Background(), "sre", tc.token(t, g), actionRead)
				require.Equal(t, tc.held, held)
				switch {
				case tc.notAsked:
					require.ErrorIs(t, err, errNotAsked)
				case tc.failed:
					require.Error(t, err)
					require.NotErrorIs(t, err, errNotAsked)
				default:
					require.NoError(t, err)
					require.EqualValues(t, 1, g.searches.Load())
				}
			}
		})
	}
}

// Grafana signs with a new key from time to time; users must not be refused until the cache ends.
func TestRotatedSigningKey(t *testing.T) {
	t.Parallel()
	g := newFakeGrafana(t)
	g.answer = map[string]map[string][]string{"7": {actionRead: nil}}
	before, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	p := &grafanaPermissions{base: g.URL, transport: http.DefaultTransport, cache: newPermissionCache(), notAsked: func(err error) { t.Error(err) }}
	p.cache.keys.Add(g.URL, cachedKeys{
		set:  &jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: before.Public(), KeyID: "k0", Algorithm: "ES256", Use: "sig"}}},
		read: time.Now().Add(-time.Minute),
	})
	held, err := p.holds(context.Background(), "sre", g.token(t, g.key, "sre", time.Now().Add(time.Hour)), actionRead)
	require.NoError(t, err)
	require.True(t, held)
}

// Grafana states a username for users only.
func TestServiceAccount(t *testing.T) {
	t.Parallel()
	g := newFakeGrafana(t)
	g.answer = map[string]map[string][]string{"4": {actionRead: nil}}
	p := &grafanaPermissions{base: g.URL, transport: http.DefaultTransport, cache: newPermissionCache(), notAsked: func(err error) { t.Error(err) }}
	token := g.tokenOf(t, g.key, "service-account:4", "", time.Now().Add(time.Hour))
	held, err := p.holds(context.Background(), "sa-1-ci", token, actionRead)
	require.NoError(t, err)
	require.True(t, held)
}
