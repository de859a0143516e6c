package pgwire

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/lab/standin/internal/rrpair"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// collected gathers the pairs of a proxy.
type collected struct {
	mu    sync.Mutex
	pairs []*rrpair.Pair
}

func (c *collected) add(pair *rrpair.Pair) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pairs = append(c.pairs, pair)
}

func (c *collected) all() []*rrpair.Pair {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pairs
}

func (c *collected) commands() []string {
	var commands []string
	for _, pair := range c.all() {
		commands = append(commands, pair.Command)
	}
	return commands
}

// postgresOf is the pair's payload as it will be in the file.
func postgresOf(t *testing.T, pair *rrpair.Pair) string {
	t.Helper()
	text, err := json.Marshal(pair.Postgres)
	require.NoError(t, err)
	return string(text)
}

// startProxy serves a proxy in front of target and returns its address.
func startProxy(t *testing.T, target string) (string, *collected) {
	t.Helper()
	pairs := &collected{}
	proxy := &Proxy{Target: target, Log: slog.New(slog.DiscardHandler), NextConn: func() uint64 { return 7 }, Sink: pairs.add}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() { proxy.Serve(ctx, conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		cancel()
		group.Wait()
	})
	return listener.Addr().String(), pairs
}

// scriptedServer accepts one connection: startup, then for every Sync or Query
// the next batch of answers.
func scriptedServer(t *testing.T, batches ...[]pgproto3.BackendMessage) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var group sync.WaitGroup
	group.Go(func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		backend := pgproto3.NewBackend(conn, conn)
		first, err := backend.ReceiveStartupMessage()
		if _, ssl := first.(*pgproto3.SSLRequest); ssl && err == nil {
			_, err = conn.Write([]byte("N"))
			if err == nil {
				_, err = backend.ReceiveStartupMessage()
			}
		}
		if err != nil {
			return
		}
		backend.Send(&pgproto3.AuthenticationOk{})
		backend.Send(&pgproto3.ParameterStatus{Name: "server_version", Value: "17"})
		backend.Send(&pgproto3.BackendKeyData{ProcessID: 84, SecretKey: []byte{1, 2, 3, 4}})
		backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		for backend.Flush() == nil {
			message, err := backend.Receive()
			if err != nil {
				return
			}
			switch message.(type) {
			case *pgproto3.Sync, *pgproto3.Query:
				for _, answer := range batches[0] {
					backend.Send(answer)
				}
				batches = batches[1:]
			}
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		group.Wait()
	})
	return listener.Addr().String()
}

// client opens a connection through the proxy up to the first ReadyForQuery.
func client(t *testing.T, address string, ssl bool) *pgproto3.Frontend {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	frontend := pgproto3.NewFrontend(conn, conn)
	if ssl {
		frontend.Send(&pgproto3.SSLRequest{})
		require.NoError(t, frontend.Flush())
		answer := make([]byte, 1)
		_, err := conn.Read(answer)
		require.NoError(t, err)
		require.Equal(t, "N", string(answer))
	}
	frontend.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "demo", "database": "shop"}})
	untilReady(t, frontend)
	return frontend
}

func untilReady(t *testing.T, frontend *pgproto3.Frontend) {
	t.Helper()
	require.NoError(t, frontend.Flush())
	for {
		message, err := frontend.Receive()
		require.NoError(t, err)
		if _, ready := message.(*pgproto3.ReadyForQuery); ready {
			return
		}
	}
}

