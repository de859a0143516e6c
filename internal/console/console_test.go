package console

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTrackLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "load replay: 460 of 1,200 requests, 46 a second, about 16 s left",
		trackLine("load replay", 460, 1200, 10*time.Second))
	require.Equal(t, "load replay: 1,200 of 1,200 requests, 120 a second, about 0 s left",
		trackLine("load replay", 1200, 1200, 10*time.Second))
	require.Equal(t, "load replay: 4 of 1,200 requests, 2 a second", trackLine("load replay", 4, 1200, 2*time.Second))
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for want, in := range map[string]time.Duration{
		"0 s": 200 * time.Millisecond, "59 s": 59 * time.Second, "1 min 0 s": 59600 * time.Millisecond, "2 min 5 s": 125 * time.Second,
	} {
		require.Equal(t, want, Duration(in))
	}
}

func TestPlainTrackPrintsLinesAndStops(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := Plain(&out, time.Millisecond)
	asked := make(chan struct{}, 1000)
	stop := c.Track("load replay", 10, func(context.Context) (int, bool) {
		asked <- struct{}{}
		return 12, true // foreign requests must not read as more than all
	})
	<-asked
	<-asked
	stop()
	require.Contains(t, out.String(), "    load replay: 10 of 10 requests, ")
	written := out.Len()
	require.Equal(t, written, out.Len())
}

func TestNotesIndentEveryLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := Plain(&out, time.Second)
	c.Step("Capture")
	c.Note("one\ntwo")
	c.Warn("three")
	require.Equal(t, "==> Capture\n    one\n    two\n  ! three\n", out.String())
}
