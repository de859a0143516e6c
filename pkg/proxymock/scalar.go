package proxymock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// undefined is what builds write for a value they do not have.
const undefined = "undefined"

// defined returns s, or "" when s is the literal placeholder.
func defined(s string) string {
	if s == undefined {
		return ""
	}
	return s
}

// flexInt is an integer that writers put into JSON as a number, as a number in a string ("84"), or as null.
type flexInt struct {
	value int64
	ok    bool
}

// UnmarshalJSON accepts numbers, numbers in strings and null; everything else leaves the value absent,
// because one odd field must not cost the whole file.
func (f *flexInt) UnmarshalJSON(b []byte) error {
	*f = flexInt{}
	number, ok := parseNumber(b)
	if !ok || number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return nil
	}
	*f = flexInt{value: int64(number), ok: true}
	return nil
}

func (f flexInt) pointer() *int64 {
	if !f.ok {
		return nil
	}
	v := f.value
	return &v
}

func (f flexInt) intPointer() *int {
	if !f.ok {
		return nil
	}
	v := int(f.value)
	return &v
}

// flexString is a string that some writers put as a number or boolean.
type flexString string

// UnmarshalJSON accepts strings, numbers and booleans; null, arrays and objects become "".
func (f *flexString) UnmarshalJSON(b []byte) error {
	*f = ""
	if len(b) == 0 {
		return nil
	}
	switch b[0] {
	case '"':
		// The decoder has checked the literal already. Most have nothing to unescape; decoding each of them anew
		// would take half of the time of reading a pair.
		if plain := b[1:max(1, len(b)-1)]; len(b) > 1 && bytes.IndexByte(plain, '\\') < 0 && utf8.Valid(plain) {
			*f = flexString(plain)
			return nil
		}
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*f = flexString(s)
	case '{', '[', 'n':
	default:
		*f = flexString(b)
	}
	return nil
}

// parseNumber reads a finite JSON number, bare or inside a string.
func parseNumber(raw []byte) (float64, bool) {
	text := strings.TrimSpace(strings.Trim(strings.TrimSpace(string(raw)), `"`))
	if text == "" || !strings.ContainsAny(text[:1], "-+.0123456789") {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// parseTime reads an RFC 3339 time with a zone as UTC. Years that no run can lie in are refused: near the
// ends of the calendar UTC or a duration leads to years that JSON cannot carry.
func parseTime(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if t = t.UTC(); err != nil || t.Year() < 1970 || t.Year() > 9000 {
		return time.Time{}, false
	}
	return t, true
}

// isNull tells whether a raw value is missing or the literal null.
func isNull(raw json.RawMessage) bool {
	return len(raw) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null"))
}

// readJSON reads r wholly and decodes exactly one JSON object into v. what names the file in errors.
// Fields of an unexpected type are left out and returned as a note.
func readJSON(r io.Reader, what string, v any) (note string, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", what, err)
	}
	return decodeObject(data, what, v)
}

func decodeObject(data []byte, what string, v any) (note string, err error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte(utf8BOM)))
	if len(data) == 0 {
		return "", fmt.Errorf("%s is empty: %w", what, ErrIncomplete)
	}
	if data[0] != '{' {
		if json.Valid(data) {
			return "", fmt.Errorf("%s holds no JSON object: %w", what, ErrOtherFile)
		}
		return "", fmt.Errorf("%s does not begin with a JSON object: %w", what, ErrMalformed)
	}
	return decodeValue(data, what, v)
}

func decodeValue(data []byte, what string, v any) (note string, err error) {
	err = json.Unmarshal(data, v)
	var typeErr *json.UnmarshalTypeError
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &typeErr):
		// encoding/json has filled in every other field; the caller decides by what is there.
		return fmt.Sprintf("field %q holds a JSON %s and was left out", typeErr.Field, typeErr.Value), nil
	case truncated(err):
		return "", fmt.Errorf("%s ends in the middle of its JSON object: %w", what, ErrIncomplete)
	}
	return "", fmt.Errorf("%s: %w: %w", what, ErrMalformed, err)
}

// truncated tells a JSON text that simply stops from one that is wrong.
func truncated(err error) bool {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return true
	}
	var syntax *json.SyntaxError
	return errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input"
}
