// Command testhost serves the built plugin without a Grafana server, for the browser tests and for looking at the
// pages. It prints one line with its address when it is ready and ends on Ctrl-C, SIGTERM or when its parent goes away.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/replaylab/replay-evidence/internal/host"
	"github.com/replaylab/replay-evidence/internal/proc"
)

func main() {
	ctx, stop := proc.Interruptible(context.Background())
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		_, _ = fmt.Fprintln(os.Stderr, "testhost:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("testhost", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var (
		root  = flags.String("root", ".", "the repository: dist, .cache/host and node_modules are below it")
		addr  = flags.String("addr", "127.0.0.1:0", "loopback address to listen on; port 0 takes a free one")
		roots = flags.String("roots", "", "the operator's roots, such as lab=/path/to/results (GF_PLUGIN_ROOTS)")
		org   = flags.String("org", "", "JSON file with what every organisation starts with: jsonData, secureJsonData, token, dataSources")
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	initial, err := readOrg(*org)
	if err != nil {
		return err
	}
	server, err := host.Start(host.Options{
		Dist: filepath.Join(*root, "dist"), Page: filepath.Join(*root, ".cache", "host"),
		Images: filepath.Join(*root, "node_modules", "@grafana", "ui", "dist", "public", "img"),
		Addr:   *addr, Env: []string{"GF_PLUGIN_ROOTS=" + *roots}, Org: initial, Log: stderr,
	})
	if err != nil {
		return err
	}
	_, printed := fmt.Fprintf(stdout, "%s/a/%s/\n", server.URL(), server.App().ID)
	if printed == nil {
		<-ctx.Done()
	}
	if err := server.Close(); err != nil {
		return fmt.Errorf("close the host: %w", err)
	}
	return printed
}

func readOrg(path string) (host.Org, error) {
	var org host.Org
	if path == "" {
		return org, nil
	}
	raw, err := os.ReadFile(path) //nolint:gosec // the file that whoever starts the host names
	if err != nil {
		return org, fmt.Errorf("read what the organisation starts with: %w", err)
	}
	if err := json.Unmarshal(raw, &org); err != nil {
		return org, fmt.Errorf("read %s: %w", path, err)
	}
	return org, nil
}
