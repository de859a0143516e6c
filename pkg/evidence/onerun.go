package evidence

import "strconv"

// activeSlack is what rounding of the replay's rate may add to its active time, in seconds.
const activeSlack = 0.05

// oneRunNext says what settles a window and a summary that are not of one run.
func (m *measurement) oneRunNext() string {
	if m.guess() != "" {
		return writeWindow
	}
	return "Put the window.json back that was written beside this summary, or repeat the run."
}

// checkWindow finds a run that lasted longer than the window that is said to hold it. A window that is far too
// long cannot be told from one with much idle time around the run.
func (m *measurement) checkWindow() {
	w, active := m.load.Window, m.side.Load.ActiveSeconds
	if w == nil || active == nil {
		return
	}
	if length := w.End.Sub(w.Start).Seconds() + 2*w.Uncertainty; *active > length+activeSlack {
		m.notOneRun = sentence("the run was active for %.2f s, longer than its window of %.2f s: window and summary are not of one run", *active, length)
		m.problem(m.load.Path, "conflict", "%s", m.notOneRun)
	}
}

// checkWitness finds a replay's p95 below every bucket that the service's p95 can lie in: a client waits at
// least as long as the service works. Only a histogram that saw exactly the replay's requests can be held
// against it. A histogram that agrees as soon as its seconds are read as milliseconds is in conflict with its
// unit; otherwise the window is not the run's.
func (m *measurement) checkWitness() {
	mx := &m.side.Metrics
	l, d := m.side.Load, &mx.RequestDuration
	seen, want := d.Count, m.expected.count
	if l == nil || l.P95Ms == nil || seen == nil || want == nil || *seen != *want || m.expected.routes || d.P95Seconds.Q != 0.95 {
		return
	}
	const rounding = 0.001 // whole milliseconds
	lower := d.P95Seconds.CILower
	if lower == nil || *l.P95Ms/1000+rounding >= *lower {
		return
	}
	text := sentence("the replay's p95 of %s ms is below the %s that the service needed at the least, which a client cannot see: ",
		strconv.FormatFloat(*l.P95Ms, 'f', -1, 64), FormatDuration(*lower))
	if inMilliseconds(*l.P95Ms, d.P95Seconds) {
		text += d.Metric + " is not in seconds (milliseconds exported as seconds?)"
		m.problem("", "conflict", "%s", text)
		m.withhold(ReasonUnitConflict, text, "Let the service export "+d.Metric+" in seconds, and run again.")
		return
	}
	m.notOneRun = text + "window and summary are not of one run"
	m.problem(m.load.Path, "conflict", "%s", m.notOneRun)
	m.withhold(ReasonGateFailed, m.notOneRun, m.oneRunNext())
}

// inMilliseconds says whether a replay's quantile (milliseconds) lies in the bucket of a quantile whose bounds
// are milliseconds instead of seconds.
func inMilliseconds(replayMs float64, q Quantile) bool {
	return q.CILower != nil && q.CIUpper != nil && replayMs >= *q.CILower && replayMs <= *q.CIUpper*impossiblePart
}

// withhold takes the figures of a window back that is not the run's: none of them may be read as the run's.
// What was asked, its gates and the scrapes stay as the proof.
func (m *measurement) withhold(reason, message, next string) {
	server, coverage := m.side.Metrics.Server, m.side.Metrics.Coverage
	m.emptyMetrics()
	m.side.Metrics.Server, m.side.Metrics.Coverage = server, coverage
	m.without(StateInsufficient, reason, message, next)
}

// countUnknown says why the replay's own count is not known, and in which file.
func (m *measurement) countUnknown() string {
	file := reasonOr(m.load.ResultFile, m.load.Path)
	text := "the replay's own count is not known: " + file
	switch r := m.load.Result; {
	case r == nil:
		return text + " holds no result"
	case r.Aggregate == nil:
		return text + " has no row of all endpoints"
	}
	for _, p := range m.load.Problems {
		if p.Path == m.load.ResultFile {
			return text + ": " + p.Message
		}
	}
	return text + " states no number of requests"
}
