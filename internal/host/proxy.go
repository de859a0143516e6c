package host

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
)

// proxyDataSource serves /api/datasources/proxy/uid/{uid}/…: the way on which the plugin's backend reaches Prometheus
// through Grafana. It answers each kind of refusal as Grafana does.
func (s *Server) proxyDataSource(w http.ResponseWriter, r *http.Request) {
	var org orgState
	if token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); bearer {
		owner, found := s.orgs.byToken(token)
		if !found {
			grafanaError(w, http.StatusUnauthorized, "Invalid API key")
			return
		}
		org = owner
	} else {
		org = s.orgs.get(identify(r).org)
	}
	uid := r.PathValue("uid")
	ds, found := org.dataSource(uid)
	if !found {
		grafanaError(w, http.StatusNotFound, "Data source not found")
		return
	}
	if ds.Refuse {
		grafanaError(w, http.StatusForbidden, "You'll need additional permissions to perform this action. Permissions needed: datasources:query")
		return
	}
	target, err := url.Parse(ds.URL)
	if err != nil || target.Host == "" {
		grafanaError(w, http.StatusBadRequest, "the data source has no usable URL")
		return
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(out *httputil.ProxyRequest) {
			out.Out.URL.Path, out.Out.URL.RawPath = "/"+r.PathValue("path"), ""
			out.SetURL(target)
			out.Out.Header.Del("Authorization")
			out.Out.Header.Del("Cookie")
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			grafanaError(w, http.StatusBadGateway, err.Error())
		},
	}
	proxy.ServeHTTP(w, r)
}
