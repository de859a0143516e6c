// Package build is what the mage targets call: paths of the repository, pinned tools in the
// ignored cache folder, Debian packages where they may be installed, and the steps of check.
package build
