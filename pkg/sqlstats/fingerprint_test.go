package sqlstats

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestForms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql    string
		verb   string
		kind   Kind
		tables []string
	}{
		"join":                  {s6, "SELECT", KindRead, []string{"order_items", "orders"}},
		"insert":                {s2, "INSERT", KindWrite, []string{"order_items"}},
		"insert returning":      {s1, "INSERT", KindWrite, []string{"orders"}},
		"schema-qualified":      {"SELECT EXISTS (SELECT 1 FROM user_service.users AS u WHERE u.username = $1)", "SELECT", KindRead, []string{"user_service.users"}},
		"row lock reads":        {"SELECT a FROM t WHERE b = $1 FOR UPDATE", "SELECT", KindRead, []string{"t"}},
		"select into writes":    {"SELECT * INTO n FROM t", "SELECT", KindWrite, []string{"n", "t"}},
		"with reads":            {"WITH x AS (SELECT 1 FROM a) SELECT * FROM x", "SELECT", KindRead, []string{"a"}},
		"with feeds an insert":  {"WITH x AS (SELECT 1 FROM a) INSERT INTO b SELECT * FROM x", "INSERT", KindWrite, []string{"a", "b"}},
		"with deletes":          {"WITH x AS (DELETE FROM a RETURNING id) SELECT * FROM x", "SELECT", KindWrite, []string{"a"}},
		"functions with FROM":   {"SELECT extract(epoch FROM made), substring(n FROM 2) FROM t WHERE a IS DISTINCT FROM b", "SELECT", KindRead, []string{"t"}},
		"function in FROM":      {"SELECT g FROM generate_series(1, 3) g", "SELECT", KindRead, nil},
		"exists in a function":  {"SELECT coalesce((SELECT x FROM u LIMIT 1), 0) FROM t", "SELECT", KindRead, []string{"t", "u"}},
		"copy in":               {"COPY t (a, b) FROM STDIN", "COPY", KindWrite, []string{"t"}},
		"copy out":              {"COPY (SELECT 1 FROM t) TO STDOUT", "COPY", KindRead, []string{"t"}},
		"truncate":              {"TRUNCATE order_items, orders", "TRUNCATE", KindWrite, []string{"order_items", "orders"}},
		"schema":                {"CREATE TABLE IF NOT EXISTS s.users (id BIGSERIAL PRIMARY KEY)", "CREATE", KindWrite, []string{"s.users"}},
		"several statements":    {"SELECT version(); SELECT n FROM pg_type t JOIN pg_namespace s ON true", "SELECT", KindRead, []string{"pg_namespace", "pg_type"}},
		"begin":                 {"begin", "BEGIN", KindControl, nil},
		"start transaction":     {"START TRANSACTION ISOLATION LEVEL SERIALIZABLE", "START", KindControl, nil},
		"set":                   {"SET application_name = 'x'", "SET", KindControl, nil},
		"show":                  {"SHOW TRANSACTION ISOLATION LEVEL", "SHOW", KindControl, nil},
		"discard":               {"DISCARD ALL", "DISCARD", KindControl, nil},
		"a driver's ping":       {"-- ping", "", KindControl, nil},
		"nothing":               {"", "", KindControl, nil},
		"parenthesised":         {"(SELECT 1 FROM a) UNION (SELECT 2 FROM b)", "SELECT", KindRead, []string{"a", "b"}},
		"a call may write":      {"CALL refresh_totals($1)", "CALL", KindWrite, nil},
		"explain analyze":       {"EXPLAIN ANALYZE DELETE FROM t", "EXPLAIN", KindWrite, []string{"t"}},
		"on conflict do update": {"INSERT INTO t (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET a = $1", "INSERT", KindWrite, []string{"t"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newMasker().form(c.sql)
			assert.Equal(t, c.verb, f.verb)
			assert.Equal(t, c.kind, f.kind)
			assert.Equal(t, c.tables, f.tables)
		})
	}
}

func TestFingerprintsJoinWhatIsOneStatement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"literals":             {"SELECT a FROM t WHERE b = 1 AND c = 'x'", "SELECT a FROM t WHERE b = 22 AND c = 'it''s'", true},
		"literal, placeholder": {"SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = $1", true},
		"lists of any length":  {"SELECT a FROM t WHERE b IN (1, 2)", "SELECT a FROM t WHERE b IN ($1, $2, $3)", true},
		"rows of a batch":      {"INSERT INTO t (a, b) VALUES ($1, $2)", "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4), ($5, $6)", true},
		"case of keywords":     {"select a from t where b = 1", "SELECT a FROM t WHERE b = 1", true},
		"white space":          {"SELECT a\n\tFROM t", "SELECT a FROM t", true},
		"casts":                {"SELECT a FROM t WHERE id = $1::uuid", "SELECT a FROM t WHERE id = $1 :: uuid", true},
		"comments":             {"SELECT a FROM t /*traceparent='00-1'*/", "SELECT a FROM t -- x", true},
		"null and value":       {"INSERT INTO t (a) VALUES (NULL)", "INSERT INTO t (a) VALUES ('x')", true},
		"other column":         {"SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE c = 1", false},
		"other table":          {"SELECT a FROM t", "SELECT a FROM u", false},
		"the list statements":  {s5, s6, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMasker()
			assert.Equal(t, c.same, m.form(c.a).fingerprint == m.form(c.b).fingerprint)
		})
	}
}

func TestShownTextHoldsNoLiterals(t *testing.T) {
	t.Parallel()
	f := newMasker().form("SELECT a FROM t\n WHERE mail = 'a@example.com' AND pin = 4711 AND b IS NULL AND c = $1 /* token=abc */")
	assert.Equal(t, "SELECT a FROM t WHERE mail = ? AND pin = ? AND b IS NULL AND c = $1", f.sql)
	assert.Len(t, f.fingerprint, 16)
}

func FuzzForm(f *testing.F) {
	for _, sql := range []string{s1, s2, s3, s4, s5, s6, s7, "", "-- ping", "SELECT 'open", "$$", "((((", "WITH x AS (", "COPY", "TRUNCATE", "a FROM", "\x00\xff"} {
		f.Add(sql)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		if len(sql) > 4096 {
			return
		}
		m := newMasker()
		first := m.form(sql)
		if len(first.fingerprint) != 16 {
			t.Fatalf("fingerprint %q of %q", first.fingerprint, sql)
		}
		switch first.kind {
		case KindRead, KindWrite, KindControl:
		default:
			t.Fatalf("kind %q of %q", first.kind, sql)
		}
		if again := newMasker().form(sql); again.fingerprint != first.fingerprint || again.sql != first.sql {
			t.Fatalf("%q has two forms: %+v and %+v", sql, first, again)
		}
		if strings.Contains(first.sql, "\n") {
			t.Fatalf("text for people has line breaks: %q", first.sql)
		}
	})
}
