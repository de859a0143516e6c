package proxymock

import (
	"encoding/base64"
	"encoding/json"
	"sort"
	"strings"
	"time"
)

// PostgresKind is the kind of message that a Postgres pair holds.
type PostgresKind string

// Kinds of Postgres messages. Only PostgresQuery and PostgresExecute are executions of a statement.
const (
	PostgresSSL       PostgresKind = "ssl"
	PostgresStartup   PostgresKind = "startup"
	PostgresQuery     PostgresKind = "query"
	PostgresPrepare   PostgresKind = "prepare"
	PostgresDescribe  PostgresKind = "describe"
	PostgresBind      PostgresKind = "bind"
	PostgresExecute   PostgresKind = "execute"
	PostgresTerminate PostgresKind = "terminate"
	PostgresOther     PostgresKind = "other"
)

// Postgres is the payload of a Postgres pair. Data of the start-up exchange (passwords, SASL) is not read.
type Postgres struct {
	Kind PostgresKind
	// Query is the statement as sent, comments included; "" for messages without one.
	Query string
	// Normalised is the statement as the writer normalises it (blanks collapsed, comments removed, " :: "
	// around casts). Group by this, not by Query: comments carry trace ids.
	Normalised string
	// StatementName is the prepared statement's name, "" for the unnamed one.
	StatementName string
	// Parameters are the bound values of Bind and Execute messages.
	Parameters []PostgresValue
	// Rows is the number of rows in the answer; nil for messages that cannot return any or without an answer.
	Rows *int64
	// CompleteTags are the command tags of the answer, CompleteTag the last one ("SELECT 1"). A simple query
	// can hold several statements.
	CompleteTags []string
	CompleteTag  string
	// ErrorCode (SQLSTATE), ErrorSeverity and ErrorMessage are the server's error, "" without one.
	ErrorCode, ErrorSeverity, ErrorMessage string
	// Notices counts notices, which are no errors.
	Notices int
	// ConnID and ConnStart identify the connection together.
	ConnID    string
	ConnStart time.Time
	// BackendPID, Database, User and Transaction ("idle", "active" …) are tags of v2.5.1103 and later, else "".
	BackendPID, Database, User, Transaction string
	// MatchTier says that a mock answered by a looser match than the exact text: "fingerprint" or "shape".
	MatchTier string
	// DissectorVersion is the generation of the decoder.
	DissectorVersion string
}

// Executed tells whether the message ran a statement: a simple query or an execution, never the prepare,
// bind or describe around it.
func (pg *Postgres) Executed() bool { return pg.Kind == PostgresQuery || pg.Kind == PostgresExecute }

type postgresFile struct {
	Request  map[string]json.RawMessage `json:"request"`
	Response map[string]json.RawMessage `json:"response"`
}

// postgresRequest covers every request message: each has some of these fields.
type postgresRequest struct {
	Name                 flexString          `json:"name"`
	Query                flexString          `json:"query"`
	PreparedStatement    flexString          `json:"preparedStatement"`
	ParameterOIDs        []uint32            `json:"parameterOids"`
	DescribedOIDs        []uint32            `json:"describedParameterOids"`
	ParameterFormatCodes []int               `json:"parameterFormatCodes"`
	Parameters           []postgresFileValue `json:"parameters"`
	ParseRequest         *postgresRequest    `json:"parseRequest"`
	BindRequest          *postgresRequest    `json:"bindRequest"`
}

type postgresFileValue struct {
	AsString *string `json:"asString"`
	AsBytes  *string `json:"asBytes"`
}

type postgresMessage struct {
	DataRow  *present `json:"dataRow"`
	Notice   *present `json:"notice"`
	Complete *struct {
		Tag flexString `json:"tag"`
	} `json:"complete"`
	Error *struct {
		Severity flexString `json:"severity"`
		Code     flexString `json:"code"`
		Msg      flexString `json:"msg"`
	} `json:"error"`
}

// present notes that a value exists without keeping it: rows can be large.
type present struct{}

// UnmarshalJSON accepts any value.
func (*present) UnmarshalJSON([]byte) error { return nil }

var postgresKinds = map[string]PostgresKind{
	"ssl": PostgresSSL, "startup": PostgresStartup, "query": PostgresQuery, "parse": PostgresPrepare,
	"describe": PostgresDescribe, "bind": PostgresBind, "execute": PostgresExecute, "terminate": PostgresTerminate,
}

