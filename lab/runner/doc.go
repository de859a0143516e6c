// Package runner plays the lab's scenario: capture one request with its dependency call, replay it
// against a baseline and a candidate of the checkout API under a mock of that call, let a real
// Prometheus watch, and leave results whose gates and windows were checked.
//
// Times come from the clock around each replay and are written to files; nobody types one. The
// service stays up until Prometheus has scraped it after the end of a window, and the measurements
// themselves are left to the replay tool and to Prometheus: while a load replay runs, the runner
// asks Prometheus only, never the service.
package runner
