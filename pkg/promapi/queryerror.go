package promapi

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
)

// QueryError is a question that got no answer. It never is a statement about the service.
type QueryError struct {
	// State is StateUnreachable, StateRefused or StateFailed.
	State State
	// Kind is a stable word for what happened, one of the Kind constants.
	Kind string
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// Server is the server's address without credentials.
	Server string
	// Query is what was asked.
	Query string
	// Says is what happened, in words; Text is what the server or the connection said, if anything.
	Says, Text string
	// Next is what the user can do; empty when there is nothing. No other field repeats it.
	Next string
	err  error
}

// Cause is what happened, without the question that was asked: "nothing answers at this address: ...".
func (e *QueryError) Cause() string {
	text := e.Says
	if e.Status != 0 {
		text += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Text != "" {
		text += ": " + e.Text
	}
	return text
}

func (e *QueryError) Error() string {
	return fmt.Sprintf("asking %s for %s: %s", e.Server, e.Query, e.Cause())
}

// Unwrap returns the underlying error.
func (e *QueryError) Unwrap() error { return e.err }

// maxServerText bounds how much of a server's message is repeated.
const maxServerText = 500

// failure is a question that got no answer, in the words of the table of situations.
func (c *Client) failure(kind, query string, status int, text string, err error) *QueryError {
	s := situations[kind]
	words := s.direct
	if c.viaGrafana && s.grafana != (wording{}) {
		words = s.grafana
	}
	if len(text) > maxServerText {
		text = strings.ToValidUTF8(text[:maxServerText], "") + "..."
	}
	return &QueryError{State: s.state, Kind: kind, Status: status, Server: c.Address(), Query: query,
		Says: words.says, Text: text, Next: words.next, err: err}
}

// classify turns an error of the API client into a QueryError.
func (c *Client) classify(ctx context.Context, query string, status int, err error) *QueryError {
	var apiErr *v1.Error
	switch answered := errors.As(err, &apiErr); {
	case errors.Is(err, ErrTooLarge):
		return c.failure(KindTooLarge, query, status, err.Error(), err)
	case errors.Is(ctx.Err(), context.Canceled):
		return c.failure(KindCanceled, query, status, "", err)
	case !answered || errors.Is(ctx.Err(), context.DeadlineExceeded):
		kind, text := connectionKind(ctx, err)
		if kind == KindNoAnswer {
			text = "waited " + c.cfg.Timeout.String()
		}
		return c.failure(kind, query, status, text, err)
	}
	kind, text := c.answerKind(status, apiErr)
	return c.failure(kind, query, status, text, err)
}

// connectionKind says why there was no whole answer, with what the system says of it.
func connectionKind(ctx context.Context, err error) (kind, text string) {
	text = err.Error()
	// net/http repeats method and URL, which may hold credentials.
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		text = urlErr.Err.Error()
	}
	var (
		netErr  net.Error
		nameErr *net.DNSError
		dialErr *net.OpError
		certErr *tls.CertificateVerificationError
		headErr tls.RecordHeaderError
		alert   tls.AlertError
	)
	switch {
	case errors.As(err, &nameErr):
		return KindHostName, text
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return KindNoAnswer, text
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &headErr):
		return KindNotHTTPS, ""
	case errors.As(err, &certErr), errors.As(err, &alert):
		return KindTLS, text
	case errors.As(err, &dialErr) && dialErr.Op == "dial":
		return KindConnection, text
	}
	return KindBroken, text
}

// answerKind says what an answer that is an error means, with what it says itself.
func (c *Client) answerKind(status int, e *v1.Error) (kind, text string) {
	// The API client keeps the body of an answer that it does not understand as the detail.
	said := answerText{text: strings.TrimSpace(e.Msg), kind: e.Type}
	if e.Type == v1.ErrClient || e.Type == v1.ErrServer {
		said = readAnswer(e.Detail)
	}
	switch {
	case status == http.StatusUnauthorized:
		return KindCredentials, said.text
	case status == http.StatusForbidden && c.viaGrafana && !said.grafana,
		status == http.StatusBadRequest && c.viaGrafana && strings.Contains(said.text, "Authentication to data source failed"):
		// Grafana's proxy turns the 401 of the server behind it into this 400.
		return KindDataSourceCredentials, said.text
	case status == http.StatusForbidden:
		return KindPermission, said.text
	case status == http.StatusTooManyRequests:
		return KindRateLimited, said.text
	case said.kind == v1.ErrBadData:
		return KindBadData, said.text
	case said.kind == v1.ErrExec:
		return KindExecution, said.text
	case said.kind == v1.ErrTimeout:
		return KindQueryTimeout, said.text
	case said.kind == v1.ErrCanceled:
		return KindCanceled, said.text
	case status == http.StatusBadRequest && strings.Contains(said.text, "HTTP request to an HTTPS server"):
		return KindNotHTTP, ""
	case status == http.StatusNotFound && c.viaGrafana && said.grafana:
		return KindNoDataSource, said.text
	case status == http.StatusNotFound:
		return KindNoAPI, said.text
	case status == http.StatusBadGateway:
		return KindGateway, said.text
	case status == http.StatusServiceUnavailable:
		return KindNotReady, said.text
	case status == http.StatusGatewayTimeout:
		return KindGatewayTimeout, said.text
	case status >= http.StatusInternalServerError:
		return KindServerError, said.text
	}
	return KindBadResponse, said.text
}

// answerText is what the body of an error says.
type answerText struct {
	text string
	kind v1.ErrorType
	// grafana: the body is empty or in the form in which Grafana itself refuses, so that it is not the answer of
	// a server behind Grafana's proxy.
	grafana bool
}

// readAnswer reads the body of an error: that of a Prometheus API, that of Grafana, or any text.
func readAnswer(body string) answerText {
	body = strings.TrimSpace(body)
	var fields struct {
		ErrorType v1.ErrorType `json:"errorType"`
		Error     string       `json:"error"`
		Message   string       `json:"message"`
	}
	switch err := json.Unmarshal([]byte(body), &fields); {
	case body == "":
		return answerText{grafana: true}
	case err == nil && fields.Error != "":
		return answerText{text: fields.Error, kind: fields.ErrorType}
	case err == nil && fields.Message != "":
		return answerText{text: fields.Message, grafana: true}
	case strings.HasPrefix(body, "<"):
		return answerText{text: "a web page"}
	}
	return answerText{text: body}
}
