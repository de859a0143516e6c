package runner

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
)

// Variant is what differs between the sides.
type Variant struct {
	// Budget is the number of connections to the pricing dependency.
	Budget int
	// Passes is the number of load passes of each virtual user.
	Passes int
	// PriceOffsetCents is added to every unit price; 0 keeps the recorded behaviour.
	PriceOffsetCents int
}

// Options are the settings of the lab. [OptionsFromEnv] fills in the defaults.
type Options struct {
	// Root is the repository, Out the folder for results, logs and evidence, both absolute.
	Root, Out string
	// Recording and Results are the folders of the by-hand steps, absolute.
	Recording, Results string
	// Users is the number of virtual users of a load replay, FunctionalPasses the passes of a
	// functional replay.
	Users, FunctionalPasses int
	// Repeats is the number of load replays of each side in a whole run; four or more allow a test over runs.
	Repeats int
	// Baseline and Candidate are the two sides. By hand, Baseline holds the service's settings.
	Baseline, Candidate Variant
	// Proxymock is empty, "stand-in", or the path of proxymock; PrometheusBin the path of a server.
	Proxymock, PrometheusBin string
	// PrometheusURL is a running server that scrapes the service at AppAddr; empty starts our own.
	PrometheusURL string
	// AppAddr is the service's address in the by-hand steps and with PrometheusURL.
	AppAddr string
	// DatabaseURL is a running PostgreSQL for the orders scenario; empty starts one of its own.
	DatabaseURL string
	// KeepPrometheus leaves the server of a whole run up until lab:down.
	KeepPrometheus bool
	// CompareArgs are further arguments of the comparison, such as --fail-if conditions.
	CompareArgs []string
}

// Workload of the guide: 8 users x 150 passes over one recorded request.
const (
	defaultUsers            = 8
	defaultPasses           = 150
	defaultFunctionalPasses = 3
	baselineBudget          = 2
	candidateBudget         = 16
)

// Ports of the by-hand steps, as the guide has them.
const (
	handPrometheusPort = 9091
	handAppPort        = 8080
	handPricingPort    = 8090
	handProxyOutPort   = 4140
	handHealthPort     = 4141
	handProxyInPort    = 4143
)

// OptionsFromEnv reads the options from environment variables through getenv. Relative paths are
// below root, the repository.
func OptionsFromEnv(root string, getenv func(string) string) (Options, error) {
	var firstErr error
	path := func(name, fallback string) string {
		p := getenv(name)
		if p == "" {
			p = fallback
		}
		if !filepath.IsAbs(p) {
			p = filepath.Join(root, p)
		}
		return filepath.Clean(p)
	}
	number := func(name string, fallback, least int) int {
		text := getenv(name)
		if text == "" {
			return fallback
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < least {
			firstErr = firstOf(firstErr, fmt.Errorf("%s is %q: give a whole number, %d or more", name, text, least))
			return fallback
		}
		return n
	}
	o := Options{
		Root: root, Out: path("LAB_OUT", filepath.Join("lab", "out")),
		Users:            number("LAB_USERS", defaultUsers, 1),
		FunctionalPasses: number("LAB_FUNCTIONAL_PASSES", defaultFunctionalPasses, 1),
		Repeats:          number("LAB_REPEATS", 1, 1),
		Proxymock:        program(root, getenv("PROXYMOCK")), PrometheusBin: program(root, getenv("PROMETHEUS_BIN")),
		PrometheusURL: getenv("LAB_PROMETHEUS"), AppAddr: getenv("LAB_APP_ADDR"),
		KeepPrometheus: getenv("LAB_KEEP_PROMETHEUS") == "1",
	}
	o.Recording = path("RECORDING_DIR", filepath.Join(o.Out, "proxymock", "recording"))
	o.Results = path("RESULTS_DIR", filepath.Join(o.Out, "proxymock", "results", "baseline"))
	passes := number("LAB_PASSES", defaultPasses, 1)
	o.Baseline = Variant{Budget: number("LAB_BUDGET", baselineBudget, 1), Passes: passes}
	o.Candidate = Variant{
		Budget:           number("LAB_CANDIDATE_BUDGET", candidateBudget, 1),
		Passes:           number("LAB_CANDIDATE_PASSES", passes, 1),
		PriceOffsetCents: number("LAB_CANDIDATE_PRICE_OFFSET_CENTS", 0, -1<<30),
	}
	if o.AppAddr == "" {
		o.AppAddr = fmt.Sprintf("127.0.0.1:%d", handAppPort)
	}
	if _, err := o.appPort(); err != nil {
		firstErr = firstOf(firstErr, err)
	}
	if o.PrometheusURL != "" {
		if u, err := url.Parse(o.PrometheusURL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			firstErr = firstOf(firstErr, fmt.Errorf("LAB_PROMETHEUS is %q: give the base URL of a running server, such as http://127.0.0.1:9090", o.PrometheusURL))
		}
	}
	if fail := getenv("LAB_FAIL_IF"); fail != "" {
		o.CompareArgs = append(o.CompareArgs, "--fail-if", fail)
	}
	if firstErr != nil {
		return Options{}, &UsageError{firstErr}
	}
	return o, nil
}

// program makes the path of a program absolute; a bare name is looked up on PATH.
func program(root, name string) string {
	if filepath.Base(name) == name || name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(root, name)
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func (o Options) appPort() (int, error) {
	_, text, err := net.SplitHostPort(o.AppAddr)
	if err != nil {
		return 0, fmt.Errorf("LAB_APP_ADDR is %q: give host:port: %w", o.AppAddr, err)
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 {
		return 0, fmt.Errorf("LAB_APP_ADDR is %q: the port must be a number from 1 to 65535", o.AppAddr)
	}
	return port, nil
}

// Folders of a run.
func (o Options) logs() string             { return filepath.Join(o.Out, "logs") }
func (o Options) log(name string) string   { return filepath.Join(o.logs(), name+".log") }
func (o Options) results() string          { return filepath.Join(o.Out, "proxymock", "results") }
func (o Options) side(label string) string { return filepath.Join(o.results(), label) }

// inOut shortens a path below Out, which is the working directory of the harness: files that it
// writes then name paths that mean something on other machines, too.
func (o Options) inOut(path string) string {
	if rel, err := filepath.Rel(o.Out, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
