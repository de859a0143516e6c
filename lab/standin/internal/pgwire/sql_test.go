package pgwire

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNormalise(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ sql, want string }{
		"cast":              {"SELECT price::float8 FROM p", "SELECT price :: float8 FROM p"},
		"spaced cast":       {"SELECT price  ::  float8 FROM p", "SELECT price :: float8 FROM p"},
		"count stays":       {"SELECT count(*) FROM products", "SELECT count(*) FROM products"},
		"comment at end":    {"BEGIN /*db_driver='pgx',route='%2Forders'*/", "BEGIN"},
		"line comment":      {"SELECT 1 -- one\n, 2", "SELECT 1 , 2"},
		"blanks":            {"\n  SELECT\ta ,\n b  FROM t \n", "SELECT a , b FROM t"},
		"inside brackets":   {"CREATE TABLE t (\n  id int\n)", "CREATE TABLE t (id int)"},
		"text keeps blanks": {"SELECT 'a  b -- c' , \"x  y\"", "SELECT 'a  b -- c' , \"x  y\""},
		"parameter":         {"VALUES ($1::uuid, $2)", "VALUES ($1 :: uuid, $2)"},
		"operator":          {"WHERE a=$1 AND b>=2", "WHERE a = $1 AND b >= 2"},
		"empty":             {"", ""},
		"unterminated":      {"SELECT 'a", "SELECT 'a"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tc.want, normalise(tc.sql))
		})
	}
}

// TestNormaliseEqualsProxymock compares with the location and signature of every
// Postgres pair of the corpus.
func TestNormaliseEqualsProxymock(t *testing.T) {
	t.Parallel()
	const corpus = "../../../../../shared/corpus"
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the corpus of real files (../shared/corpus) is absent")
	}
	compared := 0
	require.NoError(t, filepath.WalkDir(corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var pair struct {
			Location  string            `json:"location"`
			Signature map[string][]byte `json:"signature"`
			Postgres  struct {
				Request struct {
					Query *queryRequest `json:"query"`
					Parse *parseRequest `json:"parse"`
				} `json:"request"`
			} `json:"postgres"`
		}
		if json.Unmarshal(data, &pair) != nil {
			return nil // another kind of file
		}
		var sql string
		switch request := pair.Postgres.Request; {
		case request.Query != nil:
			sql = request.Query.Query
		case request.Parse != nil:
			sql = request.Parse.Query
		default:
			return nil
		}
		compared++
		// proxymock takes an alias named proc for a keyword and spells "proc . oid".
		location := strings.ReplaceAll(pair.Location, "proc . ", "proc.")
		assert.Equal(t, location, normalise(sql), path)
		if text, ok := pair.Signature["postgres:query"]; ok {
			assert.Equal(t, string(text), string(spaced(sql)), path)
		}
		return nil
	}))
	assert.NotZero(t, compared)
}
