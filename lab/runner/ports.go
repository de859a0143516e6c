package runner

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// Free ports are picked below the range from which systems take the local ports of outgoing
// connections (32768 and up on Linux, 49152 on others). A port from that range could be taken by
// any connection, the load's own included, between the moment it is picked and the one it is bound.
const (
	lowestPort  = 20000
	highestPort = 32000
)

// freePorts returns n distinct free loopback ports. They are not held: another program could take
// one in between, which the step that binds it reports.
func freePorts(n int) ([]int, error) {
	ports := make([]int, 0, n)
	const span = highestPort - lowestPort
	start := rand.IntN(span)
	for i := range span {
		if len(ports) == n {
			return ports, nil
		}
		port := lowestPort + (start+i)%span
		if portFree(port) == nil {
			ports = append(ports, port)
		}
	}
	return nil, errors.New("no free loopback ports from 20000 to 32000")
}

// portFree says whether a loopback port can be bound.
func portFree(port int) error {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return fmt.Errorf("port %d is taken (%w): end what listens there, or name another port", port, err)
	}
	return l.Close()
}
