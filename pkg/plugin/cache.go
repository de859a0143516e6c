package plugin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

// resultEntries bounds the cache of results. A comparison of the lab is about 100 kB as Go values, so
// this stays below some 13 MB per organisation.
const resultEntries = 128

// results caches what was computed by what it was made from: the state of the files, the questions, the
// server. Time alone never makes an entry valid or stale. Concurrent identical requests share one run.
type results struct {
	entries *lru.Cache[string, any]
	flight  singleflight.Group
	count   func(result string)
}

func newResults(count func(string)) *results {
	// New fails only for a size below one.
	c, _ := lru.New[string, any](resultEntries)
	return &results{entries: c, count: count}
}

// resultKey hashes the parts with their lengths, so that no two lists of parts share a key.
func resultKey(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s;", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// do returns the entry of key, or runs make once for all who ask at the same time. make says whether
// its value may be kept: an answer that depends on a server's passing state must not be.
//
// The shared run is cancelled with the context of the caller that started it; others then try again
// with their own, so that one user's closed tab never fails another's request.
func (r *results) do(ctx context.Context, key string, build func(ctx context.Context) (v any, keep bool, err error)) (any, error) {
	for {
		if v, ok := r.entries.Get(key); ok {
			r.count("hit")
			return v, nil
		}
		started := false
		ch := r.flight.DoChan(key, func() (any, error) {
			started = true
			v, keep, err := build(ctx)
			if err != nil {
				return nil, err
			}
			if keep {
				r.entries.Add(key, v)
				r.count("miss")
			} else {
				r.count("not_cacheable")
			}
			return v, nil
		})
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case res := <-ch:
			if res.Err != nil && !started && ctx.Err() == nil && isCancelled(res.Err) {
				continue
			}
			return res.Val, res.Err
		}
	}
}
