package prometheus_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/replaylab/replay-evidence/lab/prometheus"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	text, err := prometheus.Config(prometheus.Job, "127.0.0.1:8080", prometheus.Interval)
	require.NoError(t, err)
	var got struct {
		Global struct {
			Interval string `yaml:"scrape_interval"`
			Timeout  string `yaml:"scrape_timeout"`
		} `yaml:"global"`
		Scrape []struct {
			Job    string `yaml:"job_name"`
			Static []struct {
				Targets []string `yaml:"targets"`
			} `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &got))
	require.Equal(t, "1s", got.Global.Interval)
	require.Equal(t, "1s", got.Global.Timeout)
	require.Len(t, got.Scrape, 1)
	require.Equal(t, prometheus.Job, got.Scrape[0].Job)
	require.Equal(t, []string{"127.0.0.1:8080"}, got.Scrape[0].Static[0].Targets)
}
