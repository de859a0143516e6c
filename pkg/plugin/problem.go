package plugin

import (
	"encoding/json"
	"net/http"

	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
)

// problemType prefixes the type member of problem documents (RFC 9457). It names, it is not fetched.
const problemType = "urn:replay-evidence:problem:"

// problem is an error that carries what the user should read.
type problem struct {
	status int
	code   string
	title  string
	detail string
	next   string
	err    error
}

func (p *problem) Error() string {
	if p.err != nil {
		return p.title + ": " + p.detail + ": " + p.err.Error()
	}
	return p.title + ": " + p.detail
}

func (p *problem) Unwrap() error { return p.err }

func (p *problem) document() Problem {
	return Problem{
		Type: problemType + p.code, Title: p.title, Status: p.status,
		Detail: p.detail, Code: p.code, Next: p.next,
	}
}

// writeJSON encodes v before the status line is sent, so that an encoding error still becomes a
// problem document and never a half-written 200.
func writeJSON(w http.ResponseWriter, logger log.Logger, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		logger.Error("Could not encode an answer", "error", err)
		writeProblem(w, logger, &problem{
			status: http.StatusInternalServerError, code: "encoding",
			title: "The answer could not be encoded", detail: err.Error(),
			next: "This is a fault of the plugin; please report it with the two sides that were compared.",
		})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		logger.Debug("Answer was not read to its end", "error", err)
	}
}

func writeProblem(w http.ResponseWriter, logger log.Logger, p *problem) {
	body, err := json.Marshal(p.document())
	if err != nil { // strings and an int always encode
		logger.Error("Could not encode a problem document", "error", err)
		http.Error(w, p.title, p.status)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.status)
	if _, err := w.Write(body); err != nil {
		logger.Debug("Problem document was not read to its end", "error", err)
	}
}
