package evidence_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/catalog"
	"github.com/replaylab/replay-evidence/pkg/evidence"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

// pairJSON is one synthetic pair in the JSON form; n makes its uuid and its time.
func pairJSON(n int, direction, source, method, uri string, status int, body string, tags ...string) string {
	path, _, _ := strings.Cut(uri, "?")
	all := fmt.Sprintf(`"source":%q,"sequence":"%d"`, source, n)
	for i := 0; i+1 < len(tags); i += 2 {
		all += fmt.Sprintf(`,%q:%q`, tags[i], tags[i+1])
	}
	return fmt.Sprintf(`{"msgType":"rrpair","ts":"2026-08-13T14:00:%02d.%06dZ","l7protocol":"http","duration":2,"tags":{%s},"uuid":"%08d-0000-4000-8000-000000000000","direction":%q,"command":%q,"location":%q,"status":"%d","http":{"req":{"url":%q,"uri":%q,"version":"1.1","method":%q,"host":"localhost"},"res":{"contentType":"application/json","statusCode":%d,"body":%q}}}`,
		n/10, (n%10)*10000, all, n, direction, method, path, status, path, uri, method, status, body)
}

// statementJSON is one simple query of a recorded connection.
func statementJSON(n int, sql string, rows int) string {
	messages := strings.Repeat(`{"dataRow":{"values":[{"asString":"1"}]}},`, rows)
	return fmt.Sprintf(`{"msgType":"rrpair","ts":"2026-08-13T14:00:%02d.%06dZ","l7protocol":"postgres","duration":1,"tags":{"source":"goproxy","sequence":"%d"},"uuid":"%08d-0000-4000-8000-00000000000a","direction":"OUT","command":"Query","location":%q,"status":"OK","netinfo":{"id":"7","startTime":"2026-08-13T14:00:00Z"},"postgres":{"request":{"query":{"query":%q}},"response":{"query":{"messages":[%s{"complete":{"tag":"SELECT %d"}}]}}}}`,
		n/10, (n%10)*10000+500, n, n, sql, sql, messages, rows)
}

func pairName(n int) string {
	return fmt.Sprintf("2026-08-13_14-00-%02d.%06dZ.json", n/10, (n%10)*10000+1)
}

const ordersResult = `{"endpoints":[
 {"url":"-ALL-","method":"-ALL-","metrics":{"latency.avg":1,"latency.p95":2,"latency.p99":3,"latency.max":31,"requests.total":16320,"requests.failed":0,"requests.per-second":4166}},
 {"url":"/orders","method":"GET","metrics":{"latency.avg":1,"latency.p50":1,"latency.p95":2,"latency.p99":2,"latency.max":9,"requests.total":600,"requests.failed":0,"requests.per-second":153}},
 {"url":"/orders","method":"POST","metrics":{"latency.avg":1,"latency.p50":1,"latency.p95":2,"latency.p99":3,"latency.max":31,"requests.total":15600,"requests.failed":0,"requests.per-second":3980}},
 {"url":"/healthz","method":"GET","metrics":{"latency.avg":1,"latency.p50":1,"latency.p95":1,"latency.p99":1,"latency.max":1,"requests.total":120,"requests.failed":0,"requests.per-second":30}}]}`

const ordersFlat = `{"failIfExitCode":0,"failed":0,"latencyMs":{"avg":1,"max":31,"min":1,"p50":1,"p90":1,"p95":2,"p99":3},"matchPct":null,"perEndpoint":[],"responsePct":100,"rps":4166.0,"rpm":249960.0,"succeeded":16320,"totalRequests":16320}`

