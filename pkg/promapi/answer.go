package promapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// State says what kind of answer a question got. Only StateOK carries figures; none of the others
// means zero.
type State string

// The states of an answer.
const (
	StateOK          State = "ok"
	StateAbsent      State = "absent"
	StateNoTraffic   State = "no traffic"
	StateUnreachable State = "unreachable"
	StateRefused     State = "refused"
	StateFailed      State = "failed"
	// StateInsufficient: the scrapes do not cover the run.
	StateInsufficient State = "insufficient samples"
	// StateExpired: the server no longer keeps the window.
	StateExpired State = "expired"
	// StateFuture: the window ends after the server's now.
	StateFuture State = "in the future"
)

// Reason codes of values that are not there.
const (
	ReasonNoObservations = "no_observations"
	ReasonAbsentSeries   = "absent_series"
	ReasonInfinite       = "infinite"
)

// Sample is one series of an instant answer.
type Sample struct {
	Labels map[string]string `json:"labels"`
	// Value is nil when the server said NaN or an infinity; Reason says which.
	Value  *float64  `json:"value"`
	Reason string    `json:"reason,omitempty"`
	Time   time.Time `json:"time"`
}

// Answer is what one instant query returned, with everything that was said beside it.
type Answer struct {
	Query string    `json:"query"`
	Time  time.Time `json:"time"`
	State State     `json:"state"`
	// Value is the figure when exactly one series came back and it is a finite number.
	Value *float64 `json:"value"`
	// Reason says why Value is nil.
	Reason  string   `json:"reason,omitempty"`
	Samples []Sample `json:"samples"`
	// Warnings and Infos are the server's, complete.
	Warnings []string `json:"warnings"`
	Infos    []string `json:"infos"`
	// ServerText is the server's message when the query failed.
	ServerText string `json:"serverText,omitempty"`
	// Attempts is how often the identical query was sent.
	Attempts int `json:"attempts"`
}

// ErrTimeMismatch says that a query was answered for another time than the one asked for, so that
// the figure does not belong to the window.
var ErrTimeMismatch = errors.New("query answered for another time")

// TimeMismatchError gives the two times; it is an ErrTimeMismatch.
type TimeMismatchError struct {
	Query     string
	Asked     time.Time
	Returned  time.Time
	ServerURL string
}

func (e *TimeMismatchError) Error() string {
	d := e.Returned.Sub(e.Asked)
	word := "late"
	if d < 0 {
		d, word = -d, "early"
	}
	return fmt.Sprintf("%v: asked %s for %s at %s, answered at %s (%s %s)", ErrTimeMismatch, e.ServerURL, e.Query,
		e.Asked.UTC().Format(time.RFC3339Nano), e.Returned.UTC().Format(time.RFC3339Nano), d, word)
}

// Is makes errors.Is(err, ErrTimeMismatch) hold.
func (e *TimeMismatchError) Is(target error) bool { return target == ErrTimeMismatch }

// ReasonTimeMismatch is the reason code of an answer for another time.
const ReasonTimeMismatch = "time_mismatch"

// Instant evaluates query at the given time, cut to the millisecond. A query that got an answer
// returns no error, whatever the answer's state; the returned times must equal the time asked for,
// else the error is ErrTimeMismatch. A query without an answer returns *QueryError; the Answer then
// carries the same state, so that it can be shown as it is.
func (c *Client) Instant(ctx context.Context, query string, at time.Time) (Answer, error) {
	at = at.Truncate(time.Millisecond).UTC()
	ans := Answer{Query: query, Time: at, Attempts: 1, Warnings: []string{}, Infos: []string{}, Samples: []Sample{}}
	ctx, status, cancel := c.withLimits(ctx)
	defer cancel()
	value, warnings, infos, err := c.api.Query(ctx, query, at)
	ans.Warnings = append(ans.Warnings, warnings...)
	ans.Infos = append(ans.Infos, infos...)
	if err != nil {
		q := c.classify(ctx, query, *status, err)
		ans.State, ans.Reason, ans.ServerText = q.State, q.Kind, q.Text
		return ans, q
	}
	samples, err := instantSamples(value)
	if err != nil {
		q := c.failure(KindBadResult, query, *status, err.Error(), err)
		ans.State, ans.Reason, ans.ServerText = q.State, q.Kind, q.Text
		return ans, q
	}
	ans.Samples = samples
	for _, s := range samples {
		if !s.Time.Equal(at) {
			ans.State, ans.Reason, ans.Samples = StateFailed, ReasonTimeMismatch, []Sample{}
			return ans, &TimeMismatchError{Query: query, Asked: at, Returned: s.Time, ServerURL: c.Address()}
		}
	}
	ans.settle()
	return ans, nil
}