func (p *Pair) readPostgres(f *postgresFile) {
	pg := &Postgres{
		Kind: PostgresOther, Normalised: p.Location, ConnID: p.Conn.ID, ConnStart: p.Conn.Start,
		BackendPID: p.Tags["dbBackendPid"], Database: p.Tags["dbName"], User: p.Tags["dbUser"],
		Transaction: p.Tags["dbTransaction"], MatchTier: p.Tags["matchTier"], DissectorVersion: p.Tags["dissectorVersion"],
	}
	if pg.Normalised == "N/A" {
		pg.Normalised = ""
	}
	p.Postgres = pg
	for _, key := range sortedKeys(f.Request) {
		kind, known := postgresKinds[key]
		if !known {
			continue
		}
		pg.Kind = kind
		if kind == PostgresSSL || kind == PostgresStartup || kind == PostgresTerminate {
			break
		}
		var request postgresRequest
		if err := json.Unmarshal(f.Request[key], &request); err != nil {
			p.problem("postgres request %q was read only in part: %v", key, err)
		}
		pg.readRequest(&request)
		break
	}
	if pg.Kind == PostgresOther {
		p.problem("postgres request holds no known message (command %q)", clip(p.Command, 60))
	}
	pg.readResponses(p, f.Response)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func (pg *Postgres) readRequest(request *postgresRequest) {
	bind := request
	if request.BindRequest != nil {
		bind = request.BindRequest
	}
	parse := bind
	if bind.ParseRequest != nil {
		parse = bind.ParseRequest
	}
	pg.Query = string(parse.Query)
	for _, name := range []flexString{request.Name, bind.PreparedStatement, parse.Name} {
		if name != "" {
			pg.StatementName = string(name)
			break
		}
	}
	oids := parse.DescribedOIDs
	if len(oids) == 0 {
		oids = parse.ParameterOIDs
	}
	for i, value := range bind.Parameters {
		v := value.value()
		if i < len(oids) {
			v.OID = oids[i]
		}
		// One code stands for all parameters, no code for text.
		switch codes := bind.ParameterFormatCodes; {
		case len(codes) == 1:
			v.Binary = codes[0] == 1
		case i < len(codes):
			v.Binary = codes[i] == 1
		}
		pg.Parameters = append(pg.Parameters, v)
	}
}

func (pg *Postgres) readResponses(p *Pair, responses map[string]json.RawMessage) {
	var rows int64
	answered := false
	for _, key := range sortedKeys(responses) {
		if key == "startup" {
			continue
		}
		// The first decoding covers answers that are one message, such as parse.error; the messages are the rest.
		var response struct {
			postgresMessage
			Messages []postgresMessage `json:"messages"`
		}
		if err := json.Unmarshal(responses[key], &response); err != nil {
			p.problem("postgres response %q was read only in part: %v", key, err)
		}
		answered = true
		for _, m := range append(response.Messages, response.postgresMessage) {
			if m.DataRow != nil {
				rows++
			}
			if m.Notice != nil {
				pg.Notices++
			}
			if m.Complete != nil && m.Complete.Tag != "" {
				pg.CompleteTags = append(pg.CompleteTags, string(m.Complete.Tag))
				pg.CompleteTag = string(m.Complete.Tag)
			}
			if m.Error != nil && pg.ErrorCode == "" && pg.ErrorMessage == "" {
				pg.ErrorCode, pg.ErrorSeverity, pg.ErrorMessage = string(m.Error.Code), string(m.Error.Severity), string(m.Error.Msg)
			}
		}
	}
	if answered && pg.Executed() {
		pg.Rows = &rows
	}
	if code, ok := strings.CutPrefix(p.Status, "ERR:"); ok && pg.ErrorCode == "" {
		pg.ErrorCode = code
	}
}

func (v postgresFileValue) value() PostgresValue {
	switch {
	case v.AsBytes != nil:
		raw, err := base64.StdEncoding.DecodeString(*v.AsBytes)
		if err != nil {
			raw = []byte(*v.AsBytes)
		}
		return PostgresValue{Raw: raw}
	case v.AsString != nil:
		return PostgresValue{Raw: []byte(*v.AsString)}
	}
	return PostgresValue{Null: true}
}
