package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Options say what the host serves.
type Options struct {
	// Dist is the folder with the built plugin.
	Dist string
	// Page is the folder with the built host page (index.html and its bundle).
	Page string
	// Images is the folder with the images of @grafana/ui, served as Grafana's own.
	Images string
	// Addr is the address to listen on, loopback; port 0 takes a free one.
	Addr string
	// Env is added to the environment of the plugin's processes, such as GF_PLUGIN_ROOTS=lab=/path.
	Env []string
	// Org is what every organisation starts with.
	Org Org
	// Log takes what the plugin logs and what went wrong here.
	Log io.Writer
}

// GrafanaVersion is what the host says it is: the line of the @grafana packages that it runs.
const GrafanaVersion = "13.2.3"

// Server is a running host.
type Server struct {
	opt     Options
	plugins []Plugin
	pool    *pool
	orgs    *orgs
	url     string
	http    *http.Server
	served  chan error
	close   func() error
}

// Start reads the built plugin, listens and serves until Close. It fails when something is not built yet, and says how
// to build it.
func Start(opt Options) (*Server, error) {
	dist, err := filepath.Abs(opt.Dist) // the backends run in their own folder
	if err != nil {
		return nil, fmt.Errorf("find the built plugin: %w", err)
	}
	plugins, err := Discover(dist)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(opt.Page, "index.html")); err != nil {
		return nil, fmt.Errorf("the host page is not built; `npm run build:host` does it: %w", err)
	}
	listener, err := listenLoopback(opt.Addr)
	if err != nil {
		return nil, err
	}
	env := append([]string{"GF_VERSION=" + GrafanaVersion, "GF_EDITION=Open Source"}, opt.Env...)
	s := &Server{
		opt: opt, plugins: plugins, pool: newPool(env, opt.Log), orgs: newOrgs(opt.Org, time.Now()),
		url: "http://" + listener.Addr().String(), served: make(chan error, 1),
	}
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	s.close = sync.OnceValue(s.shutDown)
	go func() { s.served <- s.http.Serve(listener) }()
	return s, nil
}

func listenLoopback(addr string) (net.Listener, error) {
	hostName, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("read the address %q: %w", addr, err)
	}
	if ip := net.ParseIP(hostName); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("the host makes everyone an administrator and listens on loopback only, not on %q", addr)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s; choose another port if it is taken: %w", addr, err)
	}
	return listener, nil
}

// URL is the host's address without a trailing slash.
func (s *Server) URL() string { return s.url }

// App is the app plugin.
func (s *Server) App() Plugin { return s.plugins[0] }

// Close ends requests and every plugin process. Further calls return what the first one did.
func (s *Server) Close() error { return s.close() }

func (s *Server) shutDown() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil { // a request that is still running must not keep the processes alive
		err = s.http.Close()
	}
	s.pool.close()
	if served := <-s.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

func (s *Server) plugin(id string) (Plugin, bool) {
	for _, p := range s.plugins {
		if p.ID == id {
			return p, true
		}
	}
	return Plugin{}, false
}

func (s *Server) logf(format string, args ...any) {
	if s.opt.Log != nil {
		_, _ = fmt.Fprintf(s.opt.Log, "host: "+format+"\n", args...)
	}
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/plugins/{id}/resources/{path...}", s.forApp(func(w http.ResponseWriter, r *http.Request, p Plugin, who identity) {
		s.callResource(w, r, p, s.pluginContext(p, who, s.orgs.get(who.org), nil), r.PathValue("path"))
	}))
	mux.HandleFunc("GET /api/plugins/{id}/health", s.forApp(func(w http.ResponseWriter, r *http.Request, p Plugin, who identity) {
		s.checkHealth(w, r, p, s.pluginContext(p, who, s.orgs.get(who.org), nil), http.StatusServiceUnavailable)
	}))
	mux.HandleFunc("GET /api/plugins/{id}/settings", s.pluginSettings)
	mux.HandleFunc("POST /api/plugins/{id}/settings", s.savePluginSettings)
	mux.HandleFunc("POST /api/ds/query", s.queryData)
	mux.HandleFunc("GET /api/datasources", s.dataSources)
	mux.HandleFunc("/api/datasources/proxy/uid/{uid}/{path...}", s.proxyDataSource)
	mux.HandleFunc("GET /api/datasources/uid/{uid}/health", s.forDataSource(func(w http.ResponseWriter, r *http.Request, p Plugin, who identity, ds DataSource) {
		s.checkHealth(w, r, p, s.pluginContext(p, who, s.orgs.get(who.org), &ds), http.StatusBadRequest)
	}))
	mux.HandleFunc("/api/datasources/uid/{uid}/resources/{path...}", s.forDataSource(func(w http.ResponseWriter, r *http.Request, p Plugin, who identity, ds DataSource) {
		s.callResource(w, r, p, s.pluginContext(p, who, s.orgs.get(who.org), &ds), r.PathValue("path"))
	}))
	// The host has no dashboards.
	mux.HandleFunc("GET /api/search", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, []any{}) })
	mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) { grafanaError(w, http.StatusNotFound, "Not found") })

	mux.HandleFunc("PUT /host/orgs/{id}", s.putOrg)
	mux.HandleFunc("GET /host/visit", s.visit)
	mux.HandleFunc("GET /host/boot.json", s.boot)
	mux.Handle("GET /host/", http.StripPrefix("/host/", http.FileServer(http.Dir(s.opt.Page))))

	for _, p := range s.plugins {
		prefix := "/public/plugins/" + p.ID + "/"
		mux.Handle("GET "+prefix, http.StripPrefix(prefix, http.FileServer(http.Dir(p.Dir))))
	}
	mux.Handle("GET /public/build/img/", http.StripPrefix("/public/build/img/", http.FileServer(http.Dir(s.opt.Images))))
	mux.HandleFunc("GET /public/build/img/icons/unicons/spinner.svg", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(s.opt.Page, "spinner.svg")) // the published package leaves it out
	})
	fonts := http.FileServer(http.Dir(filepath.Join(s.opt.Page, "fonts")))
	mux.Handle("GET /public/fonts/", http.StripPrefix("/public/fonts/", fonts))
	mux.HandleFunc("/public/", http.NotFound)
	mux.HandleFunc("/", s.index)
	return s.guard(mux)
}

// contentPolicy keeps every request inside this host; a page that wants more is a fault the tests must see.
const contentPolicy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
	"font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'"

// guard refuses foreign host names, by which a web site elsewhere could reach a loopback address, and sets the headers
// of every answer.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			name = r.Host
		}
		if ip := net.ParseIP(strings.Trim(name, "[]")); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "this host answers loopback addresses only", http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("Content-Security-Policy", contentPolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		// What is built may change under the same name between two runs.
		w.Header().Set("Cache-Control", "no-cache")
		next.ServeHTTP(w, r)
	})
}
