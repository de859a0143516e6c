// Package drive sends the lab's fixed list of requests to an orders service, one at a time, and checks
// the status of every answer.
package drive

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxAnswerBytes bounds what is read of one answer.
const maxAnswerBytes = 4 << 20

// Result says how a pass went.
type Result struct {
	// Sent counts requests, Unexpected those without an answer or with another status than expected.
	Sent, Unexpected int
	// Problems describe the unexpected ones.
	Problems []string
}

// String is the line that the command prints.
func (r Result) String() string {
	return fmt.Sprintf("sent %d requests, %d unexpected", r.Sent, r.Unexpected)
}

// Run sends one pass to the service at the base URL. The error says that the pass could not be made at
// all: a URL that is none, a service that does not answer the first request, an ended context. Wrong
// answers are no error, see Result.
func Run(ctx context.Context, base string) (Result, error) {
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return Result{}, fmt.Errorf("%q is no base URL: give one such as http://localhost:4143", base)
	}
	base = strings.TrimSuffix(u.String(), "/")
	// One connection, and no proxy: the base URL is where the recorder listens, if there is one.
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1, Proxy: nil}, Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()

	var result Result
	order := unknownOrder
	for _, s := range plan() {
		path := s.path
		if strings.Contains(path, "%s") {
			path = fmt.Sprintf(path, order)
		}
		status, answer, err := send(ctx, client, s.method, base+path, s.body)
		if ctx.Err() != nil {
			return result, fmt.Errorf("stopped after %d requests: %w", result.Sent, context.Cause(ctx))
		}
		if err != nil && result.Sent == 0 {
			return result, fmt.Errorf("is the service running? %w", err)
		}
		result.Sent++
		switch {
		case err != nil:
			result.unexpected("%s %s: %v", s.method, path, err)
		case status != s.status:
			result.unexpected("%s %s: answered %d, not %d: %s", s.method, path, status, s.status, clip(answer))
		case s.creates:
			var created struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal(answer, &created); err != nil || created.ID == "" {
				result.unexpected("%s %s: the answer holds no id: %s", s.method, path, clip(answer))
				order = unknownOrder
				continue
			}
			order = created.ID
		}
	}
	return result, nil
}

func (r *Result) unexpected(format string, args ...any) {
	r.Unexpected++
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

func send(ctx context.Context, client *http.Client, method, target, body string) (status int, answer []byte, err error) {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, target, reader)
	if err != nil {
		return 0, nil, fmt.Errorf("build the request: %w", err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err = io.ReadAll(io.LimitReader(res.Body, maxAnswerBytes))
	if err != nil {
		return 0, nil, fmt.Errorf("read the answer: %w", err)
	}
	return res.StatusCode, answer, nil
}

func clip(answer []byte) string {
	const limit = 200
	if len(answer) > limit {
		return string(answer[:limit]) + "…"
	}
	return string(answer)
}
