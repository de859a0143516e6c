package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeJSON stores v at path, indented, through a temporary file and a rename, so that a reader
// never meets half a file.
func writeJSON(path string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", path, err)
	}
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	if err := os.WriteFile(tmp, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("put %s in place: %w", path, err)
	}
	return nil
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// freshDir empties dir, which must be ours to empty: absent, empty, or holding what marker names
// (a file that the lab writes there). It keeps a mistyped RESULTS_DIR from removing other things.
func freshDir(dir string, markers ...string) error {
	if holdsFiles(dir) && !hasAny(dir, markers) {
		return fmt.Errorf("%s is not empty and holds no results of the lab: name another folder, or empty it yourself", dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("empty %s: %w", dir, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	return nil
}

// holdsFiles says whether anything but empty folders, which an interrupted step leaves, is below dir.
func holdsFiles(dir string) bool {
	found := false
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	// What cannot be read may be anything.
	return found || err != nil && !errors.Is(err, fs.ErrNotExist)
}

func hasAny(dir string, names []string) bool {
	for _, name := range names {
		if matches, _ := filepath.Glob(filepath.Join(dir, name)); len(matches) > 0 {
			return true
		}
	}
	return false
}
