package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/replaylab/replay-evidence/internal/build"
	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/lab/orders/orderapi"
	labprom "github.com/replaylab/replay-evidence/lab/prometheus"
)

// Workload of the second guide: 4 users x 30 passes over 136 recorded requests.
const (
	defaultOrdersUsers  = 4
	defaultOrdersPasses = 30
)

// ordersFolder is the scenario's folder below LAB_OUT, so that one root shows both scenarios.
const ordersFolder = "orders"

// orderIDs is the seed of the order ids. With the same one in every process the ids of a recording
// exist again in each run of it, so that what was read then can be read now.
const orderIDs = "replay-evidence"

// watchedOrders is the service of the orders scenario.
var watchedOrders = watched{labprom.OrdersJob, "orders_request_duration_seconds_count"}

// ordersVersion is one version of the service, by the way it lists orders.
type ordersVersion struct {
	// slow is the value of APP_SLOW.
	slow bool
}

var ordersVersions = []ordersVersion{{false}, {true}}

func (v ordersVersion) String() string { return "APP_SLOW=" + v.flag() }
func (v ordersVersion) flag() string {
	if v.slow {
		return "1"
	}
	return "0"
}

func (v ordersVersion) load() string       { return "load-slow" + v.flag() }
func (v ordersVersion) statements() string { return "stmt-slow" + v.flag() }

// side is how the two folders of a version are named together.
func (v ordersVersion) side() string { return v.load() + "+" + v.statements() }

// OrdersOptionsFromEnv reads the options of the orders scenario. They are those of
// [OptionsFromEnv] with another workload, and everything lies in a folder of LAB_OUT.
func OrdersOptionsFromEnv(root string, getenv func(string) string) (Options, error) {
	o, err := OptionsFromEnv(root, func(name string) string {
		value := getenv(name)
		switch {
		case value != "":
		case name == "LAB_USERS":
			return strconv.Itoa(defaultOrdersUsers)
		case name == "LAB_PASSES":
			return strconv.Itoa(defaultOrdersPasses)
		}
		return value
	})
	if err != nil {
		return Options{}, err
	}
	o.Out = filepath.Join(o.Out, ordersFolder)
	o.DatabaseURL = getenv("LAB_DATABASE_URL")
	return o, nil
}

// orders is one run of the scenario.
type orders struct {
	*Lab
	program   string // the service's binary
	catalogue string
	db        database
	// dbAddress is the database's host:port as the recorder reaches it.
	dbAddress string
	// catalogueAt is the catalogue's host:port as it was recorded; the mock knows it by that.
	catalogueAt string
	mapPort     int // in front of the database while recording
	commit      string
}

// loadSettings say how a load run is made. Tests make the mistakes here that the guide warns of.
type loadSettings struct {
	// in is what the mock answers from.
	in string
	// passthrough lets calls that were not recorded go to the real catalogue.
	passthrough bool
	// timed is a length for a timed run, such as 30s, instead of a number of passes.
	timed string
	// keepRows leaves the tables as they are.
	keepRows bool
}

// asGuided is a load run as the guide has it.
func (o *orders) asGuided() loadSettings { return loadSettings{in: o.baseline()} }

// Orders is lab:orders: the service with an N+1 against the service without, on a real PostgreSQL.
// The error's [Status] is the exit status.
func (l *Lab) Orders(ctx context.Context) error {
	o := &orders{Lab: l}
	if err := l.checkConditions(ctx); err != nil {
		return err
	}
	url, gates, err := o.measure(ctx)
	if err != nil {
		return err
	}
	err = o.compare(ctx, url, gates)
	if l.opt.KeepPrometheus && l.opt.PrometheusURL == "" {
		l.keep = true
		l.con.Note("Prometheus stays up at %s until LAB_OUT=%s go tool mage lab:down", url, l.opt.Out)
	}
	return err
}

