// Package rrpair writes and reads request/response pairs in the file forms of
// proxymock 2.5.842: Markdown for HTTP, JSON for everything else and for bodies
// that Markdown cannot carry. It is the stand-in's own writer; the product's
// reader shares no code with it.
package rrpair

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// ProxyVersion is the tag under which the stand-in signs what it writes: it is
// not proxymock, it only keeps to the formats of this release.
const ProxyVersion = "stand-in-2.5.842"

// Values of Pair.Direction.
const (
	In  = "IN"  // a request to the application
	Out = "OUT" // a call the application makes
)

// Pair is one exchange. Field order is the order of keys in real files.
type Pair struct {
	MsgType    string            `json:"msgType"`
	Resource   string            `json:"resource"`
	TS         Timestamp         `json:"ts"`
	L7Protocol string            `json:"l7protocol"`
	Duration   int64             `json:"duration,omitempty"` // whole milliseconds, at least 1 when known
	Elapsed    string            `json:"elapsed,omitempty"`  // seconds with microseconds, "0.003289s"
	Tags       map[string]string `json:"tags"`
	UUID       ID                `json:"uuid"`
	Direction  string            `json:"direction"`
	Cluster    string            `json:"cluster"`
	Namespace  string            `json:"namespace"`
	Service    string            `json:"service"`
	Tech       string            `json:"tech,omitempty"`
	Command    string            `json:"command"`
	Location   string            `json:"location"`
	Status     string            `json:"status"`
	HTTP       *HTTP             `json:"http,omitempty"`
	Postgres   any               `json:"postgres,omitempty"`
	// Signature is what a mock matches on; []byte is base64 in the file.
	Signature      map[string][]byte `json:"signature,omitempty"`
	Netinfo        *Netinfo          `json:"netinfo,omitempty"`
	ResponderMatch string            `json:"responderMatch,omitempty"`
}

// HTTP is the payload of an HTTP pair.
type HTTP struct {
	Req HTTPRequest  `json:"req"`
	Res HTTPResponse `json:"res"`
}

// HTTPRequest is the request half of an HTTP pair.
type HTTPRequest struct {
	URL         string              `json:"url"` // the path alone
	URI         string              `json:"uri"` // path and query
	Version     string              `json:"version"`
	Method      string              `json:"method"`
	Host        string              `json:"host"`
	Headers     map[string][]string `json:"headers,omitempty"`
	QueryParams map[string][]string `json:"queryParams,omitempty"`
	Body        []byte              `json:"bodyBase64,omitempty"`
}

// HTTPResponse is the response half of an HTTP pair.
type HTTPResponse struct {
	ContentType   string              `json:"contentType,omitempty"`
	StatusCode    int                 `json:"statusCode"`
	StatusMessage string              `json:"statusMessage"` // "200 OK"
	Headers       map[string][]string `json:"headers,omitempty"`
	Body          []byte              `json:"bodyBase64,omitempty"`
}

// Netinfo says on which connection the exchange happened.
type Netinfo struct {
	ID         string    `json:"id"`
	StartTime  Timestamp `json:"startTime"`
	Downstream *Endpoint `json:"downstream,omitempty"`
	Upstream   *Endpoint `json:"upstream,omitempty"`
	Direction  string    `json:"direction,omitempty"`
}

// Endpoint is one side of a connection.
type Endpoint struct {
	Established *Timestamp `json:"established,omitempty"`
	IPAddress   string     `json:"ipAddress,omitempty"`
	Port        int        `json:"port,omitempty"`
	Hostname    string     `json:"hostname,omitempty"`
	BytesSent   string     `json:"bytesSent,omitempty"`
}

// New returns a pair with a fresh id and the fields that every pair shares.
func New(direction string, ts time.Time) *Pair {
	return &Pair{
		MsgType: "rrpair", Resource: "my-app", Service: "my-app", Cluster: "undefined", Namespace: "undefined",
		TS: Timestamp{ts}, UUID: ID(uuid.New()), Direction: direction, Tags: map[string]string{},
	}
}

// Millis is the whole-millisecond form of a duration as the files carry it:
// truncated, and at least 1.
func Millis(d time.Duration) int64 { return max(1, d.Milliseconds()) }

// Timestamp is an instant with the file formats' own spelling: UTC, six digits
// of fraction, or nine when there are nanoseconds.
type Timestamp struct{ time.Time }

// MarshalJSON implements json.Marshaler.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	layout := `"2006-01-02T15:04:05.000000Z"`
	if t.Nanosecond()%1000 != 0 {
		layout = `"2006-01-02T15:04:05.000000000Z"`
	}
	return []byte(t.UTC().Format(layout)), nil
}

// Short is the spelling of the METADATA section: trailing zeros trimmed.
func (t Timestamp) Short() string { return t.UTC().Format("2006-01-02T15:04:05.999999999Z") }

// fileName is the pair's file name without extension.
func (t Timestamp) fileName() string { return t.UTC().Format("2006-01-02_15-04-05.999999999Z") }

// ID is a pair's UUID: base64 of its 16 bytes in JSON, hex in METADATA and in
// refUuid.
type ID uuid.UUID

// String is the hex form.
func (id ID) String() string { return uuid.UUID(id).String() }

// MarshalJSON implements json.Marshaler.
func (id ID) MarshalJSON() ([]byte, error) {
	return json.Marshal(base64.StdEncoding.EncodeToString(id[:]))
}

// UnmarshalJSON implements json.Unmarshaler.
func (id *ID) UnmarshalJSON(data []byte) error {
	var raw []byte
	if err := json.Unmarshal(data, &raw); err != nil {
		return fmt.Errorf("reading a pair's uuid: %w", err)
	}
	if len(raw) != len(id) {
		return fmt.Errorf("reading a pair's uuid: %d bytes instead of %d", len(raw), len(id))
	}
	copy(id[:], raw)
	return nil
}
