// Package host serves the built plugin without a Grafana server: it starts the real backend binary
// over the real plugin protocol, answers those of Grafana's HTTP routes which the plugin's pages and
// backend use, and serves a page that loads the built module.js with the real @grafana packages.
//
// It stands in for Grafana where Grafana itself cannot run: in the browser tests and in `go tool mage
// preview`. It proves the module, the routes and the binary. It does not prove Grafana's navigation,
// panel editor, provisioning or signature checks. Whoever can reach it is administrator, so it listens on
// loopback only and answers no other host name.
package host
