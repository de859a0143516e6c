package proxymock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

const (
	// maxSkipped and maxSkippedBytes bound what is kept of the text before the JSON.
	maxSkipped      = 100
	maxSkippedBytes = 400
	// maxCandidates bounds how many lines that begin with "{" are tried as the object. One is right in
	// every file seen; a log line in braces may precede it.
	maxCandidates = 16
)

// locateObject finds the first line that begins with "{" and decodes one value from there. It returns the
// value's bytes and the lines before it.
func locateObject(data []byte) (object []byte, skipped [][]byte, err error) {
	data = bytes.TrimPrefix(data, []byte(utf8BOM))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil, fmt.Errorf("the file is empty: %w", ErrIncomplete)
	}
	var firstErr error
	candidates := 0
	for rest := data; len(rest) > 0; {
		line, next, _ := bytes.Cut(rest, []byte("\n"))
		if line = bytes.TrimRight(line, "\r"); len(line) > 0 && line[0] == '{' && candidates < maxCandidates {
			candidates++
			var value json.RawMessage
			switch err := json.NewDecoder(bytes.NewReader(rest)).Decode(&value); {
			case err == nil:
				return value, skipped, nil
			case truncated(err):
				return nil, skipped, fmt.Errorf("the JSON object stops in the middle: %w", ErrIncomplete)
			case firstErr == nil:
				firstErr = err
			}
		}
		skipped = append(skipped, line)
		rest = next
	}
	if firstErr != nil {
		return nil, skipped, fmt.Errorf("%w: %w", ErrMalformed, firstErr)
	}
	if json.Valid(data) {
		return nil, skipped, fmt.Errorf("no line begins with a JSON object: %w", ErrOtherFile)
	}
	return nil, skipped, fmt.Errorf("no line begins with a JSON object, only %s of other text (an interrupted run, or another --output than json): %w", Counted(len(skipped), "line", "lines"), ErrIncomplete)
}

func (r *Result) addSkipped(lines [][]byte) {
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if bytes.Contains(line, []byte("context canceled")) {
			r.ContextCanceledLines++
		}
		if len(r.SkippedLines) < maxSkipped {
			r.SkippedLines = append(r.SkippedLines, clip(string(line), maxSkippedBytes))
		}
	}
}

// clip cuts s to at most n bytes on a character boundary.
func clip(s string, n int) string {
	if len(s) > n {
		s = s[:n] + "…"
	}
	return strings.ToValidUTF8(s, "�")
}

func (r *Result) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// decode reads a field and turns a wrong type into a problem.
func (r *Result) decode(keys map[string]json.RawMessage, name string, v any) {
	raw, ok := keys[name]
	if !ok || isNull(raw) {
		return
	}
	if err := json.Unmarshal(raw, v); err != nil {
		var typeErr *json.UnmarshalTypeError
		if errors.As(err, &typeErr) {
			r.problem("field %q has an unexpected type (%s) and was read only in part", name, typeErr.Value)
			return
		}
		r.problem("field %q cannot be read: %v", name, err)
	}
}

func (r *Result) readRaw(keys map[string]json.RawMessage) {
	var rows []struct {
		URL     flexString                 `json:"url"`
		Method  flexString                 `json:"method"`
		Metrics map[string]json.RawMessage `json:"metrics"`
	}
	r.decode(keys, "endpoints", &rows)
	for _, row := range rows {
		endpoint := Endpoint{Method: string(row.Method), URL: string(row.URL)}
		r.readMetrics(&endpoint, row.Metrics)
		if endpoint.URL != AggregateName && endpoint.Method != AggregateName {
			r.Endpoints = append(r.Endpoints, endpoint)
			continue
		}
		if r.Aggregate != nil {
			r.problem("more than one %s row; the first is used", AggregateName)
			continue
		}
		r.Aggregate = &endpoint
	}
	if raw, ok := keys["resources"]; ok && !isNull(raw) {
		r.readResources(raw)
	}
}

// readMetrics fills one row from its flat "latency.p95" style keys.
func (r *Result) readMetrics(e *Endpoint, metrics map[string]json.RawMessage) {
	floats := map[string]**float64{
		"latency.avg": &e.Latency.Avg, "latency.min": &e.Latency.Min, "latency.max": &e.Latency.Max,
		"latency.p50": &e.Latency.P50, "latency.p75": &e.Latency.P75, "latency.p90": &e.Latency.P90,
		"latency.p95": &e.Latency.P95, "latency.p99": &e.Latency.P99,
		"requests.per-second": &e.PerSecond, "requests.per-minute": &e.PerMinute,
		"requests.response-pct": &e.ResponsePct, "requests.result-match-pct": &e.MatchPct,
	}
	counts := map[string]**int64{
		"requests.total": &e.Total, "requests.succeeded": &e.Succeeded, "requests.failed": &e.Failed,
	}
	r.numbers(e.Name()+" ", metrics, floats)
	for _, name := range sortedKeys(counts) {
		*counts[name] = r.count(e.Name()+" "+name, metrics[name])
	}
}

// numbers reads several fields in the order of their names, so that problems come in a stable order.
func (r *Result) numbers(prefix string, raw map[string]json.RawMessage, fields map[string]**float64) {
	for _, name := range sortedKeys(fields) {
		*fields[name] = r.number(prefix+name, raw[name])
	}
}

// number reads an optional non-negative number.
func (r *Result) number(what string, raw json.RawMessage) *float64 {
	if isNull(raw) {
		return nil
	}
	v, ok := parseNumber(raw)
	if !ok {
		r.problem("%s is %s, not a number", what, clip(string(raw), 40))
		return nil
	}
	if v < 0 {
		r.problem("%s is negative (%v) and was left out", what, v)
		return nil
	}
	return &v
}

