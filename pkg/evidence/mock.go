package evidence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// maxMockDetails bounds the misses that are described.
const maxMockDetails = 20

// mock says how the dependency was answered: by the pairs that the mock wrote, else by a tuning summary,
// else by its log. Without any of them the counts are absent, not zero.
func (m *measurement) mock(ctx context.Context) error {
	for _, source := range []struct {
		name string
		read func(context.Context) (*proxymock.MockCounts, string, error)
	}{{"mock pairs", m.mockPairs}, {"tuning summary", m.tuning}, {"mock log", m.mockLog}} {
		counts, where, err := source.read(ctx)
		if err != nil {
			return err
		}
		if counts == nil || counts.Observed() == 0 {
			continue
		}
		mock := &Mock{State: StateOK, Source: source.name + " " + where, Details: []string{},
			Hits: ptr(counts.Hits), Misses: ptr(counts.Misses), Passthroughs: ptr(counts.Passthroughs)}
		mock.Details = append(mock.Details, m.describeMisses(counts.MissDetails)...)
		if counts.Passthroughs > 0 {
			mock.Details = append(mock.Details, plural(counts.Passthroughs, "call", "calls")+" went to the real dependency: the run was not isolated")
		}
		if counts.Unknown > 0 {
			mock.Details = append(mock.Details, plural(counts.Unknown, "call was", "calls were")+" answered in a way that could not be told")
		}
		m.side.Mock = mock
		return nil
	}
	mock := &Mock{State: StateAbsent, Details: []string{}}
	explain(mock, &mock.Reasons, ReasonNotReported)
	m.side.Mock = mock
	return nil
}

func (m *measurement) mockPairs(ctx context.Context) (*proxymock.MockCounts, string, error) {
	var (
		counts proxymock.MockCounts
		where  []string
	)
	for _, r := range m.mocks {
		pairs, problems, err := m.in.Files.Pairs(ctx, r)
		if err != nil {
			return nil, "", err
		}
		m.side.Problems = append(m.side.Problems, problems...)
		for _, p := range pairs {
			counts.AddPair(p.Pair)
		}
		where = append(where, r.Path)
	}
	return &counts, "in " + strings.Join(where, ", "), nil
}

func (m *measurement) tuning(context.Context) (*proxymock.MockCounts, string, error) {
	for i := range m.in.Side.Runs {
		if r := &m.in.Side.Runs[i]; r.Mock != nil {
			return r.Mock, "of " + r.Path, nil
		}
	}
	return nil, "", nil
}

// mockLog reads logs that a mock wrote beside the runs. The log of a recording is none of them: there,
// every call passes through.
func (m *measurement) mockLog(ctx context.Context) (*proxymock.MockCounts, string, error) {
	logs := slices.Clone(m.in.Side.Logs)
	for i := range m.in.Side.Runs {
		if r := &m.in.Side.Runs[i]; r.Kind != catalog.KindRecording {
			logs = append(logs, r.Logs...)
		}
	}
	sort.SliceStable(logs, func(i, j int) bool { return isMockLog(logs[i]) && !isMockLog(logs[j]) })
	for _, name := range logs {
		if base := path.Base(name); !isMockLog(name) && base != "proxymock.log" {
			continue
		}
		counts, err := m.readMockLog(ctx, name)
		switch {
		case err == nil && counts.Observed() > 0:
			return counts, name, nil
		case ctx.Err() != nil:
			return nil, "", err
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, proxymock.ErrIncomplete):
			m.problem(name, "unreadable", "the mock's log could not be read: %v", err)
		}
	}
	return nil, "", nil
}

func isMockLog(name string) bool { return strings.HasPrefix(path.Base(name), "mock") }

func (m *measurement) readMockLog(ctx context.Context, name string) (counts *proxymock.MockCounts, err error) {
	file, err := m.in.Files.Open(ctx, m.in.Side.Root, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return proxymock.ParseMockLog(file)
}

// describeMisses says of each kind of missed call what differs from the recorded ones, most frequent first.
func (m *measurement) describeMisses(misses []proxymock.MockMiss) []string {
	counts := map[string]int64{}
	for _, miss := range misses {
		counts[m.describeMiss(miss)]++
	}
	texts := make([]string, 0, len(counts))
	for text := range counts {
		texts = append(texts, text)
	}
	sort.Slice(texts, func(i, j int) bool {
		if counts[texts[i]] != counts[texts[j]] {
			return counts[texts[i]] > counts[texts[j]]
		}
		return texts[i] < texts[j]
	})
	for i, text := range texts {
		if n := counts[text]; n > 1 {
			texts[i] = fmt.Sprintf("%s (%s times)", text, FormatCount(n))
		}
	}
	return texts[:min(len(texts), maxMockDetails)]
}

func (m *measurement) describeMiss(miss proxymock.MockMiss) string {
	if miss.Method == "" && miss.URL == "" {
		if miss.File != "" {
			return "missed: " + path.Base(miss.File)
		}
		return "missed: " + strings.TrimSpace(miss.Text)
	}
	u, err := url.Parse(miss.URL)
	if err != nil {
		return fmt.Sprintf("missed: %s %s", miss.Method, miss.URL)
	}
	call := fmt.Sprintf("missed: %s %s", miss.Method, u.Path)
	seen, best := false, []string(nil)
	for _, p := range m.recorded {
		if p.Direction != proxymock.Out || p.HTTP == nil || p.HTTP.URL != u.Path || !strings.EqualFold(p.HTTP.Method, miss.Method) {
			continue
		}
		if diff := differing(u.Query(), recordedQuery(p)); !seen || len(diff) < len(best) {
			seen, best = true, diff
		}
	}
	switch {
	case len(m.recorded) == 0:
		if names := differing(u.Query(), nil); len(names) > 0 {
			call += ", with the parameters " + strings.Join(names, ", ")
		}
		return call
	case !seen:
		return call + ": the recording has no such call"
	case len(best) == 0:
		return call + ": the recording has this call; its headers or body differ, or the mock was not given the whole recording"
	}
	return fmt.Sprintf("%s differs from the recorded call only in the parameter %s: a blueprint that masks it makes it match", call, strings.Join(best, ", "))
}

func recordedQuery(p catalog.Pair) url.Values {
	if len(p.HTTP.QueryParams) > 0 {
		return p.HTTP.QueryParams
	}
	if _, query, ok := strings.Cut(p.HTTP.URI, "?"); ok {
		if values, err := url.ParseQuery(query); err == nil {
			return values
		}
	}
	return url.Values{}
}

// differing names the parameters whose values differ, sorted.
func differing(a, b url.Values) []string {
	var names []string
	for name, values := range a {
		if !slices.Equal(values, b[name]) {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}