func TestExtendedAndSimpleProtocol(t *testing.T) {
	t.Parallel()
	const sql = "SELECT status, total_cents FROM orders WHERE id = $1::uuid /*traceparent='00-1'*/"
	row := &pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("status"), DataTypeOID: 25, DataTypeSize: -1, TypeModifier: -1}}}
	server := scriptedServer(t,
		[]pgproto3.BackendMessage{&pgproto3.CommandComplete{CommandTag: []byte("BEGIN")}, &pgproto3.ReadyForQuery{TxStatus: 'T'}},
		[]pgproto3.BackendMessage{&pgproto3.ParseComplete{}, &pgproto3.ParameterDescription{ParameterOIDs: []uint32{2950}}, row, &pgproto3.ReadyForQuery{TxStatus: 'T'}},
		[]pgproto3.BackendMessage{&pgproto3.BindComplete{}, &pgproto3.DataRow{Values: [][]byte{[]byte("placed"), {0, 0, 4, 0xB0}, nil}},
			&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")}, &pgproto3.ReadyForQuery{TxStatus: 'T'}},
	)
	address, pairs := startProxy(t, server)
	c := client(t, address, true)
	c.Send(&pgproto3.Query{String: "BEGIN /* comment */"})
	untilReady(t, c)
	c.Send(&pgproto3.Parse{Query: sql})
	c.Send(&pgproto3.Describe{ObjectType: 'S'})
	c.Send(&pgproto3.Sync{})
	untilReady(t, c)
	c.Send(&pgproto3.Bind{ParameterFormatCodes: []int16{0}, Parameters: [][]byte{[]byte("2cfa")}, ResultFormatCodes: []int16{0, 1}})
	c.Send(&pgproto3.Execute{})
	c.Send(&pgproto3.Sync{})
	untilReady(t, c)

	require.Equal(t, []string{commandSSL, commandStartup, commandQuery, commandParse, commandDescribe, commandBind, commandExecute}, pairs.commands())
	all := pairs.all()
	for i, pair := range all {
		assert.Equal(t, "postgres", pair.L7Protocol)
		assert.Equal(t, "OK", pair.Status)
		assert.Equal(t, "7", pair.Netinfo.ID)
		assert.Regexp(t, `^\d+\.\d{6}s$`, pair.Elapsed)
		assert.GreaterOrEqual(t, pair.Duration, int64(1))
		if i > 0 {
			assert.False(t, pair.TS.Before(all[i-1].TS.Time), "pairs of a connection are in order")
		}
	}
	assert.Equal(t, "N/A", all[1].Location)
	assert.Equal(t, "BEGIN", all[2].Location)
	assert.Equal(t, map[string]string{"dbBackendPid": "84", "dbName": "shop", "dbTransaction": "idle", "dbUser": "demo", "dissectorVersion": "2"}, all[2].Tags)
	assert.Equal(t, "active", all[3].Tags["dbTransaction"])
	assert.Equal(t, "SELECT status, total_cents FROM orders WHERE id = $1 :: uuid", all[6].Location)
	assert.JSONEq(t, `{"request":{"ssl":{}},"response":{"ssl":{"willingToEncrypt":false}}}`, postgresOf(t, all[0]))
	assert.JSONEq(t, `{"request":{"query":{"query":"BEGIN /* comment */"}},"response":{"query":{"messages":[{"complete":{"tag":"BEGIN"}}]}}}`, postgresOf(t, all[2]))
	assert.JSONEq(t, `{"request":{"parse":{"query":"`+sql+`"}},"response":{"parse":{"complete":{}}}}`, postgresOf(t, all[3]))
	described := `"describedParameterOids":[2950],"describedRow":{"fields":[{"name":"status","dataTypeOid":25,"dataTypeSize":4294967295,"typeModifier":-1}]}`
	bind := `{"parameterFormatCodes":[0],"parameters":[{"asString":"2cfa"}],"resultFormatCodes":[0,1],"parseRequest":{"query":"` + sql + `",` + described + `}}`
	assert.JSONEq(t, `{"request":{"bind":`+bind+`},"response":{"bind":{"complete":{}}}}`, postgresOf(t, all[5]))
	assert.JSONEq(t, `{"request":{"execute":{"bindRequest":`+bind+`}},"response":{"execute":{"messages":[
		{"dataRow":{"values":[{"asString":"placed"},{"asBytes":"AAAEsA=="},{"isNull":true}]}},{"complete":{"tag":"SELECT 1"}}]}}}`, postgresOf(t, all[6]))
	assert.NotContains(t, postgresOf(t, all[1]), "secretKey", "the cancellation key is a secret")

	// The product's own reader finds the same in the files.
	writer, err := rrpair.NewWriter(t.TempDir(), false)
	require.NoError(t, err)
	path, err := writer.Write(all[6], "localhost-5432")
	require.NoError(t, err)
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	read, err := proxymock.ParsePair(file, proxymock.FormJSON)
	require.NoError(t, err)
	assert.Empty(t, read.Problems)
	require.NotNil(t, read.Postgres)
	assert.True(t, read.Postgres.Executed())
	assert.Equal(t, sql, read.Postgres.Query)
	assert.Equal(t, all[6].Location, read.Postgres.Normalised)
	assert.Equal(t, "SELECT 1", read.Postgres.CompleteTag)
	require.NotNil(t, read.Postgres.Rows)
	assert.EqualValues(t, 1, *read.Postgres.Rows)
	assert.Equal(t, "84", read.Postgres.BackendPID)
	assert.Equal(t, "7", read.Postgres.ConnID)
}

