package pgwire

import (
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// Commands of pairs, by client message.
const (
	commandSSL      = "SSL Request"
	commandStartup  = "Startup"
	commandQuery    = "Query"
	commandParse    = "Prepare Statement"
	commandDescribe = "Describe Prepared Statement"
	commandPortal   = "Describe Portal"
	commandBind     = "Bind Statement Parameters"
	commandExecute  = "Execute Prepared Statement"
	commandEnd      = "Terminate"
)

// exchange is a client message that waits for its answer.
type exchange struct {
	kind        byte // of the client message; 0 is the startup and the end
	command     string
	received    time.Time
	transaction string
	sql         string
	request     requestBody
	messages    []any
	failure     *errorFields
	statement   *statement // of Describe: where the description is kept
}

// statement is a prepared statement of this connection.
type statement struct{ parseRequest }

// portal is a bound statement.
type portal struct {
	bind      bindRequest
	statement *statement
}

// conversation pairs messages of one connection. Both directions call it.
type conversation struct {
	proxy                    *Proxy
	id                       string
	established              rrpair.Timestamp
	client, server           *rrpair.Endpoint
	clientBytes, serverBytes atomic.Uint64

	mu         sync.Mutex // guards everything below
	pending    []*exchange
	statements map[string]*statement
	portals    map[string]*portal
	auth       *exchange // the startup, until the first ReadyForQuery
	database   string
	user       string
	backendPID uint32
	state      byte // of the last ReadyForQuery: I, T or E
	lastEnd    time.Time
	broken     bool // a message could not be decoded: pairing is over
}

func newConversation(p *Proxy, client, server net.Conn) *conversation {
	c := &conversation{
		proxy: p, id: strconv.FormatUint(p.NextConn(), 10), statements: map[string]*statement{}, portals: map[string]*portal{}, state: 'I',
	}
	c.established = rrpair.Timestamp{Time: c.now()}
	c.client = &rrpair.Endpoint{Established: &c.established}
	if tcp, ok := client.RemoteAddr().(*net.TCPAddr); ok {
		c.client.IPAddress, c.client.Port = tcp.IP.String(), tcp.Port
	}
	c.server = &rrpair.Endpoint{Established: &c.established}
	if host, port, err := net.SplitHostPort(p.Target); err == nil {
		c.server.Hostname = host
		c.server.Port, _ = strconv.Atoi(port) // the dial has proved it
	}
	if tcp, ok := server.RemoteAddr().(*net.TCPAddr); ok {
		c.server.IPAddress = tcp.IP.String()
	}
	return c
}

// now has the resolution of the files.
func (c *conversation) now() time.Time {
	clock := c.proxy.Now
	if clock == nil {
		clock = time.Now
	}
	return clock().UTC().Truncate(time.Microsecond)
}

// sslAnswered records an SSL request.
func (c *conversation) sslAnswered(received time.Time, willing bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ex := &exchange{command: commandSSL, received: received, transaction: "idle"}
	ex.request.SSL = &empty{}
	c.emit(ex, responseBody{SSL: &sslResponse{WillingToEncrypt: willing}})
}

// started takes the startup message.
func (c *conversation) started(received time.Time, body []byte) error {
	var m pgproto3.StartupMessage
	if err := m.Decode(body); err != nil {
		return fmt.Errorf("decoding the startup message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.database, c.user = m.Parameters["database"], m.Parameters["user"]
	if c.database == "" {
		c.database = c.user // the server's own default
	}
	c.auth = &exchange{command: commandStartup, received: received, transaction: "idle"}
	c.auth.request.Startup = &messageList{Messages: []any{one("startup", map[string]any{
		"protocolVersion": m.ProtocolVersion, "parameters": m.Parameters,
	})}}
	c.pending = append(c.pending, c.auth)
	return nil
}

// fromClient sees one message of the client.
func (c *conversation) fromClient(kind byte, body []byte) {
	c.clientBytes.Add(uint64(len(body)) + 5)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken {
		return
	}
	ex := &exchange{kind: kind, received: c.now(), transaction: transactionName(c.state)}
	if err := c.question(ex, body); err != nil {
		c.giveUp(err)
	}
}

// question fills ex from a client message and queues it when an answer follows.
func (c *conversation) question(ex *exchange, body []byte) error {
	switch ex.kind {
	case 'p':
		// A password or a SASL proof. What it says is a secret and is left out.
		if c.auth != nil {
			list := c.auth.request.Startup
			list.Messages = append(list.Messages, one("sasl", empty{}))
		}
		return nil
	case 'Q':
		var m pgproto3.Query
		if err := m.Decode(body); err != nil {
			return err
		}
		ex.command, ex.sql = commandQuery, m.String
		ex.request.Query = &queryRequest{Query: m.String}
	case 'P':
		return c.parse(ex, body)
	case 'D':
		return c.describe(ex, body)
	case 'B':
		return c.bind(ex, body)
	case 'E':
		return c.execute(ex, body)
	case 'S', 'C', 'F':
		// Sync, Close, function call: answered, but without a pair.
	case 'X':
		c.ended(ex.received)
		return nil
	default:
		return nil // Flush, copy data: no answer of their own
	}
	c.pending = append(c.pending, ex)
	return nil
}

// ended records the client's farewell, to which there is no answer.
func (c *conversation) ended(received time.Time) {
	ex := &exchange{command: commandEnd, received: received, transaction: transactionName(c.state)}
	ex.request.Terminate = &empty{}
	c.emit(ex, responseBody{})
}

func (c *conversation) parse(ex *exchange, body []byte) error {
	var m pgproto3.Parse
	if err := m.Decode(body); err != nil {
		return err
	}
	s := &statement{parseRequest{Name: m.Name, Query: m.Query, ParameterOIDs: m.ParameterOIDs}}
	c.statements[m.Name] = s
	ex.command, ex.sql = commandParse, m.Query
	ex.request.Parse = s.snapshot()
	c.pending = append(c.pending, ex)
	return nil
}

// snapshot is the statement as it is known now.
func (s *statement) snapshot() *parseRequest {
	if s == nil {
		return nil
	}
	copied := s.parseRequest
	return &copied
}

func (c *conversation) describe(ex *exchange, body []byte) error {
	var m pgproto3.Describe
	if err := m.Decode(body); err != nil {
		return err
	}
	ex.command = commandDescribe
	request := &describeRequest{ObjectType: "OBJECT_TYPE_PREPARED_STATEMENT", Name: m.Name}
	ex.statement = c.statements[m.Name]
	if m.ObjectType == 'P' {
		ex.command, request.ObjectType, ex.statement = commandPortal, "OBJECT_TYPE_PORTAL", nil
		if p := c.portals[m.Name]; p != nil {
			ex.statement = p.statement
		}
	}
	if ex.statement != nil {
		ex.sql = ex.statement.Query
	}
	request.Parse = ex.statement.snapshot()
	ex.request.Describe = request
	c.pending = append(c.pending, ex)
	return nil
}

func (c *conversation) bind(ex *exchange, body []byte) error {
	var m pgproto3.Bind
	if err := m.Decode(body); err != nil {
		return err
	}
	p := &portal{statement: c.statements[m.PreparedStatement], bind: bindRequest{
		Portal: m.DestinationPortal, PreparedStatement: m.PreparedStatement, ParameterFormatCodes: m.ParameterFormatCodes,
		Parameters: valuesOf(m.Parameters), ResultFormatCodes: m.ResultFormatCodes,
	}}
	p.bind.Parse = p.statement.snapshot()
	c.portals[m.DestinationPortal] = p
	ex.command = commandBind
	if p.statement != nil {
		ex.sql = p.statement.Query
	}
	request := p.bind
	ex.request.Bind = &request
	c.pending = append(c.pending, ex)
	return nil
}

func (c *conversation) execute(ex *exchange, body []byte) error {
	var m pgproto3.Execute
	if err := m.Decode(body); err != nil {
		return err
	}
	ex.command = commandExecute
	request := &executeRequest{Portal: m.Portal, MaxRows: m.MaxRows}
	if p := c.portals[m.Portal]; p != nil {
		bind := p.bind
		request.Bind = &bind
		if p.statement != nil {
			ex.sql = p.statement.Query
		}
	}
	ex.request.Execute = request
	c.pending = append(c.pending, ex)
	return nil
}

// giveUp ends decoding of this connection, not the connection.
func (c *conversation) giveUp(err error) {
	c.broken = true
	c.proxy.Log.Warn("database messages of this connection are no longer decoded", "target", c.proxy.Target, "connection", c.id, "error", err)
}

// transactionName spells a ReadyForQuery state as the tag does.
func transactionName(state byte) string {
	switch state {
	case 'T':
		return "active"
	case 'E':
		return "failed"
	}
	return "idle"
}
