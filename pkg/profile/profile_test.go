package profile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// checkout reads the lab's profile, so that these tests hold for the file that ships.
func checkout(t testing.TB) *Profile {
	t.Helper()
	path := filepath.Join("..", "..", "lab", "profiles", "checkout.yaml")
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	p, err := Parse(f, path)
	require.NoError(t, err)
	return p
}

func TestGuideQueries(t *testing.T) {
	t.Parallel()
	// The guide's texts, letter by letter, with the window filled in.
	want := map[int64][]string{
		29: {
			`histogram_quantile(0.95, sum by (le) (increase(checkout_request_duration_seconds_bucket{route="/api/quote"}[29s])))`,
			`histogram_quantile(0.95, sum by (le) (increase(pricing_conn_wait_seconds_bucket[29s])))`,
			`increase(app_cpu_seconds_total[29s]) / 29`,
			`sum(increase(checkout_request_duration_seconds_count{route="/api/quote",code!="200"}[29s]))`,
		},
		// Sixty seconds stay 60s, although the parser itself prints 1m.
		60: {
			`histogram_quantile(0.95, sum by (le) (increase(checkout_request_duration_seconds_bucket{route="/api/quote"}[60s])))`,
			`histogram_quantile(0.95, sum by (le) (increase(pricing_conn_wait_seconds_bucket[60s])))`,
			`increase(app_cpu_seconds_total[60s]) / 60`,
			`sum(increase(checkout_request_duration_seconds_count{route="/api/quote",code!="200"}[60s]))`,
		},
	}
	p := checkout(t)
	for n, texts := range want {
		got, err := p.Queries(n)
		require.NoError(t, err)
		require.Len(t, got, len(texts))
		for i, text := range texts {
			assert.Equal(t, text, got[i].PromQL)
		}
	}
	got, err := p.Queries(29)
	require.NoError(t, err)
	assert.Equal(t, []string{"p95 request duration", "p95 wait for pricing connection", "average cores", "errors"},
		[]string{got[0].Name, got[1].Name, got[2].Name, got[3].Name})
	assert.Equal(t, `histogram_quantile(0.95, sum by (le) (increase(checkout_request_duration_seconds_bucket{route="/api/quote"}[29s] anchored)))`, got[0].Anchored)
	assert.Equal(t, `histogram_quantile(0.95, sum(increase(checkout_request_duration_seconds{route="/api/quote"}[29s])))`, got[0].Native)
	assert.Equal(t, `increase(app_cpu_seconds_total[29s] anchored) / 29`, got[2].Anchored)
	for _, n := range []int64{0, -3} {
		_, err := p.Queries(n)
		assert.ErrorContains(t, err, "start at 1 s")
	}
}

func TestByRouteAndCount(t *testing.T) {
	t.Parallel()
	p := checkout(t)
	got, err := p.ByRoute(29)
	require.NoError(t, err)
	assert.Equal(t, `histogram_quantile(0.95, sum by (le, route) (increase(checkout_request_duration_seconds_bucket{route="/api/quote"}[29s])))`, got[0].PromQL)
	assert.Equal(t, `sum by (route) (increase(checkout_request_duration_seconds_count{route="/api/quote"}[29s]))`, got[1].PromQL)
	count, err := p.RequestCount(29)
	require.NoError(t, err)
	assert.Equal(t, `sum(increase(checkout_request_duration_seconds_count{route="/api/quote"}[29s]))`, count.PromQL)
	p.Request.Route = ""
	_, err = p.ByRoute(29)
	assert.ErrorContains(t, err, "request.route")
}