// ordersTree is a load run, a recording that counts statements, and a mock's log.
func ordersTree() map[string]string {
	files := map[string]string{
		"results/load-slow0/result.json":  ordersResult,
		"results/load-slow0/summary.json": ordersFlat,
		"results/load-slow0/window.json":  `{"start":"2026-08-13T14:10:00Z","end":"2026-08-13T14:10:04Z"}`,
		"results/load-slow0/side.json":    `{"label":"slow=0","workload":{"users":4,"passes":30,"recording":"recorded-baseline"}}`,
		"results/load-slow0/mock.log":     "GET /v1/projects?ts=17 HIT\nGET /v1/projects?ts=99 NO MATCH\nGET /v1/projects?ts=98 NO MATCH\n",
	}
	add := func(dir string, n int, text string) { files[dir+"/localhost/"+pairName(n)] = text }
	add("recorded-baseline", 1, pairJSON(1, "IN", "goproxy", "GET", "/orders", 200, "[]"))
	add("recorded-baseline", 0, pairJSON(0, "OUT", "goproxy", "GET", "/v1/projects?page=2&ts=16", 200, "[]"))
	add("recorded-baseline", 2, pairJSON(2, "OUT", "goproxy", "GET", "/v1/projects?ts=17", 200, "[]"))
	add("results/stmt-slow0", 10, pairJSON(10, "IN", "goproxy", "GET", "/orders", 200, `[{"id":"a"}]`))
	add("results/stmt-slow0", 20, pairJSON(20, "IN", "goproxy", "GET", "/orders", 200, `[{"id":"b"}]`))
	add("results/stmt-slow0", 30, pairJSON(30, "IN", "goproxy", "GET", "/orders/17", 404, `{}`))
	files["results/stmt-slow0/localhost-5432/"+pairName(11)] = statementJSON(10, "SELECT id FROM orders", 1)
	files["results/stmt-slow0/localhost-5432/"+pairName(21)] = statementJSON(20, "SELECT id FROM orders", 1)
	return files
}

// A recording alone has a window and statements; nothing was replayed in it, so that no server is asked.
func TestSideOfARecording(t *testing.T) {
	t.Parallel()
	c := openCatalog(t, "lab", writeTree(t, ordersTree()))
	server := promtest.NewServerWith(t, loadsOf("baseline"))
	side := measured(t, c, "stmt-slow0", checkout, server)
	if w := side.Window; w == nil || w.Source != catalog.SourcePairs || !w.End.After(w.Start) {
		t.Errorf("window is %+v, want that of the pairs", w)
	}
	if s := side.Statements; s == nil || *s.Executions != 2 {
		t.Errorf("statements are %+v", s)
	}
	if m := side.Metrics; m.State != evidence.StateInsufficient || m.RequestDuration.Reasons["meanSeconds"] != evidence.ReasonNoRun || len(server.Queries()) > 0 {
		t.Errorf("metrics are %s (%s), asked %v", m.State, m.Message, server.Queries())
	}
	replayed := measured(t, c, "load-slow0+stmt-slow0", checkout, nil)
	if replayed.Window.Source != catalog.SourceWindowFile {
		t.Errorf("window is %+v, want that of the load run", replayed.Window)
	}
}

// A load run and a recording of its statements make one side: behaviour comes from the recorded answers.
func TestCombinedSide(t *testing.T) {
	t.Parallel()
	c := openCatalog(t, "lab", writeTree(t, ordersTree()))
	side := measured(t, c, "load-slow0+stmt-slow0", checkout, nil)
	if side.ID != "lab/results/load-slow0+results/stmt-slow0" || *side.Load.Requests != 16320 || side.Functional != nil {
		t.Fatalf("side %s, load %+v", side.ID, side.Load)
	}
	type answer struct {
		endpoint string
		ordinal  int
		status   int
	}
	var got []answer
	for _, r := range side.Responses {
		if r.RefUUID != "" {
			t.Errorf("response %+v names a recorded pair", r)
		}
		got = append(got, answer{r.Endpoint, r.Ordinal, r.Status})
	}
	want := []answer{{"GET /orders", 0, 200}, {"GET /orders", 1, 200}, {"GET /orders/{id}", 0, 404}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("responses are %v, want %v", got, want)
	}
	if e := side.Endpoints[0]; e.Name != "GET /orders" || *e.P95Ms != 2 || !near(e.Share, 600.0/16320, 1e-9) || e.Tiny {
		t.Errorf("endpoint is %+v, want the raw layout's p95", e)
	}
	if s := side.Statements; s == nil || *s.Executions != 2 || len(s.Inventory) != 1 || s.ByEndpoint[0].Endpoint != "GET /orders" || s.ByEndpoint[0].PerCall != 1 {
		t.Errorf("statements are %+v", side.Statements)
	}
	if r := side.Recording; r.Source != evidence.FromRecording || r.Path != "recorded-baseline" || *r.InboundPairs != 1 || len(r.Digest) != 64 {
		t.Errorf("recording is %+v", r)
	}
	m := side.Mock
	if m.State != evidence.StateOK || *m.Hits != 1 || *m.Misses != 2 || *m.Passthroughs != 0 {
		t.Fatalf("mock is %+v", m)
	}
	if len(m.Details) != 1 || m.Details[0] != "missed: GET /v1/projects differs from the recorded call only in the parameter ts: a blueprint that masks it makes it match, when the mock is given the whole recording and not one host's folder of it (2 times)" {
		t.Errorf("details are %q, want the differing parameter", m.Details)
	}
	if g := gateOf(t, side, "G9"); g.State != evidence.GateNoted {
		t.Errorf("G9 is %+v, want noted: there is no functional run", g)
	}
}

