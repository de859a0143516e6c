package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
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

// recordedPair is the part of a pair's JSON that readRecording looks at.
type recordedPair struct {
	MsgType   string `json:"msgType"`
	Direction string `json:"direction"`
	Duration  int    `json:"duration"` // milliseconds
	HTTP      struct {
		Req struct {
			Host string `json:"host"`
		} `json:"req"`
	} `json:"http"`
}

// readRecording counts the pairs below dir. Files that are no pairs, such as logs, are passed over.
func readRecording(dir string) (recording, error) {
	var r recording
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var pair recordedPair
		if json.Unmarshal(pairJSON(filepath.Ext(path), data), &pair) != nil || pair.MsgType != "rrpair" {
			return nil
		}
		switch pair.Direction {
		case "IN":
			r.inbound++
		case "OUT":
			r.outbound++
			r.dependency = pair.HTTP.Req.Host
			r.duration = time.Duration(pair.Duration) * time.Millisecond
		}
		return nil
	})
	if err != nil {
		return recording{}, fmt.Errorf("read the recording %s: %w", dir, err)
	}
	return r, nil
}

// pairJSON returns the JSON of a pair: the whole file, or in Markdown the line that holds it.
func pairJSON(ext string, data []byte) []byte {
	if ext != ".md" {
		return data
	}
	const mark = "\njson: {"
	i := bytes.LastIndex(data, []byte(mark))
	if i < 0 {
		return nil
	}
	line := data[i+len(mark)-1:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	return line
}

// check says what a recording of one quote must hold.
func (r recording) check(dir string) error {
	if r.inbound != 1 || r.outbound != 1 {
		return fmt.Errorf("%s holds %d inbound and %d outbound pairs, expected the quote and its pricing call, one each: capture again, and see the logs beside it",
			dir, r.inbound, r.outbound)
	}
	return nil
}