func TestSelectors(t *testing.T) {
	t.Parallel()
	p := checkout(t)
	p.Target.Instance = "127.0.0.1:8080"
	p.Waits[0].Hold = Hold{Kind: HoldHistogram, Metric: "pricing_conn_hold_seconds"}
	s, err := p.Selectors()
	require.NoError(t, err)
	assert.Equal(t, `up{job="checkout-api",instance="127.0.0.1:8080"}`, s.Up)
	assert.Equal(t, `process_start_time_seconds{job="checkout-api",instance="127.0.0.1:8080"}`, s.ProcessStart)
	assert.Equal(t, `checkout_request_duration_seconds_bucket{job="checkout-api",instance="127.0.0.1:8080",route="/api/quote"}`, s.Request.Bucket)
	assert.Equal(t, `checkout_request_duration_seconds{job="checkout-api",instance="127.0.0.1:8080",route="/api/quote"}`, s.Request.Native)
	assert.Equal(t, `app_cpu_seconds_total{job="checkout-api",instance="127.0.0.1:8080"}`, s.CPU)
	assert.Equal(t, `pricing_conn_hold_seconds_sum{job="checkout-api",instance="127.0.0.1:8080"}`, s.Waits[0].Hold.Sum)
	assert.True(t, s.ErrorMatchers.Match(map[string]string{"code": "502"}))
	assert.False(t, s.ErrorMatchers.Match(map[string]string{"code": "200"}))
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	p, err := Parse(strings.NewReader("name: a\ntarget: {job: j}\nrequest: {metric: m_seconds}\nwaits:\n- {name: w, metric: w_seconds}\n"), "a.yaml")
	require.NoError(t, err)
	assert.InDelta(t, .95, p.Quantile, 0)
	assert.Equal(t, Tolerance{Percent: 10, Milliseconds: 2}, p.Tolerance)
	assert.Equal(t, HoldRemainder, p.Waits[0].Hold.Kind)
	assert.Equal(t, "remainder", p.Waits[0].Hold.String())

	c := checkout(t)
	assert.Equal(t, Hold{Kind: HoldDeclared, Duration: 40 * time.Millisecond}, c.Waits[0].Hold)
}