func TestMockSources(t *testing.T) {
	t.Parallel()
	load := map[string]string{"s/load/summary.json": ordersResult}
	cases := map[string]struct {
		files              map[string]string
		source             string
		hits, misses, past int64
		says               string
	}{
		"pairs": {map[string]string{
			"s/mock/api.example.com/" + pairName(1): pairJSON(1, "OUT", "responder", "GET", "/a", 200, "{}", "match", "HIT"),
			"s/mock/api.example.com/" + pairName(2): pairJSON(2, "OUT", "responder", "GET", "/a?x=2", 404, "{}", "match", "NO_MATCH"),
			"s/mock/api.example.com/" + pairName(3): pairJSON(3, "OUT", "responder", "GET", "/b", 200, "{}", "match", "PASSTHROUGH"),
		}, "mock pairs", 1, 1, 1, "1 call went to the real dependency: the run was not isolated"},
		"tuning": {map[string]string{
			"s/mock/summary.json": `{"hitRate":75,"observedMockRequests":4,"hits":3,"misses":1,"passthroughs":0,"matchCounts":{"HIT":3,"MISS":1},"missFiles":["/home/someone/x/mock-output/api/2026.md"]}`,
		}, "tuning summary", 3, 1, 0, "missed: 2026.md"},
		"log": {map[string]string{"s/mock.log": "12:00:00 GET https://api.example.com/v1/projects?ts=1 HIT\n"}, "mock log", 1, 0, 0, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for _, more := range []map[string]string{load, tc.files} {
				for k, v := range more {
					files[k] = v
				}
			}
			side := measured(t, openCatalog(t, "r", writeTree(t, files)), "s", checkout, nil)
			m := side.Mock
			if m.State != evidence.StateOK || !strings.HasPrefix(m.Source, tc.source) || *m.Hits != tc.hits || *m.Misses != tc.misses || *m.Passthroughs != tc.past {
				t.Fatalf("mock is %+v", m)
			}
			if tc.says != "" && !strings.Contains(strings.Join(m.Details, "|"), tc.says) {
				t.Errorf("details are %q, want %q", m.Details, tc.says)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		side := measured(t, openCatalog(t, "r", writeTree(t, load)), "s", checkout, nil)
		if side.Mock.State != evidence.StateAbsent || side.Mock.Misses != nil {
			t.Errorf("mock is %+v, want absent: nothing tells", side.Mock)
		}
	})
}

// A histogram that leaves out one endpoint, such as the health probe, is not lost traffic when exactly its
// requests are missing.
func TestEndpointsThatAreNotMeasured(t *testing.T) {
	t.Parallel()
	const profileText = "name: orders\ntarget: {job: j}\nrequest: {metric: dur, route: route, code: code}\nerrors: code=~\"5..\"\n"
	script := `
load 1s
  up{job="j",instance="a"} 1x60
  dur_bucket{job="j",instance="a",route="/orders",code="200",le="0.25"} 0 0 %[1]d %[1]d %[1]d %[1]d %[1]d %[1]d
  dur_bucket{job="j",instance="a",route="/orders",code="200",le="+Inf"} 0 0 %[1]d %[1]d %[1]d %[1]d %[1]d %[1]d
  dur_count{job="j",instance="a",route="/orders",code="200"} 0 0 %[1]d %[1]d %[1]d %[1]d %[1]d %[1]d
  dur_sum{job="j",instance="a",route="/orders",code="200"} 0 0 20 20 20 20 20 20
`
	cases := map[string]struct {
		seen  int
		state string
		gate  string
		text  string
	}{
		"the health probe": {16200, evidence.SeenExplained, evidence.GateNoted, "Prometheus saw 16,200 of 16,320 requests: what is missing are the 120 requests to GET /healthz, which this histogram does not measure"},
		"something else":   {16100, evidence.SeenFewer, evidence.GateFailed, "Prometheus saw 16,100 of 16,320 requests: 220 are missing"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openCatalog(t, "r", writeTree(t, map[string]string{
				"s/load/result.json": ordersResult,
				"s/load/window.json": `{"start":"1970-01-01T00:00:01Z","end":"1970-01-01T00:00:05Z"}`,
			}))
			side := measured(t, c, "s", profileText, promtest.NewServer(t, fmt.Sprintf(script, tc.seen)))
			if r := side.Metrics.Reconciliation; r.State != tc.state || r.Text != tc.text {
				t.Errorf("reconciliation is %s, %q", r.State, r.Text)
			}
			if g := gateOf(t, side, "G5"); g.State != tc.gate {
				t.Errorf("G5 is %+v", g)
			}
		})
	}
}

