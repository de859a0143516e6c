package evidence_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A verdict file, and a pair's own status text, that state another status than the pair are named.
func TestContradictingStatuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		glob     string
		from, to string
		says     string
	}{
		"the verdict file":     {"replay-verdict.json", `"observedStatus": 200`, `"observedStatus": 500`, "the verdict file states status 500, the pair 200; so in 3 pairs"},
		"the pair's own texts": {"localhost/*.md", `"statusMessage":"200 OK"`, `"statusMessage":"201 Created"`, `status text "201 Created", status code 200; so in 3 pairs`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir := lab(t)
			files, err := filepath.Glob(filepath.Join(dir, "proxymock", "results", "candidate", "functional", filepath.FromSlash(tc.glob)))
			if err != nil || len(files) == 0 {
				t.Fatalf("no files: %v", err)
			}
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				changed := strings.ReplaceAll(string(data), tc.from, tc.to)
				if changed == string(data) {
					t.Fatalf("%s holds no %s", file, tc.from)
				}
				if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if side := measured(t, c, "candidate", checkout, nil); !problemSays(side, tc.says) {
				t.Errorf("problems are %v, want one that says %q", side.Problems, tc.says)
			}
			if side := measured(t, c, "baseline", checkout, nil); problemSays(side, "so in 3 pairs") {
				t.Errorf("the untouched side has one: %v", side.Problems)
			}
		})
	}
}
