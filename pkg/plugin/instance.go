// Package plugin is the Grafana adapter: settings, access, resources, health and data source queries. It
// has no logic of its own: what it answers comes from the catalogue, the evidence and the comparison.
package plugin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/backend/resource/httpadapter"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/store"
)

// Operator is what only the operator of the server can set. It reaches the process through Grafana's
// configuration, never through a request or an organisation's settings.
type Operator struct {
	// Roots is the text of [plugin.replaylab-evidence-app] roots, "name=path, name=path".
	Roots string
	// Registerer receives the plugin's own metrics; nil leaves them out.
	Registerer prometheus.Registerer
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Version is the plugin's version, for the generator line of exports.
	Version string

	telemetry *telemetry
	// turns bounds the measurements of the process.
	turns *semaphore.Weighted
	// logger replaces that of a request.
	logger log.Logger
}

// Instance serves one organisation's app or one data source with its settings. It is rebuilt when the
// settings change and holds no goroutines.
type Instance struct {
	op       Operator
	settings Settings
	profiles []*profile.Profile
	problems []SettingProblem
	secrets  map[string]string

	rootStates []RootState
	opened     []*store.Root
	operator   []string
	catalog    *catalog.Catalog
	perms      *permissionCache

	sideResults *results[*evidence.Side]
	comparisons *results[*compare.Comparison]

	directTransport http.RoundTripper
	proxyTransport  http.RoundTripper

	resources backend.CallResourceHandler
}

// newInstance never fails: a bad setting must show up in the health check and on the configuration page,
// and with an error in its place there would be neither.
func newInstance(_ context.Context, op Operator, jsonData []byte, secrets map[string]string, opts httpclient.Options, optsErr error) *Instance {
	if op.turns == nil {
		op.turns = semaphore.NewWeighted(maxMeasurements)
	}
	i := &Instance{op: op, secrets: secrets, perms: newPermissionCache()}
	i.settings, i.profiles, i.problems = parseSettings(jsonData)
	i.transports(opts, optsErr)
	i.openRoots()
	i.sideResults = newResults(op.telemetry.cacheResult, sideWeight)
	i.comparisons = newResults(op.telemetry.cacheResult, comparisonWeight)
	i.resources = httpadapter.New(i.routes())
	return i
}

func (i *Instance) transports(opts httpclient.Options, optsErr error) {
	if optsErr != nil {
		i.problem("http", "the HTTP settings could not be read: "+optsErr.Error(), "Correct the authentication, TLS and header settings.")
		opts = httpclient.Options{}
	}
	var err error
	if i.directTransport, err = httpclient.GetTransport(opts); err != nil {
		i.problem("http", "no HTTP transport could be built: "+err.Error(), "Correct the TLS settings; certificates must be PEM texts.")
		i.directTransport = failing{fmt.Errorf("the HTTP settings of the plugin are wrong: %w", err)}
	}
	if i.proxyTransport, err = newProxyTransport(opts); err != nil {
		i.problem("http", err.Error(), "Correct the TLS settings; certificates must be PEM texts.")
		i.proxyTransport = failing{err}
	}
	i.directTransport = i.op.telemetry.timed(i.directTransport)
	i.proxyTransport = i.op.telemetry.timed(i.proxyTransport)
}

// failing is the transport of settings that cannot be used.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func (i *Instance) problem(setting, message, next string) {
	i.problems = append(i.problems, SettingProblem{Setting: setting, Message: message, Next: next})
}

// openRoots opens the operator's roots, narrowed by the settings. A root that cannot be opened is listed
// with its reason; the others work.
func (i *Instance) openRoots() {
	specs, err := store.ParseSpec(i.op.Roots)
	if err != nil {
		i.problem("roots (operator)", err.Error(), "Correct [plugin.replaylab-evidence-app] roots in Grafana's configuration and restart Grafana.")
	}
	if len(specs) == 0 && err == nil {
		i.problem("roots (operator)", "the operator configured no root", "Set [plugin.replaylab-evidence-app] roots = lab=/var/lib/replay-evidence/lab in Grafana's configuration and restart Grafana.")
	}
	var roots []catalog.Root
	for _, s := range specs {
		i.operator = append(i.operator, s.Name)
	}
	picks := i.settings.Roots
	if len(picks) == 0 {
		for _, s := range specs {
			picks = append(picks, RootSetting{Name: s.Name})
		}
	}
	used := map[string]bool{}
	for _, pick := range picks {
		at := slices.IndexFunc(specs, func(s store.Spec) bool { return s.Name == pick.Name })
		switch {
		case at < 0:
			message := fmt.Sprintf("the operator configured no root %q; configured are %s", pick.Name, orNone(i.operator))
			i.rootStates = append(i.rootStates, RootState{Name: pick.Name, Message: message})
			i.problem("roots", message, "Pick one of the operator's roots.")
			continue
		case used[pick.Name]:
			i.problem("roots", fmt.Sprintf("root %q is picked twice; the first is used", pick.Name), "Pick each root once.")
			continue
		}
		used[pick.Name] = true
		root, err := i.openRoot(specs[at], pick.Path)
		if err != nil {
			i.rootStates = append(i.rootStates, RootState{Name: pick.Name, Message: err.Error()})
			i.problem("roots", err.Error(), "Create the directory, or correct the path; Grafana's user must be able to read it.")
			continue
		}
		i.rootStates = append(i.rootStates, RootState{Name: pick.Name, Readable: true})
		roots = append(roots, countingRoot{Root: root, files: i.op.telemetry.fileRead})
	}
	i.catalog = catalog.New(roots, catalog.Options{})
}

func (i *Instance) openRoot(spec store.Spec, narrowed string) (*store.Root, error) {
	root, err := store.Open(spec.Name, spec.Path, store.Limits{})
	if err != nil {
		// The operator's path is not for every reader's eyes: name the root and the kind of fault.
		return nil, fmt.Errorf("root %q cannot be opened: %w", spec.Name, pathless(err))
	}
	i.opened = append(i.opened, root)
	return root.Sub(strings.Trim(narrowed, "/"))
}

// pathless reduces an error of opening a root to its kind.
func pathless(err error) error {
	for _, kind := range []error{store.ErrRootMissing, store.ErrNotDirectory, store.ErrPermission} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return errors.New("see the server's log")
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Dispose implements instancemgmt.InstanceDisposer.
func (i *Instance) Dispose() {
	for _, r := range i.opened {
		if err := r.Close(); err != nil {
			backend.Logger.Debug("Could not close a root", "root", r.Name(), "error", err)
		}
	}
}

// CallResource implements backend.CallResourceHandler.
func (i *Instance) CallResource(ctx context.Context, req *backend.CallResourceRequest, sender backend.CallResourceResponseSender) error {
	return i.resources.CallResource(ctx, req, sender)
}

func (i *Instance) now() time.Time {
	if i.op.Now != nil {
		return i.op.Now()
	}
	return time.Now()
}
