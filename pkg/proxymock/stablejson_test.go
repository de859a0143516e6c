package proxymock_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// stableJSON decodes a body that is exactly one JSON value, with numbers kept as written (json.Number),
// so that large integers and decimals compare without rounding. False for any other body.
func stableJSON(body []byte) (any, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, false
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	return value, true
}
