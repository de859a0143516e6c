package pgwire

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// fromServer sees one message of the server and finishes the exchange it
// answers.
func (c *conversation) fromServer(kind byte, body []byte) {
	c.serverBytes.Add(uint64(len(body)) + 5)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken {
		return
	}
	if err := c.answer(kind, body); err != nil {
		c.giveUp(err)
	}
}

// head is the exchange that is being answered; nil for messages the server sends
// on its own.
func (c *conversation) head() *exchange {
	if len(c.pending) == 0 {
		return nil
	}
	return c.pending[0]
}

// add appends a message to the answer under way.
func (c *conversation) add(name string, content any) {
	if ex := c.head(); ex != nil {
		ex.messages = append(ex.messages, one(name, content))
	}
}

func (c *conversation) answer(kind byte, body []byte) error {
	switch kind {
	case 'Z':
		return c.readyForQuery(body)
	case '1', '2', '3', 's', 'I', 'n', 'C':
		return c.complete(kind, body)
	case 'T', 't', 'D':
		return c.rows(kind, body)
	case 'E', 'N':
		return c.report(kind, body)
	case 'R', 'S', 'K':
		return c.session(kind, body)
	}
	return nil // copy data, notifications
}

// readyForQuery ends a simple query, the startup, or a batch up to its Sync.
// What the server skipped after an error was never carried out and leaves no
// pair.
func (c *conversation) readyForQuery(body []byte) error {
	var m pgproto3.ReadyForQuery
	if err := m.Decode(body); err != nil {
		return err
	}
	for len(c.pending) > 0 {
		ex := c.pending[0]
		c.pending = c.pending[1:]
		if ex == c.auth {
			c.auth = nil
			c.emit(ex, responseBody{Startup: &messageList{Messages: ex.messages}})
			break
		}
		if ex.kind == 'Q' {
			c.emit(ex, responseBody{Query: &messageList{Messages: ex.messages}})
			break
		}
		if ex.kind == 'S' || ex.kind == 'F' {
			break
		}
	}
	c.state = m.TxStatus
	return nil
}

// complete handles the messages that end a step.
func (c *conversation) complete(kind byte, body []byte) error {
	ex := c.head()
	if ex == nil {
		return fmt.Errorf("the server sent %q without a question", kind)
	}
	switch kind {
	case 'C':
		var m pgproto3.CommandComplete
		if err := m.Decode(body); err != nil {
			return err
		}
		c.add("complete", map[string]any{"tag": string(m.CommandTag)})
	case 'I':
		c.add("emptyQuery", empty{})
	case 's':
		c.add("portalSuspended", empty{})
	case 'n':
		c.add("noData", empty{})
	}
	if ex.kind != 'Q' {
		c.finish()
	}
	return nil
}

// rows handles descriptions and data.
func (c *conversation) rows(kind byte, body []byte) error {
	ex := c.head()
	if ex == nil {
		return fmt.Errorf("the server sent %q without a question", kind)
	}
	switch kind {
	case 't':
		var m pgproto3.ParameterDescription
		if err := m.Decode(body); err != nil {
			return err
		}
		if ex.statement != nil {
			ex.statement.DescribedParameterOIDs = m.ParameterOIDs
		}
		content := map[string]any{}
		if len(m.ParameterOIDs) > 0 {
			content["parameterOids"] = m.ParameterOIDs
		}
		c.add("parameterDescription", content)
	case 'T':
		var m pgproto3.RowDescription
		if err := m.Decode(body); err != nil {
			return err
		}
		row := rowDescriptionOf(&m)
		c.add("rowDescription", row)
		if ex.kind == 'D' {
			if ex.statement != nil {
				ex.statement.DescribedRow = row
			}
			c.finish()
		}
	case 'D':
		var m pgproto3.DataRow
		if err := m.Decode(body); err != nil {
			return err
		}
		c.add("dataRow", map[string]any{"values": valuesOf(m.Values)})
	}
	return nil
}

// report handles errors and notices.
func (c *conversation) report(kind byte, body []byte) error {
	if kind == 'N' {
		var m pgproto3.NoticeResponse
		if err := m.Decode(body); err != nil {
			return err
		}
		c.add("notice", errorOf((*pgproto3.ErrorResponse)(&m)))
		return nil
	}
	var m pgproto3.ErrorResponse
	if err := m.Decode(body); err != nil {
		return err
	}
	ex := c.head()
	if ex == nil {
		return nil // such as the notice of a shutdown
	}
	ex.failure = errorOf(&m)
	ex.messages = append(ex.messages, one("error", ex.failure))
	if ex == c.auth {
		c.auth = nil
		c.finish()
		return nil
	}
	if ex.kind != 'Q' && ex.kind != 'S' && ex.kind != 'F' {
		c.finish()
	}
	return nil
}

