package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/replaylab/replay-evidence/pkg/compare"
	"github.com/replaylab/replay-evidence/pkg/report"
)

// maxConditionBytes bounds one --fail-if expression.
const maxConditionBytes = 4 << 10

// condition is one --fail-if, compiled.
type condition struct {
	text    string
	program *vm.Program
}

// compileAll checks every expression before any work is done: its syntax, the names of its fields and
// the words it compares answers with.
func compileAll(texts []string) ([]condition, error) {
	var out []condition
	for _, text := range texts {
		c, err := compile(text)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func compile(text string) (condition, error) {
	if len(text) > maxConditionBytes {
		return condition{}, usage("--fail-if: the expression is longer than %d bytes", maxConditionBytes)
	}
	words := &answerWords{}
	// Every figure may be null when the condition is evaluated, so that a program that knows its type would break
	// over it. That it is a number otherwise is enough to find what can never be right.
	if _, err := expr.Compile(text, expr.Env(environmentTypes(present)), expr.AsBool(), expr.Patch(words)); err != nil {
		return condition{}, refused(text, err)
	}
	program, err := expr.Compile(text, expr.Env(environmentTypes(orNull)), finite(), expr.Patch(calculations{}))
	if err != nil {
		return condition{}, refused(text, err)
	}
	if words.wrong != "" {
		return condition{}, usage("--fail-if %q: no answer reads %q; answers are %s", text, words.wrong, strings.Join(answers(), ", "))
	}
	return condition{text, program}, nil
}

func answers() []string {
	var out []string
	for _, a := range []compare.Answer{compare.Unchanged, compare.Changed, compare.Improved, compare.Regressed, compare.NoProvableChange,
		compare.CauseWait, compare.CauseWork, compare.CauseWaitAndWork, compare.Unexplained, compare.Inconclusive} {
		out = append(out, string(a))
	}
	return out
}

// answerWords finds answers compared with a word that no answer is: a slip of the pen would never hold.
type answerWords struct{ wrong string }

// Visit looks at comparisons of a field called answer with a text.
func (v *answerWords) Visit(node *ast.Node) {
	b, ok := (*node).(*ast.BinaryNode)
	if !ok || (b.Operator != "==" && b.Operator != "!=") {
		return
	}
	for _, pair := range [][2]ast.Node{{b.Left, b.Right}, {b.Right, b.Left}} {
		word, isText := pair[1].(*ast.StringNode)
		if !isText || !isAnswer(pair[0]) {
			continue
		}
		for _, a := range answers() {
			if a == word.Value {
				return
			}
		}
		v.wrong = word.Value
	}
}

func isAnswer(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.MemberNode:
		p, ok := x.Property.(*ast.StringNode)
		return ok && p.Value == "answer"
	case *ast.ChainNode:
		return isAnswer(x.Node)
	}
	return false
}

// nulls says how a type tells figures that may be null.
type nulls bool

const (
	// present gives a figure the type that it has when it is there.
	present nulls = false
	// orNull gives it any type.
	orNull nulls = true
)

// environmentTypes are the types of evidence.json by their JSON names, with the short names.
func environmentTypes(n nulls) types.Map {
	m, ok := typeOf(reflect.TypeFor[compare.Comparison](), n).(types.Map)
	if !ok {
		return types.Map{}
	}
	verdict, _ := m["verdict"].(types.Map)
	sides, _ := m["sides"].(types.Map)
	for _, name := range []string{"behaviour", "speed", "cause"} {
		m[name] = verdict[name]
	}
	for _, name := range []string{"baseline", "candidate"} {
		m[name] = sides[name]
	}
	return m
}

// typeOf maps a Go type of the contract to the type of its JSON.
func typeOf(t reflect.Type, n nulls) types.Type {
	if t == reflect.TypeFor[time.Time]() {
		return types.String
	}
	switch t.Kind() {
	case reflect.Pointer:
		if e := t.Elem(); n == present || (e.Kind() == reflect.Struct && e != reflect.TypeFor[time.Time]()) {
			return typeOf(e, n)
		}
		return types.Any
	case reflect.Struct:
		m := types.Map{}
		addFields(m, t, n)
		return m
	case reflect.Slice:
		return types.Array(typeOf(t.Elem(), n))
	case reflect.String:
		return types.String
	case reflect.Bool:
		return types.Bool
	case reflect.Int, reflect.Int64, reflect.Float64:
		return types.Float64
	case reflect.Map:
		if n == present {
			return types.Map{types.Extra: typeOf(t.Elem(), n)}
		}
		return types.Map{types.Extra: types.Any} // a key that is not there is null
	}
	return types.Any
}

func addFields(m types.Map, t reflect.Type, n nulls) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case f.Anonymous && name == "":
			addFields(m, f.Type, n)
		case name != "":
			m[name] = typeOf(f.Type, n)
		}
	}
}

// holds evaluates the condition over the written form of the comparison. A figure that is null cannot be
// compared: that is an error, never "does not hold".
func (c condition) holds(result compare.Comparison) (bool, error) {
	var buf bytes.Buffer
	if err := report.JSON(&buf, result); err != nil {
		return false, err
	}
	env := map[string]any{}
	if err := json.Unmarshal(buf.Bytes(), &env); err != nil {
		return false, fmt.Errorf("--fail-if %q: %w", c.text, err)
	}
	for _, part := range []string{"verdict", "sides"} {
		if m, ok := env[part].(map[string]any); ok {
			for name, v := range m {
				env[name] = v
			}
		}
	}
	out, err := expr.Run(c.program, env)
	if err != nil {
		return false, undecided(c.text, err)
	}
	held, ok := out.(bool)
	if !ok {
		return false, undecided(c.text, fmt.Errorf("%w: %v", errNoAnswer, out))
	}
	return held, nil
}
