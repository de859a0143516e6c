package mock

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Timing is --mock-timing: by which factor recorded durations are waited.
type Timing float64

// ParseTiming reads "40x", "recorded" (1x) or "none" (0).
func ParseTiming(text string) (Timing, error) {
	switch text {
	case "", "none":
		return 0, nil
	case "recorded":
		return 1, nil
	}
	factor, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	if err != nil || !strings.HasSuffix(text, "x") || factor < 0 || math.IsInf(factor, 0) || math.IsNaN(factor) {
		return 0, fmt.Errorf("--mock-timing %q: give a factor such as 40x, or recorded, or none", text)
	}
	return Timing(factor), nil
}

// delay is how long an answer of the recorded duration (milliseconds) takes.
func (t Timing) delay(durationMs int64) time.Duration {
	return time.Duration(float64(t) * float64(durationMs) * float64(time.Millisecond))
}
