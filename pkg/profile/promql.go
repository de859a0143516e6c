package profile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// newParser returns a parser of PromQL as stable servers accept it.
func newParser() parser.Parser { return parser.NewParser(parser.Options{}) }

// The builders below make the parser's own nodes, so that what we send is an expression and not a
// string put together by hand.

// selector returns a vector selector. Matchers keep their order.
func selector(metric string, matchers ...*labels.Matcher) *parser.VectorSelector {
	all := slices.Clone(matchers)
	all = append(all, parser.MustLabelMatcher(labels.MatchEqual, model.MetricNameLabel, metric))
	return &parser.VectorSelector{Name: metric, LabelMatchers: all}
}

// over returns selector[seconds].
func over(vs *parser.VectorSelector, seconds int64, anchored bool) *parser.MatrixSelector {
	c := *vs
	c.Anchored = anchored
	return &parser.MatrixSelector{VectorSelector: &c, Range: time.Duration(seconds) * time.Second}
}

// call returns name(args...) for a function that the parser knows.
func call(name string, args ...parser.Expr) *parser.Call {
	return &parser.Call{Func: parser.Functions[name], Args: args}
}

// sum returns sum by (labels) (expr), or sum(expr) without labels.
func sum(expr parser.Expr, by ...string) *parser.AggregateExpr {
	return &parser.AggregateExpr{Op: parser.SUM, Expr: expr, Grouping: by}
}

// number returns a number literal.
func number(v float64) *parser.NumberLiteral { return &parser.NumberLiteral{Val: v} }

// divide returns lhs / rhs.
func divide(lhs, rhs parser.Expr) *parser.BinaryExpr {
	return &parser.BinaryExpr{Op: parser.DIV, LHS: lhs, RHS: rhs}
}

// text prints an expression. The parser's own printer sorts matchers and writes 60 s as 1m; people
// compare our queries with those of a guide letter by letter, so we print the few node types that we
// build ourselves, with matchers in the author's order and ranges in whole seconds. The result is
// parsed again and must be the same expression.
func text(expr parser.Expr) (string, error) {
	var b strings.Builder
	if err := write(&b, expr); err != nil {
		return "", err
	}
	out := b.String()
	parsed, err := newParser().ParseExpr(out)
	if err != nil {
		return "", fmt.Errorf("the query %q that we built is not valid PromQL: %w", out, err)
	}
	if want := expr.String(); parsed.String() != want {
		return "", fmt.Errorf("the query %q that we built reads as %q instead of %q", out, parsed.String(), want)
	}
	return out, nil
}

func write(b *strings.Builder, expr parser.Expr) error {
	switch e := expr.(type) {
	case *parser.NumberLiteral:
		b.WriteString(strconv.FormatFloat(e.Val, 'f', -1, 64))
	case *parser.VectorSelector:
		writeSelector(b, e)
	case *parser.MatrixSelector:
		vs, ok := e.VectorSelector.(*parser.VectorSelector)
		if !ok {
			return fmt.Errorf("a range over %T cannot be printed", e.VectorSelector)
		}
		writeSelector(b, vs)
		fmt.Fprintf(b, "[%ds]", int64(e.Range/time.Second))
		if vs.Anchored {
			b.WriteString(" anchored")
		}
	case *parser.Call:
		b.WriteString(e.Func.Name + "(")
		for i, arg := range e.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			if err := write(b, arg); err != nil {
				return err
			}
		}
		b.WriteString(")")
	case *parser.AggregateExpr:
		b.WriteString(e.Op.String())
		if len(e.Grouping) > 0 {
			b.WriteString(" by (" + strings.Join(e.Grouping, ", ") + ") ")
		}
		b.WriteString("(")
		if err := write(b, e.Expr); err != nil {
			return err
		}
		b.WriteString(")")
	case *parser.BinaryExpr:
		if err := write(b, e.LHS); err != nil {
			return err
		}
		b.WriteString(" " + e.Op.String() + " ")
		return write(b, e.RHS)
	default:
		return fmt.Errorf("an expression of type %T cannot be printed", expr)
	}
	return nil
}

func writeSelector(b *strings.Builder, vs *parser.VectorSelector) {
	b.WriteString(vs.Name)
	var parts []string
	for _, m := range vs.LabelMatchers {
		if m.Name == model.MetricNameLabel && m.Type == labels.MatchEqual && m.Value == vs.Name {
			continue
		}
		parts = append(parts, m.Name+m.Type.String()+quote(m.Value))
	}
	if len(parts) > 0 {
		b.WriteString("{" + strings.Join(parts, ",") + "}")
	}
}

// quote writes a label value. The parser refuses the replacement character as broken text unless it
// is escaped.
func quote(value string) string {
	return strings.ReplaceAll(strconv.Quote(value), "\uFFFD", `\ufffd`)
}

// parseMatchers reads the inside of a selector's braces, such as route="/api/quote",code!="200".
// Outer braces are accepted too.
func parseMatchers(s string) (Matchers, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, nil
	}
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	// A metric name in front lets matchers that also match the empty string pass, as in a real query.
	expr, err := newParser().ParseExpr("x{" + s + "}")
	if err != nil {
		return nil, fmt.Errorf("%q is not a list of label matchers such as route=\"/api/quote\",code!=\"200\": %w", s, err)
	}
	vs, ok := expr.(*parser.VectorSelector)
	if !ok || vs.OriginalOffset != 0 || vs.Timestamp != nil {
		return nil, fmt.Errorf("%q is not a list of label matchers such as route=\"/api/quote\",code!=\"200\"", s)
	}
	var out Matchers
	for _, m := range vs.LabelMatchers {
		if m.Name == model.MetricNameLabel {
			if m.Type == labels.MatchEqual && m.Value == "x" {
				continue
			}
			return nil, fmt.Errorf("%q names a metric: give the metric in its own field", s)
		}
		out = append(out, m)
	}
	return out, nil
}

// parseSelector reads a metric name or a plain selector.
func parseSelector(s string) (*parser.VectorSelector, error) {
	expr, err := newParser().ParseExpr(s)
	if err != nil {
		return nil, fmt.Errorf("%q is not a metric name or selector: %w", s, err)
	}
	vs, ok := expr.(*parser.VectorSelector)
	if !ok || vs.Name == "" || vs.OriginalOffset != 0 || vs.Timestamp != nil || vs.StartOrEnd != 0 || vs.Anchored || vs.Smoothed {
		return nil, fmt.Errorf("%q is not a metric name or selector such as app_cpu_seconds_total: give the bare counter, rates and ranges are added for you", s)
	}
	return vs, nil
}
