package evidence

import "strconv"

// CompareWitnesses says whether the replay's own quantile and the bucket that the server counted agree. Both
// are right by their own definition: the replay's is exact over durations as the client saw them, network
// included; the server's is a bucket. So they agree when the replay's value lies in the bucket or
// above it by no more than tolerance (seconds). It returns nil and an empty text when one of them is missing.
func CompareWitnesses(replayMs *float64, server Quantile, tolerance float64) (*bool, string) {
	if replayMs == nil || (server.Lower == nil && server.Upper == nil) {
		return nil, ""
	}
	replay := *replayMs / 1000
	bucket := FormatRange(server.Lower, server.Upper)
	// Whole milliseconds: a reported 25 may be anything that rounds to it.
	const rounding = 0.001
	text := strconv.FormatFloat(*replayMs, 'f', -1, 64) + " ms"
	switch {
	case server.Lower != nil && replay+rounding < *server.Lower:
		return ptr(false), sentence("inconsistent: %s is below the server's %s, which a client cannot see", text, bucket)
	case server.Upper == nil || replay <= *server.Upper+rounding:
		return ptr(true), sentence("consistent (%s is inside %s)", text, bucket)
	case replay <= *server.Upper+tolerance:
		return ptr(true), sentence("consistent (%s is %s above %s, within the tolerance)", text, FormatDuration(replay-*server.Upper), bucket)
	}
	return ptr(false), sentence("%s outside the server: the client saw %s, the server %s", FormatDuration(replay-*server.Upper), text, bucket)
}