// count reads an optional whole number of requests.
func (r *Result) count(what string, raw json.RawMessage) *int64 {
	v := r.number(what, raw)
	if v == nil {
		return nil
	}
	if *v != float64(int64(*v)) || *v > 1<<53 {
		r.problem("%s is %v, not a whole number", what, *v)
		return nil
	}
	n := int64(*v)
	return &n
}

// flag reads an optional boolean; a value of another type is a problem, not false.
func (r *Result) flag(what string, raw json.RawMessage) *bool {
	if isNull(raw) {
		return nil
	}
	var v bool
	if err := json.Unmarshal(raw, &v); err != nil {
		r.problem("%s is %s, neither true nor false", what, clip(string(raw), 40))
		return nil
	}
	return &v
}

func (r *Result) readResources(raw json.RawMessage) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		r.problem("resources cannot be read: %v", err)
		return
	}
	res := &Resources{}
	r.numbers("resources.", fields, map[string]**float64{
		"generatorMaxCpuPct": &res.GeneratorMaxCPUPct, "mockMaxCpuPct": &res.MockMaxCPUPct,
		"harnessMaxCpuPct": &res.HarnessMaxCPUPct, "appMaxCpuPct": &res.AppMaxCPUPct,
		"appAvgCpuPct": &res.AppAvgCPUPct, "hostIdleMinPct": &res.HostIdleMinPct, "rpsPerAppCore": &res.RPSPerAppCore,
	})
	res.SampleCount = r.count("resources.sampleCount", fields["sampleCount"])
	res.MockAttributed = r.flag("resources.mockAttributed", fields["mockAttributed"])
	res.HarnessBound = r.flag("resources.harnessBound", fields["harnessBound"])
	r.decode(fields, "notes", &res.Notes)
	r.Resources = res
}

func (r *Result) readFlattened(keys map[string]json.RawMessage) {
	all := &Endpoint{Method: AggregateName, URL: AggregateName}
	all.Total = r.count("totalRequests", keys["totalRequests"])
	all.Succeeded = r.count("succeeded", keys["succeeded"])
	all.Failed = r.count("failed", keys["failed"])
	all.PerSecond = r.number("rps", keys["rps"])
	all.PerMinute = r.number("rpm", keys["rpm"])
	all.ResponsePct = r.number("responsePct", keys["responsePct"])
	all.MatchPct = r.number("matchPct", keys["matchPct"])
	var latency map[string]json.RawMessage
	r.decode(keys, "latencyMs", &latency)
	r.numbers("latencyMs.", latency, map[string]**float64{
		"min": &all.Latency.Min, "avg": &all.Latency.Avg, "p50": &all.Latency.P50, "p75": &all.Latency.P75,
		"p90": &all.Latency.P90, "p95": &all.Latency.P95, "p99": &all.Latency.P99, "max": &all.Latency.Max,
	})
	var rows []struct {
		Method   flexString      `json:"method"`
		URL      flexString      `json:"url"`
		Total    json.RawMessage `json:"total"`
		Failed   json.RawMessage `json:"failed"`
		MatchPct json.RawMessage `json:"matchPct"`
		P99      json.RawMessage `json:"p99Ms"`
	}
	r.decode(keys, "perEndpoint", &rows)
	for _, row := range rows {
		e := Endpoint{Method: string(row.Method), URL: string(row.URL)}
		if e.URL == AggregateName {
			continue
		}
		e.Total = r.count(e.Name()+" total", row.Total)
		e.Failed = r.count(e.Name()+" failed", row.Failed)
		e.MatchPct = r.number(e.Name()+" matchPct", row.MatchPct)
		e.Latency.P99 = r.number(e.Name()+" p99Ms", row.P99)
		if e.Total != nil && e.Failed != nil && *e.Total >= *e.Failed {
			succeeded := *e.Total - *e.Failed
			e.Succeeded = &succeeded
		}
		r.Endpoints = append(r.Endpoints, e)
	}
	// The script writes zeros when it found no aggregate: no latency at all beside a total of zero says so.
	if all.Latency == (Latency{}) && (all.Total == nil || *all.Total == 0) {
		all = nil
	}
	r.Aggregate = all
	var code flexInt
	r.decode(keys, "failIfExitCode", &code)
	r.FailIfExitCode = code.intPointer()
	var note flexString
	r.decode(keys, "matchPctNote", &note)
	r.MatchNote = string(note)
}

func (r *Result) readTuning(keys map[string]json.RawMessage) {
	mock := &MockCounts{}
	read := func(name string, into *int64) {
		if v := r.count(name, keys[name]); v != nil {
			*into = *v
		}
	}
	read("hits", &mock.Hits)
	read("misses", &mock.Misses)
	read("passthroughs", &mock.Passthroughs)
	if v := r.count("observedMockRequests", keys["observedMockRequests"]); v != nil {
		mock.Unknown = max(0, *v-mock.Hits-mock.Misses-mock.Passthroughs)
	}
	var files []string
	r.decode(keys, "missFiles", &files)
	for _, file := range files {
		mock.addMiss(MockMiss{File: file})
	}
	r.Mock = mock
	var replay struct {
		Sent   flexInt `json:"sent"`
		Failed flexInt `json:"failed"`
	}
	r.decode(keys, "replay", &replay)
	if replay.Sent.ok {
		r.Aggregate = &Endpoint{Method: AggregateName, URL: AggregateName, Total: replay.Sent.pointer(), Failed: replay.Failed.pointer()}
	}
}
