package rrpair

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"net"
	"net/url"
	"strings"
)

// Keys of an HTTP signature.
const (
	SigHost     = "http:host"
	SigMethod   = "http:method"
	SigURL      = "http:url"
	SigQuery    = "http:queryparams" // alone when there is no query, else with ":<name>"
	SigBodyJSON = "http:requestBodyJSON"
	SigBodyHash = "http:requestBodyHash"
)

// HTTPSignature is what a mock compares: host without port, method, path, every
// query parameter, and the body (JSON with its keys in order, else a SHA-256).
func HTTPSignature(req *HTTPRequest) map[string][]byte {
	signature := map[string][]byte{
		SigHost:   []byte(Hostname(req.Host)),
		SigMethod: []byte(req.Method),
		SigURL:    []byte(req.URL),
	}
	_, rawQuery, _ := strings.Cut(req.URI, "?")
	// What cannot be parsed is left out of the map, never guessed.
	query, _ := url.ParseQuery(rawQuery)
	for name, values := range query {
		signature[SigQuery+":"+name] = []byte(strings.Join(values, ","))
	}
	if len(query) == 0 {
		signature[SigQuery] = []byte{}
	}
	if len(req.Body) > 0 {
		if canonical, ok := canonicalJSON(req.Body); ok {
			signature[SigBodyJSON] = canonical
		} else {
			sum := sha256.Sum256(req.Body)
			signature[SigBodyHash] = sum[:]
		}
	}
	return signature
}

// Hostname is host without its port, whatever its form.
func Hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// canonicalJSON spells equal documents equally: keys sorted, no blanks, numbers
// as they were written.
func canonicalJSON(body []byte) ([]byte, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil || decoder.More() {
		return nil, false
	}
	text, err := json.Marshal(value)
	return text, err == nil
}
