// Package prometheus holds what the lab fixes about its Prometheus server: the version it builds
// when the machine offers none, and the configuration it runs with.
package prometheus

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
	"time"
)

const (
	// Version is the server's release.
	Version = "3.16.0"
	// Module is the Go module version of the same release.
	Module = "v0.316.0"
	// Package is the server's main package. Release 3.16 is the first whose module file allows
	// `go install` (earlier ones have replace directives).
	Package = "github.com/prometheus/prometheus/cmd/prometheus"
	// Tags leaves out service discovery for clouds and clusters, which is half of the build time.
	Tags = "remove_all_sd"
	// LDFlags strips the binary and sets the version that a release build would report; without it
	// the server answers an empty version, and clients that check it go wrong.
	LDFlags = "-s -w -X github.com/prometheus/common/version.Version=" + Version

	// Job is the scrape job of the checkout API.
	Job = "checkout-api"
	// OrdersJob is the scrape job of the orders service.
	OrdersJob = "orders-api"
	// Interval is the scrape interval and time-out.
	Interval = time.Second
)

//go:embed prometheus.yml.tmpl
var source string

// Config returns the configuration file that scrapes target, a host:port, as job every interval.
func Config(job, target string, interval time.Duration) (string, error) {
	t, err := template.New("prometheus.yml").Parse(source)
	if err != nil {
		return "", fmt.Errorf("parse the Prometheus configuration template: %w", err)
	}
	var b strings.Builder
	// Prometheus takes 1s, 500ms and the like, which is what Duration.String gives below a minute.
	err = t.Execute(&b, struct{ Job, Interval, Target string }{job, interval.String(), target})
	if err != nil {
		return "", fmt.Errorf("fill in the Prometheus configuration: %w", err)
	}
	return b.String(), nil
}

// Flags returns the server's arguments: loopback only, storage in dir, and zero samples at the
// creation time of a counter, so that a series born inside a window counts from zero.
func Flags(configFile, dir, listen string) []string {
	return []string{
		"--config.file=" + configFile,
		"--storage.tsdb.path=" + dir,
		"--web.listen-address=" + listen,
		"--enable-feature=created-timestamp-zero-ingestion",
	}
}
