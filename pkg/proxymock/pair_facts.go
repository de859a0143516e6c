package proxymock

import (
	"strings"
	"time"
)

// Kind tells a recorded, a replayed and a mocked pair apart by the tag "source" (generator replays,
// responder mocks, everything else records). Builds of early 2025 wrote recorded outbound calls
// as responder pairs too: a responder pair of a v2.3 build that was passed through is a recording.
func (p *Pair) Kind() PairKind {
	switch p.Tags["source"] {
	case "generator":
		return KindReplay
	case "responder":
		if p.Match() == MatchPassthrough && p.RefUUID == "" && strings.HasPrefix(p.Tags["proxyVersion"], "v2.3.") {
			return KindRecording
		}
		return KindMock
	case "":
		if p.RefUUID != "" {
			return KindReplay
		}
	}
	return KindRecording
}

// Match is the pair's match state by its tag "match" or, where that is missing, the mock server's own
// field. Response headers that speak of cache hits are copies of the recording and are not asked.
func (p *Pair) Match() Match {
	word := p.Tags["match"]
	if word == "" {
		word = p.ResponderMatch
	}
	mock := p.Tags["source"] == "responder"
	switch strings.ToUpper(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.TrimSpace(word))) {
	case "HIT", "MATCH":
		return MatchHit
	case "MISS", "NO_MATCH", "NOMATCH":
		return MatchMiss
	case "PASSTHROUGH":
		return MatchPassthrough
	case "PASS":
		if mock {
			return MatchPassthrough
		}
		return MatchPass
	case "FAIL":
		if mock {
			return MatchMiss
		}
		return MatchFail
	}
	return MatchNone
}

// IsHTTP tells whether the pair is an HTTP exchange.
func (p *Pair) IsHTTP() bool { return p.HTTP != nil }

// DurationKnown tells whether the stored duration is a measurement. It is not when it is absent, when the
// pair is an execution of a prepared statement (the wait sits on the first message of the group) or was
// paired with another statement's answer, or when it is an outbound HTTP call of 1 ms: local proxies
// store that whatever the real time was.
func (p *Pair) DurationKnown() bool { return p.DurationDoubt() == "" }

// DurationDoubt says in words why the stored duration is no measurement, "" when it is one.
func (p *Pair) DurationDoubt() string {
	switch {
	case p.Duration == nil && p.Elapsed == nil:
		return "no duration stored: below the writer's resolution"
	case p.Postgres != nil && p.Postgres.Kind == PostgresExecute:
		return "executions carry no time of their own: the wait is on the first message of the statement's group"
	case p.Postgres != nil && p.Postgres.AnswerMismatch() != "":
		return "the recorder paired the statement with another one's answer: " + p.Postgres.AnswerMismatch()
	case p.Direction == Out && p.HTTP != nil && p.Duration != nil && *p.Duration <= time.Millisecond && !p.goodOutboundClock():
		return "outbound HTTP calls of 1 ms: this writer stores 1 ms whatever the real time"
	}
	return ""
}

// goodOutboundClock names the writers whose outbound HTTP durations were found to be real: local builds
// before v2.4, cluster proxies on HTTP/1, and kernel captures.
func (p *Pair) goodOutboundClock() bool {
	switch {
	case strings.HasPrefix(p.Tags["proxyVersion"], "v2.3."):
		return true
	case strings.EqualFold(p.Tags["captureMode"], "eBPF"):
		return true
	case p.Tags["proxyType"] == "transparent":
		return strings.HasPrefix(p.HTTP.Version, "1")
	}
	return false
}

// Took is the best stored duration: microseconds where the writer has them, else whole milliseconds. False when there
// is none or it is no measurement, see [Pair.DurationKnown].
func (p *Pair) Took() (time.Duration, bool) {
	if !p.DurationKnown() {
		return 0, false
	}
	return p.stored(), true
}

func (p *Pair) stored() time.Duration {
	switch {
	case p.Elapsed != nil:
		return *p.Elapsed
	case p.Duration != nil:
		return *p.Duration
	}
	return 0
}

// End is TS plus the stored duration, or TS where none is stored.
func (p *Pair) End() time.Time { return p.TS.Add(p.stored()) }

// StatusCode is the HTTP status of the response. False for other protocols and for pairs without a
// response. The writer's status text is not asked: mock hits say "0" there, edited files an older code.
func (p *Pair) StatusCode() (int, bool) {
	if p.HTTP == nil || p.HTTP.StatusCode == 0 {
		return 0, false
	}
	return p.HTTP.StatusCode, true
}

// ChaosAffected tells whether a fault was injected into the pair; such pairs take no part in a comparison.
// Any tag or response header that speaks of chaos with another value than none counts (v2.5.868 and later).
func (p *Pair) ChaosAffected() bool {
	if p.chaos {
		return true
	}
	for name, value := range p.Tags {
		if strings.Contains(strings.ToLower(name), "chaos") && !saysNone(value) {
			return true
		}
	}
	return p.HTTP != nil && !saysNone(p.HTTP.ResponseHeaders.Get("X-Speedscale-Chaos"))
}

func saysNone(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "none", "false", "off", "0", "null", "no":
		return true
	}
	return false
}

// Endpoint is the pair's normalised endpoint name, see [EndpointName].
func (p *Pair) Endpoint() string {
	if p.HTTP != nil {
		path := p.HTTP.URL
		if path == "" {
			path = p.Location
		}
		return EndpointName(p.HTTP.Method, path)
	}
	return EndpointName(p.Command, p.Location)
}
