package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// inputs are files and folders, below the root, that decide what a step makes.
type inputs struct {
	root  string
	paths []string
}

// digest is a SHA-256 over the names and contents of all files. What does not exist counts as absent.
func (in inputs) digest() (string, error) {
	sum := sha256.New()
	for _, path := range in.paths {
		// WalkDir goes in the order of the names.
		err := filepath.WalkDir(filepath.Join(in.root, path), func(name string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				_, err = fmt.Fprintf(sum, "absent %s\n", path)
				return err
			}
			if err != nil || entry.IsDir() {
				return err
			}
			return addFile(sum, in.root, name)
		})
		if err != nil {
			return "", fmt.Errorf("read what %s is made from: %w", path, err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func addFile(sum io.Writer, root, name string) error {
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return err
	}
	f, err := os.Open(filepath.Clean(name))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	content := sha256.New()
	if _, err := io.Copy(content, f); err != nil {
		return err
	}
	_, err = fmt.Fprintf(sum, "%s %x\n", filepath.ToSlash(rel), content.Sum(nil))
	return err
}

// once runs f unless it already made the outputs from the same inputs. The digest is kept in the cache under name.
func once(root, name string, in inputs, outputs []string, f func() error) error {
	want, err := in.digest()
	if err != nil {
		return err
	}
	marker := filepath.Join(root, CacheDir, "made", name)
	if made, err := os.ReadFile(filepath.Clean(marker)); err == nil && string(made) == want {
		complete := true
		for _, out := range outputs {
			complete = complete && exists(root, out)
		}
		if complete {
			return nil
		}
	}
	// Whatever happens in between, nothing half-made looks finished.
	if err := os.Remove(marker); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget what was made before: %w", err)
	}
	if err := f(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(marker), 0o750); err != nil {
		return fmt.Errorf("remember what was made: %w", err)
	}
	if err := os.WriteFile(marker, []byte(want), 0o600); err != nil {
		return fmt.Errorf("remember what was made: %w", err)
	}
	return nil
}