// When the profile measures one route, only that route's requests are expected.
func TestExpectationOfOneRoute(t *testing.T) {
	t.Parallel()
	c := openCatalog(t, "r", writeTree(t, map[string]string{"s/load/result.json": ordersResult}))
	side := measured(t, c, "s", "name: x\ntarget: {job: j}\nrequest: {metric: dur, matchers: 'route=\"/healthz\"', route: route}\n", nil)
	if r := side.Metrics.Reconciliation; r.Expected == nil || *r.Expected != 120 {
		t.Errorf("expected is %v, want the 120 requests of the measured route", r.Expected)
	}
}

// Without verdict and declared recording, the replayed pairs say what was replayed, if all of them are there.
func TestRecordingFromReplayedPairs(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]bool{"whole": false, "one pair lost": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir := lab(t)
			functional := filepath.Join(dir, "proxymock", "results", "baseline", "functional")
			gone := []string{filepath.Join(functional, "replay-verdict.json"), filepath.Join(dir, "proxymock", "results", "baseline", "side.json")}
			if lost {
				gone = append(gone, filepath.Join(functional, "localhost", "2026-08-13_14-59-40.5461Z.md"))
			}
			for _, file := range gone {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
			r := measured(t, c, "baseline", checkout, nil).Recording
			if r.Source != evidence.FromPairs || len(r.RefUUIDs) != 1 || (r.Digest == "") != lost || (r.InboundPairs == nil) != lost {
				t.Errorf("recording is %+v", r)
			}
		})
	}
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	result := func(p95 int) string {
		return fmt.Sprintf(`{"endpoints":[{"url":"-ALL-","method":"-ALL-","metrics":{"latency.p95":%d,"requests.total":1200,"requests.failed":0,"requests.per-second":46}}]}`, p95)
	}
	window := func(minute int) string {
		return fmt.Sprintf(`{"start":"2026-08-13T14:%02d:00Z","end":"2026-08-13T14:%02d:29Z"}`, minute, minute)
	}
	c := openCatalog(t, "r", writeTree(t, map[string]string{
		"s/load-1/summary.json": result(180), "s/load-1/window.json": window(20),
		"s/load-2/summary.json": result(171), "s/load-2/window.json": window(10),
		"s/load-3/summary.json": "", "s/load-3/window.json": window(30),
	}))
	side := measured(t, c, "s", checkout, nil)
	if side.Load.RunID != "r/s/load-1" {
		t.Errorf("measured run is %s, want load-1: the latest that has figures", side.Load.RunID)
	}
	if len(side.Repeats) != 2 || *side.Repeats[0].P95Ms != 171 || *side.Repeats[1].P95Ms != 180 {
		t.Errorf("repeats are %+v, want 171 and 180, oldest first", side.Repeats)
	}
	if !problemSays(side, "incomplete") {
		t.Errorf("problems are %v, want the empty summary named", side.Problems)
	}
}

