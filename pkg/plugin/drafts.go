package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/backend/log"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
)

const (
	// maxMetricNames bounds one list of suggestions.
	maxMetricNames = 200
	// maxDraftBytes bounds a profile draft; real ones are below 2 kB.
	maxDraftBytes = 64 << 10
	// maxDraftRuns is how many load runs are tried, newest first, to find one of the draft's service.
	maxDraftRuns = 4
)

// The states of a line of a check.
const (
	checkOK      = "ok"
	checkWarning = "warning"
	checkError   = "error"
)

// getMetricNames suggests names of metrics that contain a text.
func (i *Instance) getMetricNames(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	client, _, prob := i.client(r.Context())
	if prob != nil {
		return prob
	}
	text := r.URL.Query().Get("contains")
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:") != "" {
		return badParameter("contains", "metric names have letters, digits, underscores and colons only")
	}
	regex := ".*" + text + ".*"
	if text == "" {
		regex = ".+" // the API refuses a matcher that the empty name would pass
	}
	names, err := client.MetricNames(r.Context(), regex, maxMetricNames+1)
	if err != nil {
		return promProblem(err)
	}
	out := MetricNamesResponse{APIVersion: APIVersion, Names: nonNil(names)}
	if len(names) > maxMetricNames {
		out.Names, out.Truncated = names[:maxMetricNames], true
	}
	writeJSON(w, logger, http.StatusOK, out)
	return nil
}

// promProblem tells a user why Prometheus did not answer.
func promProblem(err error) *problem {
	var q *promapi.QueryError
	if !errors.As(err, &q) || q.Kind == promapi.KindCanceled {
		return toProblem(err)
	}
	return &problem{status: http.StatusBadGateway, code: "prometheus_failed", title: "Prometheus did not answer", detail: q.Error(), next: q.Next}
}

// postProfileCheck checks a profile draft: its text, then each of its metrics against the newest load run.
func (i *Instance) postProfileCheck(w http.ResponseWriter, r *http.Request, logger log.Logger) error {
	if r.Body == nil { // the SDK's adapter leaves it nil when nothing was sent
		return badParameter("profile", "the request has no text")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDraftBytes))
	if err != nil { // the SDK has read the whole request before, so nothing but its size is left to fail
		return &problem{status: http.StatusRequestEntityTooLarge, code: "draft_too_large", title: "The profile is too large",
			detail: fmt.Sprintf("A profile has at most %d bytes.", maxDraftBytes), next: "Shorten it.", err: err}
	}
	out := CheckResponse{APIVersion: APIVersion, Lines: []CheckLine{}}
	p, faults := parseDraft(string(body))
	if p == nil {
		// A draft with faults is an answer, not a failed request.
		out.Lines = append(out.Lines, faults...)
		writeJSON(w, logger, http.StatusOK, out)
		return nil
	}
	out.Valid = true
	client, _, prob := i.client(r.Context())
	if client == nil {
		out.Lines = append(out.Lines, CheckLine{Subject: "prometheus", State: checkWarning, Text: prob.title + ": " + prob.detail, Next: prob.next})
		writeJSON(w, logger, http.StatusOK, out)
		return nil
	}
	got, run, err := i.newestMeasured(r.Context(), *p, client)
	if err != nil {
		return err
	}
	if got == nil {
		out.Lines = append(out.Lines, CheckLine{Subject: "runs", State: checkWarning, Text: "no load run was found to check the metrics with",
			Next: "Replay once with --load-test, then check again."})
		writeJSON(w, logger, http.StatusOK, out)
		return nil
	}
	out.Lines = append(out.Lines, measuredLines(got, run)...)
	writeJSON(w, logger, http.StatusOK, out)
	return nil
}

// parseDraft returns the profile, or the faults of its text as lines.
func parseDraft(text string) (*profile.Profile, []CheckLine) {
	p, err := profile.Parse(strings.NewReader(text), "profile")
	if err == nil {
		return p, nil
	}
	var pe *profile.Error
	if !errors.As(err, &pe) {
		return nil, []CheckLine{{Subject: "profile", State: checkError, Text: err.Error(), Next: "Correct the text."}}
	}
	var lines []CheckLine
	for _, p := range pe.Problems {
		lines = append(lines, CheckLine{Subject: "profile", State: checkError, Text: p.String(), Next: "Correct the line."})
	}
	return nil, lines
}