func TestErrorsStandWhereTheServerAnswered(t *testing.T) {
	t.Parallel()
	failure := &pgproto3.ErrorResponse{Severity: "ERROR", Code: "42P01", Message: `relation "x" does not exist`, Position: 15}
	server := scriptedServer(t,
		[]pgproto3.BackendMessage{failure, &pgproto3.ReadyForQuery{TxStatus: 'I'}},
		[]pgproto3.BackendMessage{failure, &pgproto3.ReadyForQuery{TxStatus: 'E'}},
		[]pgproto3.BackendMessage{&pgproto3.CommandComplete{CommandTag: []byte("ROLLBACK")}, &pgproto3.ReadyForQuery{TxStatus: 'I'}},
	)
	address, pairs := startProxy(t, server)
	c := client(t, address, false)
	c.Send(&pgproto3.Parse{Query: "SELECT * FROM x"})
	c.Send(&pgproto3.Bind{})
	c.Send(&pgproto3.Execute{})
	c.Send(&pgproto3.Sync{})
	untilReady(t, c)
	c.Send(&pgproto3.Query{String: "SELECT * FROM x"})
	untilReady(t, c)
	c.Send(&pgproto3.Query{String: "ROLLBACK"})
	untilReady(t, c)
	require.Equal(t, []string{commandStartup, commandParse, commandQuery, commandQuery}, pairs.commands(), "what the server skipped was never carried out")
	all := pairs.all()
	assert.Equal(t, "ERR:42P01", all[1].Status)
	assert.Contains(t, postgresOf(t, all[1]), `"parse":{"error":{"severity":"ERROR","code":"42P01"`)
	assert.Equal(t, "ERR:42P01", all[2].Status)
	assert.Equal(t, "failed", all[3].Tags["dbTransaction"])
}

// TestWaitingTimeLiesOnTheFirstPairOfABatch drives a conversation with a clock.
func TestWaitingTimeLiesOnTheFirstPairOfABatch(t *testing.T) {
	t.Parallel()
	clock := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	pairs := &collected{}
	left, right := net.Pipe()
	defer left.Close()
	defer right.Close()
	c := newConversation(&Proxy{Target: "localhost:5432", Log: slog.New(slog.DiscardHandler), NextConn: func() uint64 { return 1 },
		Sink: pairs.add, Now: func() time.Time { return clock }}, left, right)
	send := func(message pgproto3.FrontendMessage) {
		encoded, err := message.Encode(nil)
		require.NoError(t, err)
		c.fromClient(encoded[0], encoded[5:])
	}
	receive := func(message pgproto3.BackendMessage) {
		encoded, err := message.Encode(nil)
		require.NoError(t, err)
		c.fromServer(encoded[0], encoded[5:])
	}
	send(&pgproto3.Bind{})
	send(&pgproto3.Execute{})
	send(&pgproto3.Sync{})
	clock = clock.Add(200 * time.Millisecond)
	receive(&pgproto3.BindComplete{})
	clock = clock.Add(4 * time.Microsecond)
	receive(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 0")})
	receive(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	send(&pgproto3.Terminate{})
	require.Equal(t, []string{commandBind, commandExecute, commandEnd}, pairs.commands())
	farewell := pairs.all()[2]
	assert.JSONEq(t, `{"request":{"terminate":{}},"response":{}}`, postgresOf(t, farewell))
	assert.Equal(t, "N/A", farewell.Location)
	assert.Equal(t, map[string][]byte{"postgres:msg_type": []byte("Terminate")}, farewell.Signature)
	assert.Equal(t, "0.200000s", pairs.all()[0].Elapsed)
	assert.Equal(t, int64(200), pairs.all()[0].Duration)
	assert.Equal(t, "0.000004s", pairs.all()[1].Elapsed)
	assert.Equal(t, int64(1), pairs.all()[1].Duration)
}

func TestAnUndecodableConnectionStillWorks(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	served := make(chan error, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			served <- err
			return
		}
		defer conn.Close()
		_, err = pgproto3.NewBackend(conn, conn).ReceiveStartupMessage()
		_, writeErr := conn.Write([]byte("S"))
		hello := make([]byte, 5)
		_, readErr := conn.Read(hello)
		_, echoErr := conn.Write(hello)
		served <- errors.Join(err, writeErr, readErr, echoErr)
	}()
	address, pairs := startProxy(t, listener.Addr().String())
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	request, err := (&pgproto3.SSLRequest{}).Encode(nil)
	require.NoError(t, err)
	_, err = conn.Write(request)
	require.NoError(t, err)
	answer := make([]byte, 1)
	_, err = conn.Read(answer)
	require.NoError(t, err)
	assert.Equal(t, "S", string(answer))
	_, err = conn.Write([]byte("hello"))
	require.NoError(t, err)
	echo := make([]byte, 5)
	_, err = conn.Read(echo)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(echo))
	require.NoError(t, <-served)
	assert.Equal(t, []string{commandSSL}, pairs.commands())
	assert.JSONEq(t, `{"request":{"ssl":{}},"response":{"ssl":{"willingToEncrypt":true}}}`, postgresOf(t, pairs.all()[0]))
}
