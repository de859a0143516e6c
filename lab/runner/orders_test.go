package runner

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/lab/pg"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

func TestOrdersOptions(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		env            map[string]string
		out            string
		users, passes  int
		requests, want int
	}{
		"the guide's":   {nil, "/repo/lab/out/orders", 4, 30, 136, 16320},
		"fewer passes":  {map[string]string{"LAB_PASSES": "10"}, "/repo/lab/out/orders", 4, 10, 136, 5440},
		"another place": {map[string]string{"LAB_OUT": "/elsewhere", "LAB_USERS": "2"}, "/elsewhere/orders", 2, 30, 136, 8160},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, err := OrdersOptionsFromEnv("/repo", getenv(tc.env))
			require.NoError(t, err)
			assert.Equal(t, tc.out, o.Out)
			assert.Equal(t, tc.users, o.Users)
			assert.Equal(t, tc.passes, o.Baseline.Passes)
			assert.Equal(t, tc.want, o.Users*o.Baseline.Passes*tc.requests)
		})
	}
	_, err := OrdersOptionsFromEnv("/repo", getenv(map[string]string{"LAB_PASSES": "0"}))
	require.ErrorContains(t, err, "LAB_PASSES")
	require.Equal(t, StatusUsage, Status(err))
}

// The flattened summary holds what the load-test script keeps, and the product reads it as such.
func TestFlattenedSummary(t *testing.T) {
	t.Parallel()
	raw, err := proxymock.ParseResult(strings.NewReader(`{"endpoints":[
 {"url":"-ALL-","method":"-ALL-","metrics":{"latency.avg":1,"latency.min":1,"latency.p50":1,"latency.p75":2,"latency.p90":2,"latency.p95":2,"latency.p99":3,"latency.max":31,
  "requests.total":16320,"requests.succeeded":16318,"requests.failed":2,"requests.per-second":4166,"requests.per-minute":249960,"requests.response-pct":99.9}},
 {"url":"/orders","method":"GET","metrics":{"latency.avg":16,"latency.p95":17,"latency.p99":19,"latency.max":24,"requests.total":600,"requests.failed":0,"requests.per-second":153}}]}`))
	require.NoError(t, err)
	text, err := json.MarshalIndent(flatten(raw, 1, "proxymock/results/load-slow1/result.json"), "", "  ")
	require.NoError(t, err)
	assert.JSONEq(t, `{"failIfExitCode":1,"failed":2,"succeeded":16318,"totalRequests":16320,
		"latencyMs":{"avg":1,"max":31,"min":1,"p50":1,"p90":2,"p95":2,"p99":3},
		"matchPct":null,"matchPctNote":"null: --load-test skips the scoring of responses",
		"perEndpoint":[{"method":"GET","url":"/orders","total":600,"failed":0,"matchPct":null,"p99Ms":19}],
		"responsePct":99.9,"resultJson":"proxymock/results/load-slow1/result.json","rps":4166,"rpm":249960,"target":null}`, string(text))
	last := -1
	for _, key := range []string{"failIfExitCode", "failed", "latencyMs", "matchPct", "perEndpoint", "responsePct", "resultJson", "rpm", "rps", "succeeded", "target", "totalRequests"} {
		at := strings.Index(string(text), "\n  \""+key+`"`)
		assert.Greater(t, at, last, "%s stands where the script sorts it", key)
		last = at
	}
	read, err := proxymock.ParseResult(bytes.NewReader(text))
	require.NoError(t, err)
	assert.Equal(t, proxymock.ShapeFlattened, read.Shape)
	assert.EqualValues(t, 16320, *read.Aggregate.Total)
	assert.Equal(t, 1, *read.FailIfExitCode)
	assert.Nil(t, read.Aggregate.MatchPct)
}

func TestPrintResult(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "evidence.md")
	require.NoError(t, os.WriteFile(path, []byte("## Report\n\n### Result\n\n- **Ran**: x\n- **Next**: y\n\n### Same work?\n\nno\n"), 0o644))
	var out bytes.Buffer
	require.NoError(t, printResult(&out, path))
	assert.Equal(t, "\n### Result\n\n- **Ran**: x\n- **Next**: y\n", out.String())
	require.NoError(t, os.WriteFile(path, []byte("## Report\n"), 0o644))
	require.ErrorContains(t, printResult(&out, path), "no result block")
	require.ErrorIs(t, printResult(&out, filepath.Join(t.TempDir(), "none.md")), os.ErrNotExist)
}

// Results that are not the lab's are not emptied.
func TestOrdersKeepForeignFiles(t *testing.T) {
	t.Parallel()
	opt, err := OrdersOptionsFromEnv(t.TempDir(), getenv(nil))
	require.NoError(t, err)
	o := &orders{Lab: New(opt, console.Plain(logWriter{t}, time.Second))}
	foreign := filepath.Join(opt.side("load-slow0"), "notes.txt")
	require.NoError(t, os.MkdirAll(filepath.Dir(foreign), 0o755))
	require.NoError(t, os.WriteFile(foreign, []byte("mine"), 0o644))
	err = o.freshOut()
	require.ErrorContains(t, err, "holds no results of the lab")
	require.Equal(t, StatusUsage, Status(err))
	require.FileExists(t, foreign)
}

// Without PostgreSQL nothing is measured, and the message says how to get it.
func TestOrdersWithoutPostgres(t *testing.T) {
	t.Setenv("LAB_POSTGRES_BIN", filepath.Join(t.TempDir(), "nowhere"))
	opt, err := OrdersOptionsFromEnv(t.TempDir(), getenv(nil))
	require.NoError(t, err)
	o := &orders{Lab: New(opt, console.Plain(logWriter{t}, time.Second))}
	err = o.startDatabase(t.Context())
	var missing *pg.MissingError
	require.ErrorAs(t, err, &missing)
	require.ErrorContains(t, err, "the orders service needs a real PostgreSQL")
	require.ErrorContains(t, err, "LAB_POSTGRES_BIN")
	require.ErrorContains(t, err, "apt-get install -y postgresql")
	require.Equal(t, StatusNotComparable, Status(err))
}

func TestCountPairs(t *testing.T) {
	t.Parallel()
	for sql, control := range map[string]bool{
		"begin": true, " COMMIT": true, "rollback to x": true, "SELECT 1": false, "INSERT INTO commit VALUES (1)": false,
	} {
		assert.Equal(t, control, transactionControl(sql), sql)
	}
}
