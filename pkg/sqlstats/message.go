package sqlstats

import (
	"strconv"
	"strings"
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// role is what a message does in its connection's conversation.
type role int

const (
	// roleSession starts, encrypts or ends a connection.
	roleSession role = iota
	// rolePart prepares, describes or binds a statement.
	rolePart
	// roleExecute runs a prepared statement, roleQuery runs a text at once.
	roleExecute
	roleQuery
)

// connection tells connections apart: the proxy's number is unique only with the time it was opened.
type connection struct {
	id      string
	start   time.Time
	backend string
}

// message is one SQL pair reduced to what the inventory needs.
type message struct {
	uuid     string
	conn     connection
	sequence int64
	role     role
	prepare  bool // a rolePart message that is the Prepare itself
	// text is the recorder's normalised statement, else the statement as sent.
	text       string
	start, end time.Time
	// timed is true when end - start is a measurement.
	timed          bool
	rows, affected int64
	sqlstate       string
	trace          string
	mismatch       string
	stored         time.Duration // what the pair states, for the report of a mismatch
	ssl, startup   bool
}

// readMessage reduces a Postgres or MySQL pair. ok is false for pairs of other protocols.
func readMessage(p *proxymock.Pair) (message, bool) {
	msg := message{
		uuid: p.UUID, start: p.TS, end: p.TS, stored: p.End().Sub(p.TS), trace: p.TraceID(),
		conn: connection{id: p.Conn.ID, start: p.Conn.Start},
	}
	if p.Sequence != nil {
		msg.sequence = *p.Sequence
	}
	if took, ok := p.Took(); ok {
		msg.timed = true
		msg.end = p.TS.Add(took)
	}
	switch {
	case p.Postgres != nil:
		msg.readPostgres(p)
	case strings.EqualFold(p.Protocol, "mysql"):
		msg.readMySQL(p)
	default:
		return message{}, false
	}
	return msg, true
}

func (msg *message) readPostgres(p *proxymock.Pair) {
	pg := p.Postgres
	msg.conn.backend = pg.BackendPID
	msg.sqlstate = pg.ErrorCode
	if msg.sqlstate == "" && pg.ErrorMessage != "" {
		msg.sqlstate = "unknown"
	}
	msg.text = pg.Normalised
	if msg.text == "" {
		msg.text = pg.Query
	}
	msg.mismatch = pg.AnswerMismatch()
	switch pg.Kind {
	case proxymock.PostgresQuery:
		msg.role = roleQuery
	case proxymock.PostgresExecute:
		msg.role = roleExecute
		msg.end = p.TS.Add(finest(p))
	case proxymock.PostgresPrepare, proxymock.PostgresDescribe, proxymock.PostgresBind:
		msg.role = rolePart
		msg.prepare = pg.Kind == proxymock.PostgresPrepare
		msg.end = p.TS.Add(finest(p))
	default:
		msg.role = roleSession
		msg.ssl = pg.Kind == proxymock.PostgresSSL
		msg.startup = pg.Kind == proxymock.PostgresStartup
		msg.sqlstate = "" // a refused log-in is no statement error
	}
	if pg.Rows != nil {
		msg.rows = *pg.Rows
	}
	var tagged int64
	for _, tag := range pg.CompleteTags {
		verb, n, ok := tagCount(tag)
		switch {
		case !ok:
		case verb == "SELECT" || verb == "FETCH":
			tagged += n
		case verb == "INSERT" || verb == "UPDATE" || verb == "DELETE" || verb == "MERGE":
			msg.affected += n
		}
	}
	// The rows themselves can be missing from a recording; the tag still counts them.
	msg.rows = max(msg.rows, tagged)
}

// readMySQL reads what is common to all pairs: MySQL payloads have no documented form. Executions are
// Query and StatementExecute; rows are not known.
func (msg *message) readMySQL(p *proxymock.Pair) {
	msg.text = p.Location
	if code, ok := strings.CutPrefix(p.Status, "ERR:"); ok {
		msg.sqlstate = code
	}
	switch p.Command {
	case "Query":
		msg.role = roleQuery
	case "StatementExecute", "Execute Prepared Statement":
		msg.role = roleQuery // its own duration is right: prepare and execute are two round trips
	case "StatementPrepare", "Prepare Statement":
		msg.role, msg.prepare = rolePart, true
	default:
		msg.role = roleSession
	}
}

// finest is the stored duration where it is finer than the 1 ms that writers use for "at most 1 ms".
// Adding that floor to the end of a statement would make every short one 1 ms long.
func finest(p *proxymock.Pair) time.Duration {
	switch {
	case p.Elapsed != nil:
		return *p.Elapsed
	case p.Duration != nil && *p.Duration > time.Millisecond:
		return *p.Duration
	}
	return 0
}

// tagCount splits a command tag into its verb and its last number: "INSERT 0 1", "SELECT 40".
func tagCount(tag string) (verb string, n int64, ok bool) {
	fields := strings.Fields(tag)
	if len(fields) < 2 {
		return "", 0, false
	}
	n, err := strconv.ParseInt(fields[len(fields)-1], 10, 64)
	return strings.ToUpper(fields[0]), n, err == nil && n >= 0
}
