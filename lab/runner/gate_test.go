package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func pct(v float64) *float64 { return &v }

func TestParseSummary(t *testing.T) {
	t.Parallel()
	const all = `{"url":"-ALL-","method":"-ALL-","metrics":{"latency.p95":173,"requests.failed":0,"requests.total":1200,"requests.per-second":46.436}}`
	const one = `{"url":"/api/quote","method":"GET","metrics":{"latency.p95":1,"requests.failed":7,"requests.total":9}}`
	cases := map[string]struct {
		in      string
		want    Summary
		wantErr string
	}{
		"load run":            {in: `{"endpoints":[` + all + `,` + one + `]}`, want: Summary{Total: 1200, P95Ms: 173, PerSecond: 46.436}},
		"aggregate row last":  {in: `{"endpoints":[` + one + `,` + all + `]}`, want: Summary{Total: 1200, P95Ms: 173, PerSecond: 46.436}},
		"noise before result": {in: "Speedscale could not complete request {x}: context canceled\n\n{\"endpoints\":[" + all + "]}\nbye", want: Summary{Total: 1200, P95Ms: 173, PerSecond: 46.436}},
		"scored": {
			in:   `{"endpoints":[{"url":"-ALL-","metrics":{"requests.failed":1,"requests.total":3,"requests.result-match-pct":66.7}}]}`,
			want: Summary{Total: 3, Failed: 1, MatchPct: pct(66.7)},
		},
		"no aggregate row":       {in: `{"endpoints":[` + one + `]}`, wantErr: "no aggregate row"},
		"aggregate without data": {in: `{"endpoints":[{"url":"-ALL-","metrics":{}}]}`, wantErr: "no request counts"},
		"empty file":             {in: "", wantErr: "file is empty"},
		"text only":              {in: "context canceled\n", wantErr: "no line begins with a JSON object"},
		"cut off":                {in: `{"endpoints":[`, wantErr: "stops in the middle"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parseSummary(strings.NewReader(c.in))
			if c.wantErr != "" {
				require.ErrorContains(t, err, c.wantErr)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestGates(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		s                Summary
		functional, load string
	}{
		"clean":             {Summary{Total: 3, MatchPct: pct(100)}, "", ""},
		"not scored":        {Summary{Total: 3}, "no answers were scored", ""},
		"one answer off":    {Summary{Total: 3, MatchPct: pct(66.666667)}, "66.67 % of the answers match", ""},
		"just below all":    {Summary{Total: 3, MatchPct: pct(99.999)}, "all must", ""},
		"a failure":         {Summary{Total: 3, Failed: 1, MatchPct: pct(100)}, "1 of 3 requests failed", "1 of 3 requests failed"},
		"fewer than wanted": {Summary{Total: 2, MatchPct: pct(100)}, "2 requests were sent instead of 3", "2 requests were sent instead of 3"},
		"nothing was sent":  {Summary{MatchPct: pct(100)}, "0 requests were sent instead of 3", "0 requests were sent instead of 3"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, pair := range map[string][2]string{
				"functional": {functionalGate(c.s, 3), c.functional}, "load": {loadGate(c.s, 3), c.load},
			} {
				if pair[1] == "" {
					require.Empty(t, pair[0], kind)
				} else {
					require.Contains(t, pair[0], pair[1], kind)
				}
			}
		})
	}
}

func result(total, failed, match string) string {
	m := `{"endpoints":[{"url":"-ALL-","method":"-ALL-","metrics":{"requests.total":` + total + `,"requests.failed":` + failed
	if match != "" {
		m += `,"requests.result-match-pct":` + match
	}
	return m + "}}]}\n"
}

const (
	firstWindow  = `{"start":"2026-08-13T14:59:41.1Z","end":"2026-08-13T14:59:41.3Z","query_start":"2026-08-13T14:59:41Z","query_end":"2026-08-13T14:59:43Z","window_seconds":2}`
	thirdWindow  = `{"start":"2026-08-13T15:00:30.1Z","end":"2026-08-13T15:00:57.5Z","query_start":"2026-08-13T15:00:30Z","query_end":"2026-08-13T15:00:59Z","window_seconds":29}`
	secondWindow = `{"start":"2026-08-13T14:59:55.1Z","end":"2026-08-13T15:00:22.5Z","query_start":"2026-08-13T14:59:55Z","query_end":"2026-08-13T15:00:24Z","window_seconds":29}`
)

// sideFiles lays out a side; an empty content leaves the file out.
func sideFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "baseline")
	for name, content := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if content != "" {
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		}
	}
	return dir
}

func TestVerify(t *testing.T) {
	t.Parallel()
	good := func() map[string]string {
		return map[string]string{
			"functional/summary.json": result("3", "0", "100"), "functional/window.json": firstWindow,
			"load/summary.json": result("1200", "0", ""), "load/window.json": secondWindow,
			"load-2/summary.json": result("1200", "0", ""), "load-2/window.json": thirdWindow,
		}
	}
	cases := map[string]struct {
		change map[string]string
		want   string
		status int
	}{
		"all there":                {},
		"load summary missing":     {map[string]string{"load/summary.json": ""}, "verify the load run of baseline", StatusNotComparable},
		"window missing":           {map[string]string{"load/window.json": ""}, "verify the window of the load run", StatusNotComparable},
		"functional gate tripped":  {map[string]string{"functional/summary.json": "", "functional/failed-summary.json": result("3", "0", "0")}, "failed-summary.json", StatusChanged},
		"answers do not match":     {map[string]string{"functional/summary.json": result("3", "0", "99")}, "99 % of the answers", StatusChanged},
		"600 instead of 1,200":     {map[string]string{"load/summary.json": result("600", "0", "")}, "600 requests were sent instead of 1200", StatusChanged},
		"load before functional":   {map[string]string{"functional/window.json": secondWindow, "load/window.json": firstWindow}, "before that of functional ended", StatusNotComparable},
		"repeat missing":           {map[string]string{"load-2/summary.json": ""}, "verify the load run of baseline", StatusNotComparable},
		"repeat tripped":           {map[string]string{"load-2/summary.json": "", "load-2/failed-summary.json": result("1200", "9", "")}, "failed-summary.json", StatusChanged},
		"windows meet":             {map[string]string{"load-2/window.json": secondWindow}, "replay of load-2 started at", StatusNotComparable},
		"half written load result": {map[string]string{"load/summary.json": `{"endpoints":[`}, "stops in the middle", StatusNotComparable},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := good()
			for k, v := range c.change {
				files[k] = v
			}
			err := verify(sideFiles(t, files), 3, 1200, 2)
			require.Equal(t, c.status, Status(err))
			if c.want != "" {
				require.ErrorContains(t, err, c.want)
			}
		})
	}
}

func TestLoadIsRefusedUnlessTheFunctionalGatePassed(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		files map[string]string
		want  string
	}{
		"passed":        {map[string]string{"functional/summary.json": result("3", "0", "100")}, ""},
		"never ran":     {nil, "run the functional replay first"},
		"gate tripped":  {map[string]string{"functional/failed-summary.json": result("3", "0", "0")}, "proves nothing"},
		"one failed":    {map[string]string{"functional/summary.json": result("3", "1", "100")}, "1 of 3 requests failed"},
		"not scored":    {map[string]string{"functional/summary.json": result("3", "0", "")}, "no answers were scored"},
		"half a result": {map[string]string{"functional/summary.json": `{"endpoints"`}, "stops in the middle"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := functionalPassed(sideFiles(t, c.files), 3)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
