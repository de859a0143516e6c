// Package mock is the sub-command that answers an application's calls from a
// recording.
package mock

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/replaylab/replay-evidence/lab/standin/internal/blueprint"
	"github.com/replaylab/replay-evidence/lab/standin/internal/capture"
	"github.com/replaylab/replay-evidence/lab/standin/internal/record"
	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
	"github.com/replaylab/replay-evidence/lab/standin/internal/tool"
)

// ReadyLine is printed on standard output once calls are answered and the
// application is up.
const ReadyLine = "mocking traffic sent from your app"

// Values of the tag `match`.
const (
	Hit         = "HIT"
	NoMatch     = "NO_MATCH"
	PassThrough = "PASSTHROUGH"
)

// Config is everything that `mock` is told. A port of 0 takes a free one.
type Config struct {
	InDir         string
	OutDir        string // empty writes no pairs
	Timing        Timing
	NoPassthrough bool
	OutPort       int
	HealthPort    int // negative serves no health
	AppPort       int // 0 does not wait for the application
	HealthPath    string
	Maps          []tool.Mapping
	Command       []string
	Stdout        io.Writer
	Stderr        io.Writer
	// OnReady, when set, is told the addresses once calls are answered and the
	// application is up.
	OnReady func(Addrs)
}

// Addrs are the ports in use; Health is nil without one.
type Addrs struct {
	Out, Health net.Addr
	Maps        []net.Addr
}

// responder answers calls.
type responder struct {
	cfg       Config
	log       *slog.Logger
	index     *index
	transport *http.Transport
	conns     capture.Conns
	queue     chan *rrpair.Pair // nil without an output directory

	msgNum, hits, misses, passed atomic.Uint64
	ready                        atomic.Bool
}

// Run answers calls until ctx ends or the application does.
func Run(ctx context.Context, cfg Config) error {
	pairs, skipped, err := rrpair.Load(cfg.InDir)
	if err != nil {
		return err
	}
	masks, err := blueprint.Load(cfg.InDir)
	if err != nil {
		return err
	}
	m := &responder{cfg: cfg, index: newIndex(pairs, masks), transport: capture.NewTransport()}
	defer m.transport.CloseIdleConnections()
	logOut := cfg.Stderr
	if cfg.OutDir != "" {
		wait, logFile, err := m.openOutput()
		if err != nil {
			return err
		}
		defer logFile.Close()
		defer wait()
		logOut = io.MultiWriter(cfg.Stderr, logFile)
	}
	m.log = slog.New(tool.NewLogHandler(logOut))
	for _, skip := range skipped {
		m.log.Warn("file is not used", "path", skip.Path, "reason", skip.Err)
	}
	for _, rule := range masks.Ignored {
		m.log.Warn("blueprint rule is not used", "rule", rule)
	}
	m.log.Info("loaded recording", "tool", rrpair.ProxyVersion, "in", cfg.InDir, "answers", m.index.size(), "masks", masks.Len(), "timing", strconv.FormatFloat(float64(cfg.Timing), 'g', -1, 64)+"x")
	if m.index.size() == 0 {
		m.log.Warn("the recording holds no outbound HTTP pair: every call will miss", "in", cfg.InDir)
	}
	return m.serve(ctx)
}

// openOutput prepares the output directory and the goroutine that writes pairs;
// wait ends it after the last pair.
func (m *responder) openOutput() (wait func(), logFile *os.File, err error) {
	writer, err := rrpair.NewWriter(m.cfg.OutDir, false)
	if err != nil {
		return nil, nil, err
	}
	logFile, err = os.OpenFile(filepath.Join(m.cfg.OutDir, "proxymock.log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the log of the mock: %w", err)
	}
	m.queue = make(chan *rrpair.Pair, 1024)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for pair := range m.queue {
			if _, err := writer.Write(pair, rrpair.Hostname(pair.HTTP.Req.Host)); err != nil {
				m.log.Error("a pair was lost", "error", err)
			}
		}
	}()
	return func() {
		close(m.queue)
		<-done
	}, logFile, nil
}

