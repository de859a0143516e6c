package pgwire

import (
	"strings"

	"github.com/DataDog/go-sqllexer"
)

// normalise is the location of a statement: comments removed, blanks collapsed
// and taken out next to the inside of parentheses, one blank around operators
// and casts. Everything else stays as it was sent.
func normalise(sql string) string {
	var out strings.Builder
	space := false
	lexer := sqllexer.New(sql, sqllexer.WithDBMS(sqllexer.DBMSPostgres))
	for {
		token := lexer.Scan()
		if token.Type == sqllexer.EOF {
			break
		}
		text := token.Value
		switch {
		case token.Type == sqllexer.COMMENT || token.Type == sqllexer.MULTILINE_COMMENT || token.Type == sqllexer.SPACE:
			space = true
			continue
		case token.Type == sqllexer.OPERATOR:
			if !strings.HasSuffix(out.String(), " ") && out.Len() > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(text + " ")
			space = false
			continue
		}
		// The lexer may give blanks and a word in one token; only quotes protect them.
		if token.Type != sqllexer.STRING && token.Type != sqllexer.QUOTED_IDENT && token.Type != sqllexer.DOLLAR_QUOTED_STRING && token.Type != sqllexer.DOLLAR_QUOTED_FUNCTION {
			text = strings.Join(strings.Fields(text), " ")
		}
		written := out.String()
		if space && written != "" && !strings.HasSuffix(written, "(") && !strings.HasSuffix(written, " ") && text != ")" {
			out.WriteByte(' ')
		}
		space = false
		out.WriteString(text)
	}
	return out.String()
}

// spaced is the statement text of a signature: every token apart.
func spaced(sql string) []byte {
	normalizer := sqllexer.NewNormalizer()
	text, _, err := normalizer.Normalize(sql, sqllexer.WithDBMS(sqllexer.DBMSPostgres))
	if err != nil {
		return []byte(normalise(sql))
	}
	return []byte(text)
}
