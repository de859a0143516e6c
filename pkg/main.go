// Command gpx_replay_evidence is the backend of the Replay Evidence app and of its nested data source.
package main

import (
	"os"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/backend/tracing"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/replaylab/replay-evidence/pkg/plugin"
)

// pluginID is that of the app. The nested data source runs the same binary; which one a request is for is
// told by its context.
const pluginID = "replaylab-evidence-app"

func main() {
	if err := run(); err != nil {
		log.DefaultLogger.Error("The plugin could not be served", "error", err)
		os.Exit(1)
	}
}

func run() error {
	backend.SetupPluginEnvironment(pluginID)
	if err := backend.SetupTracer(pluginID, tracing.Opts{}); err != nil {
		return err
	}
	dispatcher, err := plugin.NewDispatcher(plugin.Operator{
		// Grafana passes [plugin.replaylab-evidence-app] roots to the process under this name.
		Roots:      os.Getenv("GF_PLUGIN_ROOTS"),
		Registerer: prometheus.DefaultRegisterer,
		Version:    plugin.Version(),
	})
	if err != nil {
		return err
	}
	return backend.Manage(pluginID, backend.ServeOpts{
		CheckHealthHandler:  dispatcher,
		CallResourceHandler: dispatcher,
		QueryDataHandler:    dispatcher,
	})
}
