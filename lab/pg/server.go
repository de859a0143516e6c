package pg

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Options tune a server. The zero value works.
type Options struct {
	// Database is created in the new cluster; "lab" when empty.
	Database string
	// User owns it; "lab" when empty. Password is random when empty.
	User, Password string
	// Log takes the server's log; without it the log goes away with the server.
	Log io.Writer
	// Settings are further run-time settings, such as log_statement = all.
	Settings map[string]string
}

// Server is a running PostgreSQL server.
type Server struct {
	// Port is on 127.0.0.1. Dir is the temporary directory that holds everything.
	Port int
	Dir  string
	// Installation is what runs.
	Installation Installation

	user, password, database string
	cmd                      *exec.Cmd
	log                      *tail
	done                     chan struct{}
	err                      error // valid after done is closed
}

const (
	startTimeout = 60 * time.Second
	stopTimeout  = 10 * time.Second
	// portAttempts: between finding a free port and the server taking it, somebody else can.
	portAttempts = 3
	// socketLimit is what fits into sockaddr_un on the systems we know, the file name included.
	socketLimit = 100
)

// labSettings trade safety for speed: a lab's data is not worth keeping.
var labSettings = []string{
	"fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off",
	"max_connections=60", "shared_buffers=64MB", "logging_collector=off", "timezone=UTC", "log_timezone=UTC",
}

// Start creates a cluster in a new temporary directory and starts a server on a free loopback port.
// It returns when the server answers. The caller must call Stop.
func Start(ctx context.Context, in Installation, opt Options) (_ *Server, err error) {
	s := &Server{
		Installation: in, user: or(opt.User, "lab"), password: or(opt.Password, rand.Text()),
		database: or(opt.Database, "lab"),
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("PostgreSQL was not ready after %s", startTimeout))
	defer cancel()
	as, err := runAs()
	if err != nil {
		return nil, err
	}
	if s.Dir, err = os.MkdirTemp("", "lab-pg-"); err != nil {
		return nil, fmt.Errorf("make a directory for PostgreSQL's data: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(s.Dir)
		}
	}()
	if err := as.own(s.Dir); err != nil {
		return nil, err
	}
	if err := s.initialise(ctx, as); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		err = s.launch(ctx, as, opt)
		if err == nil || attempt == portAttempts || !strings.Contains(s.log.String(), "could not bind") {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if err := s.createDatabase(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// initialise makes the cluster. The password goes through a file, because arguments are visible to
// everybody on the machine.
func (s *Server) initialise(ctx context.Context, as *account) error {
	passwordFile := filepath.Join(s.Dir, "password")
	if err := os.WriteFile(passwordFile, []byte(s.password+"\n"), 0o600); err != nil {
		return fmt.Errorf("write the password for initdb: %w", err)
	}
	defer func() { _ = os.Remove(passwordFile) }()
	if err := as.own(passwordFile); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(s.Installation.Bin, "initdb"),
		"--pgdata", s.data(), "--username", s.user, "--pwfile", passwordFile, "--auth", "scram-sha-256",
		"--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions")
	cmd.Dir = s.Dir
	cmd.Env = environment()
	as.prepare(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("create a PostgreSQL cluster with %s: %w: %s", cmd.Path, err, lastLines(string(out), 6))
	}
	return nil
}

// launch starts the server on a free port and waits until it answers.
func (s *Server) launch(ctx context.Context, as *account, opt Options) error {
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	s.Port = port
	args := []string{"-D", s.data(), "-h", "127.0.0.1", "-p", strconv.Itoa(port), "-k", s.socketDir()}
	for _, setting := range labSettings {
		args = append(args, "-c", setting)
	}
	for name, value := range opt.Settings {
		args = append(args, "-c", name+"="+value)
	}
	s.cmd = exec.Command(filepath.Join(s.Installation.Bin, "postgres"), args...)
	s.cmd.Dir = s.Dir
	s.cmd.Env = environment()
	s.log = &tail{next: opt.Log}
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	as.prepare(s.cmd)
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	s.done = make(chan struct{})
	go func() {
		s.err = s.cmd.Wait()
		close(s.done)
	}()
	if err := s.await(ctx); err != nil {
		s.end()
		return fmt.Errorf("start PostgreSQL on port %d: %w; its log ends with: %s", port, err, lastLines(s.log.String(), 6))
	}
	return nil
}

// await polls until the server accepts a log-in.
func (s *Server) await(ctx context.Context) error {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.urlOf("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.done:
			return fmt.Errorf("the server ended: %w", errors.Join(s.err, err))
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-ticker.C:
		}
	}
}

func (s *Server) createDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.urlOf("postgres"))
	if err != nil {
		return fmt.Errorf("connect to the new PostgreSQL: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{s.database}.Sanitize()); err != nil {
		return fmt.Errorf("create database %s: %w", s.database, err)
	}
	return nil
}

// URL is the connection string of the database, without TLS.
func (s *Server) URL() string { return s.urlOf(s.database) }

// URLAt is the connection string through another port of this machine, such as that of a recorder.
func (s *Server) URLAt(port int) string {
	u := s.url(s.database)
	u.Host = net.JoinHostPort("localhost", strconv.Itoa(port))
	return u.String()
}

func (s *Server) urlOf(database string) string { return s.url(database).String() }

func (s *Server) url(database string) *url.URL {
	return &url.URL{
		Scheme: "postgres", User: url.UserPassword(s.user, s.password),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)), Path: "/" + database,
		RawQuery: "sslmode=disable",
	}
}

// Log is the end of the server's log.
func (s *Server) Log() string { return s.log.String() }

// Done is closed when the server has ended, by Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop shuts the server down, waits for it and removes its directory. It may be called more than once.
func (s *Server) Stop() {
	s.end()
	_ = os.RemoveAll(s.Dir)
}

func (s *Server) end() {
	for _, signal := range []os.Signal{fastShutdown, immediateShutdown, os.Kill} {
		_ = s.cmd.Process.Signal(signal)
		timer := time.NewTimer(stopTimeout)
		select {
		case <-s.done:
			timer.Stop()
			return
		case <-timer.C:
		}
	}
	<-s.done
}

func (s *Server) data() string { return filepath.Join(s.Dir, "data") }

// socketDir is the temporary directory, or none where its path is too long for a socket.
func (s *Server) socketDir() string {
	if len(filepath.Join(s.Dir, ".s.PGSQL.65535.lock")) > socketLimit {
		return ""
	}
	return s.Dir
}

func freePort(ctx context.Context) (int, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port for PostgreSQL: %w", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return 0, fmt.Errorf("free port %d for PostgreSQL: %w", port, err)
	}
	return port, nil
}

// environment is ours without the variables that would send PostgreSQL's programs elsewhere.
func environment() []string {
	env := []string{"LC_ALL=C", "TZ=UTC"}
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "PG") && !strings.HasPrefix(entry, "LC_") && !strings.HasPrefix(entry, "TZ=") {
			env = append(env, entry)
		}
	}
	return env
}

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}
