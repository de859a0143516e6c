package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// num returns the value of a figure. A missing figure and one that is no number (NaN, infinite) are
// both "not there": nothing is ever compared with them.
func num(p *float64) (float64, bool) {
	if p == nil || math.IsNaN(*p) || math.IsInf(*p, 0) {
		return 0, false
	}
	return *p, true
}

// both returns two figures when both are there.
func both(a, b *float64) (float64, float64, bool) {
	x, ok := num(a)
	if !ok {
		return 0, 0, false
	}
	y, ok := num(b)
	return x, y, ok
}

// bothCounts returns two counts when both are there.
func bothCounts(a, b *int64) (int64, int64, bool) {
	if a == nil || b == nil {
		return 0, 0, false
	}
	return *a, *b, true
}

func ptr[T any](v T) *T { return &v }

// figure returns a pointer to v, or nil when JSON could not carry it.
func figure(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// duration writes seconds for a reader, with a true minus sign.
func duration(seconds float64) string {
	if seconds < 0 {
		return "−" + evidence.FormatDuration(-seconds)
	}
	return evidence.FormatDuration(seconds)
}

// signedDuration writes a change: "+15 ms", "−63 ms", "0 ms".
func signedDuration(seconds float64) string {
	if seconds > 0 {
		return "+" + evidence.FormatDuration(seconds)
	}
	return duration(seconds)
}

// wholeMs writes one of the replay's own percentiles, which are whole milliseconds.
func wholeMs(v float64) string { return decimal(v, 0, 2) + " ms" }

// decimal writes v with at most max decimals and at least min.
func decimal(v float64, minDecimals, maxDecimals int) string {
	s := fmt.Sprintf("%.*f", maxDecimals, v)
	if maxDecimals > 0 {
		for len(s)-strings.IndexByte(s, '.')-1 > minDecimals && strings.HasSuffix(s, "0") {
			s = s[:len(s)-1]
		}
		s = strings.TrimSuffix(s, ".")
	}
	if s == "-0" {
		return "0"
	}
	return strings.Replace(s, "-", "−", 1)
}

// significant writes v with about three digits: "46.4", "0.05", "1,203" stays "1203".
func significant(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100:
		return decimal(v, 0, 1)
	case a >= 1:
		return decimal(v, 0, 2)
	case a >= 0.1:
		return decimal(v, 0, 3)
	default:
		return decimal(v, 0, 4)
	}
}

// rate writes a throughput with one decimal, as replays report it.
func rate(v float64) string {
	if v >= 1000 {
		return evidence.FormatCount(int64(math.Round(v)))
	}
	return decimal(v, 0, 1)
}

// percentChange writes the relative move from b to c: "−73 %", "+4 %", "=".
func percentChange(b, c float64) string {
	if b == c {
		return "="
	}
	if b == 0 {
		return "from 0"
	}
	p := (c - b) / math.Abs(b) * 100
	decimals := 0
	if math.Abs(p) < 10 {
		decimals = 1
	}
	s := decimal(math.Abs(p), 0, decimals)
	if s == "0" {
		return "<0.1 %"
	}
	// A fall to nearly nothing must not read as a fall to nothing.
	if s == "100" && c != 0 && p < 0 {
		s = decimal(math.Abs(p), 0, 1)
		if s == "100" {
			return "nearly −100 %"
		}
	}
	if p < 0 {
		return "−" + s + " %"
	}
	return "+" + s + " %"
}

// times writes a ratio: "3.8×".
func times(r float64) string {
	if r >= 100 {
		return decimal(r, 0, 0) + "×"
	}
	return decimal(r, 1, 1) + "×"
}

// points writes a difference of two shares in percentage points: "−59 points".
func points(b, c float64) string {
	d := (c - b) * 100
	s := decimal(math.Abs(d), 0, 1)
	switch {
	case s == "0":
		return "="
	case d < 0:
		return "−" + s + " points"
	}
	return "+" + s + " points"
}

// arrow joins two texts of one unit and says the unit once: "150–200 → 25–50 ms".
func arrow(from, to string) string {
	i, j := strings.LastIndexByte(from, ' '), strings.LastIndexByte(to, ' ')
	if i > 0 && j > 0 && from[i:] == to[j:] {
		from = from[:i]
	}
	return from + " → " + to
}

// shareUnit joins two figures and says their unit once: "190 / 49 ms".
func shareUnit(a, b string) string {
	i, j := strings.LastIndexByte(a, ' '), strings.LastIndexByte(b, ' ')
	if i > 0 && j > 0 && a[i:] == b[j:] {
		a = a[:i]
	}
	return a + " / " + b
}

// percent writes a share of 0..1: "59 %", "9.3 %", "0.5 %".
func percent(share float64) string {
	a := math.Abs(share)
	switch {
	case a > 0 && a < 0.0005:
		return "<0.1 %"
	case a > 0 && a < 0.0995:
		return decimal(share*100, 0, 1) + " %"
	}
	return decimal(share*100, 0, 0) + " %"
}

// percentile names a quantile: "p95", "p99.9".
func percentile(q float64) string { return "p" + decimal(q*100, 0, 2) }

// counted writes a number with its noun: "1 pair", "3 pairs".
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return evidence.FormatCount(n) + " " + many
}

// list joins words: "a", "a and b", "a, b and c"; beyond limit the rest is counted.
func list(words []string, limit int) string {
	if limit > 0 && len(words) > limit {
		words = append(slices.Clone(words[:limit]), counted(int64(len(words)-limit), "other", "others"))
	}
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// upperFirst starts a sentence.
func upperFirst(s string) string {
	if s == "" {
		return s
	}
	r := []rune(s)
	return strings.ToUpper(string(r[0])) + string(r[1:])
}
