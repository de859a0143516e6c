package evidence

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/profile"
)

func TestCheckReasons(t *testing.T) {
	t.Parallel()
	type inner struct {
		Share   *float64 `json:"share"`
		Reasons Reasons  `json:"reasons,omitempty"`
	}
	type outer struct {
		inner
		At    *time.Time `json:"at"`
		Value float64    `json:"value"`
		Parts []inner    `json:"parts"`
		Inner *inner     `json:"inner"`
		Quiet *float64   `json:"-"`
	}
	one, when := 1.0, time.Unix(0, 0)
	whole := func() outer { return outer{inner: inner{Share: &one}, At: &when} }
	cases := map[string]struct {
		change func(*outer)
		ok     bool
	}{
		"whole":                      {func(*outer) {}, true},
		"null without reason":        {func(o *outer) { o.Share = nil }, false},
		"null with reason":           {func(o *outer) { o.Share, o.Reasons = nil, Reasons{"share": "x"} }, true},
		"embedded reasons serve all": {func(o *outer) { o.At, o.Reasons = nil, Reasons{"at": "x"} }, true},
		"time without reason":        {func(o *outer) { o.At = nil }, false},
		"reason beside a value":      {func(o *outer) { o.Reasons = Reasons{"share": "x"} }, false},
		"reason of no field":         {func(o *outer) { o.Reasons = Reasons{"shore": "x"} }, false},
		"empty reason":               {func(o *outer) { o.Share, o.Reasons = nil, Reasons{"share": ""} }, false},
		"not a number":               {func(o *outer) { o.Value = math.NaN() }, false},
		"infinite in a list":         {func(o *outer) { v := math.Inf(1); o.Parts = []inner{{Share: &v}} }, false},
		"null in a list":             {func(o *outer) { o.Parts = []inner{{}} }, false},
		"null behind a pointer":      {func(o *outer) { o.Inner = &inner{} }, false},
		"no object at all":           {func(o *outer) { o.Inner = nil }, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := whole()
			tc.change(&o)
			if err := CheckReasons(&o); (err == nil) != tc.ok {
				t.Errorf("error %v, want ok=%v", err, tc.ok)
			}
		})
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	v := func(f float64) *float64 { return &f }
	ranges := map[string]struct {
		lower, upper *float64
		want         string
	}{
		"bucket":       {v(.15), v(.2), "150–200 ms"},
		"lowest":       {v(0), v(.01), "at most 10 ms"},
		"highest":      {v(2.5), nil, "above 2.5 s"},
		"half a milli": {v(0), v(.0005), "at most 0.5 ms"},
		"two units":    {v(.75), v(1), "750 ms–1 s"},
		"small":        {v(.0005), v(.001), "0.5–1 ms"},
		"unknown":      {nil, nil, "unknown"},
		"seconds":      {v(1), v(2.5), "1–2.5 s"},
	}
	for name, tc := range ranges {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := FormatRange(tc.lower, tc.upper); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1200: "1,200", 16320: "16,320", -1234567: "-1,234,567"} {
		if got := FormatCount(n); got != want {
			t.Errorf("FormatCount(%d) = %q, want %q", n, got, want)
		}
	}
	for share, want := range map[float64]string{0.928: "92.8 %", 1: "100 %", 0: "0 %", 0.6168: "61.7 %"} {
		if got := FormatPercent(share); got != want {
			t.Errorf("FormatPercent(%v) = %q, want %q", share, got, want)
		}
	}
	if got := FormatDuration(0.00004); got != "40 µs" {
		t.Errorf("FormatDuration(40 µs) = %q", got)
	}
}

// The arithmetic of a pool: its holding time from a histogram, a statement, or the rest of the request.
func TestSaturation(t *testing.T) {
	t.Parallel()
	v := func(f float64) *float64 { return &f }
	n := func(i int64) *int64 { return &i }
	make := func(mean, wait float64, hold profile.Hold, pools map[string]float64, users int) *measurement {
		m := &measurement{holds: map[string]*float64{}, side: &Side{Load: &Load{RequestsPerSecond: v(46.4), ActiveSeconds: v(25.862)}}}
		m.in.Profile.Waits = []profile.Wait{{Name: "w", Pool: "p", Hold: hold}}
		m.side.Declared = &catalog.SideFile{Pools: pools, Workload: &catalog.Workload{Users: users}}
		m.side.Metrics = Metrics{State: StateOK, RequestDuration: Histogram{State: StateOK, Count: n(1200), MeanSeconds: v(mean)}, Waits: []Wait{{
			Name: "w", Pool: "p", Histogram: Histogram{Count: n(1200)}, Share: v(wait / mean), SecondsPerRequest: v(wait), PerRequest: v(1),
		}}}
		return m
	}
	declared := profile.Hold{Kind: profile.HoldDeclared, Duration: 40 * time.Millisecond}
	cases := map[string]struct {
		m                *measurement
		limit            string
		sizeFrom, holdBy string
		utilisation      float64
	}{
		"declared":          {make(.107, .066, declared, map[string]float64{"p": 2}, 8), LimitPool, SizeDeclared, HoldDeclared, .928},
		"remainder":         {make(.107, .066, profile.Hold{}, map[string]float64{"p": 2}, 8), LimitPool, SizeDeclared, HoldRemainder, .951},
		"size inferred":     {make(.107, .066, declared, nil, 8), LimitPool, SizeInferred, HoldDeclared, .928},
		"no wait, no size":  {make(.044, .0003, declared, nil, 8), LimitUnknown, SizeUnknown, HoldDeclared, -1},
		"large pool":        {make(.172, .0003, declared, map[string]float64{"p": 16}, 8), LimitUsers, SizeDeclared, HoldDeclared, .116},
		"busy, not waiting": {make(.107, .010, declared, map[string]float64{"p": 2}, 0), LimitUnknown, SizeDeclared, HoldDeclared, .928},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.m.saturation()
			s := tc.m.side.Saturation
			if s.Limit != tc.limit || s.LimitedBy == "" || s.Pools[0].SizeSource != tc.sizeFrom || s.Pools[0].HoldSource != tc.holdBy {
				t.Errorf("saturation is %+v", s)
			}
			switch {
			case tc.utilisation < 0:
				if s.Utilisation != nil || s.Reasons["utilisation"] != ReasonPoolUnknown {
					t.Errorf("utilisation is %v (%v), want unknown", s.Utilisation, s.Reasons)
				}
			case s.Utilisation == nil || math.Abs(*s.Utilisation-tc.utilisation) > .002:
				t.Errorf("utilisation is %v, want %v", s.Utilisation, tc.utilisation)
			}
			if err := CheckReasons(s); err != nil {
				t.Error(err)
			}
		})
	}
}

