package compare

import (
	"encoding/json"
	"regexp"
	"strconv"
)

// Recordings of two versions hold what each made at run time. Without repeats of one request nothing
// shows which fields those are, so values are recognised by their form.
var (
	uuidText = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)
	timeText = regexp.MustCompile(`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?`)
	idKey    = regexp.MustCompile(`(^|[._"])(id|uuid|guid)["\]]*$|(_id|Id|ID)["\]]*$`)
	timeKey  = regexp.MustCompile(`(?i)(time|date|timestamp|epoch|_at|_ts|\.ts)["\]]*$|At["\]]*$`)
)

// Epoch values between 2001 and 2096, in seconds and in milliseconds.
const (
	epochSecondsLow, epochSecondsHigh = 1e9, 4e9
	epochMillisLow, epochMillisHigh   = 1e12, 4e12
)

// generatedText says whether two texts are equal once ids and times are taken out of both.
func generatedText(b, c string) bool {
	mask := func(s string) string {
		return timeText.ReplaceAllString(uuidText.ReplaceAllString(s, "‹id›"), "‹time›")
	}
	return mask(b) == mask(c)
}

// generatedValue says whether a difference between two recordings is an id or a time made at run time.
func generatedValue(d delta) bool {
	if d.kind != kindValue {
		return false
	}
	if b, ok := d.baseline.(string); ok {
		c, ok := d.candidate.(string)
		return ok && generatedText(b, c)
	}
	b, okB := number(d.baseline)
	c, okC := number(d.candidate)
	if !okB || !okC {
		return false
	}
	if idKey.MatchString(d.path.general) {
		return true
	}
	within := func(low, high float64) bool { return b >= low && b < high && c >= low && c < high }
	return timeKey.MatchString(d.path.general) &&
		(within(epochSecondsLow, epochSecondsHigh) || within(epochMillisLow, epochMillisHigh))
}

func number(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil
}
