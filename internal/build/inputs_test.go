package build

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnceMakesAgainOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, content string) {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	in := inputs{root, []string{"src", "one.json", "absent.json"}}
	made := 0
	run := func(fail error) error {
		return once(root, "thing", in, []string{"out/a.js"}, func() error {
			made++
			if fail == nil {
				write("out/a.js", "made")
			}
			return fail
		})
	}
	steps := []struct {
		name   string
		change func()
		fail   error
		makes  bool
	}{
		{name: "nothing there yet", change: func() { write("src/a.ts", "1"); write("one.json", "1") }, makes: true},
		{name: "nothing changed", change: func() {}},
		{name: "same content written again", change: func() { write("src/a.ts", "1") }},
		{name: "content changed", change: func() { write("src/a.ts", "2") }, makes: true},
		{name: "file added", change: func() { write("src/deep/b.ts", "1") }, makes: true},
		{name: "file renamed", change: func() {
			require.NoError(t, os.Rename(filepath.Join(root, "src/a.ts"), filepath.Join(root, "src/c.ts")))
		}, makes: true},
		{name: "absent file appears", change: func() { write("absent.json", "") }, makes: true},
		{name: "output removed", change: func() { require.NoError(t, os.Remove(filepath.Join(root, "out/a.js"))) }, makes: true},
		{name: "making fails", change: func() { write("one.json", "2") }, fail: errors.New("broken"), makes: true},
		{name: "a failure is not remembered as made", change: func() {}, makes: true},
		{name: "nor is what was made before it", change: func() { write("one.json", "1") }, fail: errors.New("broken"), makes: true},
	}
	for _, step := range steps {
		before := made
		step.change()
		require.ErrorIs(t, run(step.fail), step.fail, step.name)
		require.Equal(t, step.makes, made > before, step.name)
	}
}
