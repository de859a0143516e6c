package build

import (
	"io"
	"os"

	"github.com/magefile/mage/sh"
)

// Help prints what the targets are for and mage's own list of them.
func Help(w io.Writer) error {
	const text = `Replay Evidence. The two commands to know:

  go tool mage lab      the whole story: capture, replay, Prometheus, evidence, verdict
  go tool mage check    every test

`
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	// The list is made by mage from the comments of the targets.
	_, err := sh.Exec(nil, w, os.Stderr, "go", "tool", "mage", "-l")
	return err
}
