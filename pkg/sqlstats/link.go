package sqlstats

import (
	"cmp"
	"slices"
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// request is one inbound request of the recording.
type request struct {
	endpoint   string
	start, end time.Time
	// sure is until when the request certainly ran. It differs from end where the stored duration is
	// the 1 ms that writers use for anything shorter, too.
	sure  time.Time
	trace string
	uuid  string
}

func readRequest(p *proxymock.Pair) request {
	return request{
		endpoint: p.Endpoint(), start: p.TS, end: p.End(), sure: p.TS.Add(finest(p)), trace: p.TraceID(), uuid: p.UUID,
	}
}

// call is a request with the executions tied to it, in order.
type call struct {
	request
	executions []*execution
	guessed    map[*execution]bool
}

// slack is added to the end of a request: its duration is stored in whole milliseconds, truncated.
const slack = time.Millisecond

// linker ties executions to requests.
type linker struct {
	calls   []*call // by start
	byTrace map[string][]*call
	// longest bounds how far back a request that is still running can have begun.
	longest time.Duration
	// sequential is true when no two requests certainly overlap: one client that waits for each answer.
	sequential bool
	links      Links
	stale      int64
}

func newLinker(requests []request) *linker {
	slices.SortStableFunc(requests, func(a, b request) int {
		return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.uuid, b.uuid))
	})
	l := &linker{byTrace: map[string][]*call{}, sequential: true}
	var sure time.Time
	for _, r := range requests {
		l.sequential = l.sequential && !r.start.Before(sure)
		if r.sure.After(sure) {
			sure = r.sure
		}
		c := &call{request: r, guessed: map[*execution]bool{}}
		l.calls = append(l.calls, c)
		if r.trace != "" {
			l.byTrace[r.trace] = append(l.byTrace[r.trace], c)
		}
		l.longest = max(l.longest, r.end.Sub(r.start))
	}
	return l
}

// link ties one execution: by the trace id in its comment where the comment is its own, else by the
// request it lies in. Executions must come in order of time.
func (l *linker) link(e *execution) {
	if e.trace != "" && e.stale {
		l.stale++
	} else if candidates := l.byTrace[e.trace]; e.trace != "" && len(candidates) > 0 {
		if len(candidates) > 1 {
			// Several requests of one trace: the one that ran at the time.
			candidates = within(candidates, e.start)
		}
		if len(candidates) == 1 {
			l.links.Trace++
			candidates[0].executions = append(candidates[0].executions, e)
			return
		}
	}
	around := l.around(e.start)
	if len(around) == 0 {
		l.links.Unlinked++
		return
	}
	// The latest to start: with one client it is the one that runs, and when a service calls itself it
	// is the innermost.
	last := around[len(around)-1]
	if len(around) == 1 || l.sequential {
		l.links.Contained++
	} else {
		l.links.Guessed++
		last.guessed[e] = true
	}
	last.executions = append(last.executions, e)
}

// around returns the requests that ran at the instant, by start. Truncated ends count only when no
// request strictly contains the instant.
func (l *linker) around(at time.Time) []*call {
	from, _ := slices.BinarySearchFunc(l.calls, at.Add(-l.longest-slack), func(c *call, t time.Time) int {
		return c.start.Compare(t)
	})
	to, _ := slices.BinarySearchFunc(l.calls, at, func(c *call, t time.Time) int {
		if c.start.After(t) {
			return 1
		}
		return -1
	})
	return within(l.calls[from:to], at)
}

func within(calls []*call, at time.Time) []*call {
	var strict, loose []*call
	for _, c := range calls {
		switch {
		case at.Before(c.start):
		case !at.After(c.end):
			strict = append(strict, c)
		case !at.After(c.end.Add(slack)):
			loose = append(loose, c)
		}
	}
	if len(strict) > 0 {
		return strict
	}
	return loose
}

// linking words the numbers as one of the Link constants.
func (l Links) linking() string {
	byTime := l.Contained + l.Guessed
	switch {
	case l.Trace > 0 && byTime > 0:
		return LinkMixed
	case l.Trace > 0:
		return LinkTrace
	case byTime > 0:
		return LinkTime
	}
	return LinkNone
}
