package plugin

import "github.com/grafana/grafana-plugin-sdk-go/build/buildinfo"

// unknownVersion stands for a binary that was built without mage.
const unknownVersion = "unversioned build"

// Version is the plugin's version as the build wrote it into the binary.
func Version() string {
	info, err := buildinfo.GetBuildInfo()
	if err != nil || info.Version == "" {
		return unknownVersion
	}
	return info.Version
}
