package sqlstats

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// corpusPairs reads all pairs below a directory of the corpus of real files, which lies beside the
// repository and is not part of it.
func corpusPairs(t *testing.T, dir string) []*proxymock.Pair {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared", "corpus", filepath.FromSlash(dir))
	if _, err := os.Stat(root); err != nil {
		t.Skipf("corpus of real recordings not found: put it at ../shared/corpus beside the repository (%v)", err)
	}
	var pairs []*proxymock.Pair
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, ".md") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p, err := proxymock.ParsePair(bytes.NewReader(data), proxymock.FormAuto)
		if err == nil {
			pairs = append(pairs, p)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, pairs)
	return pairs
}

func TestCorpusUserService(t *testing.T) {
	t.Parallel()
	inv := take(corpusPairs(t, "microsvc/backend/user-service/proxymock/recorded-complete"))
	require.Equal(t, StateOK, inv.State)
	// The catalogue query, three refused CREATE TABLE, one INSERT, one SELECT EXISTS.
	assert.EqualValues(t, 6, inv.Executions)
	assert.EqualValues(t, 26, inv.Messages)
	assert.EqualValues(t, 2, inv.Reads)
	assert.EqualValues(t, 4, inv.Writes)
	assert.EqualValues(t, 1, inv.TransactionControl)
	assert.Equal(t, []ErrorCount{{"3F000", "invalid schema name", 3}, {"42P01", "undefined table", 2}}, inv.ErrorCodes)
	assert.EqualValues(t, 5, inv.Errors)

	create := inv.statement("CREATE TABLE IF NOT EXISTS user_service.users (id BIGSERIAL PRIMARY KEY)")
	assert.Zero(t, create.Executions, "the recorded table has more columns")
	exists := inv.statement("SELECT EXISTS (SELECT 1 FROM user_service.users AS u WHERE u.username = $1)")
	assert.EqualValues(t, 1, exists.Executions)
	assert.Equal(t, []string{"user_service.users"}, exists.Tables)
	require.NotNil(t, exists.SpanSeconds)
	assert.InDelta(t, 0.0229, *exists.SpanSeconds, 0.0002)
	// Its first message lies in the request for the user name, its last one after that request's end.
	assert.EqualValues(t, 1, inv.below("GET /api/users/check-username", exists.SQL).Executions)

	catalogue := inv.Statements[slices.IndexFunc(inv.Statements, func(s Statement) bool { return strings.Contains(s.SQL, "version()") })]
	assert.EqualValues(t, 173, catalogue.Rows)
	assert.Contains(t, catalogue.Tables, "pg_type")

	mispaired := inv.problems(ProblemMispaired)
	require.Len(t, mispaired, 2)
	assert.Contains(t, mispaired[0].Message, "INSERT")
	assert.Contains(t, mispaired[1].Message, "1m45.445s")
	var spans float64
	for _, s := range inv.Statements {
		if s.SpanSeconds != nil {
			spans += *s.SpanSeconds
		}
	}
	assert.Less(t, spans, 1.0, "105 s of another command's answer must not count")
}

func TestCorpusTasks(t *testing.T) {
	t.Parallel()
	inv := take(corpusPairs(t, "demo/ruby-api"))
	require.Equal(t, StateOK, inv.State)
	assert.EqualValues(t, 4, inv.Executions)
	assert.EqualValues(t, 17, inv.Messages)
	update := inv.Statements[slices.IndexFunc(inv.Statements, func(s Statement) bool { return s.Verb == "UPDATE" })]
	assert.Equal(t, []string{"tasks"}, update.Tables)
	assert.EqualValues(t, 1, update.Affected)
	require.NotNil(t, update.SpanSeconds)
	assert.InDelta(t, 0.0117, *update.SpanSeconds, 0.0001)
	assert.Zero(t, inv.Errors)
}

func TestCorpusComments(t *testing.T) {
	t.Parallel()
	inv := take(corpusPairs(t, "mock-lab/labs/sqlcommenter"))
	require.Equal(t, StateOK, inv.State)
	assert.EqualValues(t, 1, inv.Executions)
	assert.EqualValues(t, 1, inv.TransactionControl)
	s := inv.statement("SELECT count(*) FROM products")
	assert.EqualValues(t, 1, s.Rows, "the row holds a binary value")
	require.NotNil(t, s.SpanSeconds)
	assert.InDelta(t, 0.001703, *s.SpanSeconds, 1e-6)
	assert.Len(t, inv.problems(ProblemNoExecution), 2, "two statements of which only the Prepare is stored")
	for _, s := range inv.Statements {
		assert.NotContains(t, s.SQL, "traceparent")
	}
}

func TestCorpusOrders(t *testing.T) {
	t.Parallel()
	inv := take(corpusPairs(t, "mock-lab/tutorial"))
	require.Equal(t, StateOK, inv.State)
	assert.EqualValues(t, 4, inv.Messages)
	assert.EqualValues(t, 1, inv.Executions)
	s := inv.statement(s7)
	assert.EqualValues(t, 1, s.Executions)
	assert.Nil(t, s.SpanSeconds, "its other messages are not stored")
	assert.Len(t, inv.problems(ProblemUntimed), 1)
}

// FuzzTake reads arbitrary lines as pairs and checks what always holds.
func FuzzTake(f *testing.F) {
	f.Add([]byte(`{"msgType":"rrpair","ts":"2026-03-01T09:00:00Z","direction":"OUT","l7protocol":"postgres","command":"Query","location":"SELECT 1","uuid":"AQotKA90QqygzImKtjW/yw==","postgres":{"request":{"query":{"query":"SELECT 1"}},"response":{"query":{"messages":[{"dataRow":{}},{"complete":{"tag":"SELECT 1"}}]}}}}
{"msgType":"rrpair","ts":"2026-03-01T08:59:59Z","duration":2000,"direction":"IN","l7protocol":"http","http":{"req":{"method":"GET","url":"/a"},"res":{"statusCode":200}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var pairs []*proxymock.Pair
		for p, err := range proxymock.ParsePairLines(bytes.NewReader(data)) {
			if err == nil {
				pairs = append(pairs, p)
			}
		}
		inv := take(pairs)
		if inv.Reads+inv.Writes != inv.Executions {
			t.Fatalf("%d reads and %d writes are not %d executions", inv.Reads, inv.Writes, inv.Executions)
		}
		if inv.State == StateOK && inv.Links.Trace+inv.Links.Contained+inv.Links.Guessed+inv.Links.Unlinked != inv.Executions {
			t.Fatalf("links %+v are not %d executions", inv.Links, inv.Executions)
		}
		var sum int64
		for _, s := range inv.Statements {
			sum += s.Executions
			if s.SpanSeconds != nil && *s.SpanSeconds < 0 {
				t.Fatalf("negative span of %q", s.SQL)
			}
		}
		if sum != inv.Executions {
			t.Fatalf("statements hold %d of %d executions", sum, inv.Executions)
		}
	})
}

func BenchmarkTake(b *testing.B) {
	pairs := driverPass(true, 0)
	b.ReportAllocs()
	for b.Loop() {
		if inv := take(pairs); inv.Executions != 432 {
			b.Fatal(inv.Executions)
		}
	}
}