func (m *responder) serve(ctx context.Context) error {
	servers := tool.NewServers(m.log)
	addrs, err := m.open(ctx, servers)
	if err != nil {
		servers.Close()
		return err
	}
	app := tool.App{
		Command:      m.cfg.Command,
		Env:          record.ProxyEnv("http://" + addrs.Out.String()),
		Port:         m.cfg.AppPort,
		HealthPath:   m.cfg.HealthPath,
		ReadyTimeout: 60 * time.Second,
		Stdout:       m.cfg.Stdout,
		Stderr:       m.cfg.Stderr,
		Ready: func(err error) {
			if err != nil {
				m.log.Error("the application does not answer", "error", err)
				return
			}
			m.ready.Store(true)
			fmt.Fprintln(m.cfg.Stdout, ReadyLine)
			if m.cfg.OnReady != nil {
				m.cfg.OnReady(addrs)
			}
		},
	}
	err = app.Run(ctx, m.log)
	servers.Close()
	hits, misses, passed := m.hits.Load(), m.misses.Load(), m.passed.Load()
	m.log.Info("mock summary", Hit, hits, NoMatch, misses, PassThrough, passed)
	fmt.Fprintf(m.cfg.Stdout, "mock answered %d calls: %s=%d %s=%d %s=%d\n", hits+misses+passed, Hit, hits, NoMatch, misses, PassThrough, passed)
	return err
}

func (m *responder) open(ctx context.Context, servers *tool.Servers) (Addrs, error) {
	var addrs Addrs
	out, err := tool.Listen(ctx, m.cfg.OutPort, "proxy-out-port")
	if err != nil {
		return addrs, err
	}
	servers.HTTP(out, m, m.conns.Context)
	addrs.Out = out.Addr()
	if m.cfg.HealthPort >= 0 {
		health, err := tool.Listen(ctx, m.cfg.HealthPort, "health-port")
		if err != nil {
			return addrs, err
		}
		servers.HTTP(health, http.HandlerFunc(m.health), nil)
		addrs.Health = health.Addr()
	}
	for _, mapping := range m.cfg.Maps {
		port, err := tool.Listen(ctx, mapping.Port, "map")
		if err != nil {
			return addrs, err
		}
		addrs.Maps = append(addrs.Maps, port.Addr())
		// A mapped server is the real one: its traffic is neither mocked nor read.
		m.log.Info("mapped port passes through to the real server", "port", port.Addr(), "target", mapping.Target)
		servers.TCP(port, func(ctx context.Context, conn net.Conn) { capture.PassThrough(ctx, conn, mapping.Target, m.log) })
	}
	return addrs, nil
}

// health answers 200 from the moment the ready line is out, 503 before.
func (m *responder) health(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/healthz":
		http.NotFound(w, r)
	case !m.ready.Load():
		http.Error(w, "waiting for the application", http.StatusServiceUnavailable)
	default:
		_, _ = io.WriteString(w, "ok\n")
	}
}

// ServeHTTP answers one call of the application.
func (m *responder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	if r.Method == http.MethodConnect {
		m.connect(w, r)
		return
	}
	if !r.URL.IsAbs() {
		http.Error(w, "stand-in: this port is a forward proxy; set HTTP_PROXY to it", http.StatusBadRequest)
		return
	}
	asked, err := capture.ReadRequest(r, r.URL.Host)
	if err != nil {
		capture.Refuse(w, err)
		return
	}
	signature := m.index.signature(&asked)
	entry, found := m.index.find(signature)
	switch {
	case found:
		m.hit(w, r, arrived, asked, signature, entry.take())
	case m.cfg.NoPassthrough:
		m.miss(w, r, arrived, asked, signature)
	default:
		m.pass(w, r, arrived, asked, signature)
	}
}

// hit answers with a recorded pair when its time, counted from the arrival, is
// over.
func (m *responder) hit(w http.ResponseWriter, r *http.Request, arrived time.Time, asked rrpair.HTTPRequest, signature map[string][]byte, recorded rrpair.Loaded) {
	m.hits.Add(1)
	m.log.Info(Hit, "call", callText(&asked))
	if remaining := m.cfg.Timing.delay(recorded.Duration) - time.Since(arrived); remaining > 0 {
		timer := time.NewTimer(remaining)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return // the caller has hung up
		}
	}
	answer := recorded.HTTP.Res
	if recorded.Tags["decoded"] == "true" {
		// The file holds the body in the clear.
		headers := http.Header(answer.Headers).Clone()
		headers.Del("Content-Encoding")
		answer.Headers = headers
	}
	capture.Answer(w, &answer)
	m.store(r.Context(), arrived, asked, answer, signature, Hit, recorded.UUID.String())
}

