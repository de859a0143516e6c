package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/replaylab/replay-evidence/internal/proc"
)

// quotePath is the one request of the scenario.
const quotePath = "/api/quote?sku=SSC-4110&qty=3"

// capture records the quote and its pricing call into dir.
func (l *Lab) capture(ctx context.Context, dir string) error {
	l.con.Step("Capturing GET %s and the dependency call it makes", quotePath)
	if err := freshDir(dir, "*/*.md", "*/*.json", "quote-response.json", "proxymock.log"); err != nil {
		return &UsageError{err}
	}
	var children proc.Supervisor
	defer children.Close()

	fixture, err := children.Start(proc.Command{
		Name: "pricing", Path: l.pricing, Log: l.opt.log("pricing"),
		Env: []string{
			fmt.Sprintf("PRICING_ADDR=127.0.0.1:%d", l.ports.pricing),
			fmt.Sprintf("PRICING_DELAY_MS=%d", DependencyTime.Milliseconds()),
		},
	})
	if err != nil {
		return err
	}
	pricing := fmt.Sprintf("http://localhost:%d", l.ports.pricing)
	if err := poll(ctx, "the pricing dependency", readyTimeout, fixture, func(ctx context.Context) error {
		return answers(ctx, pricing+"/healthz", http.StatusNoContent)
	}); err != nil {
		return err
	}
	recorder, err := children.Start(proc.Command{
		Name: "checkout under " + l.harness.Name + " record", Path: l.harness.Path, Dir: l.opt.Out,
		Args: []string{
			"record", "--out", l.opt.inOut(dir),
			"--app-port", strconv.Itoa(l.ports.appPort),
			"--proxy-in-port", strconv.Itoa(l.ports.proxyIn),
			"--proxy-out-port", strconv.Itoa(l.ports.proxyOut),
			"--", l.checkout,
		},
		Env: l.appEnv(Variant{Budget: baselineBudget}, pricing),
		Log: l.opt.log("record"), StopSignal: os.Interrupt, Grace: 5 * time.Second,
	})
	if err != nil {
		return err
	}
	if err := l.awaitApp(ctx, recorder); err != nil {
		return err
	}
	if err := poll(ctx, "the inbound proxy", readyTimeout, recorder, func(ctx context.Context) error {
		return accepts(ctx, l.ports.proxyIn)
	}); err != nil {
		return err
	}
	if err := sleep(ctx, settle); err != nil {
		return err
	}
	body, err := l.quote(ctx)
	if err != nil {
		return fmt.Errorf("send the request to record: %w (logs: %s)", err, l.opt.log("record"))
	}
	if err := l.awaitPairs(ctx, dir, recorder); err != nil {
		return err
	}
	recorder.Stop()
	if err := os.WriteFile(filepath.Join(dir, "quote-response.json"), body, 0o644); err != nil {
		return fmt.Errorf("store the answer beside the recording: %w", err)
	}
	rec, err := readRecording(dir)
	if err != nil {
		return err
	}
	if err := rec.check(dir); err != nil {
		return err
	}
	l.con.Note("2 request/response pairs: the quote, and its call of %s (stored as %d ms)", rec.dependency, rec.duration.Milliseconds())
	return nil
}

// awaitPairs gives the recorder time to write both pairs. Recorders that write at the end pass the
// check after they have stopped, so that running out of time is no error here.
func (l *Lab) awaitPairs(ctx context.Context, dir string, recorder *proc.Process) error {
	err := poll(ctx, "both recorded pairs", 3*time.Second, recorder, func(context.Context) error {
		rec, err := readRecording(dir)
		if err != nil {
			return err
		}
		return rec.check(dir)
	})
	if err != nil && ctx.Err() == nil && recorder.Err() == nil {
		return nil
	}
	return err
}

// quote sends the request of the scenario through the inbound proxy.
func (l *Lab) quote(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	url := fmt.Sprintf("http://localhost:%d%s", l.ports.proxyIn, quotePath)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, errors.New("the service answered " + res.Status + ": " + string(body))
	}
	return body, nil
}

// appEnv are the settings of the checkout API. pricing is the dependency's base URL.
func (l *Lab) appEnv(v Variant, pricing string) []string {
	return []string{
		"APP_ADDR=" + l.ports.app, "PRICING_URL=" + pricing,
		fmt.Sprintf("LAB_BUDGET=%d", v.Budget), fmt.Sprintf("LAB_PRICE_OFFSET_CENTS=%d", v.PriceOffsetCents),
	}
}

func (l *Lab) awaitApp(ctx context.Context, p *proc.Process) error {
	return poll(ctx, "the checkout API", readyTimeout, p, func(ctx context.Context) error {
		return answers(ctx, l.appURL()+"/healthz", http.StatusNoContent)
	})
}
