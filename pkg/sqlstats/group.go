package sqlstats

import (
	"cmp"
	"slices"
	"time"
)

// execution is one executed statement with the messages that belong to it.
type execution struct {
	form *form
	uuid string
	// start is the first message of the group, end the end of the execution. timed is false when the
	// recording does not tell the span: an Execute without its group, or an answer of another command.
	start, end time.Time
	timed      bool
	rows       int64
	affected   int64
	sqlstate   string
	// trace is the trace id in the statement's comment; stale when the text was prepared earlier, so
	// that the comment may be an earlier request's.
	trace string
	stale bool
}

// failure is a statement that the server refused before it was executed.
type failure struct {
	form     *form
	sqlstate string
	at       time.Time
	uuid     string
}

// conversation is the messages of one connection in order.
type conversation struct {
	executions []execution
	failures   []failure
	mispaired  []message
	// idle are statements that were prepared and whose group ended without an execution or an error.
	idle []*form
}

// group is the open run of Prepare, Describe and Bind messages of one statement text.
type group struct {
	text     string
	start    time.Time
	busy     time.Time // when the last message of the group ended
	prepared bool      // the group holds the statement's own Prepare
	sqlstate string
	at       time.Time
	uuid     string
	form     *form
}

// read walks the messages of one connection, which must be in order, and groups them: a statement's
// time runs from its first message to the end of its execution, because drivers send the messages in
// one go and the server's time shows on the first one.
func (c *conversation) read(messages []message, m *masker, idleGap time.Duration) {
	var open *group
	abandon := func() {
		if open != nil && open.sqlstate != "" {
			c.failures = append(c.failures, failure{open.form, open.sqlstate, open.at, open.uuid})
		} else if open != nil && open.prepared {
			c.idle = append(c.idle, open.form)
		}
		open = nil
	}
	for _, msg := range messages {
		switch msg.role {
		case roleSession:
			abandon()
		case roleQuery:
			abandon()
			c.execute(msg, m.form(msg.text), nil)
		case rolePart:
			if open == nil || open.text != msg.text || (msg.prepare && open.prepared) {
				abandon()
				open = &group{text: msg.text, start: msg.start, busy: msg.end, form: m.form(msg.text)}
			} else if msg.start.Sub(open.busy) > idleGap {
				open.start = msg.start
				open.prepared = false
			}
			open.add(msg)
		case roleExecute:
			if open != nil && open.text != msg.text {
				abandon()
			}
			if open != nil && msg.start.Sub(open.busy) > idleGap {
				open.start, open.prepared = msg.start, false
			}
			c.execute(msg, m.form(msg.text), open)
			open = nil
		}
	}
	abandon()
}

func (g *group) add(msg message) {
	g.prepared = g.prepared || msg.prepare
	if msg.end.After(g.busy) {
		g.busy = msg.end
	}
	if msg.sqlstate != "" && g.sqlstate == "" {
		g.sqlstate, g.at, g.uuid = msg.sqlstate, msg.start, msg.uuid
	}
}

// execute records one execution. A nil group is a simple query, or an Execute whose group is not in
// the recording.
func (c *conversation) execute(msg message, f *form, g *group) {
	e := execution{
		form: f, uuid: msg.uuid, start: msg.start, end: msg.end,
		timed: msg.role == roleQuery && msg.timed,
		rows:  msg.rows, affected: msg.affected, sqlstate: msg.sqlstate, trace: msg.trace,
	}
	if msg.role == roleExecute {
		e.stale = g == nil || !g.prepared
	}
	if g != nil {
		e.start, e.timed = g.start, true
		if g.busy.After(e.end) {
			e.end = g.busy
		}
		e.sqlstate = cmp.Or(g.sqlstate, e.sqlstate)
	}
	if msg.mismatch != "" {
		c.mispaired = append(c.mispaired, msg)
		// The time and rows are those of another command's answer.
		e.timed, e.end, e.rows, e.affected = false, e.start, 0, 0
	}
	if e.end.Before(e.start) {
		e.end = e.start
	}
	c.executions = append(c.executions, e)
}

// byConnection splits messages by connection and puts each connection in order. The order of the
// connections is that of their first message.
func byConnection(messages []message) [][]message {
	index := map[connection]int{}
	var conversations [][]message
	for _, msg := range messages {
		i, ok := index[msg.conn]
		if !ok {
			i = len(conversations)
			index[msg.conn] = i
			conversations = append(conversations, nil)
		}
		conversations[i] = append(conversations[i], msg)
	}
	for _, conversation := range conversations {
		slices.SortStableFunc(conversation, inOrder)
	}
	slices.SortStableFunc(conversations, func(a, b []message) int { return inOrder(a[0], b[0]) })
	return conversations
}

// inOrder compares by time, then by capture order, then by uuid, so that any order of files gives the
// same result.
func inOrder(a, b message) int {
	return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.sequence, b.sequence), cmp.Compare(a.uuid, b.uuid))
}
