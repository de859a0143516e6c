package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// recording is what the scenario needs to know of a captured folder.
type recording struct {
	// inbound and outbound count pairs by direction.
	inbound, outbound int
	// dependency is the host:port that the outbound call went to, duration how long it is said to
	// have taken, zero when the file does not say.
	dependency string
	duration   time.Duration
}

// readRecording counts the pairs below dir. Files that are no pairs, such as logs, are passed over.
func readRecording(dir string) (recording, error) {
	var r recording
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		pair, err := readPair(path)
		switch {
		case errors.Is(err, proxymock.ErrNotPair), errors.Is(err, proxymock.ErrIncomplete):
			return nil // a foreign file, or one that is still being written
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		}
		switch pair.Direction {
		case "IN":
			r.inbound++
		case "OUT":
			r.outbound++
			if pair.HTTP != nil {
				r.dependency = pair.HTTP.Host
			}
			if pair.Duration != nil {
				r.duration = *pair.Duration
			}
		}
		return nil
	})
	if err != nil {
		return recording{}, fmt.Errorf("read the recording %s: %w", dir, err)
	}
	return r, nil
}

func readPair(path string) (*proxymock.Pair, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return proxymock.ParsePair(f, proxymock.FormAuto)
}

// check says what a recording of one quote must hold.
func (r recording) check(dir string) error {
	if r.inbound != 1 || r.outbound != 1 {
		return fmt.Errorf("%s holds %d inbound and %d outbound pairs, expected the quote and its pricing call, one each: capture again, and see the logs beside it",
			dir, r.inbound, r.outbound)
	}
	return nil
}
