// Package record is the sub-command that captures traffic: an inbound reverse
// proxy in front of the application, an outbound forward proxy behind it, and
// decoding proxies in front of databases.
package record

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/replaylab/replay-evidence/lab/standin/internal/capture"
	"github.com/replaylab/replay-evidence/lab/standin/internal/pgwire"
	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
	"github.com/replaylab/replay-evidence/lab/standin/internal/tool"
)

// Config is everything that `record` is told. A port of 0 takes a free one.
type Config struct {
	OutDir     string
	JSONOnly   bool // HTTP pairs as JSON files, too
	AppPort    int
	InPort     int
	OutPort    int
	HealthPath string
	Maps       []tool.Mapping
	Command    []string
	Stdout     io.Writer
	Stderr     io.Writer
	// OnReady, when set, is told the addresses once traffic can flow.
	OnReady func(Addrs)
}

// Addrs are the ports in use.
type Addrs struct {
	In, Out net.Addr
	Maps    []net.Addr
}

// recorder turns exchanges into files.
type recorder struct {
	cfg       Config
	log       *slog.Logger
	writer    *rrpair.Writer
	transport *http.Transport
	app       *url.URL
	conns     capture.Conns
	sequence  atomic.Uint64
	queue     chan job // to the one goroutine that writes files
}

// job is a pair on its way to a file.
type job struct {
	pair    *rrpair.Pair
	hostDir string
}

