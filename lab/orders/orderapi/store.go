package orderapi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The statements of the service. Casts keep uuids and times readable in a recording: they are sent as text.
//
// The count of lines is a sub-select of the 50 orders that are returned. A join with GROUP BY would
// read every order of the last hour first, and its time would grow with the table during a load run,
// which hides the difference between the two ways of listing.
const (
	sqlInsertOrder = `INSERT INTO orders (id, customer, status, total_cents) VALUES ($1::uuid, $2, $3, $4) RETURNING created_at`
	sqlInsertLine  = `INSERT INTO order_items (order_id, project_id, name, quantity, unit_price_cents) VALUES ($1::uuid, $2, $3, $4, $5)`
	sqlOrder       = `SELECT id, customer, status, total_cents, created_at FROM orders WHERE id = $1::uuid`
	sqlLines       = `SELECT project_id, name, quantity, unit_price_cents FROM order_items WHERE order_id = $1::uuid ORDER BY id`
	sqlListPlain   = `SELECT id, customer, status, total_cents, created_at FROM orders WHERE created_at > $1::timestamptz ORDER BY created_at DESC LIMIT 50`
	sqlListCounted = `SELECT o.id, o.customer, o.status, o.total_cents, o.created_at, (SELECT COUNT(*) FROM order_items i WHERE i.order_id = o.id) AS item_count FROM orders o WHERE o.created_at > $1::timestamptz ORDER BY o.created_at DESC LIMIT 50`
	sqlStatus      = `SELECT status FROM orders WHERE id = $1::uuid`
)

// statementNames are the values of the label "statement".
var statementNames = map[string]string{
	sqlInsertOrder: "insert order",
	sqlInsertLine:  "insert order line",
	sqlOrder:       "order by id",
	sqlLines:       "lines of an order",
	sqlListPlain:   "list orders",
	sqlListCounted: "list orders with item count",
	sqlStatus:      "status by id",
}

// listAge is how far back the list of orders reaches.
const listAge = time.Hour

// poolSize is the largest number of database connections. They are opened when they are wanted.
const poolSize = 5

// line is one line of an order.
type line struct {
	projectID, name          string
	quantity, unitPriceCents int32
}

// order is one order as it is stored; lines is nil unless they were read.
type order struct {
	id         uuid.UUID
	customer   string
	status     string
	totalCents int32
	createdAt  time.Time
	lines      []line
	itemCount  int64
}

// errNoOrder says that no order has the id.
var errNoOrder = errors.New("no such order")

// store keeps orders in PostgreSQL.
type store struct {
	pool *pgxpool.Pool
	slow bool
	now  func() time.Time
}

// openStore prepares a pool and connects to nothing yet.
func openStore(ctx context.Context, cfg Config, tracer pgx.QueryTracer) (*store, error) {
	config, err := pgxpool.ParseConfig(cfg.DatabaseURL)
	if err != nil {
		return nil, fmt.Errorf("read DATABASE_URL: %w", err)
	}
	config.MaxConns = poolSize
	config.MinConns = 0
	// An unnamed prepared statement each time: Parse, Describe, Bind, Execute.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec
	config.ConnConfig.Tracer = tracer
	// A ping is a statement of the driver, not of an endpoint.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("prepare the database pool: %w", err)
	}
	return &store{pool: pool, slow: cfg.Slow, now: time.Now}, nil
}

func (s *store) close() { s.pool.Close() }

// insert stores an order with its lines and fills in when it was created.
func (s *store) insert(ctx context.Context, o *order) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, sqlInsertOrder, o.id.String(), o.customer, o.status, o.totalCents).Scan(&o.createdAt); err != nil {
			return fmt.Errorf("insert order %s: %w", o.id, err)
		}
		for _, l := range o.lines {
			if _, err := tx.Exec(ctx, sqlInsertLine, o.id.String(), l.projectID, l.name, l.quantity, l.unitPriceCents); err != nil {
				return fmt.Errorf("insert a line of order %s: %w", o.id, err)
			}
		}
		return nil
	})
}

// order reads one order with its lines. The error is errNoOrder when there is none.
func (s *store) order(ctx context.Context, id uuid.UUID) (order, error) {
	o, err := queryOne(ctx, s.pool, scanOrder, sqlOrder, id.String())
	if err != nil {
		return order{}, fmt.Errorf("read order %s: %w", id, err)
	}
	if o.lines, err = s.lines(ctx, id); err != nil {
		return order{}, err
	}
	return o, nil
}

func (s *store) lines(ctx context.Context, id uuid.UUID) ([]line, error) {
	rows, err := s.pool.Query(ctx, sqlLines, id.String())
	if err != nil {
		return nil, fmt.Errorf("read the lines of order %s: %w", id, err)
	}
	lines, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (line, error) {
		var l line
		return l, row.Scan(&l.projectID, &l.name, &l.quantity, &l.unitPriceCents)
	})
	if err != nil {
		return nil, fmt.Errorf("read the lines of order %s: %w", id, err)
	}
	return lines, nil
}

// status reads the status of one order. The error is errNoOrder when there is none.
func (s *store) status(ctx context.Context, id uuid.UUID) (string, error) {
	status, err := queryOne(ctx, s.pool, pgx.RowTo[string], sqlStatus, id.String())
	if err != nil {
		return "", fmt.Errorf("read the status of order %s: %w", id, err)
	}
	return status, nil
}

// list reads the newest orders of the last hour with the number of their lines.
func (s *store) list(ctx context.Context) ([]order, error) {
	cutoff := s.now().Add(-listAge)
	if s.slow {
		return s.listOneByOne(ctx, cutoff)
	}
	rows, err := s.pool.Query(ctx, sqlListCounted, cutoff)
	if err != nil {
		return nil, fmt.Errorf("list the orders: %w", err)
	}
	orders, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (order, error) {
		var o order
		return o, row.Scan(&o.id, &o.customer, &o.status, &o.totalCents, &o.createdAt, &o.itemCount)
	})
	if err != nil {
		return nil, fmt.Errorf("list the orders: %w", err)
	}
	return orders, nil
}

// listOneByOne is the defect that the lab is about: one statement per listed order.
func (s *store) listOneByOne(ctx context.Context, cutoff time.Time) ([]order, error) {
	rows, err := s.pool.Query(ctx, sqlListPlain, cutoff)
	if err != nil {
		return nil, fmt.Errorf("list the orders: %w", err)
	}
	orders, err := pgx.CollectRows(rows, scanOrder)
	if err != nil {
		return nil, fmt.Errorf("list the orders: %w", err)
	}
	for i := range orders {
		lines, err := s.lines(ctx, orders[i].id)
		if err != nil {
			return nil, err
		}
		orders[i].itemCount = int64(len(lines))
	}
	return orders, nil
}

func scanOrder(row pgx.CollectableRow) (order, error) {
	var o order
	return o, row.Scan(&o.id, &o.customer, &o.status, &o.totalCents, &o.createdAt)
}

func queryOne[T any](ctx context.Context, pool *pgxpool.Pool, scan pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	rows, err := pool.Query(ctx, sql, args...)
	if err != nil {
		var zero T
		return zero, err
	}
	value, err := pgx.CollectExactlyOneRow(rows, scan)
	if errors.Is(err, pgx.ErrNoRows) {
		return value, errNoOrder
	}
	return value, err
}
