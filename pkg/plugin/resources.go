package plugin

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/config"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/report"
)

// handler answers a request or fails with an error that toProblem understands.
type handler func(w http.ResponseWriter, r *http.Request, logger log.Logger) error

// statusWriter remembers the status for the metrics.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// routes are the plugin's resources. Reading ones need the plugin's own action, those that check drafts
// need Admin.
func (i *Instance) routes() http.Handler {
	mux := http.NewServeMux()
	handle := func(method, path string, authorise func(*http.Request) *problem, h handler) {
		route := method + " " + path
		mux.Handle(route, i.guard(route, authorise, h))
		mux.Handle(path, i.guard(route, authorise, otherMethod(method)))
	}
	read := func(path string, h handler) { handle(http.MethodGet, path, i.authoriseRead, h) }

	read("/v1/sides", i.getSides)
	read("/v1/evidence", i.getEvidence)
	read("/v1/compare", i.getComparison)
	read("/v1/diff", i.getDiff)
	read("/v1/boundary", i.getBoundary)
	read("/v1/export", i.getExport)
	read("/v1/settings", i.getSettings)
	handle(http.MethodGet, "/v1/metric-names", i.authoriseConfigure, i.getMetricNames)
	handle(http.MethodPost, "/v1/profile/check", i.authoriseConfigure, i.postProfileCheck)
	mux.Handle("/", i.guard("other", i.authoriseRead, func(http.ResponseWriter, *http.Request, log.Logger) error {
		return &problem{status: http.StatusNotFound, code: "no_such_resource", title: "No such resource",
			detail: "This version of the plugin answers under /v1.", next: "Reload the page, so that it matches the installed plugin."}
	}))
	return mux
}

// otherMethod answers requests of a known path by a method that it does not have.
func otherMethod(allowed string) handler {
	if allowed == http.MethodGet {
		allowed = "GET, HEAD" // as http.ServeMux has it
	}
	return func(w http.ResponseWriter, r *http.Request, _ log.Logger) error {
		w.Header().Set("Allow", allowed)
		return &problem{status: http.StatusMethodNotAllowed, code: "method_not_allowed", title: "This resource is asked for in another way",
			detail: "It answers to " + allowed + ", not to " + r.Method + ".", next: "Reload the page, so that it matches the installed plugin."}
	}
}

// requestTimeout bounds one request. It leaves time for the final scrape of a run that has just ended and for a slow
// Prometheus; nobody watches a page for longer.
const requestTimeout = 2 * time.Minute

// guard authorises, answers, and accounts for one route.
func (i *Instance) guard(route string, authorise func(*http.Request) *problem, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(withTold(r.Context()), requestTimeout)
		defer cancel()
		r = r.WithContext(ctx)
		logger := i.logger(ctx).With("route", route)
		sw := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		if p := authorise(r); p != nil {
			logger.Debug("Refused", "code", p.code, "error", p.err)
			writeProblem(sw, logger, p)
		} else if err := h(sw, r, logger); err != nil {
			p := toProblem(err)
			if ended := ctx.Err(); ended != nil && p.status >= http.StatusInternalServerError {
				p = toProblem(ended) // what broke off is no fault of its own
			}
			logFailure(logger, p, err)
			writeProblem(sw, logger, p)
		}
		i.op.telemetry.request(route, strconv.Itoa(sw.status/100)+"xx", time.Since(start))
	})
}

// logFailure tells the operator what was not answered: a fault of the plugin as an error, one of a server behind it as a
// warning, one of the request itself only to whoever debugs.
func logFailure(logger log.Logger, p *problem, err error) {
	tell, words := logger.Debug, "Request not answered"
	switch {
	case p.status == http.StatusBadGateway || p.status == http.StatusGatewayTimeout:
		tell = logger.Warn
	case p.status >= http.StatusInternalServerError:
		tell, words = logger.Error, "Request failed"
	}
	tell(words, "code", p.code, "error", err)
}

func (i *Instance) authoriseRead(r *http.Request) *problem {
	return mayRead(r.Context(), backend.UserFromContext(r.Context()), r.Header.Get(idTokenHeader), i.permissions(r))
}

