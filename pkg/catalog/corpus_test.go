package catalog

import (
	"path"
	"testing"
)

// Every layout of the public files, old and new, is found and classified by content.
func TestCorpusIsListedWithoutLoss(t *testing.T) {
	t.Parallel()
	c := New([]Root{openRoot(t, "corpus", corpus(t))}, Options{})
	listing, err := c.Sides(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type want struct {
		kind  Kind
		pairs int
		from  WindowSource
	}
	wants := map[string]want{
		"mock-lab/labs/loki/proxymock/recording":                                               {KindRecording, 2, SourcePairs},
		"mock-lab/labs/loki/proxymock/results/baseline/functional":                             {KindFunctional, 4, SourceWindowFile},
		"mock-lab/labs/loki/proxymock/results/baseline/load":                                   {KindLoad, 0, SourceWindowFile},
		"mock-lab/labs/loki/proxymock/results/candidate/functional":                            {KindFunctional, 5, SourcePairs},
		"mock-lab/labs/loki/proxymock/results/candidate/load":                                  {KindLoad, 0, SourceWindowFile},
		"mock-lab/labs/sqlcommenter/proxymock/recording":                                       {KindRecording, 9, SourcePairs},
		"mock-lab/tutorial/go/tests/proxymock/orders/chaos":                                    {KindRecording, 1, SourcePairs},
		"mock-lab/tutorial/go/tests/proxymock/orders/reads":                                    {KindRecording, 1, SourcePairs},
		"mock-lab/tutorial/go/tests/proxymock/orders/recording":                                {KindRecording, 6, SourcePairs},
		"microsvc/backend/user-service/proxymock/recorded-complete":                            {KindRecording, 30, SourcePairs},
		"microsvc/backend/user-service/proxymock/results/replayed-2026-04-07_01-49-55.006709Z": {KindFunctional, 5, SourcePairs},
		"microsvc/tools/traffic-classifier/sample":                                             {KindRecording, 4, SourcePairs},
		"outerspace-go/.speedscale/markdown":                                                   {KindUnknown, 1, ""},
		"outerspace-go/proxymock":                                                              {KindRecording, 2, SourcePairs},
		"outerspace-go/proxymock/mocked-2025-06-12_09-01-54.368217Z":                           {KindMock, 5, SourcePairs},
		"outerspace-go/proxymock/recorded-2025-06-12_08-54-36.682978Z":                         {KindRecording, 6, SourcePairs},
		"outerspace-go/proxymock/replayed-2025-06-12_09-01-58.462618Z":                         {KindFunctional, 7, SourcePairs},
		"outerspace-go/proxymock/replayed-2025-07-22_19-34-05.321921Z":                         {KindFunctional, 7, SourcePairs},
		"demo/ruby-api/proxymock/snapshot-f82bffb3-62ae-400a-aed4-f2cfba94630e":                {KindRecording, 19, SourcePairs},
		"demo/go-drift-demo/proxymock/recorded-2026-06-12_18-12-07.394946Z":                    {KindUnknown, 0, ""},
		"demo/wiremock-export-demo/proxymock/recording":                                        {KindRecording, 1, SourcePairs},
		"demo/go-rabbitmq/consumer/proxymock/recorded-2025-12-15_21-09-36.759207Z":             {KindRecording, 4, SourcePairs},
		"demo/xml/proxymock/recorded-2025-09-30_00-37-17.824877Z":                              {KindRecording, 1, SourcePairs},
	}
	got := map[string]Run{}
	for _, s := range listing.Sides {
		for _, r := range s.Runs {
			got[r.Path] = r
		}
	}
	for p, w := range wants {
		r, ok := got[p]
		if !ok {
			t.Errorf("%s is not listed", p)
			continue
		}
		if r.Kind != w.kind || r.PairFiles != w.pairs {
			t.Errorf("%s: kind %s with %d pair files, want %s with %d", p, r.Kind, r.PairFiles, w.kind, w.pairs)
		}
		switch {
		case w.from == "" && (r.Window != nil || len(r.Problems) == 0):
			t.Errorf("%s: window %v and problems %v, want no window and a problem that says why", p, r.Window, r.Problems)
		case w.from != "" && (r.Window == nil || r.Window.Source != w.from):
			t.Errorf("%s: window %+v, want one from %s", p, r.Window, w.from)
		}
	}
	for p := range got {
		if path.Base(p) == "responses" {
			t.Errorf("%s: foreign answers were taken for a run", p)
		}
	}
	if len(listing.Roots) != 1 || listing.Roots[0].Err != nil {
		t.Errorf("roots: %+v", listing.Roots)
	}
}

func TestCorpusSides(t *testing.T) {
	t.Parallel()
	c := New([]Root{openRoot(t, "corpus", corpus(t))}, Options{})
	s, err := c.Side(t.Context(), "baseline")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Runs) != 2 || s.Runs[0].Kind != KindFunctional || s.Runs[1].Kind != KindLoad {
		t.Fatalf("baseline has the runs %+v, want the functional run before the load run", s.Runs)
	}
	w := s.Runs[1].Window
	if w.WindowSeconds != 24 || w.QueryEnd.Format("15:04:05") != "19:26:53" || len(w.Derived) != 0 {
		t.Errorf("load window %+v, want query_end 19:26:53 and 24 s as the file states them", w)
	}
	pairs, problems, err := c.Pairs(t.Context(), &s.Runs[0])
	if err != nil || len(problems) != 0 || len(pairs) != 4 {
		t.Fatalf("%d pairs, problems %v, error %v; want 4 pairs", len(pairs), problems, err)
	}
	for i := 1; i < len(pairs); i++ {
		if pairs[i].TS.Before(pairs[i-1].TS) {
			t.Errorf("pair %d is earlier than the one before it", i)
		}
	}
}