func TestProblems(t *testing.T) {
	t.Parallel()
	head := "name: a\ntarget: {job: j}\nrequest: {metric: m_seconds}\n"
	cases := map[string]struct {
		yaml string
		want []string
	}{
		"empty":          {"", []string{"p.yaml: the profile is empty"}},
		"only a comment": {"# nothing\n", []string{"p.yaml: the profile is empty"}},
		"a list":         {"- a\n", []string{"p.yaml:1: a profile is a mapping"}},
		"broken YAML":    {"name: a\n  target: [\n", []string{"p.yaml:2: not valid YAML"}},
		"unknown field":  {head + "cpus: x\n", []string{`p.yaml:4: unknown field "cpus"; known here: name, target`}},
		"unknown nested": {head + "waits:\n  - name: w\n    metric: w\n    size: 2\n", []string{`p.yaml:7: unknown field "size"; known here: name, metric, matchers, pool, hold`}},
		"suffix":         {"name: a\ntarget: {job: j}\nrequest:\n  metric: m_seconds_bucket\n", []string{`p.yaml:4: request.metric: "m_seconds_bucket" is one series of a histogram: write m_seconds, without _bucket`}},
		"several at once": {"name: \"\"\ntarget: {job: j}\nrequest:\n  metric: 9m\n  code: status-code\nquantile: 95\n", []string{
			"p.yaml:1: name: is missing", `p.yaml:4: request.metric: "9m" is not a metric name`,
			`p.yaml:5: request.code: "status-code" is not a label name`, "p.yaml:6: quantile: 95 is not between 0 and 1",
		}},
		"missing parts":  {"name: a\n", []string{"p.yaml: target.job: is missing", "p.yaml: request.metric: is missing"}},
		"cpu with rate":  {head + "cpu: rate(x[5m])\n", []string{"p.yaml:4: cpu:", "give the bare counter"}},
		"bad matcher":    {head + "errors: code=200\n", []string{"p.yaml:4: errors:", "is not a list of label matchers"}},
		"name matcher":   {head + "errors: __name__=\"y\"\n", []string{"p.yaml:4: errors:"}},
		"bad hold":       {head + "waits:\n- {name: w, metric: w, hold: 40 ms}\n", []string{"p.yaml:5:", "neither a duration"}},
		"negative hold":  {head + "waits:\n- {name: w, metric: w, hold: -4ms}\n", []string{"p.yaml:5:", "positive duration"}},
		"one pool twice": {head + "waits:\n- {name: w, metric: w, pool: p}\n- {name: v, metric: v, pool: p}\n", []string{`p.yaml:6: waits[1].pool: "p" is the pool of waits[0] too`}},
		"one name twice": {head + "waits:\n- {name: w, metric: w}\n- {name: w, metric: v}\n", []string{`p.yaml:6: waits[1].name: "w" is the name of waits[0] too`}},
		"bad extra":      {head + "extra:\n- name: e\n  promql: rate(x[$window]\n", []string{"p.yaml:6: extra[0].promql: not valid PromQL (with $window as 60s)"}},
		"wrong types":    {head + "quantile: high\nignore: a\nwaits: {a: b}\n", []string{"p.yaml:4: expected a number here, found a text", "p.yaml:5: expected a list of texts", "p.yaml:6: expected a list"}},
		"field twice":    {head + "name: b\n", []string{`p.yaml:4: field "name" is given twice, first at line 1`}},
		"quantile of 0":  {head + "quantile: 0\n", []string{"p.yaml:4: quantile: 0 is not between 0 and 1"}},
		"no tolerance":   {head + "tolerance: {percent: 0, milliseconds: 0}\n", []string{"p.yaml:4: tolerance: 0 percent and 0 milliseconds are no tolerance"}},
		"two documents":  {head + "---\nname: b\n", []string{"a file holds one profile"}},
		"tolerance":      {head + "tolerance: {percent: -1, milliseconds: -2}\n", []string{"p.yaml:4: tolerance.percent: -1", "p.yaml:4: tolerance.milliseconds: -2"}},
		"empty ignore":   {head + "ignore: [\"\"]\n", []string{"p.yaml:4: ignore[0]: is empty"}},
		"le as route":    {"name: a\ntarget: {job: j}\nrequest: {metric: m, route: le}\n", []string{"p.yaml:3: request.route: the label le"}},
		"matcher list":   {"name: a\ntarget: {job: j}\nrequest: {metric: m, matchers: [{a: b}]}\n", []string{"p.yaml:3:", "holds texts"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := Parse(strings.NewReader(c.yaml), "p.yaml")
			require.Error(t, err)
			assert.Nil(t, p)
			for _, want := range c.want {
				assert.Contains(t, err.Error(), want)
			}
			assert.NotContains(t, err.Error(), "profile.", "Go types do not help the author")
			assert.NotContains(t, err.Error(), "!!", "YAML tags do not help the author")
		})
	}
}

// A key that is given twice is the one fault that is told: what the YAML library lost by it is not missing.
func TestKeyTwiceIsToldAlone(t *testing.T) {
	t.Parallel()
	head := "name: a\ntarget: {job: j}\nrequest: {metric: m_seconds}\n"
	for name, c := range map[string]struct{ yaml, want string }{
		"at the top":      {head + "name: b\n", `p.yaml:4: field "name" is given twice, first at line 1`},
		"a whole part":    {head + "target: {job: k}\n", `p.yaml:4: field "target" is given twice, first at line 2`},
		"in a part":       {"name: a\ntarget: {job: j, job: k}\nrequest: {metric: m_seconds}\n", `p.yaml:2: field "job" is given twice, first at line 2`},
		"in an item":      {head + "waits:\n- {name: w, name: v}\n- {name: w, metric: w}\n", `p.yaml:5: field "name" is given twice, first at line 5`},
		"a part and more": {"name: a\ntarget: {job: j, job: k}\nrequest: {metric: 9m}\n", "p.yaml:2: field \"job\" is given twice, first at line 2\np.yaml:3: request.metric: \"9m\" is not a metric name: labels go into matchers, and rates and ranges are added for you"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(strings.NewReader(c.yaml), "p.yaml")
			require.EqualError(t, err, c.want)
		})
	}
}