// settle sets state, value and reason from the samples.
func (a *Answer) settle() {
	a.State = StateOK
	if len(a.Samples) == 0 {
		a.State, a.Reason = StateAbsent, ReasonAbsentSeries
		return
	}
	noTraffic := !slices.ContainsFunc(a.Samples, func(s Sample) bool { return s.Reason != ReasonNoObservations })
	if noTraffic {
		a.State, a.Reason = StateNoTraffic, ReasonNoObservations
		return
	}
	if len(a.Samples) == 1 {
		a.Value, a.Reason = a.Samples[0].Value, a.Samples[0].Reason
		return
	}
	a.Reason = fmt.Sprintf("several_series:%d", len(a.Samples))
}

// instantSamples reads a vector or a scalar.
func instantSamples(value model.Value) ([]Sample, error) {
	switch v := value.(type) {
	case model.Vector:
		out := make([]Sample, 0, len(v))
		for _, s := range v {
			if s.Histogram != nil {
				return nil, errors.New("the answer is a native histogram, not a number: ask for a quantile, a count or a sum of it")
			}
			out = append(out, newSample(s.Metric, s.Value, s.Timestamp))
		}
		return out, nil
	case *model.Scalar:
		return []Sample{newSample(nil, v.Value, v.Timestamp)}, nil
	case nil:
		return nil, errors.New("the answer holds no value")
	default:
		return nil, fmt.Errorf("the answer is a %s, not a number", value.Type())
	}
}

func newSample(metric model.Metric, v model.SampleValue, t model.Time) Sample {
	s := Sample{Labels: labelMap(metric), Time: t.Time().UTC()}
	f := float64(v)
	switch {
	case math.IsNaN(f):
		s.Reason = ReasonNoObservations
	case math.IsInf(f, 0):
		s.Reason = ReasonInfinite
	default:
		s.Value = &f
	}
	return s
}

func labelMap(m model.Metric) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[string(k)] = string(v)
	}
	return out
}

// maxAttempts is how often an identical query is sent when it comes back empty.
const maxAttempts = 3

// landing is how long after a time the scrape that covers it may land: two intervals of a minute, the longest
// that is common.
const landing = 2 * time.Minute

// pause is how long to wait before an empty answer for a time is asked for again: not at all when no scrape can
// still land in it.
func (c *Client) pause(at, now time.Time) time.Duration {
	if now.Sub(at) >= landing {
		return 0
	}
	return c.cfg.RetryDelay
}

// InstantRetry is Instant, repeated at most three times while the answer is empty: the last scrape
// may be on its way, and is then waited for in between. Failed queries are not repeated.
func (c *Client) InstantRetry(ctx context.Context, query string, at time.Time) (Answer, error) {
	for attempt := 1; ; attempt++ {
		ans, err := c.Instant(ctx, query, at)
		ans.Attempts = attempt
		if err != nil || ans.State != StateAbsent || attempt == maxAttempts {
			return ans, err
		}
		if err := sleep(ctx, c.pause(at, time.Now())); err != nil {
			return ans, fmt.Errorf("waiting to repeat %s: %w", query, err)
		}
	}
}

// sleep waits unless the context ends first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Raw returns the samples themselves: the range selector selector[length] evaluated at end, which is
// cut to the millisecond; a zero end means the server's now. The range is left-open, so samples at
// end-length exactly are not part of it. Warnings hold the server's infos too.
func (c *Client) Raw(ctx context.Context, selector string, end time.Time, length time.Duration) ([]Series, []string, error) {
	if length < time.Millisecond {
		return nil, nil, fmt.Errorf("a range of %s over %s cannot be asked for", length, selector)
	}
	query := RawQuery(selector, length)
	if !end.IsZero() {
		end = end.Truncate(time.Millisecond)
	}
	ctx, status, cancel := c.withLimits(ctx)
	defer cancel()
	value, warnings, infos, err := c.api.Query(ctx, query, end, v1.WithLimit(c.cfg.MaxSeries))
	notes := append(slices.Clone([]string(warnings)), infos...)
	if err != nil {
		return nil, notes, c.classify(ctx, query, *status, err)
	}
	matrix, ok := value.(model.Matrix)
	if !ok {
		kind := "nothing"
		if value != nil {
			kind = value.Type().String()
		}
		err := fmt.Errorf("the answer to a range selector is a %s instead of a matrix", kind)
		return nil, notes, c.failure(KindBadResult, query, *status, err.Error(), err)
	}
	series, err := fromMatrix(matrix)
	if err != nil {
		return nil, notes, c.failure(KindBadResult, query, *status, err.Error(), err)
	}
	return series, notes, nil
}

// RawQuery is the text that Raw sends: the selector with its range in whole milliseconds at most.
func RawQuery(selector string, length time.Duration) string {
	seconds, millis := length/time.Second, length%time.Second/time.Millisecond
	var b strings.Builder
	b.WriteString(selector + "[")
	if seconds > 0 {
		fmt.Fprintf(&b, "%ds", seconds)
	}
	if millis > 0 {
		fmt.Fprintf(&b, "%dms", millis)
	}
	b.WriteString("]")
	return b.String()
}
