package proxymock_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

func TestAnswerMismatch(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		statement string
		tags      []string
		mismatch  bool
	}{
		"select":                  {"SELECT 1", []string{"SELECT 1"}, false},
		"insert":                  {"insert into t values (1)", []string{"INSERT 0 1"}, false},
		"mis-paired rollback":     {"ROLLBACK", []string{"DISCARD ALL"}, true},
		"rollback answers insert": {"INSERT INTO t VALUES (1)", []string{"ROLLBACK"}, true},
		"commit of a failed one":  {"COMMIT;", []string{"ROLLBACK"}, false},
		"two statements":          {"SELECT 1; SELECT 2", []string{"SELECT 1", "SELECT 1"}, false},
		"with":                    {"WITH a AS (SELECT 1) UPDATE t SET x = 1", []string{"UPDATE 3"}, false},
		"no answer":               {"SELECT 1", nil, false},
		"unknown verb":            {"VACUUM t", []string{"VACUUM"}, false},
		"ddl":                     {"CREATE TABLE t (a int)", []string{"CREATE TABLE"}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pg := proxymock.Postgres{Normalised: c.statement, CompleteTags: c.tags}
			if len(c.tags) > 0 {
				pg.CompleteTag = c.tags[len(c.tags)-1]
			}
			assert.Equal(t, c.mismatch, pg.AnswerMismatch() != "", pg.AnswerMismatch())
		})
	}
}

func TestPostgresValueString(t *testing.T) {
	t.Parallel()
	value := func(oid uint32, raw string) proxymock.PostgresValue {
		return proxymock.PostgresValue{Raw: []byte(raw), Binary: true, OID: oid}
	}
	for name, c := range map[string]struct {
		value proxymock.PostgresValue
		want  string
	}{
		"text":        {proxymock.PostgresValue{Raw: []byte("placed")}, "placed"},
		"null":        {proxymock.PostgresValue{Null: true}, "NULL"},
		"bytes":       {proxymock.PostgresValue{Raw: []byte{0xff, 0}}, `\xff00`},
		"int4":        {value(23, "\xff\xff\xff\xfe"), "-2"},
		"int8":        {value(20, "\x00\x00\x00\x00\x00\x00\x00\x05"), "5"},
		"int2":        {value(21, "\x01\x00"), "256"},
		"bool":        {value(16, "\x01"), "true"},
		"float8":      {value(701, "\x3f\xf8\x00\x00\x00\x00\x00\x00"), "1.5"},
		"float4":      {value(700, "\x3f\xc0\x00\x00"), "1.5"},
		"timestamptz": {value(1184, "\x00\x00\x00\x00\x00\x0f\x42\x41"), "2000-01-01T00:00:01.000001Z"},
		"before 2000": {value(1114, "\xff\xff\xff\xff\xff\xff\xff\xff"), "1999-12-31T23:59:59.999999Z"},
		"far future":  {value(1184, "\x7f\xff\xff\xff\xff\xff\xff\xfe"), "294277-01-09T04:00:54.775806Z"},
		"infinity":    {value(1184, "\x7f\xff\xff\xff\xff\xff\xff\xff"), "infinity"},
		"-infinity":   {value(1114, "\x80\x00\x00\x00\x00\x00\x00\x00"), "-infinity"},
		"uuid":        {value(2950, "\x00\x01\x02\x03\x04\x05\x46\x07\x88\x09\x0a\x0b\x0c\x0d\x0e\x0f"), "00010203-0405-4607-8809-0a0b0c0d0e0f"},
		"wrong size":  {value(23, "\x01"), `\x01`},
		"varchar":     {value(1043, "x"), "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, c.value.String())
		})
	}
}

func TestSQLComments(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		query string
		want  map[string]string
	}{
		"none":                 {"SELECT 1", nil},
		"trailing":             {"SELECT 1 /*route='%2Forders',traceparent='00-a-b-01'*/", map[string]string{"route": "/orders", "traceparent": "00-a-b-01"}},
		"leading":              {"/* db_driver='pgx' */ SELECT 1", map[string]string{"db_driver": "pgx"}},
		"two":                  {"/*a='1'*/ SELECT 1 /*b='2'*/", map[string]string{"a": "1", "b": "2"}},
		"escaped quote":        {`SELECT 1 /*a='it\'s'*/`, map[string]string{"a": "it's"}},
		"encoded key":          {"SELECT 1 /*my%20key='v%2Cw'*/", map[string]string{"my key": "v,w"}},
		"prose":                {"SELECT 1 /* take care = always */", nil},
		"inside a literal":     {"SELECT '/*a=''1''*/'", nil},
		"inside a name":        {`SELECT "/*a='1'*/"`, nil},
		"inside a dollar text": {"SELECT $x$ /*a='1'*/ $x$, $$/*b='1'*/$$", nil},
		"after a parameter":    {"SELECT $1 /*a='1'*/", map[string]string{"a": "1"}},
		"after an E literal":   {`SELECT E'\'' /*a='1'*/`, map[string]string{"a": "1"}},
		"in a line comment":    {"SELECT 1 -- /*a='1'*/\n", nil},
		"nested":               {"SELECT 1 /* /*x*/ ,a='1'*/", map[string]string{"a": "1"}},
		"open":                 {"SELECT 1 /*a='1'", nil},
		"open literal":         {"SELECT 'x", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, proxymock.SQLComments(c.query))
		})
	}
}

func TestTraceID(t *testing.T) {
	t.Parallel()
	const id = "0af7651916cd43dd8448eb211c80319c"
	header := func(name, value string) string {
		return pairJSON(`"http":{"req":{"headers":{"` + name + `":["` + value + `"]}}}`)
	}
	for name, c := range map[string]struct{ text, want string }{
		"traceparent":   {header("traceparent", "00-"+id+"-b7ad6b7169203331-01"), id},
		"capitals":      {header("Traceparent", "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"), id},
		"later version": {header("traceparent", "01-"+id+"-b7ad6b7169203331-01-extra"), id},
		"b3":            {header("X-B3-TraceId", id), id},
		"zero":          {header("traceparent", "00-00000000000000000000000000000000-b7ad6b7169203331-01"), ""},
		"version ff":    {header("traceparent", "ff-"+id+"-b7ad6b7169203331-01"), ""},
		"short":         {header("traceparent", "00-abc-def-01"), ""},
		"none":          {pairJSON(`"http":{"req":{}}`), ""},
		"statement": {pairJSON(`"postgres":{"request":{"query":{"query":"SELECT 1 /*traceparent='00-` + id +
			`-b7ad6b7169203331-01'*/"}}}`), id},
		"other protocol": {pairJSON(`"AmqpV091":{}`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, parsePair(t, c.text).TraceID())
		})
	}
}
