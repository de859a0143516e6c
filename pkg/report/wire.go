package report

import (
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// onTheWire returns a copy of v that keeps the contract of evidence.json: every nil list or map that would
// be written as null is an empty one, a figure that is no number is missing, and every missing figure has
// a reason. The rooms above give reasons themselves; this is the last resort, so that one forgotten
// reason does not cost a user the whole document.
func onTheWire(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(onTheWire(v.Elem()))
			out.Set(p)
		}
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			list.Index(i).Set(onTheWire(v.Index(i)))
		}
		out.Set(list)
	case reflect.Map:
		if v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			break
		}
		fieldsOnTheWire(out)
		explainFigures(out)
	}
	return out
}

func fieldsOnTheWire(s reflect.Value) {
	for i := range s.NumField() {
		f := s.Type().Field(i)
		tag := f.Tag.Get("json")
		if f.IsExported() && tag != "-" && !strings.Contains(tag, ",omitempty") {
			s.Field(i).Set(onTheWire(s.Field(i)))
		}
	}
}

var reasonsType = reflect.TypeFor[evidence.Reasons]()

// explainFigures takes figures that are no numbers out of a struct and gives every missing one a reason.
func explainFigures(s reflect.Value) {
	reasons := reasonsOf(s)
	if !reasons.IsValid() {
		return
	}
	filled := evidence.Reasons{}
	for k, code := range reasons.Interface().(evidence.Reasons) {
		filled[k] = code
	}
	for name, f := range figures(s) {
		if x, ok := f.Interface().(*float64); ok && x != nil && (math.IsNaN(*x) || math.IsInf(*x, 0)) {
			f.SetZero()
		}
		if f.IsNil() && filled[name] == "" {
			filled[name] = evidence.ReasonUnknown
		}
	}
	if len(filled) > 0 {
		reasons.Set(reflect.ValueOf(filled))
	}
}

// reasonsOf finds the reasons of a struct, its own or those of a struct that it embeds.
func reasonsOf(s reflect.Value) reflect.Value {
	for i := range s.NumField() {
		if s.Type().Field(i).Type == reasonsType {
			return s.Field(i)
		}
	}
	for i := range s.NumField() {
		if f := s.Type().Field(i); f.Anonymous && f.Type.Kind() == reflect.Struct {
			if r := reasonsOf(s.Field(i)); r.IsValid() {
				return r
			}
		}
	}
	return reflect.Value{}
}

// figures are the pointers to plain values by their JSON names, embedded ones included.
func figures(s reflect.Value) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for i := range s.NumField() {
		f := s.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			for k, v := range figures(s.Field(i)) {
				out[k] = v
			}
		case name == "" || name == "-" || f.Type.Kind() != reflect.Pointer:
		case f.Type.Elem().Kind() != reflect.Struct || f.Type.Elem() == reflect.TypeFor[time.Time]():
			out[name] = s.Field(i)
		}
	}
	return out
}
