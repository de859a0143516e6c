//go:build unix

package catalog

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// laid makes something that is no regular file at a path below dir.
type laid func(t *testing.T, full, outside string)

func linkTo(target string) laid {
	return func(t *testing.T, full, outside string) {
		t.Helper()
		if err := os.Symlink(strings.ReplaceAll(target, "OUTSIDE", outside), full); err != nil {
			t.Fatal(err)
		}
	}
}

func pipe(t *testing.T, full, _ string) {
	t.Helper()
	if err := syscall.Mkfifo(full, 0o644); err != nil {
		t.Fatal(err)
	}
}

func socket(t *testing.T, full, _ string) {
	t.Helper()
	// A socket's path is short on every system: it is made beside and moved.
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	t.Cleanup(func() { _ = listener.Close() })
	if err := os.Rename(filepath.Join(dir, "s"), full); err != nil {
		t.Fatal(err)
	}
}

// What is no regular file is never opened and never silently lost: it is named where one looks for it, in the
// run, in the side or in the listing, with its path and the reason.
func TestWhatIsNoFileIsNamed(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		lay  laid
		at   string
		code string
		text string
		in   string // run, side or listing
	}{
		"summary is a link out":        {linkTo("OUTSIDE/summary.json"), "x/load/summary.json", "unreadable", "leads out of the root", "run"},
		"summary is a link up":         {linkTo("../../../../../../etc/hostname"), "x/load/summary.json", "unreadable", "leads out of the root", "run"},
		"summary is a link to nothing": {linkTo("gone.json"), "x/load/summary.json", "missing", "link to nothing", "run"},
		"summary is a pipe":            {pipe, "x/load/summary.json", "unreadable", "a named pipe", "run"},
		"summary is a socket":          {socket, "x/load/summary.json", "unreadable", "a socket", "run"},
		"link to itself":               {linkTo("summary.json"), "x/load/summary.json", "unreadable", "link", "run"},
		"pair is a link out":           {linkTo("OUTSIDE/summary.json"), "x/functional/localhost/2026-08-13_12-00-09.5Z.json", "unreadable", "leads out of the root", "run"},
		"run is a link out":            {linkTo("OUTSIDE"), "x/load-2", "unreadable", "leads out of the root", "side"},
		"run is a pipe":                {pipe, "x/load-2", "unreadable", "a named pipe", "side"},
		"link to a folder above":       {linkTo("../x"), "x/again", "note", "not followed", "side"},
		"side is a link out":           {linkTo("OUTSIDE"), "y", "unreadable", "leads out of the root", "listing"},
		"side is a link inside":        {linkTo("x"), "latest", "note", "listed where they lie", "listing"},
		"lone pipe":                    {pipe, "z.json", "unreadable", "a named pipe", "listing"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outside := t.TempDir()
			write(t, outside, "summary.json", rawLoad)
			c, _, dir := tree(t, replayed(map[string]string{"x/load/window.json": labWindow, "x/side.json": "{}",
				"x/functional/summary.json": rawFunctional}, "x/functional", 3, "generator"))
			full := filepath.Join(dir, filepath.FromSlash(tc.at))
			tc.lay(t, full, outside)
			listing, err := c.Sides(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(listing.Sides) != 1 || len(listing.Sides[0].Runs) != 2 {
				t.Fatalf("sides are %+v, want x with its two runs", listing.Sides)
			}
			s := listing.Sides[0]
			found := map[string][]Problem{"side": s.Problems, "listing": listing.Problems}
			for _, r := range s.Runs {
				found["run"] = append(found["run"], r.Problems...)
			}
			path := tc.at
			if tc.in == "listing" {
				path = "r/" + path
			}
			for where, problems := range found {
				named := slices.ContainsFunc(problems, func(p Problem) bool {
					return p.Path == path && p.Code == tc.code && strings.Contains(p.Message, tc.text)
				})
				if named != (where == tc.in) {
					t.Errorf("problems of the %s are %v; %s must be named in the %s", where, problems, path, tc.in)
				}
				for _, p := range problems {
					if strings.Contains(p.Message, "were removed") && strings.HasPrefix(tc.at, "x/load/") {
						t.Errorf("%s: %s: nothing was removed", p.Path, p.Message)
					}
				}
			}
			before := s.Token
			if err := os.Remove(full); err != nil {
				t.Fatal(err)
			}
			if after, err := c.Sides(t.Context()); err != nil || (tc.in != "listing") != (after.Sides[0].Token != before) {
				t.Errorf("token is %s after %s was removed and was %s before, %v", after.Sides[0].Token, tc.at, before, err)
			}
		})
	}
}

// A side that is a link out of the root is unknown by its name; the error says why.
func TestUnknownSideThatIsALink(t *testing.T) {
	t.Parallel()
	c, _, dir := tree(t, map[string]string{"x/load/summary.json": rawLoad})
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "candidate")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Side(t.Context(), "candidate"); err == nil || !strings.Contains(err.Error(), "r/candidate: is a link that leads out of the root") {
		t.Errorf("error is %v, want that candidate is a link", err)
	}
}

// A pipe in the place of a window file is a rejected window file.
func TestWindowFileIsAPipe(t *testing.T) {
	t.Parallel()
	c, _, dir := tree(t, map[string]string{"x/load/summary.json": rawLoad})
	pipe(t, filepath.Join(dir, "x", "load", "window.json"), "")
	runs, _ := listed(t, c)
	w := runs["x/load"].Window
	if w == nil || w.Source != SourceSummary || !strings.Contains(strings.Join(w.Notes, " "), "window.json was rejected: is a named pipe") {
		t.Errorf("window is %+v, want one from the summary that says what became of window.json", w)
	}
}

// A folder that may not be entered is named in its side.
func TestFolderWithoutPermission(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("the super-user may enter every folder; skipping")
	}
	c, _, dir := tree(t, map[string]string{"x/side.json": "{}", "x/functional/summary.json": rawFunctional, "x/load/summary.json": rawLoad})
	locked := filepath.Join(dir, "x", "load")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(locked, 0o755) })
	s, err := c.Side(t.Context(), "x")
	if err != nil || !hasProblem(s.Problems, "unreadable", "not readable") {
		t.Errorf("side is %+v, %v", s, err)
	}
}
