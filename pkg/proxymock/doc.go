// Package proxymock parses the files that proxymock and the scripts around it write: replay results in
// their four summary shapes, windows, verdicts, request/response pairs as Markdown or JSON, pair lines
// and mock logs.
//
// Every parser reads from an io.Reader and knows nothing of folders or names; a caller that wants a
// size limit passes a limited reader. Parsers are tolerant of what a newer or older writer may do (more
// keys, numbers in strings, text before the JSON) and put what they noticed into Problems, in words. What they
// cannot read they refuse with an error that errors.Is tells apart: [ErrIncomplete], [ErrMalformed],
// [ErrOtherFile], [ErrNotPair], [ErrUnsupported].
//
// A number that a file does not state is a nil pointer, never zero.
package proxymock

import "errors"

var (
	// ErrIncomplete marks an empty or truncated file: a shell created it before the run began, or the
	// run was interrupted. Nothing in such a file may be shown as a figure.
	ErrIncomplete = errors.New("file is incomplete")
	// ErrMalformed marks a file that ends where it should but is not well-formed or lacks what its kind requires.
	ErrMalformed = errors.New("file is malformed")
	// ErrOtherFile marks well-formed JSON that is a file of another kind than the parser's.
	ErrOtherFile = errors.New("file is of another kind")
	// ErrNotPair marks input that is no request/response pair (msgType is not "rrpair"): recordings hold
	// responses, logs and notes beside their pairs.
	ErrNotPair = errors.New("not a request/response pair")
	// ErrUnsupported marks a recognised layout that is deliberately not read; the message gives the reason.
	ErrUnsupported = errors.New("layout is not supported")
)

// utf8BOM is what some shells put before redirected output.
const utf8BOM = "\xef\xbb\xbf"