// Run records until ctx ends or the application does.
func Run(ctx context.Context, cfg Config) error {
	writer, err := rrpair.NewWriter(cfg.OutDir, cfg.JSONOnly)
	if err != nil {
		return err
	}
	logFile, err := os.OpenFile(filepath.Join(cfg.OutDir, "proxymock.log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("opening the log of the recording: %w", err)
	}
	defer logFile.Close()
	r := &recorder{
		cfg: cfg, writer: writer, transport: capture.NewTransport(),
		queue: make(chan job, 1024),
		log:   slog.New(tool.NewLogHandler(io.MultiWriter(cfg.Stderr, logFile))),
		app:   &url.URL{Scheme: "http", Host: net.JoinHostPort("localhost", strconv.Itoa(cfg.AppPort))},
	}
	defer r.transport.CloseIdleConnections()
	r.log.Info("recording", "tool", rrpair.ProxyVersion, "out", cfg.OutDir)
	written := make(chan struct{})
	go func() {
		defer close(written)
		r.writeAll()
	}()
	defer func() { <-written }()
	defer close(r.queue)
	servers := tool.NewServers(r.log)
	addrs, err := r.open(ctx, servers)
	if err != nil {
		servers.Close()
		return err
	}
	proxy := "http://" + addrs.Out.String()
	app := tool.App{
		Command:      cfg.Command,
		Env:          ProxyEnv(proxy),
		Port:         cfg.AppPort,
		HealthPath:   cfg.HealthPath,
		ReadyTimeout: 30 * time.Second,
		Stdout:       cfg.Stdout,
		Stderr:       cfg.Stderr,
		Ready: func(err error) {
			if err != nil {
				r.log.Warn("unable to connect to app port", "port", cfg.AppPort, "error", err)
			}
			fmt.Fprintf(cfg.Stdout, "recording traffic: send requests to http://%s, calls of your app leave through %s\n", addrs.In, proxy)
			if cfg.OnReady != nil {
				cfg.OnReady(addrs)
			}
		},
	}
	err = app.Run(ctx, r.log)
	servers.Close() // from here on nothing is captured
	return err
}

// writeAll stores pairs until the queue is closed: traffic never waits for the
// disk.
func (r *recorder) writeAll() {
	for job := range r.queue {
		if _, err := r.writer.Write(job.pair, job.hostDir); err != nil {
			r.log.Error("a pair was lost", "error", err)
		}
	}
	r.log.Info("done", "pairs", r.writer.Written())
	fmt.Fprintf(r.cfg.Stdout, "recorded %d request/response pairs in %s\n", r.writer.Written(), r.cfg.OutDir)
}

// ProxyEnv is the environment that sends an application's calls through proxy.
func ProxyEnv(proxy string) []string {
	return []string{"HTTP_PROXY=" + proxy, "http_proxy=" + proxy, "HTTPS_PROXY=" + proxy, "https_proxy=" + proxy}
}

func (r *recorder) open(ctx context.Context, servers *tool.Servers) (Addrs, error) {
	var addrs Addrs
	in, err := tool.Listen(ctx, r.cfg.InPort, "proxy-in-port")
	if err != nil {
		return addrs, err
	}
	servers.HTTP(in, http.HandlerFunc(r.inbound), r.conns.Context)
	out, err := tool.Listen(ctx, r.cfg.OutPort, "proxy-out-port")
	if err != nil {
		return addrs, err
	}
	servers.HTTP(out, http.HandlerFunc(r.outbound), r.conns.Context)
	addrs.In, addrs.Out = in.Addr(), out.Addr()
	for _, mapping := range r.cfg.Maps {
		port, err := tool.Listen(ctx, mapping.Port, "map")
		if err != nil {
			return addrs, err
		}
		addrs.Maps = append(addrs.Maps, port.Addr())
		r.log.Info("mapped port", "port", port.Addr(), "target", mapping.Protocol+"://"+mapping.Target)
		if mapping.Protocol == "postgres" {
			proxy := &pgwire.Proxy{Target: mapping.Target, Log: r.log, NextConn: r.conns.Next, Sink: r.storeStatement(mapping.Target)}
			servers.TCP(port, proxy.Serve)
			continue
		}
		servers.TCP(port, func(ctx context.Context, conn net.Conn) { capture.PassThrough(ctx, conn, mapping.Target, r.log) })
	}
	return addrs, nil
}

// inbound forwards a request to the application and records it. The pair shows
// the application's own address, not the proxy's.
func (r *recorder) inbound(w http.ResponseWriter, req *http.Request) {
	sequence := r.sequence.Add(1)
	start := time.Now()
	asked, err := capture.ReadRequest(req, r.app.Host)
	if err != nil {
		capture.Refuse(w, err)
		return
	}
	answer, err := capture.Forward(req.Context(), r.transport, r.app, &asked)
	if err != nil {
		r.log.Warn("could not complete request", "method", asked.Method, "path", asked.URL, "error", err)
		capture.Refuse(w, err)
		return
	}
	duration := time.Since(start)
	capture.Answer(w, &answer)
	pair := rrpair.New(rrpair.In, start)
	pair.Duration = rrpair.Millis(duration)
	pair.Tags = r.tags("in", sequence)
	if http.Header(answer.Headers).Get("Content-Encoding") != "" && capture.Decode(&answer) {
		pair.Tags["decoded"] = "true"
	}
	capture.Fill(pair, "http", asked, answer)
	r.store(req.Context(), pair, r.app.Host)
}

// outbound forwards a call of the application and records it. As in proxymock
// 2.5.842, such a pair carries the time of the answer and a duration of 1 ms,
// whatever the call took: readers must treat that duration as unknown.
func (r *recorder) outbound(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodConnect {
		r.log.Warn("TLS is passed through undecoded", "host", req.Host)
		if err := capture.Tunnel(w, req); err != nil {
			r.log.Warn("could not open a tunnel", "host", req.Host, "error", err)
		}
		return
	}
	if !req.URL.IsAbs() {
		http.Error(w, "stand-in: this port is a forward proxy; set HTTP_PROXY to it", http.StatusBadRequest)
		return
	}
	sequence := r.sequence.Add(1)
	target := &url.URL{Scheme: req.URL.Scheme, Host: req.URL.Host}
	asked, err := capture.ReadRequest(req, req.URL.Host)
	if err != nil {
		capture.Refuse(w, err)
		return
	}
	answer, err := capture.Forward(req.Context(), r.transport, target, &asked)
	if err != nil {
		r.log.Warn("could not complete request", "method", asked.Method, "host", target.Host, "path", asked.URL, "error", err)
		capture.Refuse(w, err)
		return
	}
	answered := time.Now()
	capture.Answer(w, &answer)
	pair := rrpair.New(rrpair.Out, answered)
	pair.Duration = 1
	pair.Tags = r.tags("out", sequence)
	if capture.Decode(&answer) {
		pair.Tags["decoded"] = "true"
	}
	capture.Fill(pair, target.Scheme, asked, answer)
	r.store(req.Context(), pair, target.Host)
}

func (r *recorder) tags(location string, sequence uint64) map[string]string {
	tags := recorderTags(location, sequence)
	tags["reverseProxyHost"] = "localhost"
	tags["reverseProxyPort"] = strconv.Itoa(r.cfg.AppPort)
	return tags
}

// recorderTags are the tags of every recorded pair.
func recorderTags(location string, sequence uint64) map[string]string {
	return map[string]string{
		"captureMode":   "proxy",
		"k8sAppLabel":   "my-app",
		"proxyLocation": location,
		"proxyProtocol": "tcp:http",
		"proxyType":     "dual",
		"proxyVersion":  rrpair.ProxyVersion,
		"sequence":      strconv.FormatUint(sequence, 10),
		"source":        "goproxy",
	}
}

func (r *recorder) store(ctx context.Context, pair *rrpair.Pair, host string) {
	pair.Signature = rrpair.HTTPSignature(&pair.HTTP.Req)
	pair.Netinfo = capture.Netinfo(ctx, host)
	r.queue <- job{pair, rrpair.Hostname(host)}
}

// storeStatement takes database pairs of one mapped server; they lie in a
// directory named after its host and port.
func (r *recorder) storeStatement(target string) func(*rrpair.Pair) {
	hostDir := strings.ReplaceAll(target, ":", "-")
	return func(pair *rrpair.Pair) {
		maps.Copy(pair.Tags, recorderTags("out", r.sequence.Add(1)))
		r.queue <- job{pair, hostDir}
	}
}
