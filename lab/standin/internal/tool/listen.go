package tool

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Listen opens a loopback port; 0 takes a free one. flag names the option that
// chooses another.
func Listen(ctx context.Context, port int, flag string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("opening port %d (--%s chooses another): %w", port, flag, err)
	}
	return listener, nil
}

// Mapping is one --map option: a local port in front of a server.
type Mapping struct {
	// Port is the local port that is opened.
	Port int
	// Protocol is "postgres" or "tcp".
	Protocol string
	// Target is the server as host:port.
	Target string
}

// ParseMapping reads "15432=postgres://localhost:5432".
func ParseMapping(text string) (Mapping, error) {
	fail := func() (Mapping, error) {
		return Mapping{}, fmt.Errorf("--map %q: give it as 15432=postgres://localhost:5432", text)
	}
	portText, target, ok := strings.Cut(text, "=")
	port, err := strconv.Atoi(portText)
	if !ok || err != nil || port < 0 || port > 65535 {
		return fail()
	}
	protocol, address, ok := strings.Cut(target, "://")
	if !ok {
		return fail()
	}
	if protocol == "postgresql" {
		protocol = "postgres"
	}
	if protocol != "postgres" && protocol != "tcp" {
		return Mapping{}, fmt.Errorf("--map %q: the stand-in knows postgres:// and tcp://", text)
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fail()
	}
	return Mapping{Port: port, Protocol: protocol, Target: address}, nil
}
