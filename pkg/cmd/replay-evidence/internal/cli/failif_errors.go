package cli

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// errNotFinite ends a calculation that has no finite value.
var errNotFinite = errors.New("a division by zero, or a figure too large, has no value to compare")

// errNoAnswer ends a condition whose result is a figure or a text.
var errNoAnswer = errors.New("the result is not true or false")

// finiteName is the function that stands around every calculation; no field of evidence.json has a blank in its
// name.
const finiteName = "the finite"

// finite passes every value on but infinity and NaN. In the language x/0 is infinite, which is more than
// everything: a condition would hold because a figure is zero.
func finite() expr.Option {
	return expr.Function(finiteName, func(args ...any) (any, error) {
		if v, ok := args[0].(float64); ok && (math.IsInf(v, 0) || math.IsNaN(v)) {
			return nil, errNotFinite
		}
		return args[0], nil
	}, new(func(any) any))
}

// calculations puts every calculation, by an operator or by one of the language's functions, inside finite.
type calculations struct{}

// Visit replaces one node.
func (calculations) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.BinaryNode:
		if !slices.Contains([]string{"+", "-", "*", "/", "%", "**", "^"}, n.Operator) {
			return
		}
	case *ast.BuiltinNode:
	default:
		return
	}
	ast.Patch(node, &ast.CallNode{Callee: &ast.IdentifierNode{Value: finiteName}, Arguments: []ast.Node{*node}})
}

// mismatch is how the library names operands that do not go together.
var mismatch = regexp.MustCompile(`^(.*\()mismatched types (.+) and (.+)(\) \(\d+:\d+\))$`)

// refused says what is wrong with an expression before anything is measured, in the words of evidence.json.
func refused(text string, err error) error {
	message := err.Error()
	first, rest, _ := strings.Cut(message, "\n")
	// Only the library's sentence is reworded: what follows it is the author's own text.
	if m := mismatch.FindStringSubmatch(first); m != nil {
		names := strings.NewReplacer("float64", "number", "int", "number", "string", "text")
		message = m[1] + "mismatched types " + names.Replace(m[2]) + " and " + names.Replace(m[3]) + m[4] + "\n" + rest
	}
	switch {
	case strings.HasPrefix(first, "expected bool"):
		message = strings.NewReplacer("float64", "number", "string", "text", "map[string]interface {}", "an object", "[]interface {}", "a list").Replace(first) +
			strings.TrimPrefix(message, first)
		message += "\nthe result must be true or false: compare the figure with a limit"
	case strings.Contains(message, "mismatched types"):
		message += "\ncompare and compute numbers with numbers, and texts with texts"
	default:
		message += "\nfields are those of evidence.json; short names are behaviour, speed, cause, baseline, candidate; for example speed.answer == \"regressed\""
	}
	return usage("--fail-if %q: %s", text, message)
}

// undecided says why a condition could not be decided, and what to do.
func undecided(text string, err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	why, next := "it compares or computes with values of unlike kinds", "compare numbers with numbers and texts with texts"
	switch {
	case errors.Is(err, errNotFinite), strings.Contains(first, "divide by zero"):
		why, next = "it divides by zero, or a figure in it is too large", "test the divisor with > 0 first"
	case errors.Is(err, errNoAnswer) && !strings.Contains(first, "nil"):
		why, next = "it is no question", "compare the figure with a limit"
	case strings.Contains(first, "nil"):
		why, next = "a figure in it is missing", "test it with != nil first, or see why it is null in evidence.json"
	case strings.Contains(first, "memory budget"):
		why, next = "it needs too much memory", "write it without large ranges or lists"
	case strings.Contains(first, "out of range"):
		why, next = "it asks for an element that a list does not have", "test the length of the list first"
	}
	return fmt.Errorf("--fail-if %q could not be decided, %s (%s); %s", text, why, first, next)
}
