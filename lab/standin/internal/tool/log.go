// Package tool holds what every sub-command of the stand-in needs: the log in
// proxymock's layout, the wrapped application and waiting for it.
package tool

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// LogHandler writes records in the layout of proxymock.log: local time without
// a zone, level, message, and the attributes as "( key:value key:value )".
type LogHandler struct {
	mu    *sync.Mutex // shared by every handler made from this one
	out   io.Writer
	attrs string
}

// NewLogHandler writes to out; it is safe for concurrent use.
func NewLogHandler(out io.Writer) *LogHandler { return &LogHandler{mu: new(sync.Mutex), out: out} }

// Enabled implements slog.Handler: debug records are dropped.
func (h *LogHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo
}

// Handle implements slog.Handler.
func (h *LogHandler) Handle(_ context.Context, record slog.Record) error {
	var line strings.Builder
	fmt.Fprintf(&line, "%s %-5s %s", record.Time.Local().Format("2006-01-02 15:04:05"), record.Level, record.Message)
	attrs := h.attrs
	record.Attrs(func(attr slog.Attr) bool {
		attrs += formatAttr(attr)
		return true
	})
	if attrs != "" {
		fmt.Fprintf(&line, "  (%s )", attrs)
	}
	line.WriteByte('\n')
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := io.WriteString(h.out, line.String())
	return err
}

// WithAttrs implements slog.Handler.
func (h *LogHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *h
	for _, attr := range attrs {
		next.attrs += formatAttr(attr)
	}
	return &next
}

// WithGroup implements slog.Handler; the layout has no groups.
func (h *LogHandler) WithGroup(string) slog.Handler { return h }

func formatAttr(attr slog.Attr) string {
	value := strings.ReplaceAll(attr.Value.Resolve().String(), "\n", " ")
	return fmt.Sprintf(" %s:%s", attr.Key, value)
}
