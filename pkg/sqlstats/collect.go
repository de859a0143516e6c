package sqlstats

import (
	"fmt"
	"iter"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// collected is what the pairs hold: SQL messages, inbound requests, and what could not be read.
type collected struct {
	messages   []message
	requests   []request
	duplicates int64
	firstTwice string
	// opaque are outbound pairs of no known protocol: the bytes of a database behind a wrong map
	// entry, or encrypted.
	opaque      int64
	firstOpaque string
}

// knownProtocols are decoded and are no SQL: a pair of one of these is no sign of a hidden database.
var knownProtocols = []string{
	"http", "https", "http2", "h2", "grpc", "amqp", "amqp091", "kafka", "redis", "mongo", "mongodb", "dynamodb",
	"websocket", "ws", "dns", "smtp", "ftp",
}

func collect(pairs iter.Seq[*proxymock.Pair]) *collected {
	c := &collected{}
	seen := map[string]bool{}
	for p := range pairs {
		if p == nil {
			continue
		}
		if p.UUID != "" {
			if seen[p.UUID] {
				c.duplicates++
				if c.firstTwice == "" || p.UUID < c.firstTwice {
					c.firstTwice = p.UUID
				}
				continue
			}
			seen[p.UUID] = true
		}
		if msg, ok := readMessage(p); ok {
			c.messages = append(c.messages, msg)
			continue
		}
		switch {
		case p.Direction == proxymock.In && p.IsHTTP():
			c.requests = append(c.requests, readRequest(p))
		case p.Direction == proxymock.Out && !p.IsHTTP() && !known(p.Protocol):
			c.opaque++
			if c.firstOpaque == "" || p.UUID < c.firstOpaque {
				c.firstOpaque = p.UUID
			}
		}
	}
	return c
}

func known(protocol string) bool {
	for _, name := range knownProtocols {
		if strings.EqualFold(protocol, name) {
			return true
		}
	}
	return false
}

// Remedies for recordings without statements.
const (
	remedyMap = "record again with the protocol in the map (--map <port>=postgres://host:port)"
	remedyTLS = "record again without TLS on the database connection (sslmode=disable)"
)

// state decides whether there is anything to count.
func (c *collected) state() (State, string) {
	encrypted, first := c.encrypted()
	switch {
	case len(c.messages) == 0 && c.opaque > 0:
		return StateNotDecodable, fmt.Sprintf(
			"%d outbound pairs hold bytes of an unknown protocol and none holds SQL: %s", c.opaque, remedyMap)
	case len(c.messages) == 0:
		return StateAbsent, "the pairs hold no SQL: either the service asks no database, or its connection did not pass the recorder; " + remedyMap
	case encrypted > 0 && first == "":
		return StateNotDecodable, fmt.Sprintf(
			"%d database connections went on encrypted, so no statement could be read: %s", encrypted, remedyTLS)
	}
	return StateOK, ""
}

// encrypted counts connections that asked for TLS and were not seen again. first is empty when no
// other connection spoke in the clear.
func (c *collected) encrypted() (n int64, first string) {
	asked, spoke := map[connection]bool{}, map[connection]bool{}
	for _, msg := range c.messages {
		// The backend's number is known only after the log-in, so it cannot tell these connections apart.
		conn := connection{id: msg.conn.id, start: msg.conn.start}
		if msg.ssl {
			asked[conn] = true
		} else {
			spoke[conn] = true
			first = msg.uuid
		}
	}
	for conn := range asked {
		if !spoke[conn] {
			n++
		}
	}
	if len(spoke) > 0 && first == "" {
		first = "a message without uuid"
	}
	return n, first
}
