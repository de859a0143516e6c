package promapi_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/replaylab/replay-evidence/pkg/promapi"
	"github.com/replaylab/replay-evidence/pkg/promapi/promtest"
)

func TestExpired(t *testing.T) {
	t.Parallel()
	now := time.Now()
	recent := []promtest.Series{{Labels: map[string]string{"__name__": "up", "job": "j"}}}
	for i := range 20 {
		recent[0].Points = append(recent[0].Points, promtest.Point{T: now.Add(time.Duration(i-20) * time.Second).UnixMilli(), V: 1})
	}
	cases := map[string]struct {
		series    []promtest.Series
		retention string
		ago       time.Duration
		expired   bool
		words     string
	}{
		"older than the stated retention": {recent, "15d", 16 * 24 * time.Hour, true, "the server keeps 15d"},
		"retention with a size":           {recent, "15d or 10GiB", 20 * 24 * time.Hour, true, "the server keeps 15d or 10GiB"},
		"storage is newer":                {recent, "15d", 5 * time.Hour, true, "none from around the window"},
		"no status API":                   {recent, "", 5 * time.Hour, true, "none from around the window"},
		"in the data":                     {recent, "15d", 10 * time.Second, false, "holds scrapes"},
		"in the future":                   {recent, "15d", -5 * time.Hour, false, "has not ended yet"},
		"an empty server":                 {nil, "15d", 5 * time.Hour, false, "another server"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := promtest.NewServerWith(t, c.series)
			s.Retention = c.retention
			got, err := newClient(t, s).Expired(context.Background(), now.Add(-c.ago-30*time.Second), now.Add(-c.ago))
			require.NoError(t, err)
			assert.Equal(t, c.expired, got.Expired, got.Detail)
			assert.Contains(t, got.Detail, c.words)
		})
	}
}

func TestWaitForFinalScrape(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Second)
	point := func(d time.Duration) promtest.Point { return promtest.Point{T: now.Add(d).UnixMilli(), V: 1} }
	target := func(instance string, points ...promtest.Point) promtest.Series {
		return promtest.Series{Labels: map[string]string{"__name__": "up", "job": "j", "instance": instance}, Points: points}
	}
	var before []promtest.Point
	for i := -10; i <= -3; i++ {
		before = append(before, point(time.Duration(i)*time.Second))
	}
	s := promtest.NewServerWith(t, []promtest.Series{
		target("a", before...), target("b", before...),
		target("gone", point(-200*time.Second), point(-199*time.Second)),
	})
	c := newClient(t, s)
	end := now.Add(-2500 * time.Millisecond)
	var seen []promapi.WaitProgress
	missing, err := c.WaitForFinalScrape(context.Background(), `up{job="j"}`, end, 20*time.Second, func(p promapi.WaitProgress) {
		seen = append(seen, p)
		// The scrapes land one after the other: a first, b with the next look.
		switch len(seen) {
		case 1:
			s.Append(t, []promtest.Series{target("a", point(-2*time.Second))})
		case 2:
			s.Append(t, []promtest.Series{target("b", point(-time.Second))})
		}
	})
	require.NoError(t, err)
	assert.Empty(t, missing)
	require.Len(t, seen, 2)
	assert.Equal(t, []string{"a", "b"}, seen[0].Missing, "a target that went away long ago is not waited for")
	assert.Equal(t, []string{"b"}, seen[1].Missing)

	missing, err = c.WaitForFinalScrape(context.Background(), `up{job="j"}`, now.Add(time.Hour), time.Millisecond, nil)
	require.NoError(t, err)
	assert.Empty(t, missing, "no target is alive at a time so far ahead")
	missing, err = c.WaitForFinalScrape(context.Background(), `up{job="j"}`, now, time.Millisecond, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, missing)
}
