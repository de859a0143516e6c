package catalog

import (
	"fmt"
	"strings"
	"time"
)

// The synthetic contents below follow the layouts of proxymock's own files.

const rawLoad = `{"endpoints":[{"url":"-ALL-","method":"-ALL-","metrics":{"latency.avg":107,"latency.p95":173,"requests.failed":0,"requests.per-second":46.436,"requests.total":1200}},{"url":"/a","method":"GET","metrics":{"latency.p95":173,"requests.failed":0,"requests.total":1200}}]}`

const rawFunctional = `{"endpoints":[{"url":"-ALL-","method":"-ALL-","metrics":{"latency.avg":43,"requests.failed":0,"requests.per-second":20,"requests.result-match-pct":100,"requests.total":3}}]}`

const flat = `{"failIfExitCode":%d,"failed":0,"latencyMs":{"avg":2,"max":31,"min":1,"p50":1,"p90":2,"p95":9,"p99":16},"matchPct":null,"perEndpoint":[{"failed":0,"matchPct":null,"method":"GET","p99Ms":19,"total":%d,"url":"/a"}],"responsePct":100,"rps":2672.0,"rpm":160320.0,"succeeded":%d,"totalRequests":%d}`

func flatLoad(exit, total int) string { return fmt.Sprintf(flat, exit, total, total, total) }

const tuningSummary = `{"hitRate":75,"observedMockRequests":4,"hits":3,"misses":1,"passthroughs":0,"matchCounts":{"HIT":3,"MISS":1}}`

const snapshotSummary = `{"services":["a"],"techs":["JSON"],"bytes":1234}`

const labWindow = `{"start":"2026-08-13T14:59:55.5Z","end":"2026-08-13T15:00:22.3Z","query_start":"2026-08-13T14:59:55Z","query_end":"2026-08-13T15:00:24Z","window_seconds":29}`

// pairAt is a pair in the JSON form; source is goproxy, generator or responder.
func pairAt(t time.Time, n int, direction, source string, ms int) string {
	return fmt.Sprintf(`{"msgType":"rrpair","ts":%q,"l7protocol":"http","duration":%d,"tags":{"source":%q,"sequence":"%d"},"uuid":"%08d-0000-4000-8000-000000000000","direction":%q,"command":"GET","location":"/a","status":"200","http":{"req":{"url":"/a","uri":"/a","method":"GET","host":"localhost"},"res":{"statusCode":200,"body":"{}"}}}`,
		t.UTC().Format(time.RFC3339Nano), ms, source, n, n, direction)
}

func pairName(t time.Time) string {
	return strings.NewReplacer("T", "_", ":", "-").Replace(t.UTC().Format(time.RFC3339Nano)) + ".json"
}

var noon = time.Date(2026, 8, 13, 12, 0, 0, 500_000_000, time.UTC)

// replayed adds n replayed pairs below dir, a second apart.
func replayed(files map[string]string, dir string, n int, source string) map[string]string {
	for i := range n {
		t := noon.Add(time.Duration(i) * time.Second)
		files[dir+"/localhost/"+pairName(t)] = pairAt(t, i, "IN", source, 40)
	}
	return files
}
