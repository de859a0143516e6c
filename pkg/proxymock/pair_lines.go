package proxymock

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// LineError is a line of a .jsonl file that looked like a pair and could not be read.
type LineError struct {
	// Line counts from 1.
	Line int
	Err  error
}

// Error names the line and the cause.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap gives the cause, one of the package's errors.
func (e *LineError) Unwrap() error { return e.Err }

// ParsePairLines yields the pairs of a .jsonl file, one JSON object per line of any length. Blank
// lines, comment lines and objects of other types are passed over. A line that cannot be read is
// yielded as a nil pair with a [LineError] and reading goes on; an error of the reader itself ends it.
func ParsePairLines(r io.Reader) iter.Seq2[*Pair, error] {
	return func(yield func(*Pair, error) bool) {
		reader := bufio.NewReaderSize(r, 64<<10)
		for number := 1; ; number++ {
			line, err := reader.ReadBytes('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, fmt.Errorf("read pair lines at line %d: %w", number, err))
				return
			}
			if trimmed := bytes.TrimSpace(bytes.TrimPrefix(line, []byte(utf8BOM))); len(trimmed) > 0 && trimmed[0] == '{' {
				pair, parseErr := parsePairJSON(trimmed, FormJSON)
				switch {
				case parseErr == nil:
					if !yield(pair, nil) {
						return
					}
				case !errors.Is(parseErr, ErrNotPair):
					if !yield(nil, &LineError{Line: number, Err: parseErr}) {
						return
					}
				}
			}
			if err != nil {
				return
			}
		}
	}
}
