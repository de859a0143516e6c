package orderapi

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate creates what is missing in the database. The service itself never does: its statements are
// to be those of its endpoints.
func Migrate(ctx context.Context, databaseURL string) error {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return fmt.Errorf("list the migrations: %w", err)
	}
	return withConn(ctx, databaseURL, func(conn *pgx.Conn) error {
		for _, name := range names { // Glob sorts, so that the numbers give the order
			text, err := migrations.ReadFile(name)
			if err != nil {
				return fmt.Errorf("read migration %s: %w", name, err)
			}
			if _, err := conn.Exec(ctx, string(text)); err != nil {
				return fmt.Errorf("apply migration %s: %w", name, err)
			}
		}
		return nil
	})
}

// Truncate empties the tables, so that a load run finds as much data as the one before it.
func Truncate(ctx context.Context, databaseURL string) error {
	return withConn(ctx, databaseURL, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "TRUNCATE order_items, orders RESTART IDENTITY"); err != nil {
			return fmt.Errorf("empty the tables (has the schema been created with migrate?): %w", err)
		}
		return nil
	})
}

// Count returns how many orders and order lines the database holds.
func Count(ctx context.Context, databaseURL string) (orders, lines int64, err error) {
	err = withConn(ctx, databaseURL, func(conn *pgx.Conn) error {
		row := conn.QueryRow(ctx, "SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM order_items)")
		if err := row.Scan(&orders, &lines); err != nil {
			return fmt.Errorf("count the orders: %w", err)
		}
		return nil
	})
	return orders, lines, err
}

func withConn(ctx context.Context, databaseURL string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return fmt.Errorf("connect to the database of DATABASE_URL: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return do(conn)
}
