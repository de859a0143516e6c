// Package pgwire is the recording proxy in front of a PostgreSQL server. It
// passes bytes on as they are, decodes them beside (pgproto3), and turns each
// message with its answer into a pair as proxymock writes them: Startup, Query,
// Prepare, Describe, Bind, Execute and Terminate; messages without content, such
// as Sync and Close, are not recorded.
package pgwire

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/replaylab/replay-evidence/lab/standin/internal/capture"
	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// Request codes a client may send in place of a protocol version.
const (
	sslRequest    = 80877103
	gssEncRequest = 80877104
	cancelRequest = 80877102
)

// maxMessage bounds what is decoded; PostgreSQL itself stops at 1 GB.
const maxMessage = 64 << 20

// Proxy records the conversations of one mapped port.
type Proxy struct {
	// Target is the server as host:port.
	Target string
	// Log receives what could not be decoded.
	Log *slog.Logger
	// NextConn numbers connections.
	NextConn func() uint64
	// Sink takes finished pairs, in order within a connection. The connection
	// waits for it, so it should hand them on at once.
	Sink func(*rrpair.Pair)
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Serve handles one client connection and closes it.
func (p *Proxy) Serve(ctx context.Context, client net.Conn) {
	server, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", p.Target)
	if err != nil {
		p.Log.Warn("mapped server does not answer", "target", p.Target, "error", err)
		_ = client.Close()
		return
	}
	stop := context.AfterFunc(ctx, func() {
		_ = client.Close()
		_ = server.Close()
	})
	defer stop()
	defer client.Close()
	defer server.Close()
	c := newConversation(p, client, server)
	fromClient := bufio.NewReaderSize(client, 64<<10)
	decodable, err := p.open(ctx, c, fromClient, client, server)
	if err != nil {
		p.logEnd(err)
		return
	}
	if !decodable {
		capture.Join(ctx, &readConn{client, fromClient}, server)
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.logEnd(pump(bufio.NewReaderSize(server, 64<<10), client, c.fromServer))
		_ = client.Close()
	}()
	p.logEnd(pump(fromClient, server, c.fromClient))
	// The client is gone, or the copy to the server failed: either way it is over.
	_ = server.Close()
	<-done
}

// readConn reads what is buffered first.
type readConn struct {
	net.Conn
	buffered io.Reader
}

// Read implements io.Reader.
func (r *readConn) Read(p []byte) (int, error) { return r.buffered.Read(p) }

func (p *Proxy) logEnd(err error) {
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
		p.Log.Warn("database connection ended", "target", p.Target, "error", err)
	}
}

// open passes on the untyped packets at the start of a connection. It returns
// false when what follows cannot be decoded: encrypted, or a cancel request.
func (p *Proxy) open(ctx context.Context, c *conversation, reader *bufio.Reader, client, server net.Conn) (bool, error) {
	for {
		header, err := reader.Peek(8)
		if err != nil {
			return false, err
		}
		length := binary.BigEndian.Uint32(header)
		if length < 8 || length > 10_000 {
			return false, fmt.Errorf("the first packet has %d bytes: this is no PostgreSQL client", length)
		}
		packet := make([]byte, length)
		if _, err := io.ReadFull(reader, packet); err != nil {
			return false, err
		}
		received := c.now()
		if _, err := server.Write(packet); err != nil {
			return false, err
		}
		c.clientBytes.Add(uint64(length))
		switch code := binary.BigEndian.Uint32(packet[4:]); code {
		case cancelRequest:
			return false, nil
		case sslRequest, gssEncRequest:
			answer := make([]byte, 1)
			if _, err := io.ReadFull(server, answer); err != nil {
				return false, err
			}
			if code == sslRequest {
				c.sslAnswered(received, answer[0] == 'S')
			}
			if _, err := client.Write(answer); err != nil {
				return false, err
			}
			if answer[0] != 'N' {
				p.Log.Warn("the connection is encrypted and cannot be decoded: connect with sslmode=disable", "target", p.Target)
				return false, ctx.Err()
			}
		default:
			return true, c.started(received, packet[4:])
		}
	}
}

// pump passes typed messages from src to dst and shows each to see before it is
// passed on, so that a question is always seen before its answer. Writes are
// gathered as long as more has already arrived.
func pump(src *bufio.Reader, dst io.Writer, see func(kind byte, body []byte)) error {
	out := bufio.NewWriterSize(dst, 64<<10)
	for {
		header, err := src.Peek(5)
		if err != nil {
			return errors.Join(out.Flush(), ignoreEOF(err))
		}
		length := int(binary.BigEndian.Uint32(header[1:])) + 1
		if length < 5 || length > maxMessage {
			return fmt.Errorf("a message of %d bytes cannot be decoded", length)
		}
		message := make([]byte, length)
		if _, err := io.ReadFull(src, message); err != nil {
			return err
		}
		see(message[0], message[5:])
		if _, err := out.Write(message); err != nil {
			return err
		}
		if src.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
