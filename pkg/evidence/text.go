package evidence

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// FormatDuration writes seconds for a reader: "0.5 ms", "46 ms", "2.5 s". Three digits are kept at
// most; a bucket bound never needs more.
func FormatDuration(seconds float64) string {
	value, unit := scaled(seconds, unitOf(seconds))
	return value + " " + unit
}

// FormatRange writes the interval (lower, upper] of seconds as buckets allow it to be said:
// "150–200 ms", "at most 10 ms" for the lowest bucket, "above 2.5 s" for the highest. A nil bound is
// one that is not known.
func FormatRange(lower, upper *float64) string {
	switch {
	case lower == nil && upper == nil:
		return "unknown"
	case upper == nil:
		return "above " + FormatDuration(*lower)
	case lower == nil || *lower <= 0:
		return "at most " + FormatDuration(*upper)
	}
	lowerUnit, upperUnit := unitOf(*lower), unitOf(*upper)
	if lowerUnit != upperUnit {
		return FormatDuration(*lower) + "–" + FormatDuration(*upper)
	}
	from, _ := scaled(*lower, lowerUnit)
	to, unit := scaled(*upper, upperUnit)
	return from + "–" + to + " " + unit
}

func unitOf(seconds float64) string {
	switch a := math.Abs(seconds); {
	case a >= 1:
		return "s"
	case a >= 1e-4 || a == 0:
		return "ms"
	default:
		return "µs"
	}
}

func scaled(seconds float64, unit string) (string, string) {
	v := seconds
	switch unit {
	case "ms":
		v *= 1e3
	case "µs":
		v *= 1e6
	}
	return significant(v, 3), unit
}

// significant writes v with at most n significant digits, without an exponent and without trailing zeros.
func significant(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	if decimals <= 0 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', decimals, 64), "0"), ".")
}

// FormatCount writes a whole number with thousands separators: "1,200".
func FormatCount(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// FormatPercent writes a share of 0..1 as "92.8 %".
func FormatPercent(share float64) string { return significant(share*100, 3) + " %" }

func plural(n int64, one, many string) string {
	if n == 1 {
		return FormatCount(n) + " " + one
	}
	return FormatCount(n) + " " + many
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05.000Z") }

func ptr[T any](v T) *T { return &v }

// finite returns a pointer to v, or nil when JSON could not carry it.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func sentence(format string, args ...any) string { return fmt.Sprintf(format, args...) }
