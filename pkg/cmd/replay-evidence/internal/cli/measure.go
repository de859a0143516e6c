package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/profile"
	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// measureFlags say whom to ask what about a side.
type measureFlags struct {
	roots      rootFlags
	prometheus string
	profile    string
	wait       time.Duration
	// telling is held while a line of progress is written: both sides of a comparison tell theirs.
	telling sync.Mutex
}

func (f *measureFlags) register(cmd *cobra.Command) {
	f.roots.register(cmd)
	cmd.Flags().StringVar(&f.prometheus, "prometheus", "", "base `URL` of a Prometheus-compatible server, such as http://127.0.0.1:9090; needs --profile")
	cmd.Flags().StringVar(&f.profile, "profile", "", "`file` with the questions for the service, YAML (see profile --help); without one only the replay's own figures are used")
	cmd.Flags().DurationVar(&f.wait, "wait", 35*time.Second, "how long to wait after the end of a run for its final scrape, a `time` such as 35s or 2m; 0s for not at all")
}

// setting is what the flags name, read and checked before any work.
type setting struct {
	profile    profile.Profile
	prometheus evidence.Prometheus
}

func (f *measureFlags) read() (setting, error) {
	var s setting
	switch {
	case f.prometheus != "" && f.profile == "":
		return s, usage("--prometheus needs --profile: without one nothing is known of the service's metrics")
	case f.wait < 0:
		return s, usage("--wait %s: use 0 or more", f.wait)
	}
	if f.profile != "" {
		p, err := readProfile(f.profile)
		if err != nil {
			return s, err
		}
		s.profile = *p
	}
	if f.prometheus != "" {
		client, err := promapi.New(promapi.Config{Address: f.prometheus})
		if err != nil {
			return s, usage("--prometheus: %w", err)
		}
		s.prometheus = client
	}
	return s, nil
}

func readProfile(name string) (*profile.Profile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, usage("--profile: %w", err)
	}
	defer file.Close()
	p, err := profile.Parse(file, name)
	if err != nil {
		return nil, usage("--profile: %w", err)
	}
	return p, nil
}

// measure measures one side and tells on the error stream what is being waited for.
func (f *measureFlags) measure(ctx context.Context, streams IO, c *catalog.Catalog, s *catalog.Side, set setting) (evidence.Side, error) {
	wait := f.wait
	if wait == 0 {
		wait = -1 // zero means the default there
	}
	last := ""
	out, err := evidence.Measure(ctx, evidence.Input{
		Side: s, Files: c, Profile: set.profile, Prometheus: set.prometheus, Now: streams.Now(),
		Options: evidence.Options{FinalScrapeWait: wait, Progress: func(text string) {
			if text != last {
				last = text
				f.telling.Lock()
				defer f.telling.Unlock()
				fmt.Fprintf(streams.Err, "%s: %s\n", s.ID, text)
			}
		}},
	})
	if err != nil {
		return evidence.Side{}, err
	}
	return *out, nil
}

// notAsked says which configured server could not be asked, and what to do.
func notAsked(sides ...evidence.Side) string {
	for _, s := range sides {
		switch m := s.Metrics; m.State {
		case evidence.StateUnreachable, evidence.StateRefused, evidence.StateFailed:
			text := fmt.Sprintf("Prometheus could not be asked about %s (%s)", s.ID, m.State)
			if m.Message != "" {
				text += ": " + m.Message
			}
			// An error of the client ends with its own next step.
			if m.Next != "" && !strings.Contains(m.Message, strings.TrimSuffix(m.Next, ".")) {
				text += "; " + m.Next
			}
			return text
		}
	}
	return ""
}