// What a profile does not state has its default, also beside what it does state.
func TestPartialTolerance(t *testing.T) {
	t.Parallel()
	head := "name: a\ntarget: {job: j}\nrequest: {metric: m_seconds}\n"
	for text, want := range map[string]Tolerance{
		"tolerance: {percent: 5}\n":                   {5, 2},
		"tolerance: {milliseconds: 0}\n":              {10, 0},
		"tolerance: {percent: 0, milliseconds: 7}\n":  {0, 7},
		"tolerance:\nquantile:\n":                     {10, 2},
		"tolerance: {percent: , milliseconds: 2.5}\n": {10, 2.5},
	} {
		p, err := Parse(strings.NewReader(head+text), "p.yaml")
		require.NoError(t, err, text)
		assert.Equal(t, want, p.Tolerance, text)
		assert.InDelta(t, .95, p.Quantile, 0, text)
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	_, err := Parse(strings.NewReader("name: "+strings.Repeat("x", MaxBytes)), "p.yaml")
	assert.ErrorContains(t, err, "larger than 256 KiB")
}

func TestExtras(t *testing.T) {
	t.Parallel()
	p, err := Parse(strings.NewReader(`name: a
target: {job: j}
request: {metric: m, matchers: ['a="b"', 'c=~"d|e"']}
extra:
  - {name: gc, unit: seconds, promql: 'sum(increase(go_gc_duration_seconds_sum[$window])) / $window_seconds'}
`), "p.yaml")
	require.NoError(t, err)
	got, err := p.Queries(29)
	require.NoError(t, err)
	require.Len(t, got, 2)
	assert.Contains(t, got[0].PromQL, `m_bucket{a="b",c=~"d|e"}`)
	assert.Equal(t, "sum(increase(go_gc_duration_seconds_sum[29s])) / 29", got[1].PromQL)
	assert.Equal(t, "seconds", got[1].Unit)
}

func TestValidateHandMade(t *testing.T) {
	t.Parallel()
	p := &Profile{Name: "hand", Target: Target{Job: "j"}, Request: Request{Metric: "m_sum"}}
	require.ErrorContains(t, p.Validate(), "hand: request.metric")
	p.Request.Metric = "m"
	require.NoError(t, p.Validate())
	assert.InDelta(t, .95, p.Quantile, 0)
}

// TestAnyMatcherSurvives proves that what we print is what we mean, whatever the label value.
func TestAnyMatcherSurvives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.String().Draw(t, "value")
		p := &Profile{Name: "p", Target: Target{Job: value}, Request: Request{Metric: "m"}, Quantile: .95}
		if value == "" {
			p.Target.Job = "j"
		}
		s, err := p.Selectors()
		if err != nil {
			t.Fatal(err)
		}
		expr, err := parser.NewParser(parser.Options{}).ParseExpr(s.Up)
		if err != nil {
			t.Fatal(err)
		}
		if got := expr.(*parser.VectorSelector).LabelMatchers[0].Value; got != p.Target.Job {
			t.Fatalf("job %q became %q", p.Target.Job, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	data, err := os.ReadFile(filepath.Join("..", "..", "lab", "profiles", "checkout.yaml"))
	require.NoError(f, err)
	f.Add(string(data))
	f.Add("name: a\ntarget: {job: j}\nrequest: {metric: m, matchers: [a=\"b\"]}\nextra: [{name: x, promql: 'sum(x[$window])'}]\n")
	f.Add("a: &a [*a]\n")
	f.Add("name: a\nwaits:\n- hold: 40ms\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(strings.NewReader(text), "f.yaml")
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		if _, err := p.Queries(29); err != nil {
			t.Fatalf("a profile that was accepted makes no queries: %v", err)
		}
		if _, err := p.Selectors(); err != nil {
			t.Fatalf("a profile that was accepted makes no selectors: %v", err)
		}
		if p.Request.Route != "" {
			if _, err := p.ByRoute(29); err != nil {
				t.Fatalf("a profile that was accepted makes no queries by route: %v", err)
			}
		}
	})
}
