package proxymock

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"
)

const pairType = "rrpair"

type pairFile struct {
	MsgType        flexString            `json:"msgType"`
	Resource       flexString            `json:"resource"`
	Service        flexString            `json:"service"`
	Cluster        flexString            `json:"cluster"`
	Namespace      flexString            `json:"namespace"`
	TS             flexString            `json:"ts"`
	Protocol       flexString            `json:"l7protocol"`
	Duration       flexInt               `json:"duration"`
	Elapsed        flexString            `json:"elapsed"`
	Tags           map[string]flexString `json:"tags"`
	UUID           flexString            `json:"uuid"`
	Direction      flexString            `json:"direction"`
	NetworkAddress flexString            `json:"network_address"`
	Tech           flexString            `json:"tech"`
	Command        flexString            `json:"command"`
	Location       flexString            `json:"location"`
	Status         flexString            `json:"status"`
	Session        flexString            `json:"session"`
	ResponderMatch flexString            `json:"responderMatch"`
	DLPModified    bool                  `json:"dlpModified"`
	Chaos          json.RawMessage       `json:"chaos"`
	HTTP           *httpFile             `json:"http"`
	Postgres       *postgresFile         `json:"postgres"`
	NetInfo        struct {
		ID        flexString `json:"id"`
		StartTime flexString `json:"startTime"`
		Direction flexString `json:"direction"`
		Upstream  struct {
			Port     flexInt    `json:"port"`
			Hostname flexString `json:"hostname"`
		} `json:"upstream"`
	} `json:"netinfo"`
}

type httpFile struct {
	Req struct {
		URL         flexString              `json:"url"`
		URI         flexString              `json:"uri"`
		Version     flexString              `json:"version"`
		Method      flexString              `json:"method"`
		Host        flexString              `json:"host"`
		Headers     map[string][]flexString `json:"headers"`
		QueryParams map[string][]flexString `json:"queryParams"`
		bodyFile
	} `json:"req"`
	Res *struct {
		ContentType   flexString              `json:"contentType"`
		StatusCode    flexInt                 `json:"statusCode"`
		StatusMessage flexString              `json:"statusMessage"`
		Headers       map[string][]flexString `json:"headers"`
		bodyFile
	} `json:"res"`
}

type bodyFile struct {
	BodyBase64 string `json:"bodyBase64"`
	Body       string `json:"body"`
}

// ParsePair reads one pair. Input that is no pair is [ErrNotPair], an empty or truncated one
// [ErrIncomplete], and the Markdown layout of February 2025 (raw HTTP without any JSON)
// [ErrUnsupported]. In current Markdown, headers and bodies come from the sections, because the JSON
// line no longer holds them; where it does, the JSON line is used: its bytes are the original ones.
func ParsePair(r io.Reader, form PairForm) (*Pair, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read pair: %w", err)
	}
	if form == FormAuto {
		form = FormMarkdown
		if trimmed := strings.TrimLeft(strings.TrimPrefix(string(head(data, 4096)), utf8BOM), " \t\r\n"); strings.HasPrefix(trimmed, "{") {
			form = FormJSON
		}
	}
	if form == FormMarkdown {
		return parseMarkdown(data)
	}
	return parsePairJSON(data, FormJSON)
}

func head(data []byte, n int) []byte { return data[:min(n, len(data))] }

func parsePairJSON(data []byte, form PairForm) (*Pair, error) {
	var file pairFile
	note, err := decodeObject(data, "pair", &file)
	if errors.Is(err, ErrOtherFile) {
		return nil, fmt.Errorf("JSON is no object: %w", ErrNotPair)
	}
	if err != nil {
		return nil, err
	}
	if file.MsgType != pairType {
		return nil, fmt.Errorf("object has msgType %q: %w", clip(string(file.MsgType), 40), ErrNotPair)
	}
	p, err := file.pair()
	if err != nil {
		return nil, err
	}
	p.Form = form
	if note != "" {
		p.Problems = append(p.Problems, note)
	}
	return p, nil
}

