package proxymock

import (
	"net/http"
	"net/url"
	"time"
)

// PairForm says how a pair's file is written.
type PairForm int

const (
	// FormAuto decides by the first byte that is not blank: "{" is JSON, everything else Markdown.
	FormAuto PairForm = iota
	// FormMarkdown is the form with sections and one "json:" line.
	FormMarkdown
	// FormJSON is one JSON object.
	FormJSON
)

// Directions of a pair.
const (
	// In is a request to the application.
	In = "IN"
	// Out is a call that the application made.
	Out = "OUT"
)

// Pair is one request with its response, recorded, replayed or mocked.
type Pair struct {
	// UUID and RefUUID are in lower-case hex with dashes. RefUUID names the recorded pair that a replayed
	// or mocked one goes back to, "" when there is none.
	UUID, RefUUID string
	// Direction is In or Out.
	Direction string
	// Protocol is the seventh-layer protocol: http, https, postgres, mysql, grpc, amqp091 …
	Protocol string
	// TS is the start of the exchange in UTC; recordings of outbound HTTP calls stamp it close to the
	// response, see DurationKnown.
	TS time.Time
	// Duration is the stored duration in whole milliseconds, nil when absent (below resolution in older versions).
	Duration *time.Duration
	// Elapsed is the stored duration in microseconds, nil before it existed (first seen in v2.5.1155).
	Elapsed *time.Duration
	// Tags are the writer's tags; the placeholder "undefined" reads as "".
	Tags map[string]string
	// Command is the HTTP verb or the kind of message, Location the path without query or the normalised SQL.
	Command, Location string
	// Status is the writer's status text; its form depends on the writer. Use StatusCode for HTTP.
	Status string
	// HTTP is set for HTTP pairs, Postgres for Postgres pairs, neither for other protocols.
	HTTP     *HTTP
	Postgres *Postgres
	// Service, Resource, Cluster and Namespace name the recorded workload.
	Service, Resource, Cluster, Namespace string
	// Sequence is the capture order number; a replayed pair inherits it. nil when absent.
	Sequence *int64
	// Tech is the detected technology of the payload ("JSON", "Postgres"), often absent.
	Tech string
	// NetworkAddress is host:port of the server as older versions and JSON pairs state it.
	NetworkAddress string
	// Conn is the connection the pair went over.
	Conn Connection
	// Session is the session key. It can be a bearer token: see [Mask].
	Session string
	// ResponderMatch is what the mock server said, mirrored in the tag "match".
	ResponderMatch string
	// Redacted says that a data-loss-prevention rule changed the pair when it was recorded.
	Redacted bool
	// Form is how the pair was written.
	Form PairForm
	// Problems are oddities of this pair, in words.
	Problems []string

	chaos bool
}

// Connection is what a pair says about its network connection.
type Connection struct {
	// ID is the proxy's connection number, unique only together with Start.
	ID string
	// Start is when the connection was opened, zero when unknown.
	Start time.Time
	// ServerHost and ServerPort name the server end, Port 0 when unknown.
	ServerHost string
	ServerPort int
	// Flow is "EGRESS" or "INGRESS" in newer builds, else "".
	Flow string
}

// HTTP is the payload of an HTTP pair. Header names are in canonical form.
type HTTP struct {
	Method string
	// URL is the path, URI the path with its query, Host the request's host.
	URL, URI, Host string
	// Version is the protocol version as written, such as "1.1" or "2.0".
	Version string
	// StatusCode is 0 when the pair holds no response.
	StatusCode int
	// StatusMessage is like "200 OK"; some writers leave out the reason.
	StatusMessage string
	// ContentType is the response's content type.
	ContentType                     string
	RequestHeaders, ResponseHeaders http.Header
	// RequestBody and ResponseBody are nil when absent or empty.
	RequestBody, ResponseBody []byte
	QueryParams               url.Values
	// Reformatted says that the bodies come from Markdown sections, where JSON is indented anew, forms
	// are shown as JSON and binary data as base64: equal bodies are equal JSON, not equal bytes.
	Reformatted bool
	// ResponseDropped says that the writer did not keep the response's body.
	ResponseDropped bool
}

// PairKind says by which command a pair was written.
type PairKind string

const (
	// KindRecording is a pair of recorded traffic.
	KindRecording PairKind = "recording"
	// KindReplay is a request that the replay sent, with the application's answer.
	KindReplay PairKind = "replay"
	// KindMock is an outbound call that the mock server saw.
	KindMock PairKind = "mock"
)

// Match is a pair's match state under one set of words; tools differ in theirs.
type Match string

const (
	// MatchNone means that the pair does not say: recordings, and replays before about v2.5.8xx.
	MatchNone Match = ""
	// MatchPass is a replayed response that agrees with the recorded one.
	MatchPass Match = "pass"
	// MatchFail is a replayed response that does not.
	MatchFail Match = "fail"
	// MatchHit is a call that the mock server answered from the recording.
	MatchHit Match = "hit"
	// MatchMiss is a call that it found no answer for.
	MatchMiss Match = "miss"
	// MatchPassthrough is a call that it passed on to the real dependency.
	MatchPassthrough Match = "passthrough"
)
