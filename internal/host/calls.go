package host

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/genproto/pluginv2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// maxBody is Grafana's own limit for a plugin's message, 16 MB.
const maxBody = 16 << 20

// callResource forwards a request to a backend and streams its answer, as Grafana does: cookies, credentials and
// hop-by-hop headers stay here.
func (s *Server) callResource(w http.ResponseWriter, r *http.Request, p Plugin, pc backend.PluginContext, path string) {
	proc, err := s.pool.get(r.Context(), p)
	if err != nil {
		s.unavailable(w, err)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		grafanaError(w, http.StatusBadRequest, "could not read the request: "+err.Error())
		return
	}
	target := path
	if r.URL.RawQuery != "" {
		target += "?" + r.URL.RawQuery
	}
	stream, err := proc.resource.CallResource(r.Context(), &pluginv2.CallResourceRequest{
		PluginContext: backend.ToProto().PluginContext(pc),
		Path:          path, Method: r.Method, Url: target, Headers: forwarded(r.Header), Body: body,
	})
	if err != nil {
		s.unavailable(w, err)
		return
	}
	s.copyStream(w, r, stream)
}

func (s *Server) copyStream(w http.ResponseWriter, r *http.Request, stream pluginv2.Resource_CallResourceClient) {
	flusher := http.NewResponseController(w)
	for first := true; ; first = false {
		part, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			if first {
				grafanaError(w, http.StatusInternalServerError, "the plugin sent no answer")
			}
			return
		case err != nil:
			if first {
				s.unavailable(w, err)
			} else if r.Context().Err() == nil {
				s.logf("the answer to %s broke off: %v", r.URL.Path, err)
			}
			return
		}
		if first {
			for name, values := range part.Headers {
				if !slices.Contains(notForwarded, http.CanonicalHeaderKey(name)) {
					w.Header()[http.CanonicalHeaderKey(name)] = values.Values
				}
			}
			if w.Header().Get("Content-Type") == "" && part.Code != http.StatusNoContent {
				w.Header().Set("Content-Type", "application/json")
			}
			// Grafana's own guard against active content in a plugin's answer.
			w.Header().Set("Content-Security-Policy", "sandbox")
			w.WriteHeader(int(part.Code))
		}
		if _, err := w.Write(part.Body); err != nil {
			return
		}
		_ = flusher.Flush()
	}
}

var notForwarded = []string{
	"Authorization", "Connection", "Content-Length", "Cookie", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
	"Set-Cookie", "Te", "Trailer", "Transfer-Encoding", "Upgrade", roleHeader, orgHeader,
}

func forwarded(header http.Header) map[string]*pluginv2.StringList {
	out := map[string]*pluginv2.StringList{}
	for name, values := range header {
		if !slices.Contains(notForwarded, name) {
			out[name] = &pluginv2.StringList{Values: values}
		}
	}
	return out
}

// checkHealth answers like Grafana: 200 when the plugin is well, failing otherwise, with the same body.
func (s *Server) checkHealth(w http.ResponseWriter, r *http.Request, p Plugin, pc backend.PluginContext, failing int) {
	proc, err := s.pool.get(r.Context(), p)
	if err != nil {
		s.unavailable(w, err)
		return
	}
	resp, err := proc.diagnostics.CheckHealth(r.Context(), &pluginv2.CheckHealthRequest{
		PluginContext: backend.ToProto().PluginContext(pc),
	})
	if err != nil {
		s.unavailable(w, err)
		return
	}
	result := backend.FromProto().CheckHealthResponse(resp)
	answer := map[string]any{"status": result.Status.String(), "message": result.Message}
	if json.Valid(result.JSONDetails) {
		answer["details"] = json.RawMessage(result.JSONDetails)
	}
	code := http.StatusOK
	if result.Status != backend.HealthStatusOk {
		code = failing
	}
	writeJSON(w, code, answer)
}

// unavailable is Grafana's answer when a backend cannot be reached or fails without an answer of its own.
func (s *Server) unavailable(w http.ResponseWriter, err error) {
	if status.Code(err) == codes.Canceled || errors.Is(err, http.ErrAbortHandler) {
		return
	}
	s.logf("plugin unavailable: %v", err)
	grafanaError(w, http.StatusServiceUnavailable, "Plugin unavailable: "+err.Error())
}

// grafanaError is the shape of Grafana's own errors.
func grafanaError(w http.ResponseWriter, code int, message string) {
	writeJSON(w, code, map[string]string{"message": message})
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v) // the reader may be gone
}
