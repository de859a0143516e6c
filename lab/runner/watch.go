package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// prometheusState is prometheus.json: which server watched a run.
type prometheusState struct {
	URL     string `json:"url"`
	Version string `json:"version"`
	// Origin says where the server came from: PROMETHEUS_BIN, PATH, a build, or LAB_PROMETHEUS.
	Origin string `json:"origin"`
}

// prometheus makes sure that a server watches the service, and notes which one.
func (l *Lab) prometheus(ctx context.Context) (string, error) {
	l.con.Step("Starting Prometheus")
	state := prometheusState{URL: l.opt.PrometheusURL, Origin: "LAB_PROMETHEUS"}
	if state.URL == "" {
		srv, err := findPrometheus(ctx, l.con, l.opt.Root, l.opt.PrometheusBin)
		if err != nil {
			return "", err
		}
		state.Origin = srv.origin
		if state.URL, err = l.startWatching(ctx, srv); err != nil {
			return "", err
		}
	}
	var err error
	if l.watch, err = newWatcher(state.URL, l.service); err != nil {
		return "", err
	}
	if state.Version, err = l.watch.version(ctx); err != nil {
		return "", fmt.Errorf("%w: start it, or leave LAB_PROMETHEUS empty for one of the lab's own", err)
	}
	l.con.Note("Prometheus %s at %s (%s)", state.Version, state.URL, state.Origin)
	return state.URL, writeJSON(filepath.Join(l.opt.Out, "prometheus.json"), state)
}

// startWatching starts the server of a whole run.
func (l *Lab) startWatching(ctx context.Context, srv server) (string, error) {
	dir, err := os.MkdirTemp("", "replay-evidence-prometheus-")
	if err != nil {
		return "", fmt.Errorf("make a temporary folder for Prometheus: %w", err)
	}
	l.cleanup = append(l.cleanup, func() {
		if !l.keep {
			l.watching.Close()
			_ = os.RemoveAll(dir)
		}
	})
	url, p, err := startPrometheus(ctx, &l.watching, srv, dir, l.opt.log("prometheus"), l.ports.prometheus, l.ports.app, l.service.job)
	if err != nil {
		return "", err
	}
	if l.opt.KeepPrometheus {
		// lab:down then ends it. A run that breaks off removes the file again with the server.
		l.cleanup = append(l.cleanup, func() {
			if !l.keep {
				_ = os.Remove(l.upFile())
			}
		})
		return url, writeJSON(l.upFile(), upState{PID: p.PID(), URL: url, Dir: dir})
	}
	return url, nil
}

// rest waits for two good scrapes at or after since.
func (l *Lab) rest(ctx context.Context, since time.Time, when string, p *proc.Process) {
	if err := l.watch.awaitScrapes(ctx, since, 2, p); err != nil && ctx.Err() == nil {
		l.con.Warn("no two scrapes %s: %v\nthe evidence will name what that costs", when, err)
	}
}

// hold keeps the service up until a scrape at or after the end of the window's queries has landed.
// Ending it earlier would lose the tail of the load for good.
func (l *Lab) hold(ctx context.Context, w Window, p *proc.Process) {
	if err := l.watch.awaitScrapes(ctx, w.QueryEnd(), 1, p); err != nil && ctx.Err() == nil {
		l.con.Warn("no scrape after the end of the load replay: %v\nthe evidence will name what that costs", err)
	}
}
