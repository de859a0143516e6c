package runner

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// RunningPrometheus is the address of the server that watched the last run below out, if it still answers:
// that of LAB_KEEP_PROMETHEUS=1, of lab:up, or a shared one. Empty means that none does.
func RunningPrometheus(ctx context.Context, out string) string {
	text, err := os.ReadFile(filepath.Join(out, "prometheus.json"))
	if err != nil {
		return ""
	}
	var state prometheusState
	if json.Unmarshal(text, &state) != nil || state.URL == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(state.URL, "/")+"/-/ready", nil)
	if err != nil {
		return ""
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return ""
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return ""
	}
	return state.URL
}
