package compare

import (
	"fmt"
	"math"
	"sort"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// statements compares two statement inventories: executions per fingerprint, and per inbound call of
// each endpoint (rule 13). Message counts are never compared: they depend on the driver.
func (in *input) statements() *Statements {
	b, c := in.base.Statements, in.cand.Statements
	if b == nil && c == nil {
		return nil
	}
	s := &Statements{State: evidence.StateOK, Changes: []StatementChange{}, NPlusOne: []NPlusOne{}, PerEndpoint: []StatementsPerCall{}}
	if b != nil {
		s.BaselineExecutions = b.Executions
	}
	if c != nil {
		s.CandidateExecutions = c.Executions
	}
	s.explain(b, c)
	switch {
	case b == nil || c == nil:
		s.State = evidence.StateAbsent
		s.Text = "there is no recording with statements on " + unknownOn(b == nil, c == nil)
		return s
	case b.State != evidence.StateOK || c.State != evidence.StateOK:
		bad := b
		if b.State == evidence.StateOK {
			bad = c
		}
		s.State = bad.State
		s.Text = fmt.Sprintf("the statements of %s could not be read (%s); this is not the same as no statements",
			unknownOn(b.State != evidence.StateOK, c.State != evidence.StateOK), stateText(bad.State, bad.Message))
		return s
	}
	s.Changes = append(totals(b, c), perEndpoint(b, c)...)
	rank(s.Changes)
	s.PerEndpoint = callsPerEndpoint(b, c)
	s.NPlusOne = append(nPlusOne("baseline", b), nPlusOne("candidate", c)...)
	s.Text = s.describe()
	return s
}

func (s *Statements) explain(b, c *evidence.Statements) {
	code := func(x *evidence.Statements) string {
		if x == nil {
			return evidence.ReasonNoRun
		}
		if r := x.Reasons["executions"]; r != "" {
			return r
		}
		return evidence.ReasonUnknown
	}
	if s.BaselineExecutions == nil {
		s.Reasons = withReason(s.Reasons, "baselineExecutions", code(b))
	}
	if s.CandidateExecutions == nil {
		s.Reasons = withReason(s.Reasons, "candidateExecutions", code(c))
	}
}

// totals compares the executions of each fingerprint over a whole recording.
func totals(b, c *evidence.Statements) []StatementChange {
	type pair struct{ b, c *evidence.Statement }
	at := map[string]*pair{}
	var order []string
	get := func(f string) *pair {
		if at[f] == nil {
			at[f], order = &pair{}, append(order, f)
		}
		return at[f]
	}
	for i := range b.Inventory {
		get(b.Inventory[i].Fingerprint).b = &b.Inventory[i]
	}
	for i := range c.Inventory {
		get(c.Inventory[i].Fingerprint).c = &c.Inventory[i]
	}
	var out []StatementChange
	for _, f := range order {
		p := at[f]
		if p.b != nil && p.c != nil && p.b.Executions == p.c.Executions {
			continue
		}
		ch := StatementChange{Fingerprint: f, State: InBoth}
		for _, name := range []string{"perCallBaseline", "perCallCandidate", "movedSecondsPerCall"} {
			ch.Reasons = withReason(ch.Reasons, name, ReasonNotApplicable)
		}
		ch.side(p.b, p.c)
		x, y := ch.counts()
		ch.Text = fmt.Sprintf("%s executions in all → %s", evidence.FormatCount(x), evidence.FormatCount(y))
		out = append(out, ch)
	}
	return out
}

// side fills in what either side knows of the statement.
func (ch *StatementChange) side(b, c *evidence.Statement) {
	ch.Tables = []string{}
	for _, s := range []*evidence.Statement{b, c} {
		if s != nil {
			ch.SQL = s.SQL
			ch.Tables = append([]string{}, s.Tables...)
		}
	}
	switch {
	case b == nil:
		ch.State, ch.Candidate = OnlyInCandidate, ptr(c.Executions)
		ch.Reasons = withReason(ch.Reasons, "baseline", ReasonOneSideOnly)
	case c == nil:
		ch.State, ch.Baseline = OnlyInBaseline, ptr(b.Executions)
		ch.Reasons = withReason(ch.Reasons, "candidate", ReasonOneSideOnly)
	default:
		ch.Baseline, ch.Candidate = ptr(b.Executions), ptr(c.Executions)
	}
}

// counts returns the executions of both sides; a statement that a readable recording does not hold was
// executed 0 times there.
func (ch StatementChange) counts() (int64, int64) {
	var b, c int64
	if ch.Baseline != nil {
		b = *ch.Baseline
	}
	if ch.Candidate != nil {
		c = *ch.Candidate
	}
	return b, c
}

type endpointStatement struct{ endpoint, fingerprint string }

func byEndpoint(s *evidence.Statements) (map[endpointStatement]evidence.EndpointStatement, []endpointStatement) {
	at := map[endpointStatement]evidence.EndpointStatement{}
	var order []endpointStatement
	for _, e := range s.ByEndpoint {
		k := endpointStatement{e.Endpoint, e.Fingerprint}
		if _, twice := at[k]; !twice {
			order = append(order, k)
		}
		at[k] = e
	}
	return at, order
}

func inventory(lists ...*evidence.Statements) map[string]*evidence.Statement {
	out := map[string]*evidence.Statement{}
	for _, l := range lists {
		for i := range l.Inventory {
			out[l.Inventory[i].Fingerprint] = &l.Inventory[i]
		}
	}
	return out
}

// callsOf returns how often each endpoint was called in a recording.
func callsOf(s *evidence.Statements) map[string]int64 {
	out := map[string]int64{}
	for _, e := range s.ByEndpoint {
		out[e.Endpoint] = max(out[e.Endpoint], e.Calls)
	}
	return out
}

// perEndpoint compares the executions of each statement per inbound call of its endpoint.
func perEndpoint(b, c *evidence.Statements) []StatementChange {
	x, orderB := byEndpoint(b)
	y, orderC := byEndpoint(c)
	known := inventory(b, c)
	callsB, callsC := callsOf(b), callsOf(c)
	order := orderB
	for _, k := range orderC {
		if _, ok := x[k]; !ok {
			order = append(order, k)
		}
	}
	const same = 1e-9
	var out []StatementChange
	for _, k := range order {
		eb, inB := x[k]
		ec, inC := y[k]
		if inB && inC && math.Abs(eb.PerCall-ec.PerCall) < same {
			continue
		}
		ch := StatementChange{Fingerprint: k.fingerprint, Endpoint: k.endpoint, State: InBoth, Tables: []string{}}
		if s := known[k.fingerprint]; s != nil {
			ch.SQL, ch.Tables = s.SQL, append([]string{}, s.Tables...)
		}
		if inB {
			ch.Baseline, ch.PerCallBaseline = ptr(eb.Executions), figure(eb.PerCall)
		} else {
			ch.State = OnlyInCandidate
			ch.Reasons = withReason(withReason(ch.Reasons, "baseline", ReasonOneSideOnly), "perCallBaseline", ReasonOneSideOnly)
		}
		if inC {
			ch.Candidate, ch.PerCallCandidate = ptr(ec.Executions), figure(ec.PerCall)
		} else {
			ch.State = OnlyInBaseline
			ch.Reasons = withReason(withReason(ch.Reasons, "candidate", ReasonOneSideOnly), "perCallCandidate", ReasonOneSideOnly)
		}
		ch.movedTime(eb, ec, inB, inC, callsB[k.endpoint], callsC[k.endpoint])
		ch.Text = fmt.Sprintf("%s → %s executions per call of %s", perCall(eb.PerCall), perCall(ec.PerCall), k.endpoint)
		if n := eb.GuessedExecutions + ec.GuessedExecutions; n > 0 {
			ch.Text += fmt.Sprintf(" (%s tied to requests by time alone, a guess)", counted(n, "execution", "executions"))
		}
		out = append(out, ch)
	}
	return out
}

// movedTime is the change of the statement's time per call of its endpoint, from the spans of the
// recorded message groups.
func (ch *StatementChange) movedTime(b, c evidence.EndpointStatement, inB, inC bool, callsB, callsC int64) {
	time := func(e evidence.EndpointStatement, in bool, calls int64) (float64, bool) {
		if !in {
			return 0, calls > 0 // a statement that is not executed takes no time
		}
		v, ok := num(e.SpanSeconds)
		return v / float64(max(e.Calls, 1)), ok
	}
	x, okX := time(b, inB, callsB)
	y, okY := time(c, inC, callsC)
	if okX && okY {
		ch.MovedSecondsPerCall = figure(y - x)
	}
	if ch.MovedSecondsPerCall == nil {
		ch.Reasons = withReason(ch.Reasons, "movedSecondsPerCall", evidence.ReasonUnknown)
	}
}

func perCall(v float64) string { return decimal(v, 0, 2) }

// rank orders changes: what moved most time per call first, then what moved most executions.
func rank(changes []StatementChange) {
	key := func(ch StatementChange) (float64, int64) {
		b, c := ch.counts()
		v, _ := num(ch.MovedSecondsPerCall)
		return math.Abs(v), max(c-b, b-c)
	}
	sort.SliceStable(changes, func(i, j int) bool {
		ti, ni := key(changes[i])
		tj, nj := key(changes[j])
		if ti != tj {
			return ti > tj
		}
		return ni > nj
	})
}

// callsPerEndpoint counts all statements per call of each endpoint.
func callsPerEndpoint(b, c *evidence.Statements) []StatementsPerCall {
	sum := func(s *evidence.Statements) (map[string]float64, []string) {
		at := map[string]float64{}
		var order []string
		for _, e := range s.ByEndpoint {
			if _, ok := at[e.Endpoint]; !ok {
				order = append(order, e.Endpoint)
			}
			at[e.Endpoint] += e.PerCall
		}
		return at, order
	}
	x, names := sum(b)
	y, more := sum(c)
	for _, n := range more {
		if _, ok := x[n]; !ok {
			names = append(names, n)
		}
	}
	out := make([]StatementsPerCall, 0, len(names))
	for _, n := range names {
		p := StatementsPerCall{Endpoint: n}
		if v, ok := x[n]; ok {
			p.Baseline = figure(v)
		} else {
			p.Reasons = withReason(p.Reasons, "baseline", ReasonOneSideOnly)
		}
		if v, ok := y[n]; ok {
			p.Candidate = figure(v)
		} else {
			p.Reasons = withReason(p.Reasons, "candidate", ReasonOneSideOnly)
		}
		out = append(out, p)
	}
	return out
}

// nPlusOne lists the statements of one side whose executions grow with the rows of another.
func nPlusOne(side string, s *evidence.Statements) []NPlusOne {
	at, _ := byEndpoint(s)
	known := inventory(s)
	sql := func(f string) string {
		if st := known[f]; st != nil {
			return st.SQL
		}
		return f
	}
	out := []NPlusOne{}
	for _, e := range s.ByEndpoint {
		if e.ParentFingerprint == "" {
			continue
		}
		n := NPlusOne{Side: side, Endpoint: e.Endpoint, ParentFingerprint: e.ParentFingerprint, ParentSQL: sql(e.ParentFingerprint),
			ChildFingerprint: e.Fingerprint, ChildSQL: sql(e.Fingerprint), ChildPerCall: e.PerCall,
			ParentPerCall: at[endpointStatement{e.Endpoint, e.ParentFingerprint}].PerCall,
			RowsPerCall:   float64(e.RowsOfParent) / float64(max(e.Calls, 1))}
		child, parent := known[e.Fingerprint], known[e.ParentFingerprint]
		n.Text = fmt.Sprintf("%s executes %s %s times per call, once for each of the %s rows that %s returns (N+1)",
			e.Endpoint, statementName(child, e.Fingerprint), perCall(n.ChildPerCall), perCall(n.RowsPerCall), statementName(parent, e.ParentFingerprint))
		if e.MaxPerCall > 0 && float64(e.MaxPerCall) > n.ChildPerCall+0.5 {
			n.Text += fmt.Sprintf("; up to %s times in one call", evidence.FormatCount(e.MaxPerCall))
		}
		out = append(out, n)
	}
	return out
}

func statementName(s *evidence.Statement, fingerprint string) string {
	if s == nil {
		return clip(fingerprint, 40)
	}
	return shortSQL(*s)
}

// newNPlusOne returns what one side has and the other has not.
func newNPlusOne(all []NPlusOne, side string) []NPlusOne {
	var out []NPlusOne
	for _, n := range all {
		if n.Side != side {
			continue
		}
		alsoThere := false
		for _, o := range all {
			if o.Side != side && o.Endpoint == n.Endpoint && o.ChildFingerprint == n.ChildFingerprint {
				alsoThere = true
			}
		}
		if !alsoThere {
			out = append(out, n)
		}
	}
	return out
}

func (s *Statements) describe() string {
	text := "the same statements, equally often"
	if b, c, ok := bothCounts(s.BaselineExecutions, s.CandidateExecutions); ok {
		if len(s.Changes) > 0 || b != c {
			text = fmt.Sprintf("%s executions of statements in the baseline, %s in the candidate", evidence.FormatCount(b), evidence.FormatCount(c))
		} else {
			text = evidence.FormatCount(b) + " executions on both sides: the same statements, equally often"
		}
	}
	for _, p := range s.PerEndpoint {
		if b, c, ok := both(p.Baseline, p.Candidate); ok && b != c {
			text += fmt.Sprintf("; %s: %s → %s per call", p.Endpoint, perCall(b), perCall(c))
		}
	}
	return text
}
