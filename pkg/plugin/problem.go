package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"

	"github.com/grafana/grafana-plugin-sdk-go/backend/log"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/store"
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

// toProblem turns any error of a request into what the user reads.
func toProblem(err error) *problem {
	var p *problem
	var unknownSide *catalog.UnknownSideError
	var ambiguous *catalog.AmbiguousSideError
	var unknownRoot *catalog.UnknownRootError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &unknownSide):
		return &problem{status: http.StatusNotFound, code: "side_unknown", title: "Side not found", detail: err.Error(),
			next: "The directory may have been removed or renamed: refresh the list of runs and choose again.", err: err}
	case errors.As(err, &ambiguous):
		return &problem{status: http.StatusBadRequest, code: "side_ambiguous", title: "More than one side has this name", detail: err.Error(),
			next: "Name the side with its root and whole path.", err: err}
	case errors.As(err, &unknownRoot):
		return &problem{status: http.StatusNotFound, code: "root_unknown", title: "Root not found", detail: err.Error(),
			next: "Choose one of the configured roots.", err: err}
	case errors.Is(err, fs.ErrInvalid), errors.Is(err, store.ErrOutsideRoot):
		return &problem{status: http.StatusBadRequest, code: "outside_root", title: "Outside the roots", detail: err.Error(),
			next: "Name a path below one of the configured roots.", err: err}
	case errors.Is(err, fs.ErrNotExist):
		return &problem{status: http.StatusNotFound, code: "vanished", title: "A file or directory is gone", detail: err.Error(),
			next: "Refresh the list of runs; a replay may be writing it anew.", err: err}
	case errors.Is(err, store.ErrClosed):
		return &problem{status: http.StatusConflict, code: "settings_changed", title: "The settings were changed meanwhile", detail: err.Error(),
			next: "Ask again: the new settings are in use now.", err: err}
	case errors.Is(err, store.ErrPermission):
		return &problem{status: http.StatusInternalServerError, code: "unreadable", title: "Grafana's server may not read a file or directory", detail: err.Error(),
			next: "Let the user that Grafana runs as read it.", err: err}
	case errors.Is(err, store.ErrLimit):
		return &problem{status: http.StatusUnprocessableEntity, code: "too_large", title: "A file or directory is too large", detail: err.Error(),
			next: "Keep what is not part of a run outside the root.", err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &problem{status: http.StatusGatewayTimeout, code: "timeout", title: "The answer took too long", detail: "The request was given up after its time limit.",
			next: "Try again; if it persists, look at the health check: Prometheus may be slow, or the directories very large.", err: err}
	case isCancelled(err):
		// 499 is nginx's word for it; nobody reads this answer.
		return &problem{status: 499, code: "cancelled", title: "The request was cancelled", detail: "The caller went away.", next: "Nothing to do.", err: err}
	default:
		return &problem{status: http.StatusInternalServerError, code: "internal", title: "The request failed", detail: err.Error(),
			next: "Try again; if it persists, look into the server's log.", err: err}
	}
}

func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
