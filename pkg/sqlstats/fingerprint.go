package sqlstats

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// form is a statement text reduced to what identifies it.
type form struct {
	fingerprint string
	sql         string
	verb        string
	kind        Kind
	tables      []string
}

// masker makes forms and remembers them: a recording repeats few texts many times.
type masker struct {
	obfuscator *sqllexer.Obfuscator
	display    *sqllexer.Obfuscator
	normalizer *sqllexer.Normalizer
	seen       map[string]*form
}

func newMasker() *masker {
	return &masker{
		// The fingerprint masks everything that can vary between two executions of one statement.
		obfuscator: sqllexer.NewObfuscator(
			sqllexer.WithReplacePositionalParameter(true), sqllexer.WithReplaceBindParameter(true),
			sqllexer.WithReplaceBoolean(true), sqllexer.WithReplaceNull(true),
			sqllexer.WithDollarQuotedFunc(false),
		),
		// The text for people keeps $1, NULL and TRUE, which read better and reveal nothing.
		display: sqllexer.NewObfuscator(sqllexer.WithReplacePositionalParameter(false)),
		normalizer: sqllexer.NewNormalizer(
			sqllexer.WithCollectTables(true), sqllexer.WithKeepSQLAlias(true),
			sqllexer.WithUppercaseKeywords(true),
		),
		seen: map[string]*form{},
	}
}

// form returns the form of a text. The text is the recorder's normalised one (comments removed,
// white space collapsed) where there is one, else the text as sent.
func (m *masker) form(text string) *form {
	if f, ok := m.seen[text]; ok {
		return f
	}
	f := m.make(text)
	m.seen[text] = f
	return f
}

func (m *masker) make(text string) *form {
	postgres := sqllexer.WithDBMS(sqllexer.DBMSPostgres)
	normal, metadata, err := sqllexer.ObfuscateAndNormalize(text, m.obfuscator, m.normalizer, postgres)
	if err != nil || (normal == "" && strings.TrimSpace(text) != "") {
		// The lexer accepts any text; if it ever does not, the masked text still identifies it.
		normal = m.obfuscator.Obfuscate(text, postgres)
	}
	normal = collapseRows(normal)
	s := classify(text)
	f := &form{
		fingerprint: digest(normal),
		sql:         strings.Join(strings.Fields(stripComments(m.display.Obfuscate(text, postgres))), " "),
		verb:        s.verb,
		kind:        s.kind,
		tables:      s.tables,
	}
	if metadata != nil {
		for _, table := range metadata.Tables {
			if !slices.Contains(s.notTables, table) {
				f.tables = append(f.tables, table)
			}
		}
	}
	slices.Sort(f.tables)
	f.tables = slices.Compact(f.tables)
	return f
}

// digest shortens a text to 16 hex digits, enough for the few hundred texts of a recording.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// collapseRows folds the equal row groups of a multi-row INSERT into one, so that a batch of three
// rows has the fingerprint of a batch of four.
func collapseRows(normal string) string {
	head, rows, found := strings.Cut(normal, "VALUES (")
	if !found {
		return normal
	}
	row, rest, found := strings.Cut(rows, ")")
	if !found || strings.Contains(row, "(") {
		return normal
	}
	again := ", (" + row + ")"
	for strings.HasPrefix(rest, again) {
		rest = rest[len(again):]
	}
	return head + "VALUES (" + row + ")" + rest
}

// stripComments removes comments; they hold trace ids and are different in every request.
func stripComments(text string) string {
	if !strings.Contains(text, "--") && !strings.Contains(text, "/*") {
		return text
	}
	var b strings.Builder
	lexer := sqllexer.New(text, sqllexer.WithDBMS(sqllexer.DBMSPostgres))
	for {
		token := lexer.Scan()
		switch token.Type {
		case sqllexer.EOF:
			return b.String()
		case sqllexer.COMMENT, sqllexer.MULTILINE_COMMENT:
			b.WriteByte(' ')
		default:
			b.WriteString(token.Value)
		}
	}
}
