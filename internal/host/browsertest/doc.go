// Package browsertest holds the Go side of the browser tests: it starts the test host on the synthetic lab, with a real
// query engine behind its data source, and runs the specs of tests/ in Chromium. `go tool mage check` builds what
// it needs and runs it; plain `go test` skips it.
package browsertest
