package proxymock_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

var update = flag.Bool("update", false, "write the golden files anew")

// readData reads a synthetic file.
func readData(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return data
}

// pairFacts is a pair with what its methods say, bodies as text.
type pairFacts struct {
	Pair                        *proxymock.Pair
	RequestBody, ResponseBody   string
	Kind                        proxymock.PairKind
	Match                       proxymock.Match
	Endpoint, TraceID           string
	DurationDoubt               string
	End                         string
	Chaos                       bool
	Parameters                  []string
	AnswerMismatch, SQLComments any
}

func factsOf(p *proxymock.Pair) pairFacts {
	f := pairFacts{
		Pair: p, Kind: p.Kind(), Match: p.Match(), Endpoint: p.Endpoint(), TraceID: p.TraceID(),
		DurationDoubt: p.DurationDoubt(), End: p.End().String(), Chaos: p.ChaosAffected(),
	}
	if p.HTTP != nil {
		f.RequestBody, f.ResponseBody = string(p.HTTP.RequestBody), string(p.HTTP.ResponseBody)
	}
	if p.Postgres != nil {
		for _, v := range p.Postgres.Parameters {
			f.Parameters = append(f.Parameters, v.String())
		}
		f.AnswerMismatch, f.SQLComments = p.Postgres.AnswerMismatch(), proxymock.SQLComments(p.Postgres.Query)
	}
	return f
}

// TestGolden holds what every parser makes of the synthetic files.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("testdata")
	require.NoError(t, err)
	seen := 0
	for _, file := range files {
		if file.IsDir() || file.Name() == "README.md" {
			continue
		}
		seen++
		t.Run(file.Name(), func(t *testing.T) {
			t.Parallel()
			data := readData(t, file.Name())
			var got any
			var err error
			kind, _, _ := strings.Cut(strings.TrimSuffix(file.Name(), filepath.Ext(file.Name())), "-")
			switch kind {
			case "result":
				var r *proxymock.Result
				r, err = proxymock.ParseResult(bytes.NewReader(data))
				got = r
			case "window":
				got, err = proxymock.ParseWindow(bytes.NewReader(data))
			case "verdict":
				got, err = proxymock.ParseVerdict(bytes.NewReader(data))
			case "mock":
				got, err = proxymock.ParseMockLog(bytes.NewReader(data))
			case "pair":
				var p *proxymock.Pair
				if p, err = proxymock.ParsePair(bytes.NewReader(data), proxymock.FormAuto); err == nil {
					got = map[string]any{"plain": factsOf(p), "masked": factsOf(proxymock.Mask(p, proxymock.MaskOptions{Bodies: true}))}
				}
			default:
				t.Fatalf("no parser for %s", file.Name())
			}
			require.NoError(t, err)
			checkGolden(t, file.Name()+".golden", got)
		})
	}
	assert.Greater(t, seen, 15)
}

func checkGolden(t *testing.T, name string, got any) {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(got))
	path := filepath.Join("testdata", "golden", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, text.Bytes(), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run with -update to write it")
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("%s differs (-want +got); run with -update after reading it\n%s", path, diff)
	}
}
