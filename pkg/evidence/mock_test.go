package evidence_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
)

// A mock that lacks the rule for ts misses every call; so does one that was given one host's folder. The
// reason is said once for all calls that it holds for.
func TestMockMissesAreExplainedTogether(t *testing.T) {
	t.Parallel()
	const settle = ": a blueprint that masks it makes it match, when the mock is given the whole recording and not one host's folder of it"
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "NO MATCH call:GET http://localhost:8091/v1/project/p%d?ts=%d\n", i%3, i)
	}
	for name, tc := range map[string]struct {
		log  string
		want []string
	}{
		"one call": {"NO MATCH GET /v1/project/p0?ts=9\n", []string{
			"missed: GET /v1/project/p0 differs from the recorded call only in the parameter ts" + settle}},
		"several calls of one kind": {"NO MATCH GET /v1/project/p1?ts=9\nNO MATCH GET /v1/project/p0?ts=8\nNO MATCH GET /v1/project/p1?ts=7\n", []string{
			"missed: GET /v1/project/p1 and 1 other call differ from the recorded calls only in the parameter ts" + settle + " (3 times)"}},
		"more than are described": {many.String(), []string{
			"missed: GET /v1/project/p0 and 2 other calls differ from the recorded calls only in the parameter ts" + settle + " (200 of the first 200)"}},
		"two kinds": {"NO MATCH GET /v1/project/p0?ts=9\nNO MATCH GET /v2/x\nNO MATCH GET /v2/y\n", []string{
			"missed: GET /v2/x and 1 other call: the recording has no such calls (2 times)",
			"missed: GET /v1/project/p0 differs from the recorded call only in the parameter ts" + settle}},
		"passed through": {"PASSTHROUGH GET /v1/project/p0?ts=9\nHIT GET /v1/project/p0?ts=1\n", []string{
			"1 call went to the real dependency: the run was not isolated",
			"passed through: GET /v1/project/p0 differs from the recorded call only in the parameter ts" + settle}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := ordersTree()
			files["results/load-slow0/mock.log"] = tc.log
			for i := range 3 {
				files[fmt.Sprintf("recorded-baseline/localhost/%s", pairName(3+i))] = pairJSON(3+i, "OUT", "goproxy", "GET", fmt.Sprintf("/v1/project/p%d?ts=1%d", i, i), 200, "{}")
			}
			side := measured(t, openCatalog(t, "lab", writeTree(t, files)), "load-slow0+stmt-slow0", checkout, nil)
			if !slices.Equal(side.Mock.Details, tc.want) {
				t.Errorf("details are\n%s\nwant\n%s", strings.Join(side.Mock.Details, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}

// The recording that side.json names lies below the root, or below a directory above the side: a
// workspace reads the same from wherever the root begins.
func TestRecordingBesideTheResults(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "shop/", "a/b/shop/"} {
		t.Run(prefix, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for name, text := range ordersTree() {
				files[prefix+name] = text
			}
			side := measured(t, openCatalog(t, "lab", writeTree(t, files)), "load-slow0+stmt-slow0", checkout, nil)
			if r := side.Recording; r.Source != evidence.FromRecording || r.Path != prefix+"recorded-baseline" {
				t.Errorf("recording is %+v", r)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		files := ordersTree()
		maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, "recorded-baseline/") })
		side := measured(t, openCatalog(t, "lab", writeTree(t, files)), "load-slow0+stmt-slow0", checkout, nil)
		if r := side.Recording; r.Source != evidence.FromUnknown {
			t.Errorf("recording is %+v", r)
		}
		if !slices.ContainsFunc(side.Problems, func(p catalog.Problem) bool { return p.Code == "missing" }) {
			t.Errorf("problems are %+v, want the missing recording", side.Problems)
		}
	})
}
