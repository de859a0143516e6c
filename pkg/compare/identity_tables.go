package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// tablesItem looks for tables that grew between the runs, which makes the same request another work: by
// what the sides declare, and by reads that returned different numbers of rows.
func (in *input) tablesItem() *IdentityItem {
	it := &IdentityItem{Code: IdentityTables, Name: "tables", Baseline: "–", Candidate: "–", State: Same}
	b, c := declaredTables(in.base.Declared), declaredTables(in.cand.Declared)
	var equal, grown []string
	if len(b) > 0 && len(c) > 0 {
		it.Baseline, it.Candidate = tablesText(b), tablesText(c)
		if diff := unequalTables(b, c); len(diff) > 0 {
			grown = append(grown, list(diff, 3))
		} else {
			equal = append(equal, "equal tables before both load runs: "+it.Baseline)
		}
	}
	differing, same := in.unequalReads()
	grown = append(grown, differing...)
	if same > 0 {
		equal = append(equal, "equal reads returned equal numbers of rows")
	}
	switch {
	case len(grown) > 0:
		it.State = Differs
		if it.Baseline == "–" {
			it.Baseline, it.Candidate = "differ", "differ"
		}
		it.Text = "the tables were not equal: " + list(grown, 2)
		it.Next = "truncate the tables before each run and replay a fixed number of passes"
	case len(equal) == 0:
		return nil
	default:
		it.Text = strings.Join(equal, "; ")
	}
	return it
}

func declaredTables(s *catalog.SideFile) map[string]int64 {
	if s == nil {
		return nil
	}
	return s.Tables
}

func tablesText(t map[string]int64) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		words = append(words, name+" "+counted(t[name], "row", "rows"))
	}
	return list(words, 4)
}

// unequalTables names the tables that both sides declare with different numbers of rows.
func unequalTables(b, c map[string]int64) []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if n, ok := c[name]; ok && n != b[name] {
			words = append(words, fmt.Sprintf("%s held %s before the baseline's load run, %s before the candidate's",
				name, counted(b[name], "row", "rows"), evidence.FormatCount(n)))
		}
	}
	return words
}

// unequalReads finds reads that were executed equally often and returned different numbers of rows, and
// counts those that returned equal numbers.
func (in *input) unequalReads() (differing []string, same int) {
	b, c := in.base.Statements, in.cand.Statements
	if b == nil || c == nil || b.State != evidence.StateOK || c.State != evidence.StateOK {
		return nil, 0
	}
	other := inventory(c)
	check := func(x, y evidence.Statement, name string) {
		if x.Rows == y.Rows {
			same++
			return
		}
		differing = append(differing, fmt.Sprintf("%s returned %s rows in the baseline, %s in the candidate, in %s executions each",
			name, evidence.FormatCount(x.Rows), evidence.FormatCount(y.Rows), evidence.FormatCount(x.Executions)))
	}
	for _, s := range b.Inventory {
		if o := other[s.Fingerprint]; o != nil && comparableReads(s, *o) {
			check(s, *o, shortSQL(s))
		}
	}
	for _, r := range replacedReads(b, c) {
		check(r.base, r.cand, "the "+shortSQL(r.base)+" by "+r.endpoint)
	}
	return differing, same
}

func comparableReads(x, y evidence.Statement) bool {
	return x.Executions > 0 && x.Executions == y.Executions && strings.EqualFold(x.Verb, "select") && strings.EqualFold(y.Verb, "select")
}

// replacedRead is a read of one endpoint that the candidate does by another statement.
type replacedRead struct {
	endpoint   string
	base, cand evidence.Statement
}

// replacedReads pairs, per endpoint, the one read that only the baseline executes with the one that only
// the candidate executes, when they read a table in common equally often. Such a pair asks the same
// question in other words, so its rows tell whether the tables were equal. Executions that follow the
// rows of another statement are left out: their number is that statement's doing.
func replacedReads(b, c *evidence.Statements) []replacedRead {
	var out []replacedRead
	x, order := byEndpoint(b)
	y, orderC := byEndpoint(c)
	only := func(order []endpointStatement, own, other map[endpointStatement]evidence.EndpointStatement, from *evidence.Statements) map[string][]evidence.Statement {
		known, found := inventory(from), map[string][]evidence.Statement{}
		for _, k := range order {
			_, both := other[k]
			s := known[k.fingerprint]
			// A statement of several endpoints has no rows of this one alone.
			if both || s == nil || own[k].ParentFingerprint != "" || own[k].Executions != s.Executions {
				continue
			}
			found[k.endpoint] = append(found[k.endpoint], *s)
		}
		return found
	}
	inB, inC := only(order, x, y, b), only(orderC, y, x, c)
	for _, endpoint := range slices.Sorted(maps.Keys(inB)) {
		if len(inB[endpoint]) != 1 || len(inC[endpoint]) != 1 {
			continue
		}
		r := replacedRead{endpoint, inB[endpoint][0], inC[endpoint][0]}
		shares := slices.ContainsFunc(r.base.Tables, func(t string) bool { return slices.Contains(r.cand.Tables, t) })
		if shares && comparableReads(r.base, r.cand) {
			out = append(out, r)
		}
	}
	return out
}
