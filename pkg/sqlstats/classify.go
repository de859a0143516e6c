package sqlstats

import (
	"slices"
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// shape is what the words of a statement tell without parsing it.
type shape struct {
	verb string
	kind Kind
	// notTables are names that the lexer takes for tables and that are none; tables are names it
	// does not find.
	notTables []string
	tables    []string
}

// controlVerbs steer the transaction or the session. They carry no work of the application.
var controlVerbs = map[string]bool{
	"": true, "BEGIN": true, "START": true, "COMMIT": true, "END": true, "ROLLBACK": true, "ABORT": true,
	"SAVEPOINT": true, "RELEASE": true, "PREPARE": true, "DEALLOCATE": true, "SET": true, "RESET": true,
	"SHOW": true, "DISCARD": true, "LISTEN": true, "UNLISTEN": true, "CLOSE": true, "USE": true,
}

// readVerbs only read, unless the statement holds a data-changing command as well.
var readVerbs = map[string]bool{
	"SELECT": true, "VALUES": true, "TABLE": true, "EXPLAIN": true, "FETCH": true, "DECLARE": true,
	"DESCRIBE": true,
}

// changeVerbs change data wherever they start a (sub)statement.
var changeVerbs = map[string]bool{"INSERT": true, "UPDATE": true, "DELETE": true, "MERGE": true}

// word is a token that matters here: a word in capitals or one sign.
type word struct {
	upper, raw string
	function   bool
	depth      int
}

// words scans the text into words and parentheses with their depth. Literals become "?".
func words(sql string) []word {
	var out []word
	depth := 0
	lexer := sqllexer.New(sql, sqllexer.WithDBMS(sqllexer.DBMSPostgres))
	for {
		token := lexer.Scan()
		switch token.Type {
		case sqllexer.EOF:
			return out
		case sqllexer.SPACE, sqllexer.COMMENT, sqllexer.MULTILINE_COMMENT:
			continue
		case sqllexer.STRING, sqllexer.INCOMPLETE_STRING, sqllexer.NUMBER,
			sqllexer.DOLLAR_QUOTED_STRING, sqllexer.DOLLAR_QUOTED_FUNCTION:
			out = append(out, word{upper: "?", raw: "?", depth: depth})
			continue
		}
		value := token.Value
		if value == ")" && depth > 0 {
			depth--
		}
		out = append(out, word{
			upper: strings.ToUpper(value), raw: strings.Trim(value, `"`),
			function: token.Type == sqllexer.FUNCTION, depth: depth,
		})
		if value == "(" {
			depth++
		}
	}
}

// classify finds the verb, the kind and the corrections to the lexer's tables.
func classify(sql string) shape {
	ws := words(sql)
	s := shape{verb: mainVerb(ws)}
	switch {
	case controlVerbs[s.verb]:
		s.kind = KindControl
	case readVerbs[s.verb] && !changesData(ws):
		s.kind = KindRead
	case s.verb == "COPY" && copiesOut(ws):
		s.kind = KindRead
	default:
		s.kind = KindWrite
	}
	s.tables, s.notTables = correctTables(ws, s.verb)
	return s
}

// mainVerb is the first command of the text; behind WITH it is the command that the common table
// expressions feed.
func mainVerb(ws []word) string {
	for i, w := range ws {
		switch w.upper {
		case "(", ";":
			continue
		case "WITH":
			for _, next := range ws[i+1:] {
				if next.depth == w.depth && (changeVerbs[next.upper] || readVerbs[next.upper]) {
					return next.upper
				}
			}
			return "WITH"
		}
		return w.upper
	}
	return ""
}

// changesData is true when a data-changing command starts somewhere, or when a SELECT creates a
// table. FOR UPDATE locks rows and changes nothing.
func changesData(ws []word) bool {
	for i, w := range ws {
		if changeVerbs[w.upper] && (i == 0 || slices.Contains([]string{"(", ")", ";", "ANALYZE"}, ws[i-1].upper)) {
			return true
		}
		if w.upper == "INTO" && w.depth == 0 {
			return true
		}
	}
	return false
}

// copiesOut is true for COPY … TO.
func copiesOut(ws []word) bool {
	return slices.ContainsFunc(ws, func(w word) bool { return w.upper == "TO" && w.depth == 0 })
}

// correctTables repairs what a lexer cannot know: the FROM of EXTRACT, SUBSTRING and IS DISTINCT
// FROM introduces no table, nor does a function in FROM; the tables of TRUNCATE and COPY follow the
// verb itself.
func correctTables(ws []word, verb string) (tables, notTables []string) {
	var functionDepths []int // depth of each open parenthesis that belongs to a function call
	legit := map[string]bool{}
	for i, w := range ws {
		switch {
		case w.upper == "(" && i > 0 && ws[i-1].function:
			functionDepths = append(functionDepths, w.depth)
		case w.upper == ")" && len(functionDepths) > 0 && functionDepths[len(functionDepths)-1] == w.depth:
			functionDepths = functionDepths[:len(functionDepths)-1]
		}
		if (w.upper != "FROM" && w.upper != "JOIN") || i+1 >= len(ws) {
			continue
		}
		next := ws[i+1]
		inCall := len(functionDepths) > 0 && functionDepths[len(functionDepths)-1] == w.depth-1
		distinct := i > 0 && ws[i-1].upper == "DISTINCT"
		if inCall && !selectsWithin(ws[:i], w.depth) || distinct || next.function {
			notTables = append(notTables, next.raw)
		} else {
			legit[next.raw] = true
		}
	}
	switch verb {
	case "COPY":
		notTables = append(notTables, "STDIN", "STDOUT", "stdin", "stdout")
		if len(ws) > 1 && ws[1].upper != "(" {
			tables = append(tables, ws[1].raw)
		}
	case "TRUNCATE":
		for _, w := range ws[1:] {
			if w.upper == "RESTART" || w.upper == "CONTINUE" || w.upper == "CASCADE" || w.upper == "RESTRICT" {
				break
			}
			if w.upper != "TABLE" && w.upper != "ONLY" && w.upper != "," && w.upper != ";" && w.upper != "*" {
				tables = append(tables, w.raw)
			}
		}
	}
	if verb == "COPY" {
		return tables, notTables
	}
	notTables = slices.DeleteFunc(notTables, func(name string) bool { return legit[name] })
	return tables, notTables
}

// selectsWithin is true when the innermost parenthesis at this depth began with a SELECT, as in
// exists(SELECT 1 FROM t).
func selectsWithin(before []word, depth int) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if before[i].depth < depth {
			return false
		}
		if before[i].depth == depth && before[i].upper == "SELECT" {
			return true
		}
	}
	return false
}
