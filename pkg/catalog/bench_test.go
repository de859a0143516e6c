package catalog

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// thousand makes 1,000 sides as the lab writes them: a functional run with three pairs, a load run, windows.
func thousand(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	for i := range 1000 {
		side := fmt.Sprintf("side-%04d", i)
		files := replayed(map[string]string{
			side + "/side.json": `{"label":"x","pools":{"db":2}}`, side + "/functional/summary.json": rawFunctional,
			side + "/functional/window.json": labWindow, side + "/load/summary.json": rawLoad, side + "/load/window.json": labWindow,
		}, side+"/functional", 3, "generator")
		for name, text := range files {
			write(b, dir, name, text)
		}
	}
	return dir
}

// BenchmarkListing lists 1,000 sides: for the first time, again without changes, and beside it what a plain
// walk and reading the same bytes cost.
func BenchmarkListing(b *testing.B) {
	dir := thousand(b)
	list := func(b *testing.B, c *Catalog) {
		listing, err := c.Sides(context.Background())
		if err != nil || len(listing.Sides) != 1000 {
			b.Fatalf("%d sides, %v", len(listing.Sides), err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			list(b, New([]Root{openRoot(b, "r", dir)}, Options{}))
		}
	})
	b.Run("again", func(b *testing.B) {
		c := New([]Root{openRoot(b, "r", dir)}, Options{})
		list(b, c)
		for b.Loop() {
			list(b, c)
		}
	})
	walk := func(b *testing.B, visit func(string) error) {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if _, err := d.Info(); err != nil {
				return err
			}
			return visit(name)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("plain-walk", func(b *testing.B) {
		for b.Loop() {
			walk(b, func(string) error { return nil })
		}
	})
	b.Run("cat", func(b *testing.B) {
		for b.Loop() {
			walk(b, func(name string) error {
				file, err := os.Open(name)
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, file)
				_ = file.Close()
				return err
			})
		}
	})
}

// BenchmarkPairs reads a recording of 5,000 pairs, beside reading the same bytes.
func BenchmarkPairs(b *testing.B) {
	dir := b.TempDir()
	for name, text := range replayed(map[string]string{}, "rec", 5000, "goproxy") {
		write(b, dir, name, text)
	}
	b.Run("pairs", func(b *testing.B) {
		for b.Loop() {
			c := New([]Root{openRoot(b, "r", dir)}, Options{})
			r, err := c.RunAt(context.Background(), "r", "rec")
			if err != nil {
				b.Fatal(err)
			}
			pairs, _, err := c.Pairs(context.Background(), r)
			if err != nil || len(pairs) != 5000 {
				b.Fatalf("%d pairs, %v", len(pairs), err)
			}
		}
	})
	b.Run("cat", func(b *testing.B) {
		for b.Loop() {
			entries, err := os.ReadDir(filepath.Join(dir, "rec", "localhost"))
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range entries {
				if _, err := os.ReadFile(filepath.Join(dir, "rec", "localhost", e.Name())); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
