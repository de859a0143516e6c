package sqlstats

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// The counts of the second guide: 232 and 432 executions, 40 and 240 of the order-lines statement,
// 5 and 5 of the list statement, 1 and 41 per GET /orders call.
func TestTakeCountsTheGuidesStatements(t *testing.T) {
	t.Parallel()
	fast, slow := take(driverPass(false, 0)), take(driverPass(true, 0))
	for name, c := range map[string]struct {
		inv                 Inventory
		all, reads          int64
		messages            int64
		list                string
		lines               int64
		perCall, maxPerCall int64
	}{
		"slow=0": {fast, 232, 127, 1074, s6, 40, 1, 1},
		"slow=1": {slow, 432, 327, 1874, s5, 240, 41, 41},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inv := c.inv
			require.Equal(t, StateOK, inv.State)
			assert.Equal(t, c.all, inv.Executions)
			assert.Equal(t, c.reads, inv.Reads)
			assert.EqualValues(t, 105, inv.Writes)
			assert.EqualValues(t, 80, inv.TransactionControl)
			assert.Zero(t, inv.Errors)
			// The guide's 1,075 and 1,875 hold two start-ups; this driver has one connection.
			assert.Equal(t, c.messages, inv.Messages)
			assert.EqualValues(t, 5, inv.statement(c.list).Executions)
			assert.Equal(t, c.lines, inv.statement(s4).Executions)
			for sql, want := range map[string]int64{s1: 40, s2: 65, s3: 41, s7: 41} {
				assert.Equal(t, want, inv.statement(sql).Executions, sql)
			}
			assert.EqualValues(t, 65, inv.statement(s4).Rows-(c.lines-40)/2*3)
			assert.Equal(t, EndpointTotal{
				Endpoint: "GET /orders", Calls: 5, Executions: 5 * c.perCall,
				PerCall: float64(c.perCall), MaxPerCall: c.maxPerCall,
			}, inv.total("GET /orders"))
			assert.Equal(t, LinkTime, inv.Linking)
			assert.Equal(t, Links{Contained: c.all}, inv.Links)
			assert.Empty(t, inv.Problems)
		})
	}
}

func TestTakeNamesTheParentOfAnNPlusOne(t *testing.T) {
	t.Parallel()
	slow := take(driverPass(true, 0))
	row := slow.below("GET /orders", s4)
	assert.Equal(t, newMasker().form(s5).fingerprint, row.ParentFingerprint)
	assert.EqualValues(t, 200, row.Executions)
	assert.EqualValues(t, 200, row.RowsOfParent)
	assert.EqualValues(t, 5, row.ParentCalls)
	assert.InDelta(t, 40, row.PerCall, 0)
	assert.EqualValues(t, 40, row.MaxPerCall)
	assert.Contains(t, row.Candidate, "candidate")
	assert.Contains(t, row.Candidate, "5 of 5 calls (200 executions, 200 rows)")
	for _, e := range slow.Endpoints {
		if e != row {
			assert.Empty(t, e.ParentFingerprint, "%s %s", e.Endpoint, e.Fingerprint)
		}
	}
	// One line statement per order lookup is no growth: the parent returns one row by nature.
	assert.Empty(t, take(driverPass(false, 0)).below("GET /orders/{id}", s4).ParentFingerprint)
}

func TestTakeCountsExecutionsNotMessages(t *testing.T) {
	t.Parallel()
	plain, chatty := take(driverPass(false, 0)), take(driverPass(false, 20))
	assert.Equal(t, plain.Executions, chatty.Executions)
	assert.Equal(t, plain.Messages+20, chatty.Messages)
	assert.Equal(t, plain.TransactionControl+20, chatty.TransactionControl)
}

func TestTakeDoesNotDependOnTheOrderOfFiles(t *testing.T) {
	t.Parallel()
	pairs := driverPass(true, 0)
	want := take(pairs)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		shuffled := slices.Clone(pairs)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		require.Equal(t, want, take(shuffled))
	}
	assert.True(t, slices.IsSortedFunc(want.Statements, func(a, b Statement) int { return bySpan(a.SpanSeconds, b.SpanSeconds) }))
}

func TestTakeCountsAPairOnce(t *testing.T) {
	t.Parallel()
	pairs := driverPass(false, 0)
	inv := take(append(slices.Clone(pairs), pairs[:100]...))
	assert.EqualValues(t, 232, inv.Executions)
	require.Len(t, inv.problems(ProblemDuplicate), 1)
	assert.EqualValues(t, 100, inv.problems(ProblemDuplicate)[0].Count)
}