func (i *Instance) authoriseConfigure(r *http.Request) *problem {
	if p := i.authoriseRead(r); p != nil {
		return p
	}
	return mayConfigure(backend.UserFromContext(r.Context()))
}

// permissions returns the way to ask Grafana, or nil when the plugin has no identity of its own.
func (i *Instance) permissions(r *http.Request) permissionChecker {
	cfg := config.GrafanaConfigFromContext(r.Context())
	if cfg == nil {
		return nil
	}
	token, err := cfg.PluginAppClientSecret()
	if err != nil || token == "" {
		return nil
	}
	base := i.grafanaURL(cfg)
	if base == "" {
		return nil
	}
	return &grafanaPermissions{base: base, transport: bearer{token: token, next: i.proxyTransport}, cache: i.perms, notAsked: func(err error) {
		i.logger(r.Context()).Warn("Grafana could not be asked for permissions, so the organisation role decides", "error", err)
	}}
}

func (i *Instance) getSides(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	out, err := i.sides(r.Context())
	if err != nil {
		return err
	}
	writeJSON(w, logger, http.StatusOK, out)
	return nil
}

func (i *Instance) getEvidence(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	q := r.URL.Query()
	if p := required(r, "side"); p != nil {
		return p
	}
	prof, prob := i.profileNamed(q.Get("profile"))
	if prob != nil {
		return prob
	}
	got, err := i.measure(r.Context(), q.Get("side"), prof)
	if err != nil {
		return err
	}
	writeJSON(w, logger, http.StatusOK, got.side)
	return nil
}

func (i *Instance) getComparison(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	if p := required(r, "baseline", "candidate"); p != nil {
		return p
	}
	q := r.URL.Query()
	got, err := i.comparison(r.Context(), q.Get("baseline"), q.Get("candidate"), q.Get("profile"), false)
	if err != nil {
		return err
	}
	writeJSON(w, logger, http.StatusOK, got)
	return nil
}

func (i *Instance) getExport(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	if p := required(r, "baseline", "candidate", "format"); p != nil {
		return p
	}
	q := r.URL.Query()
	var name, mime string
	var write func(io.Writer, compare.Comparison) error
	switch q.Get("format") {
	case "json":
		name, mime, write = "evidence.json", "application/json", report.JSON
	case "markdown":
		name, mime, write = "evidence.md", "text/markdown; charset=utf-8", report.Markdown
	default:
		return badParameter("format", "it is neither json nor markdown")
	}
	got, err := i.comparison(r.Context(), q.Get("baseline"), q.Get("candidate"), q.Get("profile"), false)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := write(&body, *got); err != nil {
		return err
	}
	w.Header().Set("Content-Type", mime)
	w.Header().Set("Content-Disposition", "attachment; filename=\""+name+"\"")
	w.WriteHeader(http.StatusOK)
	if _, err := w.Write(body.Bytes()); err != nil {
		logger.Debug("Export was not read to its end", "error", err)
	}
	return nil
}

func (i *Instance) getSettings(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	listing, err := i.catalog.Sides(r.Context())
	if err != nil {
		return err
	}
	p := i.settings.Prometheus
	out := SettingsResponse{
		APIVersion: APIVersion, OperatorRoots: nonNil(i.operator), Roots: i.roots(listing),
		Prometheus: PromSettings{Mode: p.Mode(), DataSourceUID: p.DataSourceUID, URL: withoutCredentials(p.URL), Token: tokenNone},
		Profiles:   i.profileRefs(), Problems: nonNil(i.problems),
		CanConfigure: mayConfigure(backend.UserFromContext(r.Context())) == nil,
	}
	if ep, _ := i.endpointFor(r.Context()); ep != nil {
		out.Prometheus.Token = ep.token
	}
	writeJSON(w, logger, http.StatusOK, out)
	return nil
}

// required names the first query parameter that is missing.
func required(r *http.Request, names ...string) *problem {
	for _, name := range names {
		if r.URL.Query().Get(name) == "" {
			return badParameter(name, "it is missing")
		}
	}
	return nil
}

func badParameter(name, why string) *problem {
	return &problem{status: http.StatusBadRequest, code: "bad_parameter", title: "The request cannot be understood",
		detail: "Parameter " + quoted(name) + ": " + why + ".", next: "Reload the page and choose again."}
}
