package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// CacheDir is the ignored folder, below the repository root, for what is built once.
const CacheDir = ".cache"

// Root returns the repository root: the nearest folder with a go.mod at or above the working
// directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository root: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod at or above the working directory: run this inside the repository")
		}
		dir = up
	}
}

// Exe adds the suffix that programs have on this system.
func Exe(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

func exists(elem ...string) bool {
	_, err := os.Stat(filepath.Join(elem...))
	return err == nil
}
