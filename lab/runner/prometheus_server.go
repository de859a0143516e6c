package runner

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/api"
	promv1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/replaylab/replay-evidence/internal/proc"
	labprom "github.com/replaylab/replay-evidence/lab/prometheus"
)

// startPrometheus starts srv on a loopback port and returns its URL once it is ready. dir takes the
// configuration and the storage.
func startPrometheus(ctx context.Context, children *proc.Supervisor, srv server, dir, logFile string, port int, target, job string) (string, *proc.Process, error) {
	config, err := labprom.Config(job, target, labprom.Interval)
	if err != nil {
		return "", nil, err
	}
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		return "", nil, fmt.Errorf("write the Prometheus configuration: %w", err)
	}
	listen := fmt.Sprintf("127.0.0.1:%d", port)
	p, err := children.Start(proc.Command{
		Name: "Prometheus", Path: srv.path, Args: labprom.Flags(file, filepath.Join(dir, "data"), listen), Log: logFile,
	})
	if err != nil {
		return "", nil, err
	}
	url := "http://" + listen
	err = poll(ctx, "Prometheus at "+url, readyTimeout, p, func(ctx context.Context) error {
		return answers(ctx, url+"/-/ready", http.StatusOK)
	})
	return url, p, err
}

// watcher asks Prometheus what the scenario must know: whether scrapes landed, and how far a load
// replay is. It leaves the figures of the evidence to the evidence engine.
type watcher struct {
	url string
	api promv1.API
	watched
}

// watched is the service that Prometheus scrapes.
type watched struct {
	// job is its scrape job, requests the series that counts what it answered.
	job, requests string
}

// watchedCheckout is the service of the scenario.
var watchedCheckout = watched{labprom.Job, "checkout_request_duration_seconds_count"}

func newWatcher(url string, service watched) (*watcher, error) {
	client, err := api.NewClient(api.Config{Address: url})
	if err != nil {
		return nil, &UsageError{fmt.Errorf("the Prometheus URL %q: %w", url, err)}
	}
	return &watcher{url: url, api: promv1.NewAPI(client), watched: service}, nil
}

// version returns what the server says it is.
func (w *watcher) version(ctx context.Context) (string, error) {
	info, err := w.api.Buildinfo(ctx)
	if err != nil {
		return "", fmt.Errorf("ask Prometheus at %s for its version: %w", w.url, err)
	}
	return info.Version, nil
}

// scrapesSince counts the good scrapes of every target of the job at or after t; the smallest count
// of any target is returned, zero when there is no target yet.
func (w *watcher) scrapesSince(ctx context.Context, t time.Time) (int, error) {
	// A range selector sent as an instant query answers the raw samples. Two seconds more than the
	// time that has gone by keep a sample exactly at t inside the left-open range.
	seconds := int(time.Since(t)/time.Second) + 2
	v, _, _, err := w.api.Query(ctx, fmt.Sprintf(`up{job=%q}[%ds]`, w.job, seconds), time.Now())
	if err != nil {
		return 0, fmt.Errorf("ask Prometheus at %s for its scrapes: %w", w.url, err)
	}
	matrix, ok := v.(model.Matrix)
	if !ok || len(matrix) == 0 {
		return 0, nil
	}
	least := -1
	for _, series := range matrix {
		n := 0
		for _, s := range series.Values {
			if s.Value == 1 && !s.Timestamp.Time().Before(t) {
				n++
			}
		}
		if least < 0 || n < least {
			least = n
		}
	}
	return least, nil
}

// scrapeTimeout bounds the wait for a scrape: the interval, its time-out, and half a minute for a
// machine with other work.
const scrapeTimeout = 2*labprom.Interval + 30*time.Second

// awaitScrapes waits until every target was scraped n times at or after t.
func (w *watcher) awaitScrapes(ctx context.Context, t time.Time, n int, p *proc.Process) error {
	what := fmt.Sprintf("%d good scrape(s) of the service at or after %s", n, instant(t))
	return poll(ctx, what, scrapeTimeout+time.Until(t), p, func(ctx context.Context) error {
		got, err := w.scrapesSince(ctx, t)
		if err != nil {
			return err
		}
		if got < n {
			return fmt.Errorf("%d so far", got)
		}
		return nil
	})
}

// answered is the number of requests the service has counted, as of the last scrape.
func (w *watcher) answered(ctx context.Context) (int, bool) {
	v, _, _, err := w.api.Query(ctx, fmt.Sprintf(`sum(%s{job=%q})`, w.requests, w.job), time.Now())
	if err != nil {
		return 0, false
	}
	vector, ok := v.(model.Vector)
	if !ok || len(vector) != 1 {
		return 0, false
	}
	return int(vector[0].Value), true
}
