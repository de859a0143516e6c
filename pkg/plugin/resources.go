package plugin

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/config"

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
	read := func(pattern string, h handler) { mux.Handle(pattern, i.guard(pattern, i.authoriseRead, h)) }
	configure := func(pattern string, h handler) { mux.Handle(pattern, i.guard(pattern, i.authoriseConfigure, h)) }

	read("GET /v1/sides", i.getSides)
	read("GET /v1/evidence", i.getEvidence)
	read("GET /v1/compare", i.getComparison)
	read("GET /v1/diff", i.getDiff)
	read("GET /v1/boundary", i.getBoundary)
	read("GET /v1/export", i.getExport)
	read("GET /v1/settings", i.getSettings)
	configure("GET /v1/metric-names", i.getMetricNames)
	configure("POST /v1/profile/check", i.postProfileCheck)
	mux.Handle("/", i.guard("other", i.authoriseRead, func(http.ResponseWriter, *http.Request, log.Logger) error {
		return &problem{status: http.StatusNotFound, code: "no_such_resource", title: "No such resource",
			detail: "This version of the plugin answers under /v1.", next: "Reload the page, so that it matches the installed plugin."}
	}))
	return mux
}

// guard authorises, answers, and accounts for one route.
func (i *Instance) guard(route string, authorise func(*http.Request) *problem, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		logger := backend.Logger.FromContext(r.Context()).With("route", route)
		sw := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		if p := authorise(r); p != nil {
			logger.Debug("Refused", "code", p.code, "error", p.err)
			writeProblem(sw, logger, p)
		} else if err := h(sw, r, logger); err != nil {
			p := toProblem(err)
			if p.status >= http.StatusInternalServerError {
				logger.Error("Request failed", "code", p.code, "error", err)
			} else {
				logger.Debug("Request not answered", "code", p.code, "error", err)
			}
			writeProblem(sw, logger, p)
		}
		i.op.telemetry.request(route, strconv.Itoa(sw.status/100)+"xx", time.Since(start))
	})
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
	return &grafanaPermissions{base: base, transport: bearer{token: token, next: i.proxyTransport}, cache: i.perms}
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
	got, err := i.comparison(r.Context(), q.Get("baseline"), q.Get("candidate"), q.Get("profile"), false)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	var name, mime string
	switch q.Get("format") {
	case "json":
		name, mime, err = "evidence.json", "application/json", report.JSON(&body, *got)
	case "markdown":
		name, mime, err = "evidence.md", "text/markdown; charset=utf-8", report.Markdown(&body, *got)
	default:
		return badParameter("format", "it is neither json nor markdown")
	}
	if err != nil {
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
		Prometheus: PromSettings{Mode: p.Mode(), DataSourceUID: p.DataSourceUID, URL: p.URL, Token: tokenNone},
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
