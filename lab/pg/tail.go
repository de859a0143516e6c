package pg

import (
	"io"
	"strings"
	"sync"
)

// tail keeps the end of what is written and passes all of it on.
type tail struct {
	next io.Writer

	mu  sync.Mutex
	end []byte
}

const tailLimit = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if len(t.end) > 2*tailLimit {
		t.end = append([]byte(nil), t.end[len(t.end)-tailLimit:]...)
	}
	if t.next == nil {
		return len(p), nil
	}
	return t.next.Write(p)
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.end)
}

// lastLines joins the last n lines of a text into one.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return "(nothing)"
	}
	return strings.Join(lines[max(0, len(lines)-n):], " | ")
}