// newestMeasured measures the newest load run that the server saw with this profile. Runs of other services may
// be newer, so a few are tried; when none was seen, the newest one says why. It returns nil without any load run.
func (i *Instance) newestMeasured(ctx context.Context, p profile.Profile, client *promapi.Client) (*evidence.Side, *catalog.Run, error) {
	loads, err := i.newestLoads(ctx)
	if err != nil {
		return nil, nil, err
	}
	var first *evidence.Side
	for n, l := range loads {
		got, err := i.measureInTurn(ctx, evidence.Input{Side: l.side, Files: i.catalog, Profile: p, Prometheus: client, Now: i.now(),
			Options: evidence.Options{FinalScrapeWait: -1}})
		if err != nil {
			return nil, nil, err
		}
		i.tellUnasked(ctx, got)
		if got.Metrics.State == evidence.StateOK {
			return got, l.run, nil
		}
		if n == 0 {
			first = got
		}
	}
	if len(loads) == 0 {
		return nil, nil, nil
	}
	return first, loads[0].run, nil
}

// loadRun is a load run with its side.
type loadRun struct {
	side *catalog.Side
	run  *catalog.Run
}

// newestLoads lists the sides whose load runs ended last, newest first, at most maxDraftRuns.
func (i *Instance) newestLoads(ctx context.Context) ([]loadRun, error) {
	listing, err := i.catalog.Sides(ctx)
	if err != nil {
		return nil, err
	}
	var out []loadRun
	for n := range listing.Sides {
		s := &listing.Sides[n]
		var newest *catalog.Run
		for m := range s.Runs {
			r := &s.Runs[m]
			if r.Kind == catalog.KindLoad && r.Window != nil && (newest == nil || r.Window.End.After(newest.Window.End)) {
				newest = r
			}
		}
		if newest != nil {
			out = append(out, loadRun{s, newest})
		}
	}
	slices.SortStableFunc(out, func(a, b loadRun) int { return b.run.Window.End.Compare(a.run.Window.End) })
	return out[:min(len(out), maxDraftRuns)], nil
}

// measuredLines puts a measured side into sentences, one per setting.
func measuredLines(s *evidence.Side, run *catalog.Run) []CheckLine {
	m := s.Metrics
	where := "in the newest load run, " + run.ID
	if m.State != evidence.StateOK {
		return []CheckLine{{Subject: "target", State: checkError, Text: fmt.Sprintf("%s (%s): %s", m.State, where, m.Message), Next: m.Next}}
	}
	lines := []CheckLine{histogramLine("request.metric", m.RequestDuration, m.Coverage, where)}
	for _, w := range m.Waits {
		lines = append(lines, histogramLine("waits: "+w.Name, w.Histogram, m.Coverage, where))
	}
	cpu := CheckLine{Subject: "cpu", State: checkOK, Text: "no CPU counter was found " + where, Next: "Name the counter of CPU seconds, such as process_cpu_seconds_total."}
	if v := m.CPU.SecondsPerRequest; v != nil {
		cpu.Text, cpu.Next = fmt.Sprintf("this counter exists, %s of CPU per request %s", evidence.FormatDuration(*v), where), ""
	} else {
		cpu.State = checkWarning
	}
	lines = append(lines, cpu)
	rec := CheckLine{Subject: "reconciliation", State: checkOK, Text: m.Reconciliation.Text}
	if m.Reconciliation.State != "reconciled" && m.Reconciliation.State != "explained" {
		rec.State, rec.Next = checkWarning, "Narrow request.matchers to what the replay sends, or look at gate G5."
	}
	return append(lines, rec)
}

func histogramLine(subject string, h evidence.Histogram, c evidence.Coverage, where string) CheckLine {
	if h.State != evidence.StateOK || h.Count == nil {
		return CheckLine{Subject: subject, State: checkError, Text: fmt.Sprintf("%s: %s %s", h.Metric, h.State, where),
			Next: "Choose a histogram that this service exposes; the list suggests names."}
	}
	text := fmt.Sprintf("this histogram exists, %d buckets", len(h.Buckets))
	if c.IntervalSeconds != nil {
		text += fmt.Sprintf(", %s scrape", evidence.FormatDuration(*c.IntervalSeconds))
	}
	return CheckLine{Subject: subject, State: checkOK, Text: text + fmt.Sprintf(", %s observations %s", evidence.FormatCount(*h.Count), where)}
}
