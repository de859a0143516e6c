package runner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strconv"

	"github.com/replaylab/replay-evidence/lab/orders/orderapi"
	"github.com/replaylab/replay-evidence/lab/pg"
)

// database is the PostgreSQL of a run.
type database interface {
	// URL is the connection string; URLAt is the one through a port of this machine.
	URL() string
	URLAt(port int) string
}

// givenDatabase is a running server that LAB_DATABASE_URL names, such as that of a container.
type givenDatabase struct{ address *url.URL }

func (g givenDatabase) URL() string { return g.address.String() }

func (g givenDatabase) URLAt(port int) string {
	u := *g.address
	u.Host = net.JoinHostPort("localhost", strconv.Itoa(port))
	return u.String()
}

// parseDatabaseURL reads LAB_DATABASE_URL.
func parseDatabaseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") || u.Hostname() == "" || len(u.Path) < 2 {
		// The text can hold a password.
		return nil, errors.New("LAB_DATABASE_URL is not a URL such as postgres://orders:password@127.0.0.1:5432/orders?sslmode=disable")
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "5432")
	}
	return u, nil
}

// startDatabase starts a PostgreSQL of the run's own, or takes the given one, with the schema in it.
func (o *orders) startDatabase(ctx context.Context) error {
	o.con.Step("Starting PostgreSQL")
	if text := o.opt.DatabaseURL; text != "" {
		address, err := parseDatabaseURL(text)
		if err != nil {
			return &UsageError{err}
		}
		o.db, o.dbAddress = givenDatabase{address}, address.Host
		if err := orderapi.Migrate(ctx, o.db.URL()); err != nil {
			return fmt.Errorf("preparing the database of LAB_DATABASE_URL: %w", err)
		}
		o.con.Note("PostgreSQL at %s, as LAB_DATABASE_URL names it; its tables orders and order_items are emptied before each run", address.Host)
		return nil
	}
	in, err := pg.Ensure(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return fmt.Errorf("the orders service needs a real PostgreSQL: %w", err)
	}
	log, err := os.Create(o.opt.log("postgres"))
	if err != nil {
		return fmt.Errorf("make the log of PostgreSQL: %w", err)
	}
	server, err := pg.Start(ctx, in, pg.Options{Database: "orders", User: "orders", Log: log})
	if err != nil {
		return errors.Join(err, log.Close())
	}
	o.cleanup = append(o.cleanup, func() {
		server.Stop()
		_ = log.Close()
	})
	o.db, o.dbAddress = server, net.JoinHostPort("localhost", strconv.Itoa(server.Port))
	if err := orderapi.Migrate(ctx, o.db.URL()); err != nil {
		return err
	}
	o.con.Note("PostgreSQL %s on port %d, an empty database in a temporary folder", in.Version, server.Port)
	return nil
}
