package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/replaylab/replay-evidence/internal/console"
	"github.com/replaylab/replay-evidence/internal/packagecheck"
)

// packedPlatforms are the systems that a packed plugin serves.
var packedPlatforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"}

// Package builds the plugin for every system, packs it into the repository's root and checks the package.
func Package(ctx context.Context, con *console.Console, root string) error {
	if err := FrontendBuild(ctx, con, root); err != nil {
		return err
	}
	if err := BackendAll(root); err != nil {
		return err
	}
	file, err := packed(root, root, packedPlatforms)
	if err != nil {
		return err
	}
	con.Note("packed as %s; it is unsigned, so that Grafana loads it where its ids are allowed", file)
	return nil
}

// PackageCheck packs what is built for Linux, beside the other things that are made once, and checks the package: the part
// of check that Package shares.
func PackageCheck(ctx context.Context, con *console.Console, root string) error {
	if err := FrontendBuild(ctx, con, root); err != nil {
		return err
	}
	if err := Backend(root); err != nil {
		return err
	}
	_, err := packed(root, filepath.Join(root, CacheDir, "package"), packedPlatforms[:1])
	return err
}

// packed packs dist into folder and fails with every rule that the package breaks.
func packed(root, folder string, platforms []string) (string, error) {
	version, faults, err := packagecheck.CheckVersions(os.DirFS(root))
	if err != nil {
		return "", err
	}
	dist := filepath.Join(root, "dist")
	for _, platform := range platforms {
		if err := packagecheck.Ready(dist, platform); err != nil {
			return "", err
		}
	}
	file, err := packagecheck.Pack(dist, folder, platforms)
	if err != nil {
		return "", err
	}
	host := []string{root}
	if home, err := os.UserHomeDir(); err == nil && home != "/" {
		host = append(host, home)
	}
	found, err := packagecheck.CheckZip(file, packagecheck.Options{Version: version, Platforms: platforms, HostPaths: host})
	if err != nil {
		return "", err
	}
	var all []error
	for _, f := range append(faults, found...) {
		all = append(all, errors.New(f.String()))
	}
	if len(all) > 0 {
		return "", fmt.Errorf("the package %s breaks rules of the plugin catalogue:\n%w", file, errors.Join(all...))
	}
	return file, nil
}
