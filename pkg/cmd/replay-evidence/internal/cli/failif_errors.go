package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// errNotFinite ends a division that has no finite value.
var errNotFinite = errors.New("a division by zero, or a figure too large, has no value to compare")

// quotientName is the function that stands for "/"; no field of evidence.json has a blank in its name.
const quotientName = "the quotient"

// quotient divides. In the language x/0 is infinite, which is more than everything: a condition would hold
// because a figure is zero.
func quotient() expr.Option {
	return expr.Function(quotientName, func(args ...any) (any, error) {
		a, okA := number(args[0])
		b, okB := number(args[1])
		if !okA || !okB {
			return nil, fmt.Errorf("invalid operation: %T / %T", args[0], args[1])
		}
		if q := a / b; !math.IsInf(q, 0) && !math.IsNaN(q) {
			return q, nil
		}
		return nil, errNotFinite
	}, new(func(any, any) float64))
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	}
	return 0, false
}

// quotients puts the checked division in the place of every "/".
type quotients struct{}

// Visit replaces one node.
func (quotients) Visit(node *ast.Node) {
	if b, ok := (*node).(*ast.BinaryNode); ok && b.Operator == "/" {
		ast.Patch(node, &ast.CallNode{Callee: &ast.IdentifierNode{Value: quotientName}, Arguments: []ast.Node{b.Left, b.Right}})
	}
}

// undecided says why a condition could not be decided, and what to do.
func undecided(text string, err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	why, next := "it compares or computes with values of unlike kinds", "compare numbers with numbers and texts with texts"
	switch {
	case errors.Is(err, errNotFinite):
		why, next = "it divides by zero", "test the divisor with > 0 first"
	case strings.Contains(first, "<nil>"):
		why, next = "a figure in it is missing", "test it with != nil first, or see why it is null in evidence.json"
	case strings.Contains(first, "memory budget"):
		why, next = "it needs too much memory", "write it without large ranges or lists"
	case strings.Contains(first, "bool("):
		why, next = "its result is not true or false", "compare the figure with a limit"
	case strings.Contains(first, "out of range"):
		why, next = "it asks for an element that a list does not have", "test the length of the list first"
	}
	return fmt.Errorf("--fail-if %q could not be decided, %s (%s); %s", text, why, first, next)
}
