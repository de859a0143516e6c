package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/replaylab/replay-evidence/lab/standin/internal/capture"
	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
)

// requestTimeout is how long one request may take before it counts as failed.
const requestTimeout = 30 * time.Second

// step is one recorded request, ready to be sent.
type step struct {
	recorded rrpair.Loaded
	endpoint endpoint
	url      string
	scheme   string
	host     string
	header   http.Header
	body     []byte
}

// plan takes the recorded inbound HTTP pairs in their order and points them at
// target.
func plan(pairs []rrpair.Loaded, target *url.URL) []step {
	var steps []step
	for _, pair := range pairs {
		if pair.Direction != rrpair.In || pair.HTTP == nil || pair.Tags["source"] == "generator" {
			continue
		}
		req := &pair.HTTP.Req
		header := http.Header(req.Headers).Clone()
		if header == nil {
			header = http.Header{}
		}
		header.Del("Host")
		header.Del("Content-Length")
		if header.Get("User-Agent") == "" {
			header.Set("User-Agent", "") // keeps Go from adding its own
		}
		steps = append(steps, step{
			recorded: pair,
			endpoint: endpoint{url: template(req.URL), method: req.Method},
			url:      target.Scheme + "://" + target.Host + req.URI,
			scheme:   target.Scheme,
			host:     target.Host,
			header:   header,
			body:     compact(req.Body),
		})
	}
	return steps
}

// compact undoes the indentation that the Markdown form gives to JSON bodies.
func compact(body []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, body) != nil {
		return body
	}
	return out.Bytes()
}

// user is one virtual user: its own connection, one request at a time.
type user struct {
	run       *run
	number    int
	transport *http.Transport
	msgNum    int
}

// scored is a response on its way to a file and into the verdict.
type scored struct {
	pair  *rrpair.Pair // nil when there was no response
	entry verdictPair
}

// runUsers plays all users side by side and waits for the last pair to be
// stored.
func (r *run) runUsers(ctx context.Context) error {
	queue := make(chan scored, 256)
	stored := make(chan error, 1)
	go func() { stored <- r.storeAll(queue) }()
	var group sync.WaitGroup
	var deadline time.Time
	if r.cfg.For > 0 {
		deadline = time.Now().Add(r.cfg.For)
	}
	for number := 1; number <= r.cfg.Users; number++ {
		u := &user{run: r, number: number, transport: capture.NewTransport()}
		// One connection a user: without the limit a second is dialled now and then
		// while the first is still on its way back to the pool.
		u.transport.MaxConnsPerHost = 1
		group.Go(func() {
			defer u.transport.CloseIdleConnections()
			u.play(ctx, deadline, queue)
		})
	}
	group.Wait()
	close(queue)
	return <-stored
}

// play sends the plan pass after pass. A zero deadline counts passes.
func (u *user) play(ctx context.Context, deadline time.Time, queue chan<- scored) {
	for pass := 0; !deadline.IsZero() || pass < u.run.cfg.Times; pass++ {
		for i := range u.run.steps {
			if ctx.Err() != nil || (!deadline.IsZero() && !time.Now().Before(deadline)) {
				return
			}
			u.send(ctx, &u.run.steps[i], queue)
		}
	}
}

// send makes one request, counts it, and, unless under load, scores it.
func (u *user) send(ctx context.Context, s *step, queue chan<- scored) {
	callCtx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	start := time.Now()
	answer, err := u.exchange(callCtx, s)
	end := time.Now()
	if ctx.Err() != nil {
		return // interrupted: neither a success nor a failure of the application
	}
	msgNum := u.msgNum
	u.msgNum++
	o := outcome{start: start, end: end, failed: err != nil}
	if err != nil {
		u.run.log.Warn("could not complete request", "clientID", u.number, "msgNum", msgNum, "method", s.endpoint.method, "url", s.url, "error", err)
	}
	if u.run.cfg.Load {
		u.run.collector.add(s.endpoint, o)
		return
	}
	result := u.score(s, answer, err)
	o.matched = result.entry.Match == "pass" && result.entry.BodyMatch == "pass"
	u.run.collector.add(s.endpoint, o)
	if err == nil {
		result.pair = u.pair(s, answer, o, msgNum)
	}
	queue <- result
}

