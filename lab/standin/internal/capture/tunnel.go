package capture

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Tunnel serves a CONNECT request by joining both connections without looking
// at what passes: the stand-in does not decode TLS.
func Tunnel(w http.ResponseWriter, r *http.Request) error {
	upstream, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(r.Context(), "tcp", r.Host)
	if err != nil {
		return err
	}
	defer upstream.Close()
	downstream, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	defer downstream.Close()
	if _, err := io.WriteString(downstream, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return err
	}
	// Bytes that arrived with the CONNECT lie in the buffer.
	Join(r.Context(), &bufferedConn{Conn: downstream, reader: buffered}, upstream)
	return nil
}

type bufferedConn struct {
	net.Conn
	reader io.Reader
}

// Read implements io.Reader.
func (b *bufferedConn) Read(p []byte) (int, error) { return b.reader.Read(p) }

// Join copies both ways until one side ends or ctx does, then closes both.
func Join(ctx context.Context, a, b net.Conn) {
	stop := context.AfterFunc(ctx, func() {
		_ = a.Close()
		_ = b.Close()
	})
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(a, b) // an error ends the connection like a normal close
		_ = a.Close()
		_ = b.Close()
	}()
	_, _ = io.Copy(b, a)
	_ = a.Close()
	_ = b.Close()
	<-done
}

// PassThrough joins a caller's connection with target as it is.
func PassThrough(ctx context.Context, downstream net.Conn, target string, log *slog.Logger) {
	upstream, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", target)
	if err != nil {
		log.Warn("mapped server does not answer", "target", target, "error", err)
		_ = downstream.Close()
		return
	}
	Join(ctx, downstream, upstream)
}
