package pg_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/pg"
	"github.com/replaylab/replay-evidence/lab/pg/pgtest"
)

func TestServerAnswersAndLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s := pgtest.Start(t, pg.Options{Database: "orders", User: "shop", Log: &log, Settings: map[string]string{"log_statement": "all"}})
	conn, err := pgx.Connect(t.Context(), s.URL())
	require.NoError(t, err)
	var version, database, user, fsync string
	require.NoError(t, conn.QueryRow(t.Context(),
		"SELECT current_setting('server_version'), current_database(), current_user, current_setting('fsync')").
		Scan(&version, &database, &user, &fsync))
	assert.True(t, strings.HasPrefix(version, s.Installation.Version), "%s, found as %s", version, s.Installation.Version)
	assert.Equal(t, []string{"orders", "shop", "off"}, []string{database, user, fsync})

	wrong := strings.Replace(s.URL(), "shop:", "shop:x", 1)
	_, err = pgx.Connect(t.Context(), wrong)
	require.Error(t, err, "the server asks for the password")

	// A client that is still connected does not keep the server from stopping.
	s.Stop()
	s.Stop()
	<-s.Done()
	_ = conn.Close(t.Context())
	assert.NoDirExists(t, s.Dir)
	_, err = pgx.Connect(t.Context(), s.URL())
	require.Error(t, err)
	assert.Contains(t, log.String(), "current_database()", "settings reach the server, its log reaches the writer")
}

func TestServersDoNotDisturbEachOther(t *testing.T) {
	t.Parallel()
	a, b := pgtest.Start(t, pg.Options{}), pgtest.Start(t, pg.Options{})
	assert.NotEqual(t, a.Port, b.Port)
	assert.NotEqual(t, a.Dir, b.Dir)
	a.Stop()
	conn, err := pgx.Connect(t.Context(), b.URL())
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
}

func TestStartExplainsAFailure(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	// The program runs as another user where the test runs as root.
	for _, dir := range []string{filepath.Dir(bin), bin} {
		require.NoError(t, os.Chmod(dir, 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(bin, "initdb"), []byte("#!/bin/sh\necho no space left >&2\nexit 3\n"), 0o755))
	_, err := pg.Start(t.Context(), pg.Installation{Bin: bin, Version: "1"}, pg.Options{})
	require.ErrorContains(t, err, "no space left")
}