// miss answers a call that was not recorded and says what differs.
func (m *responder) miss(w http.ResponseWriter, r *http.Request, arrived time.Time, asked rrpair.HTTPRequest, signature map[string][]byte) {
	m.misses.Add(1)
	diff := m.logMiss("NO MATCH", asked, signature)
	message := "no call of this method, host and path was recorded"
	if len(diff.Keys) > 0 {
		message = "a recorded call differs in " + strings.Join(diff.Keys, ", ")
	}
	body, err := json.Marshal(map[string]any{
		"error": "NO_MATCH", "message": message, "differs": diff.Keys, "recorded": diff.Recorded, "observed": diff.Observed,
	})
	if err != nil {
		capture.Refuse(w, err)
		return
	}
	answer := rrpair.HTTPResponse{
		ContentType: "application/json", StatusCode: http.StatusNotFound, StatusMessage: capture.StatusMessage(http.StatusNotFound),
		Headers: map[string][]string{"Content-Type": {"application/json"}}, Body: append(body, '\n'),
	}
	capture.Answer(w, &answer)
	m.store(r.Context(), arrived, asked, answer, signature, NoMatch, "")
}

// pass sends a call that was not recorded to the real server.
func (m *responder) pass(w http.ResponseWriter, r *http.Request, arrived time.Time, asked rrpair.HTTPRequest, signature map[string][]byte) {
	m.passed.Add(1)
	m.logMiss("PASSTHROUGH", asked, signature)
	answer, err := capture.Forward(r.Context(), m.transport, &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host}, &asked)
	if err != nil {
		m.log.Warn("could not complete request", "host", asked.Host, "path", asked.URL, "error", err)
		capture.Refuse(w, err)
		return
	}
	capture.Answer(w, &answer)
	m.store(r.Context(), arrived, asked, answer, signature, PassThrough, "")
}

// callText names a call in the log, one line of which stands for every call: without pairs the log is
// all there is to count answers by.
func callText(asked *rrpair.HTTPRequest) string {
	return asked.Method + " http://" + asked.Host + asked.URI
}

func (m *responder) logMiss(kind string, asked rrpair.HTTPRequest, signature map[string][]byte) difference {
	diff := m.index.explain(signature)
	differs := "nothing of this method, host and path was recorded"
	if len(diff.Keys) > 0 {
		differs = strings.Join(diff.Keys, ",")
	}
	m.log.Warn(kind, "call", callText(&asked), "differs", differs, "recorded", diff.Recorded, "observed", diff.Observed)
	return diff
}

// connect handles TLS, which the stand-in cannot mock.
func (m *responder) connect(w http.ResponseWriter, r *http.Request) {
	if m.cfg.NoPassthrough {
		m.misses.Add(1)
		m.log.Warn("NO MATCH", "method", r.Method, "host", r.Host, "differs", "TLS is not decoded")
		http.Error(w, "stand-in: TLS cannot be mocked", http.StatusNotFound)
		return
	}
	m.passed.Add(1)
	m.log.Warn("PASSTHROUGH", "method", r.Method, "host", r.Host, "differs", "TLS is not decoded")
	if err := capture.Tunnel(w, r); err != nil {
		m.log.Warn("could not open a tunnel", "host", r.Host, "error", err)
	}
}

// store queues the mock's own pair; without an output directory it does nothing.
func (m *responder) store(ctx context.Context, arrived time.Time, asked rrpair.HTTPRequest, answer rrpair.HTTPResponse, signature map[string][]byte, match, refUUID string) {
	msgNum := m.msgNum.Add(1)
	if m.queue == nil {
		return
	}
	pair := rrpair.New(rrpair.Out, arrived)
	pair.Resource, pair.Service = "responder", "responder"
	pair.Duration = rrpair.Millis(time.Since(arrived))
	number := strconv.FormatUint(msgNum, 10)
	pair.Tags = map[string]string{
		"match": match, "msgNum": number, "sequence": number, "source": "responder",
		"proxyLocation": "out", "proxyVersion": rrpair.ProxyVersion,
	}
	if capture.Decode(&answer) {
		pair.Tags["decoded"] = "true"
	}
	if refUUID != "" {
		pair.Tags["refUuid"] = refUUID
	}
	capture.Fill(pair, "http", asked, answer)
	pair.Status = answer.StatusMessage
	pair.Signature = signature
	pair.ResponderMatch = match
	pair.Netinfo = capture.Netinfo(ctx, asked.Host)
	m.queue <- pair
}
