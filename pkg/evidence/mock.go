package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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
		mock.Details = append(mock.Details, m.describeMisses("missed", counts.MissDetails, counts.Misses)...)
		if counts.Passthroughs > 0 {
			mock.Details = append(mock.Details, plural(counts.Passthroughs, "call", "calls")+" went to the real dependency: the run was not isolated")
			mock.Details = append(mock.Details, m.describeMisses("passed through", counts.PassDetails, counts.Passthroughs)...)
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

// missKind is one reason why calls were not answered from the recording, said of one call and of several.
type missKind struct{ one, many string }

// missed are the calls of one kind.
type missed struct {
	kind  missKind
	count int64
	calls []string
}

// describeMisses says of each kind of missed call what differs from the recorded ones, most frequent
// first. Not all of the calls may be described: total is their number.
func (m *measurement) describeMisses(what string, misses []proxymock.MockMiss, total int64) []string {
	at := map[string]*missed{}
	for _, miss := range misses {
		call, kind := m.missKind(miss)
		key := kind.one
		if key == "" {
			key = call
		}
		g := at[key]
		if g == nil {
			g = &missed{kind: kind}
			at[key] = g
		}
		g.count++
		if !slices.Contains(g.calls, call) {
			g.calls = append(g.calls, call)
		}
	}
	groups := slices.SortedFunc(maps.Values(at), func(a, b *missed) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.calls[0], b.calls[0]))
	})
	texts := make([]string, 0, len(groups))
	for _, g := range groups {
		texts = append(texts, what+": "+g.text(int64(len(misses)), total))
	}
	return texts[:min(len(texts), maxMockDetails)]
}

// text names one call and counts the others; looked is how many of all calls were described.
func (g *missed) text(looked, total int64) string {
	text := g.calls[0] + g.kind.one
	if n := int64(len(g.calls)) - 1; n > 0 {
		text = fmt.Sprintf("%s and %s%s", g.calls[0], plural(n, "other call", "other calls"), g.kind.many)
	}
	switch {
	case looked < total:
		text += fmt.Sprintf(" (%s of the first %s)", FormatCount(g.count), FormatCount(looked))
	case g.count > 1:
		text += fmt.Sprintf(" (%s times)", FormatCount(g.count))
	}
	return text
}

// missKind compares a call with the recorded one that differs least.
func (m *measurement) missKind(miss proxymock.MockMiss) (call string, kind missKind) {
	if miss.Method == "" && miss.URL == "" {
		if miss.File != "" {
			return path.Base(miss.File), missKind{}
		}
		return strings.TrimSpace(miss.Text), missKind{}
	}
	u, err := url.Parse(miss.URL)
	if err != nil {
		return miss.Method + " " + miss.URL, missKind{}
	}
	call = miss.Method + " " + u.Path
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
			with := ", with the parameters " + strings.Join(names, ", ")
			return call, missKind{with, with}
		}
		return call, missKind{}
	case !seen:
		return call, missKind{": the recording has no such call", ": the recording has no such calls"}
	case len(best) == 0:
		return call, missKind{": the recording has this call; its headers or body differ, or the mock was not given the whole recording",
			": the recording has these calls; their headers or bodies differ, or the mock was not given the whole recording"}
	}
	// A mock that has the rule but was started on one host's folder misses in the same way: rules lie
	// beside the whole recording.
	only := "only in the parameter " + strings.Join(best, ", ") + ": a blueprint that masks it makes it match, " +
		"when the mock is given the whole recording and not one host's folder of it"
	return call, missKind{" differs from the recorded call " + only, " differ from the recorded calls " + only}
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