// session handles authentication and what the server says of itself. Proofs and
// the cancellation key are secrets and are left out.
func (c *conversation) session(kind byte, body []byte) error {
	if c.auth == nil || c.head() != c.auth {
		return nil
	}
	switch kind {
	case 'R':
		if len(body) < 4 {
			return fmt.Errorf("an authentication message has %d bytes", len(body))
		}
		names := map[uint32]string{0: "authOk", 3: "cleartextPassword", 5: "md5Password", 10: "sasl", 11: "saslContinue", 12: "saslFinal"}
		name, ok := names[binary.BigEndian.Uint32(body)]
		if !ok {
			name = "authOther"
		}
		c.add(name, empty{})
	case 'S':
		var m pgproto3.ParameterStatus
		if err := m.Decode(body); err != nil {
			return err
		}
		content := map[string]any{"name": m.Name}
		if m.Value != "" {
			content["value"] = m.Value
		}
		c.add("parameterStatus", content)
	case 'K':
		var m pgproto3.BackendKeyData
		if err := m.Decode(body); err != nil {
			return err
		}
		c.backendPID = m.ProcessID
		c.add("backendKeyData", map[string]any{"processId": m.ProcessID})
	}
	return nil
}

// finish takes the exchange under way out of the queue and emits its pair.
func (c *conversation) finish() {
	ex := c.pending[0]
	c.pending = c.pending[1:]
	list := &messageList{Messages: ex.messages}
	switch ex.command {
	case commandStartup:
		c.emit(ex, responseBody{Startup: list})
	case commandParse:
		c.emit(ex, responseBody{Parse: stepResponse(ex)})
	case commandBind:
		c.emit(ex, responseBody{Bind: stepResponse(ex)})
	case commandDescribe, commandPortal:
		c.emit(ex, responseBody{Describe: list})
	case commandExecute:
		c.emit(ex, responseBody{Execute: list})
	}
}

func stepResponse(ex *exchange) *completeResponse {
	if ex.failure != nil {
		return &completeResponse{Error: ex.failure}
	}
	return &completeResponse{Complete: &empty{}}
}

// emit builds the pair. Its time runs from when the server could begin: the
// message's arrival, or the end of the exchange before. So, as in real files,
// the time a batch waits lies on its first pair.
func (c *conversation) emit(ex *exchange, response responseBody) {
	end := c.now()
	begin := ex.received
	if c.lastEnd.After(begin) {
		begin = c.lastEnd
	}
	c.lastEnd = end
	elapsed := max(0, end.Sub(begin))
	pair := rrpair.New(rrpair.Out, begin)
	pair.L7Protocol = "postgres"
	pair.Duration = rrpair.Millis(elapsed)
	pair.Elapsed = fmt.Sprintf("%.6fs", elapsed.Seconds())
	pair.Command, pair.Location, pair.Status = ex.command, "N/A", "OK"
	if ex.kind != 0 {
		pair.Location = normalise(ex.sql)
	}
	if ex.failure != nil {
		pair.Status = "ERR:" + ex.failure.Code
	}
	pair.Tags["dissectorVersion"] = "2"
	pair.Tags["dbName"], pair.Tags["dbUser"] = c.database, c.user
	pair.Tags["dbTransaction"] = ex.transaction
	if c.backendPID != 0 {
		pair.Tags["dbBackendPid"] = strconv.FormatUint(uint64(c.backendPID), 10)
	}
	pair.Postgres = payload{Request: ex.request, Response: response}
	pair.Signature = signatureOf(ex)
	client, server := *c.client, *c.server
	client.BytesSent = strconv.FormatUint(c.clientBytes.Load(), 10)
	server.BytesSent = strconv.FormatUint(c.serverBytes.Load(), 10)
	pair.Netinfo = &rrpair.Netinfo{ID: c.id, StartTime: c.established, Downstream: &client, Upstream: &server, Direction: "EGRESS"}
	c.proxy.Sink(pair)
}

func signatureOf(ex *exchange) map[string][]byte {
	signature := map[string][]byte{"postgres:msg_type": []byte(ex.command)}
	if ex.kind == 0 {
		return signature
	}
	signature["postgres:query"] = spaced(ex.sql)
	name := func(text string) { signature["postgres:query_name"] = []byte(text) }
	switch {
	case ex.request.Parse != nil:
		name(ex.request.Parse.Name)
	case ex.request.Describe != nil:
		name(ex.request.Describe.Name)
	case ex.request.Bind != nil:
		name(ex.request.Bind.PreparedStatement)
		signature["postgres:portal"] = []byte(ex.request.Bind.Portal)
	case ex.request.Execute != nil:
		signature["postgres:portal"] = []byte(ex.request.Execute.Portal)
		if bind := ex.request.Execute.Bind; bind != nil {
			name(bind.PreparedStatement)
		}
	}
	return signature
}
