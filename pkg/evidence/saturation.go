package evidence

import (
	"math"

	"github.com/replaylab/replay-evidence/pkg/profile"
)

// The thresholds of the sentence "what limits you now": a pool that is at least this busy, with at least
// this share of a request spent waiting for it, explains the time. Below, it is shown and not named.
const (
	busyPool     = 0.85
	waitingShare = 0.25
	// workShare is the share of the mean from which the processor is what a request spends its time on.
	workShare = 0.5
	// nearCeiling is how close to the users' own ceiling the rate must be for the users to be the limit.
	nearCeiling = 0.85
	// coarseMs is the replay's average from which it may stand in for the mean: averages are whole
	// milliseconds, so below 10 the rounding alone is worth more than a tenth.
	coarseMs = 10
)

// ReasonWholeMilliseconds says that the only source is the replay's own latencies, which are too coarse here.
const ReasonWholeMilliseconds = "whole_milliseconds"

// What limits a side.
const (
	LimitPool    = "pool"
	LimitUsers   = "users"
	LimitCPU     = "cpu"
	LimitUnknown = "unknown"
)

// Sources of a pool's size and of its holding time.
const (
	SizeDeclared  = "declared"
	SizeInferred  = "inferred"
	SizeUnknown   = "unknown"
	HoldHistogram = "histogram"
	HoldDeclared  = "declared"
	HoldRemainder = "remainder"
	HoldUnknown   = "unknown"
)

// saturation is arithmetic: Little's law (Little 1961) and the utilisation law with the bounds of
// operational analysis, X <= min(c/S, N/(S+Z)) (Denning and Buzen 1978). The replay's users do not think: Z = 0.
func (m *measurement) saturation() {
	mx, s := &m.side.Metrics, &m.side.Saturation
	*s = Saturation{Limit: LimitUnknown, Pools: []PoolUtilisation{}}
	mean := mx.RequestDuration.MeanSeconds
	var rate, active *float64
	if l := m.side.Load; l != nil {
		rate, active = l.RequestsPerSecond, l.ActiveSeconds
		if mean == nil && l.AvgMs != nil && *l.AvgMs >= coarseMs {
			mean = finite(*l.AvgMs / 1000)
		}
	}
	if rate != nil && mean != nil {
		s.InFlight = finite(*rate * *mean)
	}
	for i := range mx.Waits {
		if w := &mx.Waits[i]; w.Pool != "" {
			p := m.pool(w, m.profileWait(w.Name), active)
			p.QueryIDs = m.proofs(waitName(i)+" count", waitName(i)+" native", holdName(i)+" count", holdName(i)+" sum", holdName(i)+" native")
			s.Pools = append(s.Pools, p)
		}
	}
	if d := m.side.Declared; d != nil && d.Workload != nil && d.Workload.Users > 0 {
		s.Users = ptr(int64(d.Workload.Users))
	}
	m.checkUse()
	for i := range s.Pools {
		if u := s.Pools[i].Utilisation; u != nil && (s.Utilisation == nil || *u > *s.Utilisation) {
			s.Utilisation = u
		}
	}
	if service := m.serviceSeconds(); s.Users != nil && service != nil && *service > 0 {
		s.UsersCeiling = finite(float64(*s.Users) / *service)
	}
	m.limitedBy(rate)
	metricsReason := reasonOr(mx.RequestDuration.Reasons["meanSeconds"], ReasonUnknown)
	if s.Utilisation == nil {
		s.Reasons.set("utilisation", poolReason(s.Pools, metricsReason))
	}
	if s.Users == nil {
		s.Reasons.set("users", ReasonNotReported)
		s.Reasons.set("usersCeiling", ReasonNotReported)
	}
	switch l := m.side.Load; {
	case l == nil:
		s.Reasons.set("inFlight", ReasonNoRun)
	case s.Reasons["inFlight"] != "":
	case s.InFlight == nil && l.AvgMs != nil && *l.AvgMs < coarseMs:
		s.Reasons.set("inFlight", ReasonWholeMilliseconds)
	}
	explain(s, &s.Reasons, metricsReason)
}

func poolReason(pools []PoolUtilisation, otherwise string) string {
	for i := range pools {
		if code := pools[i].Reasons["utilisation"]; code != "" {
			return code
		}
	}
	if len(pools) == 0 {
		return ReasonPoolUnknown
	}
	return otherwise
}

func (m *measurement) profileWait(name string) profile.Wait {
	for _, w := range m.in.Profile.Waits {
		if w.Name == name {
			return w
		}
	}
	return profile.Wait{}
}

// serviceSeconds is the mean of a request without its waits.
func (m *measurement) serviceSeconds() *float64 {
	mx := &m.side.Metrics
	if mx.RequestDuration.MeanSeconds == nil {
		return nil
	}
	rest := *mx.RequestDuration.MeanSeconds
	for i := range mx.Waits {
		if mx.Waits[i].SecondsPerRequest == nil {
			return nil
		}
		rest -= *mx.Waits[i].SecondsPerRequest
	}
	return finite(rest)
}

