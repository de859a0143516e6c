package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// probeTimeout bounds the question to Prometheus inside a health check; Grafana itself waits 30 s.
const probeTimeout = 10 * time.Second

// CheckHealth implements backend.CheckHealthHandler. It tells apart whether the roots can be read, how many
// runs were found, every bad setting, and how Prometheus answers: no token, token refused, data source not
// allowed or missing, server down.
func (i *Instance) CheckHealth(ctx context.Context, req *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
	// Grafana asks for no permission on this route, so the role decides here: roots and counts are for readers.
	if refused := refusedHealth(mayRead(ctx, req.PluginContext.User, "", nil)); refused != nil {
		return refused, nil
	}
	d := HealthDetails{APIVersion: APIVersion, Problems: nonNil(i.problems), Roots: []RootState{}}
	var sentences []string
	ok := true

	listing, err := i.catalog.Sides(ctx)
	if err != nil {
		ok = false
		sentences = append(sentences, "The roots could not be listed: "+err.Error()+".")
	}
	d.Roots = i.roots(listing)
	readable := 0
	for _, r := range d.Roots {
		d.Runs += r.Runs
		if r.Readable {
			readable++
			continue
		}
		ok = false
		sentences = append(sentences, fmt.Sprintf("Root %s: %s.", r.Name, r.Message))
	}
	if readable == 0 {
		ok = false
	}
	sentences = append(sentences, fmt.Sprintf("%d of %d roots readable, %d runs found.", readable, len(d.Roots), d.Runs))

	d.Prometheus, d.PrometheusText, d.PrometheusNext = i.probe(ctx)
	switch d.Prometheus {
	case "ok":
		sentences = append(sentences, "Prometheus answers.")
	case "not_configured":
		sentences = append(sentences, "Prometheus is not configured: behaviour and the replay's own figures work without it, causes do not.")
	default:
		ok = false
		sentences = append(sentences, sentence("Prometheus: "+d.PrometheusText)+" "+d.PrometheusNext)
	}
	for _, p := range d.Problems {
		if p.Setting == "roots" { // already told by the root's own line
			continue
		}
		ok = false
		sentences = append(sentences, sentence("Setting "+p.Setting+": "+p.Message)+" "+p.Next)
	}
	details, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encoding the details of the health check: %w", err)
	}
	status := backend.HealthStatusOk
	if !ok {
		status = backend.HealthStatusError
	}
	return &backend.CheckHealthResult{Status: status, Message: strings.Join(sentences, " "), JSONDetails: details}, nil
}

// refusedHealth is what somebody who may not read is told instead of the health; nil for a reader. A refusal is
// an answer of the health check, not a failure of it.
func refusedHealth(p *problem) *backend.CheckHealthResult {
	if p == nil {
		return nil
	}
	return &backend.CheckHealthResult{Status: backend.HealthStatusError, Message: p.title + ". " + p.detail + " " + p.next}
}

// probe asks the cheapest question and tells who refused it.
func (i *Instance) probe(ctx context.Context) (code, text, next string) {
	client, _, prob := i.client(ctx)
	if prob != nil {
		code = prob.code
		if code == codeNotConfigured {
			code = "not_configured"
		}
		return code, prob.detail, prob.next
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	_, err := client.Instant(ctx, "vector(1)", i.now())
	var q *promapi.QueryError
	switch {
	case err == nil:
		return "ok", "Prometheus answers", ""
	case errors.As(err, &q):
		return healthCode(q, i.settings.Prometheus.Mode()), q.Cause(), q.Next
	default: // an answer for another time
		return "not_prometheus", err.Error(), "Point the setting at a Prometheus-compatible server."
	}
}

// sentence ends a text with a full stop.
func sentence(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
