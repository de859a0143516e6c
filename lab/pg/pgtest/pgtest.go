// Package pgtest gives a test a PostgreSQL server of its own.
package pgtest

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/replaylab/replay-evidence/lab/pg"
)

// Start starts a server and stops it when the test is over. It installs the server programs where
// that is possible and skips the test, naming the remedy, where it is not.
func Start(t testing.TB, opt pg.Options) *pg.Server {
	t.Helper()
	in, err := pg.Ensure(context.Background(), slog.New(slog.DiscardHandler))
	var missing *pg.MissingError
	if errors.As(err, &missing) {
		t.Skipf("this test needs a real PostgreSQL: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	server, err := pg.Start(context.Background(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Stop()
		if t.Failed() {
			t.Logf("PostgreSQL %s ended; its log:\n%s", in.Version, server.Log())
		}
	})
	return server
}
