package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/proc"
)

func getenv(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestOptionsDefaults(t *testing.T) {
	t.Parallel()
	o, err := OptionsFromEnv("/repo", getenv(nil))
	require.NoError(t, err)
	require.Equal(t, "/repo/lab/out", o.Out)
	require.Equal(t, "/repo/lab/out/proxymock/recording", o.Recording)
	require.Equal(t, "/repo/lab/out/proxymock/results/baseline", o.Results)
	require.Equal(t, Variant{Budget: 2, Passes: 150}, o.Baseline)
	require.Equal(t, Variant{Budget: 16, Passes: 150}, o.Candidate)
	require.Equal(t, 1200, o.Users*o.Baseline.Passes)
	require.Equal(t, 3, o.FunctionalPasses)
	require.Equal(t, 1, o.Repeats)
	require.Equal(t, "127.0.0.1:8080", o.AppAddr)
}

func TestOptionsFromEnv(t *testing.T) {
	t.Parallel()
	o, err := OptionsFromEnv("/repo", getenv(map[string]string{
		"LAB_OUT": "/elsewhere", "RESULTS_DIR": "lab/out/proxymock/results/candidate", "LAB_CANDIDATE_BUDGET": "2",
		"LAB_CANDIDATE_PASSES": "75", "LAB_CANDIDATE_PRICE_OFFSET_CENTS": "-1", "LAB_FAIL_IF": "speed==regressed",
		"PROMETHEUS_BIN": "bin/prometheus", "PROXYMOCK": "stand-in",
	}))
	require.NoError(t, err)
	require.Equal(t, "/elsewhere/proxymock/recording", o.Recording)
	require.Equal(t, "/repo/lab/out/proxymock/results/candidate", o.Results)
	require.Equal(t, Variant{Budget: 2, Passes: 75, PriceOffsetCents: -1}, o.Candidate)
	require.Equal(t, "/repo/bin/prometheus", o.PrometheusBin)
	require.Equal(t, "stand-in", o.Proxymock)
	require.Equal(t, []string{"--fail-if", "speed==regressed"}, o.CompareArgs)
	require.Equal(t, "proxymock/recording", o.inOut(o.Recording))
	require.Equal(t, "/repo/x", o.inOut("/repo/x"))
}

func TestOptionsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"LAB_BUDGET": "0", "LAB_REPEATS": "0", "LAB_PASSES": "many", "LAB_USERS": "-1", "LAB_CANDIDATE_PASSES": "1.5",
		"LAB_PROMETHEUS": "localhost:9090", "LAB_APP_ADDR": "8080",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := OptionsFromEnv("/repo", getenv(map[string]string{name: value}))
			require.ErrorContains(t, err, name)
			require.Equal(t, StatusUsage, Status(err))
		})
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		err  error
		want int
	}{
		"nothing":               {nil, 0},
		"gate":                  {fmt.Errorf("side: %w", &GateError{"candidate", "functional", "x"}), 1},
		"usage":                 {&UsageError{errors.New("x")}, 64},
		"command line said":     {&StatusError{Code: 2, Text: "not comparable"}, 2},
		"interrupted":           {fmt.Errorf("replay: %w", context.Canceled), 130},
		"interrupted in option": {&UsageError{context.Canceled}, 130},
		"anything else":         {errors.New("cannot start"), 2},
	}
	for name, c := range cases {
		require.Equal(t, c.want, Status(c.err), name)
	}
}

func TestSideFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, writeSide(dir, Side{
		Label: "candidate", Version: "budget 16", Changed: changed(Variant{Budget: 2}, Variant{Budget: 16}),
		Pools: map[string]int{"pricing": 16}, Harness: Harness{Name: standInName, Version: "1.0.0", Path: "/home/someone/bin"},
		Workload:   &Workload{Users: 8, Passes: 150, Mode: "load-test", Recording: "proxymock/recording", FunctionalPasses: 3},
		Dependency: Dependency{Mocked: true, Timing: "40x"},
	}))
	got, err := os.ReadFile(filepath.Join(dir, "side.json"))
	require.NoError(t, err)
	require.NotContains(t, string(got), "/home/", "paths of the machine stay out of results")
	require.JSONEq(t, `{
		"label": "candidate", "version": "budget 16", "changed": "pricing connection budget 2 -> 16",
		"pools": {"pricing": 16},
		"workload": {"users": 8, "passes": 150, "mode": "load-test", "recording": "proxymock/recording", "functionalPasses": 3},
		"harness": {"name": "stand-in for proxymock", "version": "1.0.0"},
		"dependency": {"mocked": true, "timing": "40x"}
	}`, string(got))
	require.True(t, json.Valid(got))
	require.Contains(t, string(got), "2 -> 16", "the arrow is not escaped")
}

