// Package capture is the HTTP half that recording and mocking share: reading a
// proxied request, forwarding it, and turning the exchange into a pair.
package capture

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// MaxBodyBytes bounds one body that passes through the stand-in.
const MaxBodyBytes = 32 << 20

// ErrBodyTooLarge is returned for a body above MaxBodyBytes.
var ErrBodyTooLarge = fmt.Errorf("body is larger than %d bytes", MaxBodyBytes)

// hopHeaders belong to one connection and are never forwarded (RFC 9110 7.6.1).
var hopHeaders = []string{
	"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// ReadRequest reads r with its body into the form of a pair. host is what the
// pair shows as the requested host.
func ReadRequest(r *http.Request, host string) (rrpair.HTTPRequest, error) {
	body, err := ReadBody(r.Body)
	if err != nil {
		return rrpair.HTTPRequest{}, fmt.Errorf("reading the request: %w", err)
	}
	headers := forwardable(r.Header)
	headers["Host"] = []string{host}
	req := rrpair.HTTPRequest{
		URL:     r.URL.Path,
		URI:     r.URL.RequestURI(),
		Version: fmt.Sprintf("%d.%d", r.ProtoMajor, r.ProtoMinor),
		Method:  r.Method,
		Host:    host,
		Headers: headers,
		Body:    body,
	}
	if query := r.URL.Query(); len(query) > 0 {
		req.QueryParams = query
	}
	return req, nil
}

// ReadBody reads a body up to MaxBodyBytes.
func ReadBody(body io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, MaxBodyBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBodyBytes {
		return nil, ErrBodyTooLarge
	}
	return data, nil
}

func forwardable(header http.Header) http.Header {
	out := header.Clone()
	for _, name := range hopHeaders {
		out.Del(name)
	}
	return out
}

// NewTransport is a client side that neither unpacks nor redirects nor uses a
// proxy: what passes must be what was sent.
func NewTransport() *http.Transport {
	return &http.Transport{
		DisableCompression:  true,
		MaxIdleConns:        256,
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second,
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
	}
}

// Forward sends req to base (scheme and host; the path and query are req's) and
// reads the whole answer.
func Forward(ctx context.Context, transport http.RoundTripper, base *url.URL, req *rrpair.HTTPRequest) (rrpair.HTTPResponse, error) {
	target := base.Scheme + "://" + base.Host + req.URI
	out, err := http.NewRequestWithContext(ctx, req.Method, target, bytes.NewReader(req.Body))
	if err != nil {
		return rrpair.HTTPResponse{}, fmt.Errorf("building the request for %s: %w", target, err)
	}
	out.Header = http.Header(req.Headers).Clone()
	out.Header.Del("Host")
	if out.Header.Get("User-Agent") == "" {
		out.Header.Set("User-Agent", "") // keeps Go from adding its own
	}
	out.Host = req.Host
	res, err := transport.RoundTrip(out)
	if err != nil {
		return rrpair.HTTPResponse{}, fmt.Errorf("forwarding %s %s: %w", req.Method, target, err)
	}
	defer res.Body.Close()
	body, err := ReadBody(res.Body)
	if err != nil {
		return rrpair.HTTPResponse{}, fmt.Errorf("reading the answer of %s %s: %w", req.Method, target, err)
	}
	return rrpair.HTTPResponse{
		ContentType:   res.Header.Get("Content-Type"),
		StatusCode:    res.StatusCode,
		StatusMessage: StatusMessage(res.StatusCode),
		Headers:       forwardable(res.Header),
		Body:          body,
	}, nil
}

// StatusMessage is "200 OK", or the bare number when the status has no name.
func StatusMessage(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// Answer writes res to the caller.
func Answer(w http.ResponseWriter, res *rrpair.HTTPResponse) {
	for name, values := range res.Headers {
		if !strings.EqualFold(name, "Content-Length") {
			w.Header()[name] = values
		}
	}
	if bodyAllowed(res.StatusCode) {
		w.Header().Set("Content-Length", strconv.Itoa(len(res.Body)))
	}
	w.WriteHeader(res.StatusCode)
	if bodyAllowed(res.StatusCode) {
		_, _ = w.Write(res.Body) // the caller may have gone
	}
}

func bodyAllowed(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// Decode unpacks a gzip body for the file, as proxymock does, and says whether
// the body is in the clear now.
func Decode(res *rrpair.HTTPResponse) bool {
	encoding := strings.ToLower(http.Header(res.Headers).Get("Content-Encoding"))
	switch encoding {
	case "", "identity":
		return true
	case "gzip":
		reader, err := gzip.NewReader(bytes.NewReader(res.Body))
		if err != nil {
			return false
		}
		plain, err := ReadBody(reader)
		if err != nil {
			return false
		}
		res.Body = plain
		return true
	}
	return false
}

// Fill puts the payload and what derives from it into p.
func Fill(p *rrpair.Pair, scheme string, req rrpair.HTTPRequest, res rrpair.HTTPResponse) {
	p.L7Protocol = scheme
	p.Command = req.Method
	p.Location = req.URL
	p.Status = strconv.Itoa(res.StatusCode)
	p.HTTP = &rrpair.HTTP{Req: req, Res: res}
}

// conn is what is known of the caller's connection.
type conn struct {
	id          uint64
	established time.Time
	remote      net.Addr
}

type connKey struct{}

// Conns numbers connections across all ports of one run.
type Conns struct{ last atomic.Uint64 }

// Next is a fresh connection number.
func (c *Conns) Next() uint64 { return c.last.Add(1) }

// Context is for http.Server.ConnContext.
func (c *Conns) Context(ctx context.Context, nc net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, &conn{id: c.Next(), established: time.Now(), remote: nc.RemoteAddr()})
}

// Netinfo describes the connection of the request with ctx; upstream is the
// server as host:port.
func Netinfo(ctx context.Context, upstream string) *rrpair.Netinfo {
	c, ok := ctx.Value(connKey{}).(*conn)
	if !ok {
		return nil
	}
	established := rrpair.Timestamp{Time: c.established.Truncate(time.Microsecond)}
	info := &rrpair.Netinfo{
		ID:         strconv.FormatUint(c.id, 10),
		StartTime:  established,
		Downstream: &rrpair.Endpoint{Established: &established},
		Upstream:   EndpointOf(upstream),
	}
	if tcp, ok := c.remote.(*net.TCPAddr); ok {
		info.Downstream.IPAddress, info.Downstream.Port = tcp.IP.String(), tcp.Port
	}
	return info
}

// EndpointOf splits host:port.
func EndpointOf(address string) *rrpair.Endpoint {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return &rrpair.Endpoint{Hostname: address, Port: 80}
	}
	port, _ := strconv.Atoi(portText) // a listener or URL has already proved it
	return &rrpair.Endpoint{Hostname: host, Port: port}
}

// Refuse answers a request that the stand-in cannot forward.
func Refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadGateway
	if errors.Is(err, ErrBodyTooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	http.Error(w, "stand-in: "+err.Error(), status)
}
