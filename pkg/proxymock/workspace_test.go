package proxymock_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/proxymock"
)

func TestParseSnapshot(t *testing.T) {
	t.Parallel()
	s, err := proxymock.ParseSnapshot(strings.NewReader(`{"id":"a","meta":{"name":"orders","startTime":"2026-01-01T00:00:00Z","services":["x"]},` +
		`"created":{"actor":{"displayName":"Someone (someone@example.com)"}}}`))
	require.NoError(t, err)
	assert.Equal(t, &proxymock.Snapshot{ID: "a", Name: "orders", Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Services: []string{"x"}}, s)
	_, err = proxymock.ParseSnapshot(strings.NewReader(`{"id":"a"}`))
	require.ErrorIs(t, err, proxymock.ErrOtherFile)
}

func TestParseBlueprint(t *testing.T) {
	t.Parallel()
	b, err := proxymock.ParseBlueprint(strings.NewReader(`{"id":"a","name":"mask ts","active":false,"tokenizeConfig":{"responder":[{"config":"hush"},{}]}}`))
	require.NoError(t, err)
	off := false
	assert.Equal(t, &proxymock.Blueprint{ID: "a", Name: "mask ts", Active: &off, ResponderRules: 2}, b)
	_, err = proxymock.ParseBlueprint(strings.NewReader(`{"id":"a"}`))
	require.ErrorIs(t, err, proxymock.ErrOtherFile)
	_, err = proxymock.ParseBlueprint(strings.NewReader(``))
	require.ErrorIs(t, err, proxymock.ErrIncomplete)
}

func TestCorpusWorkspaceFiles(t *testing.T) {
	t.Parallel()
	blueprints, snapshots := 0, 0
	for _, path := range corpusFiles(t, ".json") {
		rel, err := filepath.Rel(corpusDir, path)
		require.NoError(t, err)
		switch {
		case strings.Contains(path, "/blueprints/"):
			blueprints++
			b, err := proxymock.ParseBlueprint(openCorpus(t, rel))
			require.NoError(t, err, path)
			assert.Positive(t, b.GeneratorRules+b.ResponderRules, path)
		case strings.HasSuffix(path, "snapshot.json"):
			snapshots++
			s, err := proxymock.ParseSnapshot(openCorpus(t, rel))
			require.NoError(t, err, path)
			shown, err := json.Marshal(s)
			require.NoError(t, err)
			assert.NotContains(t, string(shown), "@example.com", path)
		}
	}
	assert.Equal(t, 4, blueprints)
	assert.Equal(t, 2, snapshots)
}