func TestChanged(t *testing.T) {
	t.Parallel()
	require.Equal(t, "nothing: the connection budget stays the same", changed(Variant{Budget: 2}, Variant{Budget: 2}))
	require.Equal(t, "pricing connection budget 2 -> 16; unit price +1 cents", changed(Variant{Budget: 2}, Variant{Budget: 16, PriceOffsetCents: 1}))
}

func TestFreshDir(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, name string) string {
		t.Helper()
		dir := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		return dir
	}
	t.Run("results are emptied", func(t *testing.T) {
		t.Parallel()
		dir := write(t, "summary.json")
		require.NoError(t, freshDir(dir, "summary.json"))
		require.NoFileExists(t, filepath.Join(dir, "summary.json"))
		require.DirExists(t, dir)
	})
	t.Run("other things are kept", func(t *testing.T) {
		t.Parallel()
		dir := write(t, "thesis.txt")
		require.ErrorContains(t, freshDir(dir, "summary.json"), "holds no results of the lab")
		require.FileExists(t, filepath.Join(dir, "thesis.txt"))
	})
	t.Run("other things in a sub-folder are kept", func(t *testing.T) {
		t.Parallel()
		dir := write(t, "deep/er/thesis.txt")
		require.Error(t, freshDir(dir, "*/*.md"))
	})
	t.Run("empty folders of an interrupted step are no obstacle", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "localhost"), 0o755))
		require.NoError(t, freshDir(dir))
	})
	t.Run("absent", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "a", "b")
		require.NoError(t, freshDir(dir))
		require.DirExists(t, dir)
	})
}

func TestReadRecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, content string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	put("quote-response.json", `{"sku":"SSC-4110"}`)
	put("proxymock.log", "recording\n")
	// Synthetic pairs with as little as a pair may have.
	const pair = `{"msgType":"rrpair","ts":"2026-08-13T14:58:01.000001Z","l7protocol":"http","uuid":"AAAAAAAAQACAAAAAAAAAAQ==",`
	put("localhost/in.json", pair+`"direction":"IN","duration":46,"http":{"req":{"method":"GET","url":"/api/quote"},"res":{"statusCode":200}}}`)
	r, err := readRecording(dir)
	require.NoError(t, err)
	require.ErrorContains(t, r.check(dir), "1 inbound and 0 outbound")
	put("localhost/out.json", pair+`"direction":"OUT","duration":1,"http":{"req":{"method":"GET","url":"/v1/price/SSC-4110","host":"localhost:8090"},"res":{"statusCode":200}}}`)
	put("localhost/half.md", "") // being written
	r, err = readRecording(dir)
	require.NoError(t, err)
	require.NoError(t, r.check(dir))
	require.Equal(t, "localhost:8090", r.dependency)
	require.EqualValues(t, 1e6, r.duration)
	_, err = readRecording(filepath.Join(dir, "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	ended := func(code int) error {
		return &proc.ExitError{Name: "compare", Code: code, Err: errors.New("exit status")}
	}
	gates := []*GateError{{Side: "candidate", Run: "functional", Trip: "0 % of the answers match"}}
	cases := map[string]struct {
		err   error
		gates []*GateError
		want  int
		text  string
	}{
		"unchanged":                       {nil, nil, 0, ""},
		"changed":                         {ended(1), nil, 1, "behaviour changed"},
		"not comparable":                  {ended(2), nil, 2, "not comparable"},
		"option refused":                  {ended(64), nil, 64, "option"},
		"gate although nothing compared":  {ended(2), gates, 1, "0 % of the answers match"},
		"gate although the comparison ok": {nil, gates, 1, "0 % of the answers match"},
		"crashed":                         {ended(-1), nil, 2, "compare the two sides"},
		"crashed after a gate":            {ended(3), gates, 2, "compare the two sides"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := New(Options{Out: "/out"}, console.Plain(io.Discard, time.Second))
			err := l.verdict(c.err, c.gates)
			require.Equal(t, c.want, Status(err))
			if c.text != "" {
				require.ErrorContains(t, err, c.text)
			}
		})
	}
}