func (f *pairFile) pair() (*Pair, error) {
	p := &Pair{
		Direction: strings.ToUpper(string(f.Direction)), Protocol: strings.ToLower(string(f.Protocol)),
		Command: string(f.Command), Location: string(f.Location), Status: strings.TrimSpace(string(f.Status)),
		Service: defined(string(f.Service)), Resource: defined(string(f.Resource)),
		Cluster: defined(string(f.Cluster)), Namespace: defined(string(f.Namespace)),
		Tech: string(f.Tech), NetworkAddress: string(f.NetworkAddress), Session: string(f.Session),
		ResponderMatch: string(f.ResponderMatch), Redacted: f.DLPModified,
		Conn: Connection{ID: string(f.NetInfo.ID), ServerHost: string(f.NetInfo.Upstream.Hostname),
			ServerPort: int(f.NetInfo.Upstream.Port.value), Flow: string(f.NetInfo.Direction)},
		Tags:  make(map[string]string, len(f.Tags)),
		chaos: len(f.Chaos) > 0 && !saysNone(strings.Trim(string(f.Chaos), `"{}[]`)),
	}
	for name, value := range f.Tags {
		p.Tags[name] = defined(string(value))
	}
	var ok bool
	if p.TS, ok = parseTime(string(f.TS)); !ok {
		return nil, fmt.Errorf("pair: ts %q is not an RFC 3339 time with a zone since 1970: %w", clip(string(f.TS), 60), ErrMalformed)
	}
	p.Conn.Start, _ = parseTime(string(f.NetInfo.StartTime))
	p.UUID = p.uuid("uuid", string(f.UUID))
	p.RefUUID = p.uuid("refUuid", p.Tags["refUuid"])
	p.readDurations(f)
	if sequence, ok := parseNumber([]byte(p.Tags["sequence"])); ok && sequence == float64(int64(sequence)) {
		n := int64(sequence)
		p.Sequence = &n
	}
	if f.HTTP != nil {
		p.readHTTP(f.HTTP)
	}
	if f.Postgres != nil {
		p.readPostgres(f.Postgres)
	}
	if p.Direction != In && p.Direction != Out {
		p.problem("direction %q is neither IN nor OUT", clip(p.Direction, 20))
	}
	return p, nil
}

func (p *Pair) problem(format string, args ...any) {
	p.Problems = append(p.Problems, fmt.Sprintf(format, args...))
}

func (p *Pair) readDurations(f *pairFile) {
	// A day is far above any exchange and far below where milliseconds overflow a duration.
	const longest = int64(1000 * time.Hour / time.Millisecond)
	if f.Duration.ok {
		if f.Duration.value < 0 || f.Duration.value > longest {
			p.problem("duration %d ms is not believable and was left out", f.Duration.value)
		} else {
			d := time.Duration(f.Duration.value) * time.Millisecond
			p.Duration = &d
		}
	}
	if f.Elapsed != "" {
		d, err := time.ParseDuration(string(f.Elapsed))
		if err != nil || d < 0 {
			p.problem("elapsed %q is not a duration", clip(string(f.Elapsed), 40))
			return
		}
		p.Elapsed = &d
	}
}

// uuid reads a uuid in base64 of 16 bytes (the JSON's own form) or in hex with or without dashes.
func (p *Pair) uuid(what, text string) string {
	text = strings.TrimSpace(defined(text))
	if text == "" {
		return ""
	}
	if raw, err := base64.StdEncoding.DecodeString(text); err == nil && len(raw) == 16 {
		return formatUUID(raw)
	}
	if raw, err := hex.DecodeString(strings.ReplaceAll(text, "-", "")); err == nil && len(raw) == 16 {
		return formatUUID(raw)
	}
	p.problem("%s %q is not a uuid", what, clip(text, 60))
	return ""
}

func formatUUID(b []byte) string {
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (p *Pair) readHTTP(f *httpFile) {
	h := &HTTP{
		Method: string(f.Req.Method), URL: string(f.Req.URL), URI: string(f.Req.URI), Host: string(f.Req.Host),
		Version: string(f.Req.Version), RequestHeaders: headers(f.Req.Headers), ResponseHeaders: http.Header{},
		RequestBody: p.body("request", f.Req.bodyFile), ResponseDropped: p.Tags["responsePayloadDropped"] == "true",
	}
	if f.Res != nil {
		h.StatusCode, h.StatusMessage = int(f.Res.StatusCode.value), string(f.Res.StatusMessage)
		h.ContentType = string(f.Res.ContentType)
		h.ResponseHeaders = headers(f.Res.Headers)
		h.ResponseBody = p.body("response", f.Res.bodyFile)
	}
	if h.Method == "" {
		h.Method = p.Command
	}
	if h.URI == "" {
		h.URI = h.URL
	}
	if h.URL == "" {
		h.URL, _, _ = strings.Cut(h.URI, "?")
	}
	if len(f.Req.QueryParams) > 0 {
		h.QueryParams = url.Values{}
		for name, values := range f.Req.QueryParams {
			for _, value := range values {
				h.QueryParams[name] = append(h.QueryParams[name], string(value))
			}
		}
	} else if _, query, ok := strings.Cut(h.URI, "?"); ok {
		h.QueryParams, _ = url.ParseQuery(query)
	}
	p.HTTP = h
}

func headers(from map[string][]flexString) http.Header {
	to := make(http.Header, len(from))
	for name, values := range from {
		name = textproto.CanonicalMIMEHeaderKey(name)
		for _, value := range values {
			to[name] = append(to[name], string(value))
		}
	}
	return to
}

func (p *Pair) body(what string, f bodyFile) []byte {
	if f.BodyBase64 != "" {
		raw, err := base64.StdEncoding.DecodeString(f.BodyBase64)
		if err == nil {
			return raw
		}
		p.problem("the %s body is not valid base64", what)
	}
	if f.Body == "" {
		return nil
	}
	return []byte(f.Body)
}