// exchange sends the request and reads the answer; under load the body is read
// and dropped.
func (u *user) exchange(ctx context.Context, s *step) (rrpair.HTTPResponse, error) {
	req, err := http.NewRequestWithContext(ctx, s.recorded.HTTP.Req.Method, s.url, bytes.NewReader(s.body))
	if err != nil {
		return rrpair.HTTPResponse{}, err
	}
	req.Header, req.Host = s.header, s.host
	res, err := u.transport.RoundTrip(req)
	if err != nil {
		return rrpair.HTTPResponse{}, err
	}
	defer res.Body.Close()
	if u.run.cfg.Load {
		_, err := io.Copy(io.Discard, res.Body)
		return rrpair.HTTPResponse{}, err
	}
	body, err := capture.ReadBody(res.Body)
	if err != nil {
		return rrpair.HTTPResponse{}, err
	}
	answer := rrpair.HTTPResponse{
		ContentType: res.Header.Get("Content-Type"), StatusCode: res.StatusCode, StatusMessage: capture.StatusMessage(res.StatusCode),
		Headers: res.Header, Body: body,
	}
	capture.Decode(&answer)
	return answer, nil
}

// score compares an answer with the recorded one.
func (u *user) score(s *step, answer rrpair.HTTPResponse, err error) scored {
	recorded := &s.recorded.HTTP.Res
	entry := verdictPair{
		Endpoint: s.recorded.HTTP.Req.URI, Method: s.endpoint.method, RecordedStatus: recorded.StatusCode,
		ObservedStatus: answer.StatusCode, Match: passFail(err == nil && answer.StatusCode == recorded.StatusCode),
		RefUUID: s.recorded.UUID.String(), SourceFile: s.recorded.Path,
	}
	if err == nil {
		entry.BodyChanges = compareBodies(s.endpoint.method+" "+strings.ReplaceAll(s.endpoint.url, "{id}", "*"), recorded.Body, answer.Body)
		entry.BodyMatch = passFail(len(entry.BodyChanges) == 0)
	}
	return scored{entry: entry}
}

// pair is the replayed exchange in the layout of replay output: no signature,
// the recorded pair's tags and sequence, and where it came from.
func (u *user) pair(s *step, answer rrpair.HTTPResponse, o outcome, msgNum int) *rrpair.Pair {
	pair := rrpair.New(rrpair.In, o.start)
	pair.Duration = rrpair.Millis(o.end.Sub(o.start))
	pair.Tags = maps.Clone(s.recorded.Tags)
	if pair.Tags == nil {
		pair.Tags = map[string]string{}
	}
	delete(pair.Tags, "decoded")
	maps.Copy(pair.Tags, map[string]string{
		"clientID": strconv.Itoa(u.number), "generatorID": strconv.Itoa(u.number), "file": s.recorded.Path,
		"k8sClusterName": "", "match": passFail(o.matched), "msgNum": strconv.Itoa(msgNum),
		"refUuid": s.recorded.UUID.String(), "source": "generator", "proxyVersion": rrpair.ProxyVersion,
	})
	asked := s.recorded.HTTP.Req
	asked.Host = s.host
	asked.Headers = maps.Clone(asked.Headers)
	if asked.Headers == nil {
		asked.Headers = map[string][]string{}
	}
	asked.Headers["Host"] = []string{s.host}
	capture.Fill(pair, s.scheme, asked, answer)
	pair.Status = answer.StatusMessage
	pair.Tech = "HTTP"
	if json.Valid(answer.Body) {
		pair.Tech = "JSON"
	}
	return pair
}

// storeAll writes pairs and collects the verdict until the queue is closed. It
// goes on after an error, so that no user is held up, and returns the first one.
func (r *run) storeAll(queue <-chan scored) error {
	var first error
	for item := range queue {
		if item.pair != nil && r.writer != nil {
			path, err := r.writer.Write(item.pair, rrpair.Hostname(item.pair.HTTP.Req.Host))
			if err != nil && first == nil {
				first = fmt.Errorf("storing a replayed pair: %w", err)
			}
			item.entry.ReplayFile = path
		}
		r.verdict.add(item.entry)
	}
	return first
}
