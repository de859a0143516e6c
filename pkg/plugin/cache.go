package plugin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"
)

const (
	// resultEntries and resultBytes bound one cache of results. A side of the lab is about 50 kB; one that replayed
	// thousands of pairs keeps their bodies and may be larger than all others together.
	resultEntries = 128
	resultBytes   = 128 << 20
)

// The outcomes of a look-up in a cache of results, as the metrics count them.
const (
	lookupHit          = "hit"
	lookupMiss         = "miss"
	lookupShared       = "shared"
	lookupNotCacheable = "not_cacheable"
)

// results caches what was computed by what it was made from: the state of the files, the questions, the
// server. Time alone never makes an entry valid or stale. Concurrent identical requests share one run.
type results[V any] struct {
	flight singleflight.Group
	count  func(outcome string)
	weigh  func(V) int64

	mu      sync.Mutex
	entries *simplelru.LRU[string, V]
	bytes   int64 // what the entries weigh together
}

// newResults makes an empty cache. count is told the outcome of each look-up, weigh tells about how many bytes of
// memory a value keeps.
func newResults[V any](count func(outcome string), weigh func(V) int64) *results[V] {
	r := &results[V]{count: count, weigh: weigh}
	// It fails only for a size below one.
	r.entries, _ = simplelru.NewLRU(resultEntries, func(_ string, v V) { r.bytes -= weigh(v) })
	return r
}

// resultKey hashes the parts with their lengths, so that no two lists of parts share a key.
func resultKey(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s;", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// do returns the entry of key, or runs build once for all who ask at the same time. build says whether
// its value may be kept: an answer that depends on a server's passing state must not be.
//
// The shared run is cancelled with the context of the caller that started it; others then try again
// with their own, so that one user's closed tab never fails another's request.
func (r *results[V]) do(ctx context.Context, key string, build func(ctx context.Context) (v V, keep bool, err error)) (V, error) {
	var none V
	for {
		if v, ok := r.get(key); ok {
			r.count(lookupHit)
			return v, nil
		}
		started := false
		ch := r.flight.DoChan(key, func() (any, error) {
			started = true
			v, keep, err := build(ctx)
			switch {
			case err != nil:
				return none, err
			case keep:
				r.keep(key, v)
				r.count(lookupMiss)
			default:
				r.count(lookupNotCacheable)
			}
			return v, nil
		})
		select {
		case <-ctx.Done():
			return none, ctx.Err()
		case res := <-ch:
			if res.Err != nil {
				if !started && ctx.Err() == nil && isCancelled(res.Err) {
					continue
				}
				return none, res.Err
			}
			if !started {
				r.count(lookupShared)
			}
			v, _ := res.Val.(V) // nothing else is ever put in
			return v, nil
		}
	}
}

func (r *results[V]) get(key string) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entries.Get(key)
}

// keep adds an entry and drops the oldest ones until the rest fits again. What would not fit alone is not kept.
func (r *results[V]) keep(key string, v V) {
	weight := r.weigh(v)
	if weight > resultBytes {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries.Remove(key) // so that the weight of a replaced entry is taken off
	r.bytes += weight
	r.entries.Add(key, v)
	for r.bytes > resultBytes {
		r.entries.RemoveOldest()
	}
}
