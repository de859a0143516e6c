// Package sim is a discrete-event model of a replay against a service with a connection pool. It
// makes runs whose truth is known, for tests of everything that draws conclusions from runs: users in
// a closed loop, a pool with a first-come queue, a service time with noise, and a factor for the
// machine that differs between two runs of the same code.
package sim

import (
	"container/heap"
	"math"
	"math/rand/v2"

	"github.com/replaylab/replay-evidence/pkg/stat"
)

// The bucket bounds of the lab's two histograms, in seconds.
var (
	requestBounds = []float64{.01, .025, .05, .075, .1, .15, .2, .25, .3, .4, .5, .75, 1, 2.5}
	waitBounds    = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .15, .2, .3, .5, 1, 2.5}
)

// RequestBounds returns the bounds of the lab's request histogram, seconds, +Inf included.
func RequestBounds() []float64 { return withInf(requestBounds) }

// WaitBounds returns the bounds of the lab's wait histogram, seconds, +Inf included.
func WaitBounds() []float64 { return withInf(waitBounds) }

func withInf(b []float64) []float64 {
	return append(append(make([]float64, 0, len(b)+1), b...), math.Inf(1))
}

// Config describes one run. Times are seconds.
type Config struct {
	// Users run Passes requests each, one after the other.
	Users, Passes int
	// Pool is the number of connections; each request holds one for its service time.
	Pool int
	// ServiceMin and ServiceMax bound the evenly spread service time.
	ServiceMin, ServiceMax float64
	// Think is the user's pause between requests.
	Think float64
	// Spread is the relative standard deviation of each service time around its draw.
	Spread float64
	// MachineNoise is the relative standard deviation of one factor for the whole run: what differs
	// between two runs of identical code on one machine.
	MachineNoise float64
	// CPUPerRequest is CPU time per request.
	CPUPerRequest float64
	// Seed makes a run repeatable.
	Seed uint64
}

// Lab is the lab's load run with the given pool: 8 users, 150 passes, 40 to 43 ms.
func Lab(pool int, seed uint64) Config {
	return Config{Users: 8, Passes: 150, Pool: pool, ServiceMin: .040, ServiceMax: .043, CPUPerRequest: .001, Seed: seed}
}

// Event is one request. Times are seconds since the start of the run.
type Event struct {
	Start, End float64
	// Wait is the time until a connection was free, Duration the whole request.
	Wait, Duration float64
}

// Run simulates a run and returns its requests in the order of their ends.
func Run(cfg Config) []Event {
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x5eed))
	factor := math.Max(.1, 1+cfg.MachineNoise*rng.NormFloat64())
	free := make(times, max(1, cfg.Pool)) // when each connection is free
	heap.Init(&free)
	users := make(arrivals, cfg.Users)
	for i := range users {
		// Users start within a few milliseconds, as a harness starts them one by one.
		users[i] = arrival{at: float64(i) * .0005, left: cfg.Passes}
	}
	heap.Init(&users)
	out := make([]Event, 0, cfg.Users*cfg.Passes)
	for len(users) > 0 {
		// Arrivals are served in their order, so the queue is first come, first served.
		u := users[0]
		begin := math.Max(u.at, free[0])
		service := (cfg.ServiceMin + rng.Float64()*(cfg.ServiceMax-cfg.ServiceMin)) * factor
		service *= math.Max(.1, 1+cfg.Spread*rng.NormFloat64())
		end := begin + service
		free[0] = end
		heap.Fix(&free, 0)
		out = append(out, Event{Start: u.at, End: end, Wait: begin - u.at, Duration: end - u.at})
		u.left--
		if u.left == 0 {
			heap.Pop(&users)
			continue
		}
		u.at = end + cfg.Think
		users[0] = u
		heap.Fix(&users, 0)
	}
	sortByEnd(out)
	return out
}

// Histogram counts one figure of every event at the given bounds, whose last is +Inf.
func Histogram(events []Event, bounds []float64, figure func(Event) float64) stat.Buckets {
	cumulative := make([]int64, len(bounds))
	for _, e := range events {
		v := figure(e)
		for i := len(bounds) - 1; i >= 0 && v <= bounds[i]; i-- {
			cumulative[i]++
		}
	}
	return stat.Buckets{Upper: bounds, Cumulative: cumulative}
}

// Duration picks the duration of an event.
func Duration(e Event) float64 { return e.Duration }

// Wait picks the wait of an event.
func Wait(e Event) float64 { return e.Wait }

// times is a heap of moments.
type times []float64

func (t times) Len() int           { return len(t) }
func (t times) Less(i, j int) bool { return t[i] < t[j] }
func (t times) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *times) Push(x any)        { *t = append(*t, x.(float64)) }
func (t *times) Pop() any {
	old := *t
	x := old[len(old)-1]
	*t = old[:len(old)-1]
	return x
}

// arrival is a user's next request.
type arrival struct {
	at   float64
	left int
}

// arrivals is a heap of users by their next request.
type arrivals []arrival

func (a arrivals) Len() int           { return len(a) }
func (a arrivals) Less(i, j int) bool { return a[i].at < a[j].at }
func (a arrivals) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *arrivals) Push(x any)        { *a = append(*a, x.(arrival)) }
func (a *arrivals) Pop() any {
	old := *a
	x := old[len(old)-1]
	*a = old[:len(old)-1]
	return x
}