// pool is the utilisation law for one pool: in use = acquisitions per second times holding time.
func (m *measurement) pool(w *Wait, asked profile.Wait, active *float64) PoolUtilisation {
	p := PoolUtilisation{Name: w.Pool, SizeSource: SizeUnknown, HoldSource: HoldUnknown}
	p.HoldSeconds, p.HoldSource = m.hold(w, asked)
	var rate *float64
	if w.Count != nil && active != nil && *active > 0 {
		rate = finite(float64(*w.Count) / *active)
	}
	if rate != nil && p.HoldSeconds != nil {
		p.InUse = finite(*rate * *p.HoldSeconds)
	}
	if d := m.side.Declared; d != nil {
		if size, ok := d.Pools[w.Pool]; ok {
			p.Size, p.SizeSource = finite(size), SizeDeclared
		}
	}
	if p.Size == nil && p.InUse != nil && *p.InUse > 0 && w.Share != nil && *w.Share >= waitingShare {
		// Who waits that much waits for a full pool, and a full pool is as large as what is in use.
		p.Size, p.SizeSource = finite(math.Ceil(*p.InUse)), SizeInferred
	}
	if p.Size != nil && p.InUse != nil {
		p.Utilisation = finite(*p.InUse / *p.Size)
	}
	if p.Size != nil && p.HoldSeconds != nil && *p.HoldSeconds > 0 {
		p.Ceiling = finite(*p.Size / *p.HoldSeconds)
	}
	if p.Size == nil {
		p.Reasons.set("size", ReasonPoolUnknown)
		if p.InUse != nil {
			p.Reasons.set("utilisation", ReasonPoolUnknown)
		}
		p.Reasons.set("ceiling", ReasonPoolUnknown)
	}
	explain(&p, &p.Reasons, reasonOr(w.Reasons["count"], ReasonNotReported))
	return p
}

// hold is how long one acquisition holds the pool: measured, declared, or at most the rest of the request.
func (m *measurement) hold(w *Wait, asked profile.Wait) (*float64, string) {
	switch asked.Hold.Kind {
	case profile.HoldHistogram:
		if h := m.holds[w.Name]; h != nil {
			return h, HoldHistogram
		}
		if m.side.Metrics.State == StateOK {
			m.problem("", "note", "pool %s: %s gives no holding time in this window, so that the rest of the request is taken, an upper bound; check hold in the profile",
				w.Pool, asked.Hold.Metric)
		}
	case profile.HoldDeclared:
		return finite(asked.Hold.Duration.Seconds()), HoldDeclared
	}
	if rest := m.serviceSeconds(); rest != nil && *rest >= 0 && w.PerRequest != nil && *w.PerRequest > 0 {
		return finite(*rest / *w.PerRequest), HoldRemainder
	}
	return nil, HoldUnknown
}

// limitedBy writes the sentence "what limits you now" of this side alone. It names what is busy; that it
// caused a change can only be said of two sides.
func (m *measurement) limitedBy(rate *float64) {
	s, mx := &m.side.Saturation, &m.side.Metrics
	defer func() {
		if l := m.side.Load; l != nil && l.HarnessBound != nil && *l.HarnessBound {
			s.LimitedBy += "; the replay's own machine was at its limit, so the throughput is a floor"
		}
	}()
	busiest, at := -1, 0.0
	for i := range s.Pools {
		share := m.shareOf(s.Pools[i].Name)
		if u := s.Pools[i].Utilisation; u != nil && *u >= busyPool && share >= waitingShare && *u > at {
			busiest, at = i, *u
		}
	}
	switch {
	case busiest >= 0:
		p := &s.Pools[busiest]
		s.Limit = LimitPool
		s.LimitedBy = sentence("the pool %s: %s of %s in use (%s), and %s of a request is waiting for it", p.Name,
			significant(*p.InUse, 3), significant(*p.Size, 3), FormatPercent(at), FormatPercent(m.shareOf(p.Name)))
		if p.SizeSource == SizeInferred {
			s.LimitedBy += "; its size is inferred, state it in side.json under pools"
		}
		if p.Ceiling != nil {
			s.LimitedBy += sentence("; it can serve %s calls per second", significant(*p.Ceiling, 3))
		}
	case mx.CPU.Share != nil && *mx.CPU.Share >= workShare:
		s.Limit = LimitCPU
		s.LimitedBy = sentence("the service's own work: %s of a request is CPU time", FormatPercent(*mx.CPU.Share))
		if mx.CPU.ActiveCores != nil {
			s.LimitedBy += sentence(", %s cores busy", significant(*mx.CPU.ActiveCores, 3))
		}
	case s.UsersCeiling != nil && rate != nil && *rate >= nearCeiling**s.UsersCeiling:
		s.Limit = LimitUsers
		s.LimitedBy = sentence("the replay's %s: without waiting they can send no more than %s requests per second (%s measured), so this is not the service's capacity",
			plural(*s.Users, "user", "users"), significant(*s.UsersCeiling, 3), significant(*rate, 3))
	case mx.State != StateOK:
		s.LimitedBy = "unknown without metrics"
	case m.conflicting() != "":
		s.LimitedBy = "unknown: the unit of " + m.conflicting() + " is in conflict"
	case s.Users == nil || (len(s.Pools) > 0 && s.Utilisation == nil):
		s.LimitedBy = "unknown: state the number of users and the size of the pools in side.json"
	default:
		s.LimitedBy = "nothing that was measured is near its limit"
	}
}

func (m *measurement) shareOf(pool string) float64 {
	share := 0.0
	for i := range m.side.Metrics.Waits {
		if w := &m.side.Metrics.Waits[i]; w.Pool == pool && w.Share != nil {
			share += *w.Share
		}
	}
	return share
}
