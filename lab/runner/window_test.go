package runner

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return v
}

func TestWindowFile(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ start, end, want string }{
		"reference interval of 29 seconds": {
			start: "2026-08-13T14:59:55.104212Z", end: "2026-08-13T15:00:22.517560999Z",
			want: `{
  "start": "2026-08-13T14:59:55.104212Z",
  "end": "2026-08-13T15:00:22.51756Z",
  "query_start": "2026-08-13T14:59:55Z",
  "query_end": "2026-08-13T15:00:24Z",
  "window_seconds": 29
}
`,
		},
		"whole seconds have no fraction, and another zone becomes UTC": {
			start: "2026-08-13T17:01:23+02:00", end: "2026-08-13T17:01:31+02:00",
			want: `{
  "start": "2026-08-13T15:01:23Z",
  "end": "2026-08-13T15:01:31Z",
  "query_start": "2026-08-13T15:01:23Z",
  "query_end": "2026-08-13T15:01:33Z",
  "window_seconds": 10
}
`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := NewWindow(at(t, c.start), at(t, c.end))
			require.NoError(t, err)
			path := filepath.Join(t.TempDir(), "load", "window.json")
			require.NoError(t, w.Write(path))
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
			back, err := readWindow(path)
			require.NoError(t, err)
			require.True(t, back.Start.Equal(w.Start) && back.End.Equal(w.End))
		})
	}
}

func TestWindowNeedsALaterEnd(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-08-13T14:59:55Z")
	for name, end := range map[string]time.Time{"equal": now, "below a microsecond": now.Add(900), "before": now.Add(-time.Hour)} {
		_, err := NewWindow(now, end)
		require.ErrorContains(t, err, "not after", name)
	}
}

// The query range covers the run with less than two seconds after it and less than one before.
func TestWindowCoversTheRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "start"))
		end := start.Add(time.Duration(rapid.Int64Range(1, 1e9).Draw(t, "length")) * time.Microsecond)
		w, err := NewWindow(start, end)
		require.NoError(t, err)
		require.False(t, w.QueryStart().After(start))
		require.Less(t, start.Sub(w.QueryStart()), time.Second)
		require.Greater(t, w.QueryEnd().Sub(end), time.Second)
		require.LessOrEqual(t, w.QueryEnd().Sub(end), 2*time.Second)
		require.GreaterOrEqual(t, w.Seconds(), 2)
		require.Zero(t, w.QueryStart().Nanosecond()+w.QueryEnd().Nanosecond())
	})
}

func TestReadWindowRefusesFieldsThatDisagree(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ file, want string }{
		"end typed by hand": {
			`{"start":"2026-08-13T14:59:55.1Z","end":"2026-08-13T15:00:22.5Z","query_start":"2026-08-13T14:59:55Z","query_end":"2026-08-13T15:00:30Z","window_seconds":29}`,
			"does not follow from start and end",
		},
		"wrong length": {
			`{"start":"2026-08-13T14:59:55.1Z","end":"2026-08-13T15:00:22.5Z","query_start":"2026-08-13T14:59:55Z","query_end":"2026-08-13T15:00:24Z","window_seconds":30}`,
			"does not follow from start and end",
		},
		"end before start": {
			`{"start":"2026-08-13T15:00:22Z","end":"2026-08-13T14:59:55Z"}`, "is not after start",
		},
		"no time": {`{"start":"yesterday"}`, "start is no time"},
		"half":    {`{"start":"2026-08-13T15`, "unexpected end of JSON"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "window.json")
			require.NoError(t, os.WriteFile(path, []byte(c.file), 0o600))
			_, err := readWindow(path)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, path)
		})
	}
}
