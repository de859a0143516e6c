package sqlstats

import "time"

// State says whether the figures of an inventory mean anything.
type State string

// The states of an inventory. Only in StateOK are its counts figures; in the other states they are
// unset, not zero.
const (
	// StateOK: statements were read.
	StateOK State = "ok"
	// StateAbsent: the pairs hold no database traffic at all.
	StateAbsent State = "absent"
	// StateNotDecodable: a database was talked to, but the recorder saw bytes it could not decode.
	StateNotDecodable State = "not decodable"
)

// How statements were tied to inbound requests.
const (
	// LinkTrace: by the trace id in the statement's own comment.
	LinkTrace = "trace id"
	// LinkTime: by time containment, each statement inside exactly one request.
	LinkTime = "time containment"
	// LinkMixed: some by trace id, some by time.
	LinkMixed = "mixed"
	// LinkNone: no statement could be tied to a request.
	LinkNone = "none"
)

// Kind separates what reads from what changes something and from what only steers the session.
type Kind string

// The kinds of statements. Whatever is neither a plain read nor session control counts as a write.
const (
	KindRead    Kind = "read"
	KindWrite   Kind = "write"
	KindControl Kind = "control"
)

// Inventory is what the pairs of one recording say about SQL.
type Inventory struct {
	State State
	// Message explains a state other than StateOK and says what to do.
	Message string
	// Executions counts Query and Execute Prepared Statement messages without transaction control.
	// Reads + Writes = Executions.
	Executions int64
	Reads      int64
	Writes     int64
	// Errors counts statements that the server answered with an error, once each even if several
	// messages of the statement carry it.
	Errors int64
	// TransactionControl counts BEGIN, COMMIT, SET, SHOW and the like; not part of Executions.
	TransactionControl int64
	// Messages counts every SQL message; detail only, never compared.
	Messages int64
	// Statements are ordered by span time, then executions, then text.
	Statements []Statement
	// Endpoints hold one row per endpoint and fingerprint, in the same order.
	Endpoints []EndpointStatement
	// Totals hold one row per endpoint over all its statements, by executions.
	Totals []EndpointTotal
	// ErrorCodes are the errors by SQLSTATE, the most frequent first.
	ErrorCodes []ErrorCount
	// Linking is one of the Link constants; Links are the numbers behind it.
	Linking  string
	Links    Links
	Problems []Problem
}

// Links counts executions by how they were tied to an inbound request.
// Trace + Contained + Guessed + Unlinked = Executions.
type Links struct {
	Trace     int64
	Contained int64
	// Guessed executions lay inside several requests that overlapped; the latest to start was taken.
	Guessed int64
	// Unlinked executions lay inside no recorded request: start-up, background work, health checks.
	Unlinked int64
}

// Statement is one fingerprint over the whole recording.
type Statement struct {
	// Fingerprint is the first 16 hex digits of the SHA-256 of the masked, normalised text.
	Fingerprint string
	// SQL is the text with literals masked and comments removed.
	SQL string
	// Verb is the main command in capitals; of a WITH the command it feeds.
	Verb   string
	Kind   Kind
	Tables []string
	// Executions, Rows (returned to the client), Affected (changed) and Errors are totals.
	Executions int64
	Rows       int64
	Affected   int64
	Errors     int64
	// SpanSeconds is the time from the first message of each statement to the end of its execution,
	// summed over SpanExecutions; nil when no execution could be timed.
	SpanSeconds    *float64
	SpanExecutions int64
}

// EndpointStatement is one fingerprint below one endpoint.
type EndpointStatement struct {
	// Endpoint is a [proxymock.EndpointName].
	Endpoint    string
	Fingerprint string
	// Calls is the number of inbound requests of the endpoint, those without statements included.
	Calls      int64
	Executions int64
	// PerCall is Executions / Calls.
	PerCall    float64
	MaxPerCall int64
	Rows       int64
	// GuessedExecutions were tied by time containment while requests overlapped.
	GuessedExecutions int64
	// ParentFingerprint names the statement whose returned rows the executions follow one to one,
	// call by call: the signature of an N+1. Empty when there is none.
	ParentFingerprint string
	// RowsOfParent is how many rows the parent returned in those calls.
	RowsOfParent int64
	// ParentCalls is in how many calls the counts agreed.
	ParentCalls int64
	// Candidate words the growth as a candidate for an N+1; empty when there is none.
	Candidate      string
	SpanSeconds    *float64
	SpanExecutions int64
}

// EndpointTotal is one endpoint over all its statements.
type EndpointTotal struct {
	Endpoint   string
	Calls      int64
	Executions int64
	PerCall    float64
	MaxPerCall int64
}

// ErrorCount is one SQLSTATE with the meaning of its class.
type ErrorCount struct {
	SQLSTATE string
	Meaning  string
	Count    int64
}

// Problem is something in the pairs that a reader of the figures should know.
type Problem struct {
	// Code is one of the Problem constants and stable.
	Code string
	// Message says what was found, in how many pairs, and what was done about it.
	Message string
	// UUID is that of the first pair concerned; empty when the problem is about no single pair.
	UUID  string
	Count int64
}

// Options tune an inventory. The zero value is right for recordings.
type Options struct {
	// IdleGap separates a statement prepared earlier from its execution: when no message of a group
	// was in flight for longer, the wait was the application's and the time starts anew. 0 means
	// DefaultIdleGap.
	IdleGap time.Duration
}

// DefaultIdleGap is the idle time on a connection that splits a statement's messages.
const DefaultIdleGap = 100 * time.Millisecond
