package proxymock_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

// benchmark parses data again and again; SetBytes makes the rate comparable with reading alone.
func benchmark(b *testing.B, data []byte, parse func(io.Reader) error) {
	b.Helper()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := parse(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func parseAuto(r io.Reader) error {
	_, err := proxymock.ParsePair(r, proxymock.FormAuto)
	return err
}

func BenchmarkParsePairMarkdown(b *testing.B) {
	benchmark(b, readData(b, "pair-current.md"), parseAuto)
}

func BenchmarkParsePairJSON(b *testing.B) { benchmark(b, readData(b, "pair-execute.json"), parseAuto) }

// BenchmarkParsePairLarge parses a pair of about 10 kB whose line is mostly transform events, as replay output is.
func BenchmarkParsePairLarge(b *testing.B) {
	event := `{"uuid":"288ef393-9e04-4c45-a274-e41f4fd8838e","ts":"2026-04-07T01:49:56.234856Z","source":"generator","message":"constant(new=localhost)"},`
	text := strings.Replace(string(readData(b, "pair-current.md")), `"netinfo":`, `"events":[`+strings.Repeat(event, 60)+`{}],"netinfo":`, 1)
	benchmark(b, []byte(text), parseAuto)
}

// BenchmarkParsePairReadOnly is what reading the same bytes costs without parsing.
func BenchmarkParsePairReadOnly(b *testing.B) {
	benchmark(b, readData(b, "pair-current.md"), func(r io.Reader) error {
		_, err := io.ReadAll(r)
		return err
	})
}

// BenchmarkParsePairCorpus parses real files where they are present: a replay pair and the two largest.
func BenchmarkParsePairCorpus(b *testing.B) {
	for name, path := range map[string]string{
		"replay-10kB": "mock-lab/labs/loki/proxymock/results/baseline/functional/localhost/2026-08-13_19-26-10.335806Z.md",
		"md-131kB":    "demo/wiremock-export-demo/proxymock/recording/banking-gateway/2026-06-14_00-02-36.000250384Z.md",
		"sql-109kB":   "microsvc/backend/user-service/proxymock/recorded-complete/localhost/2026-08-07_18-44-59.571285085Z.json",
	} {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(corpus(b, path))
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, data, parseAuto)
		})
	}
}

func BenchmarkParseResult(b *testing.B) {
	benchmark(b, readData(b, "result-raw-noise.json"), func(r io.Reader) error {
		_, err := proxymock.ParseResult(r)
		return err
	})
}

func BenchmarkEndpointName(b *testing.B) {
	for b.Loop() {
		proxymock.EndpointName("GET", "/orders/e56a157a-0665-4bfa-b4cb-68b6f4a35c4e/status?expand=lines")
	}
}
