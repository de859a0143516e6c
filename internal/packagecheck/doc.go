// Package packagecheck packs the built plugin and holds the package and its sources against those rules of Grafana's
// plugin catalogue that can be applied offline. The catalogue's own validator needs the network; the rules here are
// written after its documentation and name what they are about, not its internal codes.
//
// One rule of the catalogue is broken on purpose: the plugin reads local files. It does so in pkg/store alone, which
// the source rules enforce; it is the reason why the plugin is installed unsigned or privately signed.
package packagecheck
