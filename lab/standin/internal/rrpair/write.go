package rrpair

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Writer puts pairs below one directory, one file each. It is safe for
// concurrent use.
type Writer struct {
	root     string
	jsonOnly bool
	mu       sync.Mutex // guards the choice of file names
	written  int
}

// NewWriter creates root if it is missing. With jsonOnly HTTP pairs are JSON
// files, too (--out-format json).
func NewWriter(root string, jsonOnly bool) (*Writer, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, fmt.Errorf("creating the directory for pairs (--out names another): %w", err)
	}
	return &Writer{root: root, jsonOnly: jsonOnly}, nil
}

// Write stores p below the directory named hostDir and returns the file's path.
// Two pairs of one instant would share a file name, so the later one moves on by
// a microsecond.
func (w *Writer) Write(p *Pair, hostDir string) (string, error) {
	markdown := !w.jsonOnly && p.fitsMarkdown()
	extension := ".json"
	if markdown {
		extension = ".md"
	}
	dir := filepath.Join(w.root, safeName(hostDir))
	file, path, err := w.create(p, dir, extension)
	if err != nil {
		return "", err
	}
	var text []byte
	if markdown {
		text, err = p.renderMarkdown()
	} else {
		text, err = encodeJSON(p, "  ")
	}
	if err == nil {
		_, err = file.Write(text)
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", fmt.Errorf("writing pair %s: %w", path, err)
	}
	return path, nil
}

// create reserves a free file name for p, in both extensions.
func (w *Writer) create(p *Pair, dir, extension string) (*os.File, string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, "", fmt.Errorf("creating the host directory of a pair: %w", err)
	}
	// Everything the stand-in times has microseconds; 6 digits keep names alike.
	p.TS.Time = p.TS.Truncate(time.Microsecond)
	for {
		base := filepath.Join(dir, p.TS.fileName())
		if !exists(base+".md") && !exists(base+".json") {
			file, err := os.OpenFile(base+extension, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				return nil, "", fmt.Errorf("creating a pair's file: %w", err)
			}
			w.written++
			return file, base + extension, nil
		}
		p.TS.Time = p.TS.Add(time.Microsecond)
	}
}

// Written is the number of pairs stored so far.
func (w *Writer) Written() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.written
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// safeName keeps a host from naming any directory but one below the root.
func safeName(host string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, host)
	if strings.Trim(name, ".") == "" {
		return "unknown"
	}
	return name
}
