package quoteapi

import (
	"net/http"
	"strconv"
)

// statusRecorder remembers the status of a response; a handler that never sets
// one has answered 200.
type statusRecorder struct {
	http.ResponseWriter
	status  int
	written bool
}

// WriteHeader keeps the first status, as the server does.
func (s *statusRecorder) WriteHeader(status int) {
	if !s.written {
		s.status, s.written = status, true
	}
	s.ResponseWriter.WriteHeader(status)
}

// Write commits the status that is in force.
func (s *statusRecorder) Write(b []byte) (int, error) {
	s.written = true
	return s.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the server's own writer.
func (s *statusRecorder) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func statusLabel(status int) string { return strconv.Itoa(status) }