func TestSpanOfAStatementGroup(t *testing.T) {
	t.Parallel()
	const text = "SELECT a FROM t WHERE b = $1"
	ms := time.Millisecond
	for name, c := range map[string]struct {
		record func(r *recorder)
		want   time.Duration // negative: not known
	}{
		"from the first message to the end of Execute": {func(r *recorder) {
			r.statement(text, "SELECT 1", 1, 13*ms)
		}, 13*ms + 25*time.Microsecond},
		"from Bind when prepared before": {func(r *recorder) {
			r.boundStatement(text, "SELECT 1", 1, 2*ms)
		}, 2*ms + 5*time.Microsecond},
		"without the time the application let pass after preparing": {func(r *recorder) {
			r.sql(proxymock.PostgresPrepare, "Prepare Statement", text, ms)
			r.now = r.now.Add(time.Hour)
			r.boundStatement(text, "SELECT 1", 1, 2*ms)
		}, 2*ms + 5*time.Microsecond},
		"a simple query's own": {func(r *recorder) {
			r.query(text, "SELECT 1", 1, 202*ms)
		}, 202 * ms},
		"unknown for an Execute alone": {func(r *recorder) {
			answer(r.sql(proxymock.PostgresExecute, "Execute Prepared Statement", text, 5*time.Microsecond), 1, "SELECT 1")
		}, -1},
		"another statement's messages do not count": {func(r *recorder) {
			r.sql(proxymock.PostgresPrepare, "Prepare Statement", text, 40*ms)
			r.query("begin", "BEGIN", 0, 50*ms)
			r.boundStatement(text, "SELECT 1", 1, 2*ms)
		}, 2*ms + 5*time.Microsecond},
		"whole milliseconds: the floor of 1 ms is not added": {func(r *recorder) {
			for _, p := range []*proxymock.Pair{
				r.sql(proxymock.PostgresPrepare, "Prepare Statement", text, 3*ms),
				r.sql(proxymock.PostgresBind, "Bind Statement Parameters", text, 100*time.Microsecond),
				answer(r.sql(proxymock.PostgresExecute, "Execute Prepared Statement", text, 5*time.Microsecond), 1, "SELECT 1"),
			} {
				whole := max(ms, p.Elapsed.Truncate(ms))
				p.Duration, p.Elapsed = &whole, nil
			}
		}, 3*ms + 100*time.Microsecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorder()
			c.record(r)
			s := take(r.pairs).statement(text)
			require.EqualValues(t, 1, s.Executions)
			if c.want < 0 {
				assert.Nil(t, s.SpanSeconds)
				assert.Zero(t, s.SpanExecutions)
				return
			}
			require.NotNil(t, s.SpanSeconds)
			assert.InDelta(t, c.want.Seconds(), *s.SpanSeconds, 1e-9)
		})
	}
}

func TestErrorsAreCountedOncePerStatement(t *testing.T) {
	t.Parallel()
	const text = "SELECT a FROM missing WHERE b = $1"
	r := newRecorder()
	fail(r.sql(proxymock.PostgresPrepare, "Prepare Statement", text, time.Millisecond), "42P01")
	r.sql(proxymock.PostgresBind, "Bind Statement Parameters", text, time.Millisecond)
	fail(answer(r.sql(proxymock.PostgresExecute, "Execute Prepared Statement", text, time.Millisecond), 0, ""), "42P01")
	// A driver that stops after the failed Prepare executes nothing.
	fail(r.sql(proxymock.PostgresPrepare, "Prepare Statement", text, time.Millisecond), "42P01")
	fail(r.query("INSERT INTO t VALUES (1)", "", 0, time.Millisecond), "23505")

	inv := take(r.pairs)
	assert.EqualValues(t, 2, inv.Executions)
	assert.EqualValues(t, 3, inv.Errors)
	assert.Equal(t, []ErrorCount{{"42P01", "undefined table", 2}, {"23505", "unique violation", 1}}, inv.ErrorCodes)
	assert.EqualValues(t, 2, inv.statement(text).Errors)
	assert.EqualValues(t, 1, inv.statement(text).Executions)
	require.Len(t, inv.problems(ProblemErrors), 2)
	for _, p := range inv.Problems {
		assert.NotContains(t, p.Message, "something with a value in it", "server messages can hold values")
	}
}

func TestMispairedAnswersAreLeftOut(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	r.query("SELECT a FROM t", "DISCARD ALL", 0, 105445*time.Millisecond)
	r.query("ROLLBACK", "DISCARD ALL", 0, 105445*time.Millisecond)
	inv := take(r.pairs)
	assert.EqualValues(t, 1, inv.Executions)
	assert.Nil(t, inv.Statements[0].SpanSeconds)
	require.Len(t, inv.problems(ProblemMispaired), 2)
	assert.Contains(t, inv.problems(ProblemMispaired)[0].Message, "1m45.445s")
}

func TestRecordingsWithoutStatements(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record func(r *recorder)
		want   State
		says   string
	}{
		"no pairs":         {func(*recorder) {}, StateAbsent, "no SQL"},
		"no database":      {func(r *recorder) { r.request("GET", "/", nil) }, StateAbsent, "no SQL"},
		"undecoded bytes":  {func(r *recorder) { r.add(&proxymock.Pair{Direction: proxymock.Out, Protocol: "tcp"}) }, StateNotDecodable, "--map"},
		"a queue is no db": {func(r *recorder) { r.add(&proxymock.Pair{Direction: proxymock.Out, Protocol: "amqp091"}) }, StateAbsent, "no SQL"},
		"encrypted": {func(r *recorder) {
			r.request("GET", "/", func() { r.sql(proxymock.PostgresSSL, "SSL Request", "N/A", time.Millisecond) })
		}, StateNotDecodable, "sslmode=disable"},
		"encryption refused": {func(r *recorder) {
			r.sql(proxymock.PostgresSSL, "SSL Request", "N/A", time.Millisecond)
			r.sql(proxymock.PostgresStartup, "Startup", "N/A", time.Millisecond)
		}, StateOK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorder()
			c.record(r)
			inv := take(r.pairs)
			assert.Equal(t, c.want, inv.State)
			assert.Contains(t, inv.Message, c.says)
			assert.Zero(t, inv.Executions)
		})
	}
}

func TestMySQLExecutions(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	took := 2 * time.Millisecond
	for _, command := range []string{"Connect", "StatementPrepare", "StatementExecute", "Query"} {
		r.add(&proxymock.Pair{
			Direction: proxymock.Out, Protocol: "mysql", Command: command, Duration: &took,
			Location: "SELECT a FROM t WHERE b = ?", Status: "OK",
		})
	}
	inv := take(r.pairs)
	assert.EqualValues(t, 2, inv.Executions)
	assert.EqualValues(t, 4, inv.Messages)
}