// The parts of the mean add up to it, whatever they are; the witnesses agree or are said not to.
func TestBreakdown(t *testing.T) {
	t.Parallel()
	v := func(f float64) *float64 { return &f }
	cases := map[string]struct {
		loaded, unloaded *float64 // ms
		wait             *float64 // s
		agrees           *bool
	}{
		"agree":         {v(107), v(43), v(.066), ptr(true)},
		"more queueing": {v(207), v(43), v(.066), ptr(false)},
		"less queueing": {v(60), v(43), v(.066), ptr(false)},
		"rounding":      {v(45), v(43), v(.0003), ptr(true)},
		"no wait":       {v(107), v(43), nil, nil},
		"no unloaded":   {v(107), nil, v(.066), nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &measurement{side: &Side{Load: &Load{AvgMs: tc.loaded}, Functional: &Functional{AvgMs: tc.unloaded}}}
			m.side.Metrics = Metrics{RequestDuration: Histogram{State: StateOK, MeanSeconds: v(.107)}, CPU: CPU{SecondsPerRequest: v(.0011)},
				Waits: []Wait{{Name: "w", SecondsPerRequest: tc.wait}}}
			m.breakdown()
			b := m.side.Metrics.Breakdown
			sum := 0.0
			for _, p := range b.Parts {
				sum += p.Seconds
			}
			if math.Abs(sum-.107) > 1e-12 {
				t.Errorf("parts %+v add up to %v, want 0.107", b.Parts, sum)
			}
			if (b.WitnessAgrees == nil) != (tc.agrees == nil) || (tc.agrees != nil && *b.WitnessAgrees != *tc.agrees) {
				t.Errorf("witness is %v, %q", b.WitnessAgrees, b.Witness)
			}
			if b.Witness == "" {
				t.Error("no words about the second witness")
			}
			if err := CheckReasons(b); err != nil {
				t.Error(err)
			}
		})
	}
}

// One set of recorded pairs has one digest, in whatever order and however often its pairs are met.
func TestDigestOfARecording(t *testing.T) {
	t.Parallel()
	a := identify(FromRecording, []string{"b", "a", "c"})
	b := identify(FromPairs, []string{"c", "b", "a", "b"})
	if a.Digest != b.Digest || *b.InboundPairs != 3 {
		t.Errorf("digests %s and %s of %d pairs", a.Digest, b.Digest, *b.InboundPairs)
	}
	if c := identify(FromPairs, []string{"a", "b"}); c.Digest == a.Digest {
		t.Error("two sets have one digest")
	}
}

// Whatever an evidence.json holds, reading it back neither crashes nor lets a figure through that is not
// whole.
func FuzzParseFrozen(f *testing.F) {
	side, err := os.ReadFile("evidencetest/baseline.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"schemaVersion":"1.0","sides":{"baseline":` + string(side) + `}}`))
	f.Add([]byte(`{"schemaVersion":"1.0","sides":{"baseline":{"id":"a/baseline","window":{}}}}`))
	f.Add([]byte(`{"schemaVersion":"2.0"}`))
	f.Add([]byte(`null`))
	var window catalog.Window
	var known Side
	if err := json.Unmarshal(side, &known); err != nil {
		f.Fatal(err)
	}
	window = *known.Window
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := ParseFrozen(bytes.NewReader(data), "lab/baseline", &window)
		if err != nil {
			return
		}
		if err := CheckReasons(got.Metrics); err != nil {
			t.Errorf("accepted metrics that are not whole: %v", err)
		}
		if _, err := json.Marshal(got); err != nil {
			t.Errorf("accepted a side that cannot be written again: %v", err)
		}
	})
}

// Averages of the replay are whole milliseconds: at 1 or 2 ms they would put more requests in flight than
// there are users.
func TestInFlightNeedsAResolvedMean(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		avg    float64
		want   *float64
		reason string
	}{
		"2 ms is rounding":  {avg: 2, reason: ReasonWholeMilliseconds},
		"10 ms is resolved": {avg: 10, want: ptr(20.0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &measurement{side: &Side{Load: &Load{RequestsPerSecond: ptr(2000.0), AvgMs: ptr(tc.avg)}}}
			m.saturation()
			if diff := cmp.Diff(tc.want, m.side.Saturation.InFlight); diff != "" {
				t.Error(diff)
			}
			if got := m.side.Saturation.Reasons["inFlight"]; got != tc.reason {
				t.Errorf("reason is %q, want %q", got, tc.reason)
			}
		})
	}
}