// measure records the baseline, loads both versions and records their statements. Prometheus and the
// database are up when it returns, and until Close.
func (o *orders) measure(ctx context.Context) (prometheusURL string, gates []*GateError, err error) {
	o.service = watchedOrders
	// Asked once: the sides of one run are of one revision.
	o.commit = commit(ctx, o.opt.Root)
	if err := o.lockOut(); err != nil {
		return "", nil, err
	}
	if err := o.endKept(ctx); err != nil {
		return "", nil, err
	}
	if err := o.freshOut(); err != nil {
		return "", nil, err
	}
	if err := o.freePorts(); err != nil {
		return "", nil, err
	}
	if err := o.prepare(ctx); err != nil {
		return "", nil, err
	}
	if err := o.startDatabase(ctx); err != nil {
		return "", nil, err
	}
	if prometheusURL, err = o.prometheus(ctx); err != nil {
		return "", nil, err
	}
	if err := o.recordBaseline(ctx); err != nil {
		return prometheusURL, nil, fmt.Errorf("record the baseline: %w", err)
	}
	for _, v := range ordersVersions {
		err := o.loadVersion(ctx, v, o.asGuided())
		var gate *GateError
		switch {
		case errors.As(err, &gate):
			gates = append(gates, gate)
		case err != nil:
			return prometheusURL, gates, fmt.Errorf("the load of %s: %w", v, err)
		}
	}
	for _, v := range ordersVersions {
		if err := o.recordStatements(ctx, v); err != nil {
			return prometheusURL, gates, fmt.Errorf("the statements of %s: %w", v, err)
		}
	}
	return prometheusURL, gates, nil
}

// workspace is where recordings and results lie, as proxymock names it.
func (o *orders) workspace() string { return filepath.Join(o.opt.Out, "proxymock") }
func (o *orders) baseline() string  { return filepath.Join(o.workspace(), ordersBaseline) }

// ordersBaseline is the recording that both versions replay.
const ordersBaseline = "recorded-baseline"

// freshOut empties what a former run left, and nothing else.
func (o *orders) freshOut() error {
	for _, name := range []string{"evidence.json", "evidence.md", "prometheus.json"} {
		if err := os.Remove(filepath.Join(o.opt.Out, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove the evidence of the former run: %w", err)
		}
	}
	dirs := []string{o.baseline()}
	for _, v := range ordersVersions {
		dirs = append(dirs, o.opt.side(v.load()), o.opt.side(v.statements()))
	}
	for _, dir := range dirs {
		if err := freshDir(dir, "*/*.md", "*/*.json", "side.json", resultFile, replayLogFile, mockLogFile, "proxymock.log"); err != nil {
			return &UsageError{err}
		}
	}
	if err := os.RemoveAll(o.opt.logs()); err != nil {
		return fmt.Errorf("remove the logs of the former run: %w", err)
	}
	return os.MkdirAll(o.opt.logs(), 0o755)
}

// freePorts picks the addresses of the run.
func (o *orders) freePorts() error {
	picked, err := o.pick(7)
	if err != nil {
		return err
	}
	o.ports = ports{
		appPort: picked[0], app: fmt.Sprintf("127.0.0.1:%d", picked[0]), pricing: picked[1],
		proxyIn: picked[2], proxyOut: picked[3], health: picked[4], prometheus: picked[5],
	}
	o.mapPort = picked[6]
	o.catalogueAt = fmt.Sprintf("localhost:%d", picked[1])
	if o.opt.PrometheusURL != "" {
		return o.fixedApp()
	}
	return nil
}

// prepare builds the programs and finds the harness.
func (o *orders) prepare(ctx context.Context) error {
	o.con.Step("Building the orders service and its catalogue")
	var err error
	if o.program, err = build.Program(ctx, o.opt.Root, "./lab/orders"); err != nil {
		return err
	}
	if o.catalogue, err = build.Program(ctx, o.opt.Root, "./lab/catalogue"); err != nil {
		return err
	}
	return o.findHarness(ctx)
}

// truncate empties the tables and counts what is in them: that is part of a run's workload.
func (o *orders) truncate(ctx context.Context) (tables, error) {
	if err := orderapi.Truncate(ctx, o.db.URL()); err != nil {
		return nil, err
	}
	return o.rows(ctx)
}

// tables holds the number of rows by table.
type tables map[string]int64

func (o *orders) rows(ctx context.Context) (tables, error) {
	n, lines, err := orderapi.Count(ctx, o.db.URL())
	if err != nil {
		return nil, err
	}
	return tables{"orders": n, "order_items": lines}, nil
}

func (t tables) String() string {
	return console.Count(int(t["orders"])) + " orders, " + console.Count(int(t["order_items"])) + " order lines"
}

// env are the service's settings.
func (o *orders) env(v ordersVersion, databaseURL string) []string {
	return []string{
		"PORT=" + strconv.Itoa(o.ports.appPort), "DATABASE_URL=" + databaseURL, "DEMO_API_URL=http://" + o.catalogueAt,
		"APP_SLOW=" + v.flag(), "APP_VERSION=" + orderapi.V1, "APP_ID_SEED=" + orderIDs,
	}
}
