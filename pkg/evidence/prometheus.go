package evidence

import (
	"context"
	"time"

	"github.com/replaylab/replay-evidence/pkg/promapi"
)

// Prometheus is what measuring needs of a server; *promapi.Client has it.
type Prometheus interface {
	Address() string
	Buildinfo(ctx context.Context) (promapi.Build, error)
	Measure(ctx context.Context, req promapi.ExactRequest) (*promapi.Exact, error)
	Instant(ctx context.Context, query string, at time.Time) (promapi.Answer, error)
	InstantRetry(ctx context.Context, query string, at time.Time) (promapi.Answer, error)
	TargetHealth(ctx context.Context, job, instance string) ([]promapi.Target, error)
	Suggest(ctx context.Context, metric string, limit int) ([]string, error)
	WaitForFinalScrape(ctx context.Context, upSelector string, end time.Time, bound time.Duration, observe func(promapi.WaitProgress)) ([]string, error)
}

// Further reason codes of null figures.
const (
	// ReasonNotInProfile: the profile does not ask for it.
	ReasonNotInProfile = "not_in_profile"
	// ReasonTotalNotAccounted: no error was seen, but the total does not reconcile, so none proves nothing.
	ReasonTotalNotAccounted = "total_not_accounted_for"
	// ReasonRawSamples: the query returned samples, not a figure.
	ReasonRawSamples = "raw_samples"
	// ReasonSeveralSeries: the answer has more than one series and so is no single figure.
	ReasonSeveralSeries = "several_series"
	// ReasonFewBatches: too few scrape steps for a standard error.
	ReasonFewBatches = "too_few_batches"
	// ReasonTooFewRequests: too few observations for an interval.
	ReasonTooFewRequests = "too_few_requests"
	// ReasonLayout: the buckets do not allow it; gate G6 says why.
	ReasonLayout = "bucket_layout"
	// ReasonInfinite: the server's answer is infinite.
	ReasonInfinite = "infinite"
	// ReasonTimeMismatch: the server answered for another time.
	ReasonTimeMismatch = promapi.ReasonTimeMismatch
	// ReasonNotEvaluated: the question was not asked, because an earlier one failed.
	ReasonNotEvaluated = "not_evaluated"
)

// reasonOf maps the state of a measure to the reason of the figures it lacks.
func reasonOf(s State) string {
	switch s {
	case StateAbsent:
		return ReasonAbsentSeries
	case StateNoTraffic:
		return ReasonNoObservations
	case StateUnreachable:
		return ReasonUnreachable
	case StateRefused:
		return ReasonRefused
	case StateFailed:
		return ReasonQueryFailed
	case StateInsufficient:
		return ReasonInsufficient
	case StateExpired:
		return ReasonExpired
	case StateFuture:
		return ReasonFuture
	case StateNotConfigured:
		return ReasonNotConfigured
	}
	return ReasonUnknown
}
