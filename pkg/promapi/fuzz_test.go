package promapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/stat"
)

// fixed answers every request with one body, without a network.
type fixed []byte

func (f fixed) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(f)), Request: r,
	}, nil
}

// FuzzAnswers feeds any bytes as the answer to an instant query, to a raw query and to a whole
// measurement: whatever a server says, there is an error or a figure that JSON can carry, no panic.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[100,"0.19"]}]},"warnings":["w"],"infos":["i"]}`))
	f.Add([]byte(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up","job":"j","instance":"a","le":"1.0"},"values":[[99,"1"],[100,"1"],[101,"2"],[110,"1"],[111,"1"]]}]}}`))
	f.Add([]byte(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"job":"j"},"histograms":[[100,{"count":"25","sum":"8.3","buckets":[[0,"0.037","0.041","20"],[3,"-0.001","0.001","5"]]}]]}]}}`))
	f.Add([]byte(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[[99,"NaN"],[100,"1"],[110,"+Inf"]]}]}}`))
	f.Add([]byte(`{"status":"error","errorType":"bad_data","error":"no"}`))
	f.Add([]byte(`{"status":"success","data":{"resultType":"scalar","result":[100,"NaN"]}}`))
	f.Add([]byte(`null`))
	selectors := selectorsFor(f, nil)
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := promapi.New(promapi.Config{Address: "http://x", RoundTripper: fixed(body), RetryDelay: time.Nanosecond})
		require.NoError(t, err)
		ctx := context.Background()
		a, err := c.Instant(ctx, "x", time.Unix(100, 0))
		if err == nil && a.State == promapi.StateFailed {
			t.Fatal("a failed answer without an error")
		}
		if _, err := json.Marshal(a); err != nil {
			t.Fatalf("an answer that JSON cannot carry: %v", err)
		}
		if series, _, err := c.Raw(ctx, "x", time.Unix(100, 0), time.Minute); err == nil {
			spans, gates := promapi.Locate(series, time.Unix(100, 0), time.Unix(110, 0))
			if len(gates) != 3 {
				t.Fatalf("%d gates", len(gates))
			}
			h, _ := promapi.Histogram(promapi.RawHistogram{Bucket: series, Count: series, Sum: series}, spans)
			if h.Buckets != nil && h.Buckets.Total() < 0 {
				t.Fatal("a negative number of observations")
			}
		}
		e, err := c.Measure(ctx, promapi.ExactRequest{Selectors: selectors, Quantile: .95, Start: time.Unix(100, 0), End: time.Unix(110, 0)})
		if err != nil {
			return
		}
		if q := e.Quantile; q != nil {
			if _, err := json.Marshal(q); err != nil {
				t.Fatalf("a quantile that JSON cannot carry: %v", err)
			}
		}
		if m := e.Request.Mean(); m != nil && (math.IsNaN(*m) || math.IsInf(*m, 0)) {
			t.Fatal("a mean that is not a number")
		}
		if _, err := json.Marshal(e.Gates); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzParseBound reads any text as a bucket bound.
func FuzzParseBound(f *testing.F) {
	for _, s := range []string{"1", "1.0", "+Inf", "0.005", "1e-3", "NaN", "", "inf", "0x1p-2", "1_0", "-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := promapi.ParseBound(text)
		if err != nil {
			return
		}
		again, err := promapi.ParseBound(stat.FormatBound(u))
		if math.IsInf(u, -1) {
			return
		}
		if err != nil || again != u {
			t.Fatalf("%q became %v and then %v: %v", text, u, again, err)
		}
	})
}
