package runner

import (
	"fmt"
	"strconv"
	"time"
)

// DependencyTime is how long a call of the dependency takes: the fixture's delay while recording
// and the mock's while replaying.
const DependencyTime = 40 * time.Millisecond

// mockTiming returns the value of --mock-timing that makes a call recorded with the given duration
// take want. proxymock 2.5 stores 1 ms for outbound HTTP whatever it took, hence 40x there; a
// recorder that stores the real 43 ms needs 0.930x.
func mockTiming(recorded, want time.Duration) (string, error) {
	if recorded <= 0 {
		return "", fmt.Errorf("the recorded dependency call has no duration, so that no --mock-timing factor can make it take %s: capture again", want)
	}
	factor := float64(want) / float64(recorded)
	if whole := int64(want / recorded); want%recorded == 0 {
		return strconv.FormatInt(whole, 10) + "x", nil
	}
	return strconv.FormatFloat(factor, 'f', 3, 64) + "x", nil
}
