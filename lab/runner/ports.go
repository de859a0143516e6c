package runner

import (
	"fmt"
	"net"
)

// freePorts returns n distinct free loopback ports. They are closed again, so that another program
// could take one in between; the steps that bind them report that as what it is.
func freePorts(n int) ([]int, error) {
	ports := make([]int, 0, n)
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("pick a free loopback port: %w", err)
		}
		// All listeners stay open until the last port is picked, or one could be handed out twice.
		defer func() { _ = l.Close() }()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// portFree says whether a loopback port can be bound; by-hand targets use fixed ports.
func portFree(port int) error {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return fmt.Errorf("port %d is taken (%w): end what listens there, or name another port", port, err)
	}
	return l.Close()
}
