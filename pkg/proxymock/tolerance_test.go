package proxymock_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// TestOddTypesCostOneFieldOnly feeds results whose fields have types that no writer is known to use.
func TestOddTypesCostOneFieldOnly(t *testing.T) {
	t.Parallel()
	const row = `"endpoints":[{"url":"-ALL-","method":"-ALL-","metrics":{"requests.total":8,"latency.p95":[1]}}]`
	cases := map[string]struct{ text, problem string }{
		"metric is a list":       {`{` + row + `}`, "latency.p95"},
		"bound in words":         {`{` + row + `,"resources":{"harnessBound":"yes","appAvgCpuPct":6}}`, "harnessBound"},
		"notes as a number":      {`{` + row + `,"resources":{"notes":5,"appAvgCpuPct":6}}`, "notes"},
		"resources as a list":    {`{` + row + `,"resources":[1]}`, "resources"},
		"endpoints as an object": {`{"endpoints":{"url":"-ALL-"}}`, "endpoints"},
		"exit code in words":     {`{"perEndpoint":5,"totalRequests":8,"rps":1,"failIfExitCode":"one"}`, "perEndpoint"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := proxymock.ParseResult(strings.NewReader(c.text))
			require.NoError(t, err)
			assert.Contains(t, strings.Join(r.Problems, "\n"), c.problem)
			if r.Aggregate != nil {
				assert.EqualValues(t, 8, *r.Aggregate.Total)
			}
			if r.Resources != nil && strings.Contains(c.text, "appAvg") {
				assert.InDelta(t, 6, *r.Resources.AppAvgCPUPct, 0)
				assert.Nil(t, r.Resources.HarnessBound)
			}
		})
	}
}

// TestDamagedSectionsCostHeadersOnly edits a pair's sections by hand, as users do.
func TestDamagedSectionsCostHeadersOnly(t *testing.T) {
	t.Parallel()
	good := string(readData(t, "pair-signed.md"))
	cases := map[string]struct{ old, new, problem string }{
		"no metadata heading":  {"### METADATA ###", "## Metadata", "METADATA"},
		"no request heading":   {"### REQUEST ###", "## Request", "REQUEST"},
		"no request head":      {"GET http://localhost:8090/v1/price/SSC-4110 HTTP/1.1\nHost: localhost:8090\n", "", "REQUEST"},
		"no response heading":  {"### RESPONSE ###", "## Response", "RESPONSE"},
		"no status line":       {"HTTP/1.1 200 ", "OK", "RESPONSE"},
		"request never fenced": {"### REQUEST ###\n```", "### REQUEST ###\n", "REQUEST"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(good, c.old, c.new, 1)
			require.NotEqual(t, good, text)
			p := parsePair(t, text)
			require.Len(t, p.Problems, 1)
			assert.Contains(t, p.Problems[0], c.problem)
			assert.Equal(t, "/v1/price/SSC-4110", p.HTTP.URL)
			assert.Empty(t, p.HTTP.ResponseHeaders)
			assert.Nil(t, p.HTTP.ResponseBody)
		})
	}
	// Another status in the section than in the JSON line: still the only response there is.
	p := parsePair(t, strings.Replace(good, "HTTP/1.1 200 ", "HTTP/1.1 404 Not Found", 1))
	assert.Empty(t, p.Problems)
	assert.Equal(t, "application/json", p.HTTP.ResponseHeaders.Get("Content-Type"))
	// Without a signature, as in replay output.
	from, to := strings.Index(good, "### SIGNATURE"), strings.Index(good, "### METADATA")
	bare := parsePair(t, good[:from]+good[to:])
	assert.Equal(t, parsePair(t, good).HTTP, bare.HTTP)
}

func TestOddPostgresMessages(t *testing.T) {
	t.Parallel()
	p := parsePair(t, pairJSON(`"command":"CopyData","status":"ERR:57014","postgres":{"request":{"copy":{}},"response":{"copy":{}}}`))
	assert.Equal(t, proxymock.PostgresOther, p.Postgres.Kind)
	assert.Equal(t, "57014", p.Postgres.ErrorCode, "the status names the error where no message does")
	require.Len(t, p.Problems, 1)
	assert.Contains(t, p.Problems[0], "CopyData")

	p = parsePair(t, pairJSON(`"postgres":{"request":{"query":{"query":"SELECT 1"}},"response":{"query":{"messages":"none"}}}`))
	assert.Equal(t, "SELECT 1", p.Postgres.Query)
	require.Len(t, p.Problems, 1)

	p = parsePair(t, pairJSON(`"postgres":{"request":{"query":{"query":"SELECT 1"}}}`))
	assert.Nil(t, p.Postgres.Rows, "no answer is not zero rows")
	assert.Empty(t, p.Problems)
	assert.Equal(t, "line 3: "+proxymock.ErrMalformed.Error(), (&proxymock.LineError{Line: 3, Err: proxymock.ErrMalformed}).Error())
}
