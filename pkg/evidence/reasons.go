package evidence

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// CheckReasons walks any value of the contract and returns an error for the first figure that breaks
// the rule "missing is never zero, and never silent": a nil number, boolean or time whose object has no
// entry for it in its reasons, an entry for a figure that is there, or a number that JSON cannot carry
// (NaN or infinite). Objects without a field of type Reasons may hold no nil figures.
//
// A struct that embeds another shares its reasons. Nil pointers to structs, empty lists and maps are
// not figures; the objects around them say in words what they mean.
func CheckReasons(v any) error {
	return checkValue(reflect.ValueOf(v), "")
}

var reasonsType = reflect.TypeFor[Reasons]()

func checkValue(v reflect.Value, path string) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return checkValue(v.Elem(), path)
	case reflect.Float64, reflect.Float32:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%s is %v, which JSON cannot carry", path, f)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			if err := checkValue(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if err := checkValue(it.Value(), fmt.Sprintf("%s[%v]", path, it.Key())); err != nil {
				return err
			}
		}
	case reflect.Struct:
		return checkStruct(v, path)
	}
	return nil
}

func checkStruct(v reflect.Value, path string) error {
	if !v.CanInterface() || isPlain(v.Type()) {
		return nil
	}
	figures, reasons := map[string]reflect.Value{}, map[string]string{}
	collect(v, figures, reasons)
	for name, field := range figures {
		_, explained := reasons[name]
		switch {
		case isFigure(field.Type()) && field.IsNil() && !explained:
			return fmt.Errorf("%s.%s is null without a reason", path, name)
		case isFigure(field.Type()) && !field.IsNil() && explained:
			return fmt.Errorf("%s.%s has a value and the reason %q why it has none", path, name, reasons[name])
		}
		if err := checkValue(field, path+"."+name); err != nil {
			return err
		}
	}
	for name, code := range reasons {
		if _, ok := figures[name]; !ok {
			return fmt.Errorf("%s has the reason %q for %q, which is no field of it", path, code, name)
		}
		if code == "" {
			return fmt.Errorf("%s.%s has an empty reason", path, name)
		}
	}
	return nil
}

// collect gathers the fields that go on the wire, embedded ones included, and all reasons of the object.
func collect(v reflect.Value, figures map[string]reflect.Value, reasons map[string]string) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Type == reasonsType:
			for k, code := range v.Field(i).Interface().(Reasons) {
				reasons[k] = code
			}
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			collect(v.Field(i), figures, reasons)
		case !f.IsExported() || name == "-":
		default:
			if name == "" {
				name = f.Name
			}
			figures[name] = v.Field(i)
		}
	}
}

// isFigure says whether a nil of this type is a missing figure.
func isFigure(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer {
		return false
	}
	switch e := t.Elem(); e.Kind() {
	case reflect.Float64, reflect.Float32, reflect.Int64, reflect.Int, reflect.Int32, reflect.Bool:
		return true
	default:
		return isPlain(e)
	}
}

// isPlain says whether a struct is one value, such as a time.
func isPlain(t reflect.Type) bool { return t.PkgPath() == "time" && t.Name() == "Time" }

// set records why a figure is null; the first reason stays.
func (r *Reasons) set(field, code string) {
	if *r == nil {
		*r = Reasons{}
	}
	if _, ok := (*r)[field]; !ok {
		(*r)[field] = code
	}
}

// explain records one code for every figure of the object v (a pointer to a struct) that is still null,
// in the object's own Reasons. It is the last step of filling an object.
func explain(v any, reasons *Reasons, code string) {
	figures, known := map[string]reflect.Value{}, map[string]string{}
	collect(reflect.ValueOf(v).Elem(), figures, known)
	for name, field := range figures {
		if _, ok := known[name]; !ok && isFigure(field.Type()) && field.IsNil() {
			reasons.set(name, code)
		}
	}
}
