package host_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// How long a process may take to disappear, and how often to look; a busy machine needs seconds.
const (
	waitFor = 20 * time.Second
	tick    = 20 * time.Millisecond
)

func pageDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "index.html"), "<!doctype html>")
	return dir
}

// cookies returns name=value of every cookie that is set, sorted.
func cookies(header http.Header) []string {
	var set []string
	for _, line := range header.Values("Set-Cookie") {
		pair, _, _ := strings.Cut(line, ";")
		set = append(set, pair)
	}
	slices.Sort(set)
	return set
}
