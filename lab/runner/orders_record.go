package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/replaylab/replay-evidence/internal/proc"
	"github.com/replaylab/replay-evidence/lab/traffic/drive"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// recorderGrace is how long a recorder may take to end: it ends the service first, whose farewell to
// the database it still records, and then writes what is queued.
const recorderGrace = 20 * time.Second

// ordersCounts are the pairs of a recording by what was talked to.
type ordersCounts struct {
	inbound, catalogue, database int
	// statements counts executions, without transaction control.
	statements int
	// failures are pairs with a status of 400 or more.
	failures int
	// host is the folder of the catalogue's pairs.
	host string
}

func (c ordersCounts) String() string {
	return fmt.Sprintf("%s, %s of the catalogue, %s",
		countOf(c.inbound, "inbound pair", "inbound pairs"), countOf(c.catalogue, "call", "calls"),
		countOf(c.database, "database message", "database messages"))
}

// recordBaseline records one pass of the traffic driver behind a readiness probe: the requests that
// both versions replay, and the catalogue calls that the mock answers from.
func (o *orders) recordBaseline(ctx context.Context) error {
	o.con.Step("Recording one pass of the traffic driver")
	counts, err := o.record(ctx, ordersVersion{}, o.baseline(), "record-baseline", true)
	if err != nil {
		return err
	}
	if want := drive.Total + 1; counts.inbound != want || counts.catalogue == 0 || counts.database == 0 {
		return fmt.Errorf("%s holds %s; expected %d inbound pairs, and some of both others: see %s", o.baseline(), counts, want, o.opt.log("record-baseline"))
	}
	if err := o.writeBlueprint(); err != nil {
		return err
	}
	o.con.Note("%s; a blueprint masks the parameter ts of catalogue calls", counts)
	return nil
}

// recordStatements records one pass of the driver against a version, to count its statements.
func (o *orders) recordStatements(ctx context.Context, v ordersVersion) error {
	o.con.Step("Recording the statements of %s", v)
	dir := o.opt.side(v.statements())
	counts, err := o.record(ctx, v, dir, v.statements()+"-record", false)
	if err != nil {
		return err
	}
	if counts.inbound != drive.Total || counts.statements == 0 {
		return fmt.Errorf("%s holds %s; expected %d inbound pairs and some statements: see %s", dir, counts, drive.Total, o.opt.log(v.statements()+"-record"))
	}
	if err := writeJSON(filepath.Join(dir, "side.json"), o.sideOf(v)); err != nil {
		return err
	}
	o.con.Note("%s; %s", counts, countOf(counts.statements, "statement executed", "statements executed"))
	return nil
}

// record runs the service under the recorder on empty tables, with the real catalogue, and sends one
// pass of the driver through the inbound proxy.
func (o *orders) record(ctx context.Context, v ordersVersion, dir, logName string, probe bool) (ordersCounts, error) {
	rows, err := o.truncate(ctx)
	if err != nil {
		return ordersCounts{}, err
	}
	o.con.Note("%s before the pass", rows)
	var children proc.Supervisor
	defer children.Close()
	if err := o.startCatalogue(ctx, &children); err != nil {
		return ordersCounts{}, err
	}
	recorder, err := children.Start(proc.Command{
		Name: "orders under " + o.harness.Name + " record", Path: o.harness.Path, Dir: o.opt.Out,
		Args: []string{
			"record", "--out", o.opt.inOut(dir), "--map", o.mapping(),
			"--app-port", strconv.Itoa(o.ports.appPort), "--app-health-endpoint", "/healthz",
			"--proxy-in-port", strconv.Itoa(o.ports.proxyIn), "--proxy-out-port", strconv.Itoa(o.ports.proxyOut),
			"--", o.program,
		},
		Env: o.env(v, o.db.URLAt(o.mapPort)), Log: o.opt.log(logName), StopSignal: os.Interrupt, Grace: recorderGrace,
	})
	if err != nil {
		return ordersCounts{}, err
	}
	if err := o.awaitOrders(ctx, recorder); err != nil {
		return ordersCounts{}, err
	}
	if err := poll(ctx, "the inbound proxy", readyTimeout, recorder, func(ctx context.Context) error {
		return accepts(ctx, o.ports.proxyIn)
	}); err != nil {
		return ordersCounts{}, err
	}
	if err := sleep(ctx, settle); err != nil {
		return ordersCounts{}, err
	}
	if err := o.drive(ctx, probe); err != nil {
		return ordersCounts{}, fmt.Errorf("%w (logs: %s)", err, o.opt.log(logName))
	}
	if err := sleep(ctx, settle); err != nil {
		return ordersCounts{}, err
	}
	recorder.Stop()
	return o.count(dir)
}

// drive sends the driver's list, after one readiness probe when asked for.
func (o *orders) drive(ctx context.Context, probe bool) error {
	base := fmt.Sprintf("http://localhost:%d", o.ports.proxyIn)
	if probe {
		if err := answers(ctx, base+"/healthz", http.StatusOK); err != nil {
			return err
		}
	}
	result, err := drive.Run(ctx, base)
	if err != nil {
		return err
	}
	o.con.Note("driver: %s", result)
	if result.Unexpected > 0 {
		return fmt.Errorf("the traffic driver: %s: %s", result, strings.Join(result.Problems, "; "))
	}
	return nil
}

// mapping is the recorder's port in front of the database.
func (o *orders) mapping() string {
	return fmt.Sprintf("%d=postgres://%s", o.mapPort, o.dbAddress)
}

func (o *orders) startCatalogue(ctx context.Context, children *proc.Supervisor) error {
	p, err := children.Start(proc.Command{
		Name: "catalogue", Path: o.catalogue, Log: o.opt.log("catalogue"),
		Env: []string{fmt.Sprintf("CATALOGUE_ADDR=127.0.0.1:%d", o.ports.pricing)},
	})
	if err != nil {
		return err
	}
	return poll(ctx, "the project catalogue", readyTimeout, p, func(ctx context.Context) error {
		return answers(ctx, "http://"+o.catalogueAt+"/v1/project", http.StatusOK)
	})
}

func (o *orders) awaitOrders(ctx context.Context, p *proc.Process) error {
	return poll(ctx, "the orders service", readyTimeout, p, func(ctx context.Context) error {
		return answers(ctx, o.appURL()+"/healthz", http.StatusOK)
	})
}

// count reads a recording with the product's own parser.
func (o *orders) count(dir string) (ordersCounts, error) {
	var c ordersCounts
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		pair, err := readPair(path)
		switch {
		case errors.Is(err, proxymock.ErrNotPair), errors.Is(err, proxymock.ErrIncomplete):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		}
		switch {
		case pair.Postgres != nil:
			c.database++
			if pair.Postgres.Executed() && !transactionControl(pair.Postgres.Query) {
				c.statements++
			}
		case pair.HTTP == nil:
		case pair.Direction == proxymock.In:
			c.inbound++
		default:
			c.catalogue++
			c.host = filepath.Dir(path)
		}
		if pair.HTTP != nil && pair.HTTP.StatusCode >= http.StatusBadRequest {
			c.failures++
		}
		return nil
	})
	if err != nil {
		return ordersCounts{}, fmt.Errorf("read the recording %s: %w", dir, err)
	}
	return c, nil
}

func transactionControl(sql string) bool {
	word, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(sql)), " ")
	return word == "BEGIN" || word == "COMMIT" || word == "ROLLBACK"
}
