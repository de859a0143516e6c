package sqlstats

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

const (
	traceA = "00-531ee342b50f92582b3ef4022d616d55-a5d553f4541b0850-01"
	traceB = "00-edc8aee7e1dd8ebef78e5789f5d44eeb-51965f5b444b06ea-01"
)

func traced(p *proxymock.Pair, traceparent string) *proxymock.Pair {
	if p.HTTP != nil {
		p.HTTP.RequestHeaders.Set("Traceparent", traceparent)
	} else {
		p.Postgres.Query += " /*traceparent='" + traceparent + "'*/"
	}
	return p
}

// overlapping records two requests that run at the same time and a statement inside both.
func overlapping(statement func(r *recorder)) (a, b *proxymock.Pair, r *recorder) {
	r = newRecorder()
	a = r.request("GET", "/a", func() {
		b = r.request("GET", "/b", func() { statement(r) })
		r.now = r.now.Add(5 * time.Millisecond)
	})
	return a, b, r
}

func TestLinking(t *testing.T) {
	t.Parallel()
	const text = "SELECT 1 FROM t"
	query := func(r *recorder) *proxymock.Pair { return r.query(text, "SELECT 1", 1, time.Millisecond) }

	t.Run("a trace id beats overlapping requests", func(t *testing.T) {
		t.Parallel()
		a, b, r := overlapping(func(r *recorder) { traced(query(r), traceA) })
		traced(a, traceA)
		traced(b, traceB)
		inv := take(r.pairs)
		assert.Equal(t, LinkTrace, inv.Linking)
		assert.EqualValues(t, 1, inv.below("GET /a", text).Executions)
		assert.Zero(t, inv.below("GET /a", text).GuessedExecutions)
	})
	t.Run("time in overlapping requests is a guess", func(t *testing.T) {
		t.Parallel()
		_, _, r := overlapping(func(r *recorder) { query(r) })
		inv := take(r.pairs)
		assert.Equal(t, LinkTime, inv.Linking)
		assert.Equal(t, Links{Guessed: 1}, inv.Links)
		assert.EqualValues(t, 1, inv.below("GET /b", text).GuessedExecutions)
		require.Len(t, inv.problems(ProblemGuessed), 1)
	})
	t.Run("outside of every request", func(t *testing.T) {
		t.Parallel()
		r := newRecorder()
		query(r)
		r.now = r.now.Add(time.Second)
		r.request("GET", "/a", nil)
		inv := take(r.pairs)
		assert.Equal(t, LinkNone, inv.Linking)
		assert.EqualValues(t, 1, inv.Links.Unlinked)
		assert.Empty(t, inv.Endpoints)
		assert.Equal(t, []EndpointTotal{{Endpoint: "GET /a", Calls: 1}}, inv.Totals)
	})
	t.Run("a truncated end still contains the last statement", func(t *testing.T) {
		t.Parallel()
		r := newRecorder()
		p := r.request("GET", "/a", func() {
			r.now = r.now.Add(3700 * time.Microsecond)
			query(r)
			r.now = r.now.Add(-900 * time.Microsecond)
		})
		assert.Equal(t, 3*time.Millisecond, *p.Duration)
		assert.EqualValues(t, 1, take(r.pairs).Links.Contained)
	})
	t.Run("a statement prepared by an earlier request carries that request's trace id", func(t *testing.T) {
		t.Parallel()
		r := newRecorder()
		comment := text + " /*traceparent='" + traceA + "'*/"
		bound := func() {
			p := r.boundStatement(text, "SELECT 1", 1, time.Millisecond)
			p.Postgres.Query = comment
		}
		a := r.request("GET", "/a", func() {
			r.sql(proxymock.PostgresPrepare, "Prepare Statement", text, time.Millisecond).Postgres.Query = comment
			bound()
		})
		r.now = r.now.Add(time.Second)
		b := r.request("GET", "/b", func() { bound() })
		traced(a, traceA)
		traced(b, traceB)
		inv := take(r.pairs)
		assert.Equal(t, LinkMixed, inv.Linking)
		assert.Equal(t, Links{Trace: 1, Contained: 1}, inv.Links)
		assert.EqualValues(t, 1, inv.below("GET /b", text).Executions)
		require.Len(t, inv.problems(ProblemStaleTrace), 1)
	})
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	const parent, child, other = "SELECT id FROM p", "SELECT x FROM c WHERE p = $1", "SELECT y FROM o"
	const us = 100 * time.Microsecond
	type step struct {
		sql  string
		rows int64
	}
	repeat := func(s step, n int) []step {
		out := make([]step, n)
		for i := range out {
			out[i] = s
		}
		return out
	}
	loop := func(rows int64, children int) []step {
		return append([]step{{parent, rows}}, repeat(step{child, 1}, children)...)
	}
	for name, c := range map[string]struct {
		calls  [][]step
		parent string
		rows   int64
	}{
		"equal in several calls":           {[][]step{loop(3, 3), loop(7, 7), loop(0, 0)}, parent, 10},
		"one call with many rows":          {[][]step{loop(12, 12)}, parent, 12},
		"one call with few rows is chance": {[][]step{loop(4, 4)}, "", 0},
		"two rows prove nothing":           {[][]step{loop(2, 2), loop(2, 2)}, "", 0},
		"fixed number of executions":       {[][]step{loop(3, 3), loop(9, 3)}, "", 0},
		"children without rows":            {[][]step{loop(3, 3), loop(5, 5), loop(0, 2)}, "", 0},
		"child before its parent":          {[][]step{append(repeat(step{child, 1}, 4), step{parent, 4}), loop(4, 4)}, "", 0},
		"parent run in pages": {[][]step{
			append(loop(5, 5), loop(2, 2)...), loop(5, 5),
		}, parent, 12},
		"the better of two parents": {[][]step{
			append([]step{{other, 3}}, loop(3, 3)...), loop(4, 4),
		}, parent, 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorder()
			for _, steps := range c.calls {
				r.request("GET", "/list", func() {
					for _, s := range steps {
						r.statement(s.sql, "SELECT "+string(rune('0'+s.rows%10)), s.rows, us)
					}
				})
			}
			row := take(r.pairs).below("GET /list", child)
			if c.parent == "" {
				assert.Empty(t, row.ParentFingerprint)
				assert.Empty(t, row.Candidate)
				return
			}
			assert.Equal(t, newMasker().form(c.parent).fingerprint, row.ParentFingerprint)
			assert.Equal(t, c.rows, row.RowsOfParent)
		})
	}
}
