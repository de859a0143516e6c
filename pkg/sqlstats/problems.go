package sqlstats

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Problem codes.
const (
	// ProblemNotDecodable: part of the recording, or all of it, is bytes that no decoder understood.
	ProblemNotDecodable = "not_decodable"
	// ProblemMispaired: the answer belongs to another command; its time and rows were left out.
	ProblemMispaired = "mispaired"
	// ProblemDuplicate: pairs with the same uuid; each was counted once.
	ProblemDuplicate = "duplicate"
	// ProblemErrors: the server answered statements with errors.
	ProblemErrors = "statement_error"
	// ProblemNoExecution: statements were prepared and never executed in these pairs.
	ProblemNoExecution = "no_execution"
	// ProblemUntimed: executions whose messages are incomplete, so that their time is not known.
	ProblemUntimed = "untimed"
	// ProblemUnlinked: executions inside no recorded request.
	ProblemUnlinked = "unlinked"
	// ProblemGuessed: executions inside several requests that overlapped.
	ProblemGuessed = "guessed"
	// ProblemStaleTrace: executions of a statement prepared earlier, whose comment names that request.
	ProblemStaleTrace = "stale_trace"
)

// problems lists what a reader should know, in a fixed order. all and l are nil when nothing could be
// counted.
func (c *collected) problems(all *conversation, l *linker) []Problem {
	var out []Problem
	add := func(n int64, code, uuid, format string, args ...any) {
		if n > 0 {
			out = append(out, Problem{Code: code, UUID: uuid, Count: n, Message: fmt.Sprintf(format, args...)})
		}
	}
	add(c.opaque, ProblemNotDecodable, c.firstOpaque,
		"%s of an unknown protocol: if a database is behind them, %s", count(c.opaque, "outbound pair"), remedyMap)
	encrypted, _ := c.encrypted()
	add(encrypted, ProblemNotDecodable, "",
		"%s went on encrypted after the log-in request, its statements are not counted: %s", count(encrypted, "database connection"), remedyTLS)
	add(c.duplicates, ProblemDuplicate, c.firstTwice,
		"%s with a uuid seen before, counted once", count(c.duplicates, "pair"))
	if all == nil {
		return out
	}
	for _, msg := range sortedByTime(all.mispaired) {
		add(1, ProblemMispaired, msg.uuid,
			"%s; the %s it states and its rows are left out", msg.mismatch, msg.stored.Round(time.Millisecond))
	}
	all.errorProblems(add)
	all.idleProblem(add)
	var untimed int64
	var first string
	for _, e := range all.executions {
		if !e.timed && e.form.kind != KindControl {
			untimed++
			if first == "" {
				first = e.uuid
			}
		}
	}
	add(untimed, ProblemUntimed, first,
		"%s without the messages around it or with an answer of another command: its time is not known", count(untimed, "execution"))
	if l != nil {
		add(l.links.Unlinked, ProblemUnlinked, "",
			"%s inside no recorded request: start-up, background work, or requests that were not recorded", count(l.links.Unlinked, "execution"))
		add(l.links.Guessed, ProblemGuessed, "",
			"%s while requests overlapped: tied to the latest to start, which is a guess", count(l.links.Guessed, "execution"))
		add(l.stale, ProblemStaleTrace, "",
			"%s of a statement prepared for an earlier request, whose trace id it still carries: tied by time instead", count(l.stale, "execution"))
	}
	return out
}

// errorProblems explains errors, one problem per statement and code.
func (c *conversation) errorProblems(add func(n int64, code, uuid, format string, args ...any)) {
	type key struct{ sql, code string }
	counts, first := map[key]int64{}, map[key]string{}
	var keys []key
	note := func(f *form, code, uuid string) {
		if code == "" {
			return
		}
		k := key{f.sql, code}
		if counts[k] == 0 {
			first[k] = uuid
			keys = append(keys, k)
		}
		counts[k]++
	}
	for _, e := range c.executions {
		note(e.form, e.sqlstate, e.uuid)
	}
	for _, f := range c.failures {
		note(f.form, f.sqlstate, f.uuid)
	}
	slices.SortFunc(keys, func(a, b key) int { return strings.Compare(a.code+a.sql, b.code+b.sql) })
	for _, k := range keys {
		add(counts[k], ProblemErrors, first[k], "SQLSTATE %s (%s) for %q", k.code, meaning(k.code), shorten(k.sql))
	}
}

// idleProblem names statements that were prepared and never executed. Drivers that prepare ahead do
// that, and so does a recording with pairs missing.
func (c *conversation) idleProblem(add func(n int64, code, uuid, format string, args ...any)) {
	done := map[string]bool{}
	for _, e := range c.executions {
		done[e.form.fingerprint] = true
	}
	for _, f := range c.failures {
		done[f.form.fingerprint] = true
	}
	for _, f := range c.idle {
		if !done[f.fingerprint] && f.kind != KindControl {
			done[f.fingerprint] = true
			add(1, ProblemNoExecution, "", "%q was prepared and never executed in these pairs", shorten(f.sql))
		}
	}
}

func sortedByTime(messages []message) []message {
	sorted := slices.Clone(messages)
	slices.SortFunc(sorted, inOrder)
	return sorted
}

// count words a number with its noun.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
