package runner

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// script returns a program that prints text. It is a link to a committed script: a file that was
// only just written cannot be run while another test forks.
func script(t *testing.T, name, text string) string {
	t.Helper()
	say, err := filepath.Abs(filepath.Join("testdata", "say.sh"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Symlink(say, path))
	require.NoError(t, os.WriteFile(path+".txt", []byte(text+"\n"), 0o600))
	return path
}

func TestFindHarness(t *testing.T) {
	t.Parallel()
	const fresh = "Client Version: v2.5.1155\nConfig File: /home/user/.speedscale/config.yaml"
	standIn := script(t, "standin", "stand-in for proxymock 1.2.3")
	cases := map[string]struct {
		choice, onPath string
		name, version  string
		wantErr        string
	}{
		"none on PATH takes the stand-in":     {name: standInName, version: "1.2.3"},
		"stand-in by name although installed": {choice: "stand-in", onPath: fresh, name: standInName, version: "1.2.3"},
		"one on PATH":                         {onPath: fresh, name: proxymockName, version: "2.5.1155"},
		"just new enough":                     {onPath: "v2.5.842", name: proxymockName, version: "2.5.842"},
		"development build":                   {onPath: "v2.6.0-1-gcff2cb668", name: proxymockName, version: "2.6.0"},
		"too old":                             {onPath: "v2.5.841", wantErr: "older than 2.5.842: upgrade it"},
		"old major":                           {onPath: "v1.9.999", wantErr: "older than 2.5.842"},
		"not initialised":                     {onPath: "v2.5.900\nproxymock is not initialized", wantErr: "run `proxymock init` once"},
		"something else":                      {onPath: "hello", wantErr: "names no version"},
		"path that is absent":                 {choice: "/nowhere/proxymock", wantErr: "PROXYMOCK=stand-in"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			look := func(string) (string, error) {
				if c.onPath == "" {
					return "", exec.ErrNotFound
				}
				return script(t, "proxymock", c.onPath), nil
			}
			h, err := findHarness(t.Context(), c.choice, look, func() (string, error) { return standIn, nil })
			if c.wantErr != "" {
				require.ErrorContains(t, err, c.wantErr)
				require.ErrorContains(t, err, "PROXYMOCK=stand-in", "every refusal says the way out")
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.name, h.Name)
			require.Equal(t, c.version, h.Version)
		})
	}
}

func TestFindHarnessReportsAStandInThatDoesNotBuild(t *testing.T) {
	t.Parallel()
	_, err := findHarness(t.Context(), standInChoice, exec.LookPath, func() (string, error) { return "", errors.New("no compiler") })
	require.EqualError(t, err, "no compiler")
}

func TestUsablePrometheus(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ in, want, wantErr string }{
		"pinned":         {in: "prometheus, version 3.16.0 (branch: , revision: unknown)\n  build user:", want: "3.16.0"},
		"older 3.x":      {in: "prometheus, version 3.0.1 (branch: HEAD, revision: 1f56e8492c31)", want: "3.0.1"},
		"candidate":      {in: "prometheus, version 3.17.0-rc.0 (branch: HEAD)", want: "3.17.0-rc.0"},
		"Debian 12":      {in: "prometheus, version 2.42.0+ds (branch: debian/sid, revision: 2.42.0+ds-5+b5)", wantErr: "it is Prometheus 2.42.0+ds; the lab needs 3.x"},
		"next major":     {in: "prometheus, version 4.0.0 (branch: HEAD)", wantErr: "needs 3.x"},
		"without number": {in: "prometheus, version  (branch: , revision: )", wantErr: "does not say which Prometheus"},
		"other program":  {in: "node_exporter, version 1.9.0", wantErr: "does not say which Prometheus"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := usablePrometheus(c.in)
			if c.wantErr != "" {
				require.ErrorContains(t, err, c.wantErr)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestMockTiming(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		recorded time.Duration
		want     string
	}{
		"stored as 1 ms, as proxymock 2.5 does": {time.Millisecond, "40x"},
		"stored as it was":                      {40 * time.Millisecond, "1x"},
		"a little slower than the fixture":      {43 * time.Millisecond, "0.930x"},
		"much slower":                           {400 * time.Millisecond, "0.100x"},
		"odd":                                   {3 * time.Millisecond, "13.333x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := mockTiming(c.recorded, DependencyTime)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			factor, err := strconv.ParseFloat(got[:len(got)-1], 64)
			require.NoError(t, err)
			served := time.Duration(factor * float64(c.recorded))
			require.InDelta(t, DependencyTime.Seconds(), served.Seconds(), 0.0005, "a mock with this factor must take 40 ms")
		})
	}
	_, err := mockTiming(0, DependencyTime)
	require.ErrorContains(t, err, "capture again")
}

func TestFreePortsAreDistinctAndFree(t *testing.T) {
	t.Parallel()
	ports, err := freePorts(6)
	require.NoError(t, err)
	seen := map[int]bool{}
	for _, p := range ports {
		require.False(t, seen[p])
		seen[p] = true
	}
	require.Len(t, seen, 6)
}

func TestPortFreeNamesTheTakenPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	port := l.Addr().(*net.TCPAddr).Port
	require.ErrorContains(t, portFree(port), "port "+strconv.Itoa(port)+" is taken")
}
