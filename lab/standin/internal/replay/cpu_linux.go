package replay

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/procfs"
)

// procSource reads CPU counters from /proc.
type procSource struct {
	fs              procfs.FS
	self, app, mock int // process ids; 0 is unknown
}

// newCPUSource finds the application by the port it listens on, and the mock as
// that process's ancestor that runs this very program. A target on another
// machine has neither.
func newCPUSource(target *url.URL) cpuSource {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return unknownSource{}
	}
	source := &procSource{fs: fs, self: os.Getpid()}
	if port, ok := localPort(target); ok {
		source.app = listenerPID(fs, port)
	}
	if source.app != 0 {
		source.mock = ancestorRunning(fs, source.app, source.self)
	}
	return source
}

// unknownSource knows nothing of this machine.
type unknownSource struct{}

func (unknownSource) sample() cpuSample { return cpuSample{at: time.Now()} }

func localPort(target *url.URL) (uint64, bool) {
	host := target.Hostname()
	ip := net.ParseIP(host)
	if host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return 0, false
	}
	text := target.Port()
	if text == "" {
		text = "80"
	}
	port, err := strconv.ParseUint(text, 10, 16)
	return port, err == nil
}

// listenerPID is the process that listens on port, or 0.
func listenerPID(fs procfs.FS, port uint64) int {
	const listening = 10 // TCP_LISTEN of the kernel
	var sockets []string
	// A missing table only means fewer places to look.
	v4, _ := fs.NetTCP()  //nolint:staticcheck // netlink would be one more dependency for one look-up
	v6, _ := fs.NetTCP6() //nolint:staticcheck // as above
	for _, line := range slices.Concat(v4, v6) {
		if line.St == listening && line.LocalPort == port {
			sockets = append(sockets, fmt.Sprintf("socket:[%d]", line.Inode))
		}
	}
	if len(sockets) == 0 {
		return 0
	}
	processes, err := fs.AllProcs()
	if err != nil {
		return 0
	}
	for _, process := range processes {
		targets, err := process.FileDescriptorTargets()
		if err != nil {
			continue // ended meanwhile, or somebody else's
		}
		for _, target := range targets {
			if slices.Contains(sockets, target) {
				return process.PID
			}
		}
	}
	return 0
}

// ancestorRunning climbs from pid to the first ancestor with the executable of
// self, or 0.
func ancestorRunning(fs procfs.FS, pid, self int) int {
	own, err := executable(fs, self)
	if err != nil {
		return 0
	}
	for range 16 { // deeper nesting than a shell, `go run` and the program is odd
		process, err := fs.Proc(pid)
		if err != nil {
			return 0
		}
		stat, err := process.Stat()
		if err != nil || stat.PPID <= 1 {
			return 0
		}
		pid = stat.PPID
		if path, err := executable(fs, pid); err == nil && path == own && pid != self {
			return pid
		}
	}
	return 0
}

func executable(fs procfs.FS, pid int) (string, error) {
	process, err := fs.Proc(pid)
	if err != nil {
		return "", err
	}
	return process.Executable()
}

func (s *procSource) sample() cpuSample {
	out := cpuSample{at: time.Now(), generator: s.cpuTime(s.self), mock: s.cpuTime(s.mock), app: s.cpuTime(s.app)}
	if stat, err := s.fs.Stat(); err == nil {
		c := stat.CPUTotal
		idle := c.Idle + c.Iowait
		total := idle + c.User + c.Nice + c.System + c.IRQ + c.SoftIRQ + c.Steal
		out.hostIdle, out.hostTotal = &idle, &total
	}
	return out
}

// cpuTime is user plus system time of a process in seconds; nil when unknown.
func (s *procSource) cpuTime(pid int) *float64 {
	if pid == 0 {
		return nil
	}
	process, err := s.fs.Proc(pid)
	if err != nil {
		return nil
	}
	stat, err := process.Stat()
	if err != nil {
		return nil
	}
	return new(stat.CPUTime())
}