func TestPublicLokiRun(t *testing.T) {
	t.Parallel()
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(file), "..", "..", "..", "shared", "corpus", "mock-lab", "labs", "loki")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the corpus of public files (../shared/corpus beside the repository) is not here; skipping")
	}
	c := openCatalog(t, "loki", dir)
	baseline := measured(t, c, "baseline", checkout, nil)
	candidate := measured(t, c, "candidate", checkout, nil)
	if *baseline.Load.P95Ms != 431 || *candidate.Load.P95Ms != 1 || *baseline.Load.Requests != 800 || *candidate.Load.Requests != 800 {
		t.Errorf("load is %+v and %+v", baseline.Load, candidate.Load)
	}
	if b := baseline.Functional; *b.MatchPct != 100 || *b.PairsExpected != 8 || b.PairsRead != 4 || *b.VerdictMismatches != 0 {
		t.Errorf("functional baseline is %+v", b)
	}
	if f := candidate.Functional; f.MatchPct != nil || f.Reasons["matchPct"] != evidence.ReasonNotReported || f.PairsRead != 5 {
		t.Errorf("functional candidate is %+v, want no match rate: its summary is missing", f)
	}
	if r := baseline.Recording; r.Source != evidence.FromVerdict || *r.InboundPairs != 8 {
		t.Errorf("recording of the baseline is %+v", r)
	}
	if r := candidate.Recording; r.Source != evidence.FromPairs || r.Digest != "" || len(r.RefUUIDs) != 5 {
		t.Errorf("recording of the candidate is %+v, want no digest of an incomplete set", r)
	}
	if !near(baseline.Load.ActiveSeconds, 11.109, 0.001) || !near(candidate.Load.ActiveSeconds, 0.18, 0.01) {
		t.Errorf("active seconds are %v and %v", *baseline.Load.ActiveSeconds, *candidate.Load.ActiveSeconds)
	}
}

// Pairs that another replay left in the functional folder take no part, whatever their files are called: the
// window file says which are the run's, and without it the latest are.
func TestStalePairsTakeNoPart(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"window file", "no window file"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir := lab(t)
			functional := filepath.Join(dir, "proxymock", "results", "baseline", "functional")
			if name == "no window file" {
				if err := os.Remove(filepath.Join(functional, "window.json")); err != nil {
					t.Fatal(err)
				}
			}
			for n := range 3 {
				stale := strings.ReplaceAll(pairJSON(n, "IN", "generator", "GET", "/api/quote", 200, `{"total_cents":1}`), "2026-08-13T14:00", "2026-08-09T09:00")
				if err := os.WriteFile(filepath.Join(functional, fmt.Sprintf("IN-%08d-0000-4000-8000-000000000000.json", n)), []byte(stale), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			side := measured(t, c, "baseline", checkout, nil)
			if side.Functional == nil || side.Functional.PairsRead != 3 || len(side.Responses) != 3 {
				t.Fatalf("functional is %+v with %d responses, want the 3 of this replay", side.Functional, len(side.Responses))
			}
			for _, r := range side.Responses {
				if strings.Contains(string(r.Body), `"total_cents":1}`) {
					t.Errorf("a stale response was kept: %s", r.Path)
				}
			}
			if !problemSays(side, "3 pairs of 2026-08-09 09:00:00Z are of another replay") {
				t.Errorf("problems are %v, want the stale pairs with their day", side.Problems)
			}
		})
	}
}

// Fewer pairs than the result states are a problem of the side.
func TestMissingPairsAreNamed(t *testing.T) {
	t.Parallel()
	c, dir := lab(t)
	if err := os.Remove(filepath.Join(dir, "proxymock", "results", "baseline", "functional", "localhost", "2026-08-13_14-59-40.5461Z.md")); err != nil {
		t.Fatal(err)
	}
	if side := measured(t, c, "baseline", checkout, nil); !problemSays(side, "2 replayed pairs could be read, the result states 3") {
		t.Errorf("problems are %v", side.Problems)
	}
}
