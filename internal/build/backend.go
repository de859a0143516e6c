package build

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	sdk "github.com/grafana/grafana-plugin-sdk-go/build"
)

// Backend builds the plugin's backend for this system and for Linux on AMD64, which containers use,
// the way the plugin SDK does it: static, with the plugin's id and version linked in.
func Backend(root string) error {
	platforms := [][2]string{{"linux", "amd64"}}
	if own := [2]string{runtime.GOOS, runtime.GOARCH}; own != platforms[0] {
		platforms = append(platforms, own)
	}
	return backend(root, platforms)
}

// BackendAll builds the backend for every system that a packed plugin serves.
func BackendAll(root string) error {
	return backend(root, [][2]string{
		{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
	})
}

func backend(root string, platforms [][2]string) error {
	// The SDK works in the current folder.
	if err := os.Chdir(root); err != nil {
		return fmt.Errorf("build the backend: %w", err)
	}
	// The SDK builds with the names of this machine's folders; nobody who installs the plugin needs them.
	if flags := os.Getenv("GOFLAGS"); !strings.Contains(flags, "-trimpath") {
		if err := os.Setenv("GOFLAGS", strings.TrimSpace(flags+" -trimpath")); err != nil {
			return fmt.Errorf("build the backend: %w", err)
		}
	}
	for _, p := range platforms {
		if err := (sdk.Build{}).Custom(p[0], p[1]); err != nil {
			return fmt.Errorf("build the backend for %s/%s: %w", p[0], p[1], err)
		}
	}
	return nil
}
