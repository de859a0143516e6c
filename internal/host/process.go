package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/grpcplugin"
	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
)

// startTimeout is how long a backend may take to say that it is ready; a busy machine needs seconds.
const startTimeout = time.Minute

// process is one plugin's backend and the services it offers.
type process struct {
	client      *plugin.Client
	resource    grpcplugin.ResourceClient
	diagnostics grpcplugin.DiagnosticsClient
	data        grpcplugin.DataClient
}

// startProcess starts the binary as Grafana does: the SDK's handshake, gRPC, and nothing of our own environment
// but what is named here.
func startProcess(p Plugin, env []string, log io.Writer) (*process, error) {
	cmd := exec.Command(p.Binary()) //nolint:gosec // the binary that the developer built
	cmd.Dir = p.Dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "TZ=" + os.Getenv("TZ")}, env...)
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion:  grpcplugin.ProtocolVersion,
			MagicCookieKey:   grpcplugin.MagicCookieKey,
			MagicCookieValue: grpcplugin.MagicCookieValue,
		},
		Plugins: plugin.PluginSet{
			"diagnostics": &grpcplugin.DiagnosticsGRPCPlugin{},
			"resource":    &grpcplugin.ResourceGRPCPlugin{},
			"data":        &grpcplugin.DataGRPCPlugin{},
		},
		Cmd:              cmd,
		SkipHostEnv:      true,
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		StartTimeout:     startTimeout,
		Logger:           hclog.New(&hclog.LoggerOptions{Name: p.ID, Output: log, Level: hclog.Info}),
	})
	proc, err := dispense(client)
	if err != nil {
		client.Kill()
		return nil, fmt.Errorf("start the backend of %s, %s: %w", p.ID, p.Binary(), err)
	}
	return proc, nil
}

func dispense(client *plugin.Client) (*process, error) {
	rpc, err := client.Client()
	if err != nil {
		return nil, err
	}
	proc := &process{client: client}
	var all error
	take := func(name string, as func(any) bool) {
		raw, err := rpc.Dispense(name)
		if err == nil && !as(raw) {
			err = fmt.Errorf("the service %q has the type %T", name, raw)
		}
		all = errors.Join(all, err)
	}
	take("resource", func(raw any) (ok bool) { proc.resource, ok = raw.(grpcplugin.ResourceClient); return ok })
	take("diagnostics", func(raw any) (ok bool) { proc.diagnostics, ok = raw.(grpcplugin.DiagnosticsClient); return ok })
	take("data", func(raw any) (ok bool) { proc.data, ok = raw.(grpcplugin.DataClient); return ok })
	if all != nil {
		return nil, all
	}
	return proc, nil
}

// pool starts each plugin's process when it is first needed, once, and again after it has ended by itself.
type pool struct {
	env []string
	log io.Writer

	mu     sync.Mutex
	closed bool
	procs  map[string]*process
}

func newPool(env []string, log io.Writer) *pool {
	return &pool{env: env, log: log, procs: map[string]*process{}}
}

func (p *pool) get(ctx context.Context, of Plugin) (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.closed {
		return nil, errors.New("the host is shutting down")
	}
	if !of.Backend {
		return nil, fmt.Errorf("%s has no backend", of.ID)
	}
	if running := p.procs[of.ID]; running != nil && !running.client.Exited() {
		return running, nil
	}
	started, err := startProcess(of, p.env, p.log)
	if err != nil {
		return nil, err
	}
	p.procs[of.ID] = started
	return started, nil
}

// close ends every process; the plugins would outlive the host otherwise.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, proc := range p.procs {
		proc.client.Kill()
	}
}
