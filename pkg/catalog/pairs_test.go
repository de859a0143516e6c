package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestPairs(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	files := map[string]string{
		"rec/localhost/" + pairName(at(2)):          pairAt(at(2), 3, "IN", "goproxy", 1),
		"rec/localhost/" + pairName(at(1)):          pairAt(at(1), 2, "IN", "goproxy", 1),
		"rec/z.example.com/" + pairName(at(1)):      pairAt(at(1), 1, "OUT", "goproxy", 1),
		"rec/zz-copy/" + pairName(at(1)):            pairAt(at(1), 1, "OUT", "goproxy", 1),
		"rec/localhost/" + pairName(at(3)):          `{"msgType":"rrpair","ts":"2026`,
		"rec/localhost/renamed-by-hand.json":        pairAt(at(4), 4, "IN", "goproxy", 1),
		"rec/localhost/quote-response.json":         `{"total":1}`,
		"rec/localhost/README.md":                   "no pair",
		"rec/localhost/2026-08-13_12-00-09.5Z.json": `{"total":1}`,
		"rec/localhost/2026-08-13_12-00-10.5Z.json": strings.Repeat(" ", 2<<20),
	}
	c, root, _ := tree(t, files)
	runs, _ := listed(t, c)
	r := runs["rec"]
	pairs, problems, err := c.Pairs(t.Context(), &r)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, p := range pairs {
		order = append(order, fmt.Sprint(*p.Sequence))
	}
	if got := strings.Join(order, ","); got != "1,2,3,4" {
		t.Errorf("sequence is %s, want by time and then by capture order", got)
	}
	for code, text := range map[string]string{"duplicate": "1 pair with", "incomplete": "", "not_a_pair": "", "too_large": ""} {
		if !hasProblem(problems, code, text) {
			t.Errorf("problems are %v, want %s", problems, code)
		}
	}
	if len(problems) != 4 {
		t.Errorf("problems are %v, want four", problems)
	}
	opened := root.opened.Load()
	if _, _, err := c.Pairs(t.Context(), &r); err != nil || root.opened.Load() != opened {
		t.Errorf("%d files were opened again (%v)", root.opened.Load()-opened, err)
	}
}

func TestPairsAreCapped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range replayed(map[string]string{}, "rec", 30, "goproxy") {
		write(t, dir, name, text)
	}
	c := New([]Root{openRoot(t, "r", dir)}, Options{MaxPairs: 10})
	runs, _ := listed(t, c)
	r := runs["rec"]
	pairs, problems, err := c.Pairs(t.Context(), &r)
	if err != nil || len(pairs) != 10 || !hasProblem(problems, "limit", "30 pair files are more than the limit of 10") {
		t.Errorf("%d pairs, problems %v, error %v", len(pairs), problems, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fresh := New([]Root{openRoot(t, "r", dir)}, Options{})
	if _, _, err := fresh.Pairs(ctx, &r); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want cancelled", err)
	}
}

// A long run is bounded by all its pairs once it is opened, although the list reads only some of them.
func TestOpeningASideReadsAllPairs(t *testing.T) {
	t.Parallel()
	files := replayed(map[string]string{}, "long", 200, "generator")
	slow := noon.Add(101 * time.Second)
	files["long/localhost/"+pairName(slow)] = pairAt(slow, 101, "IN", "generator", 500_000)
	c, _, _ := tree(t, files)
	runs, _ := listed(t, c)
	if n := runs["long"].Window.Notes; len(n) < 2 || !strings.Contains(n[1], "first and last") {
		t.Errorf("notes are %v, want the sampling said", n)
	}
	s, err := c.Side(t.Context(), "long")
	if err != nil {
		t.Fatal(err)
	}
	if end := s.Runs[0].Window.End; !end.Equal(slow.Add(500 * time.Second)) {
		t.Errorf("end is %s, want that of the slow request", end)
	}
}
