package compare

// Reason codes of answers. They are stable: scripts and --fail-if expressions may rely on them.
const (
	CodeWorkloadDiffers   = "workload_differs"
	CodeNoValidBaseline   = "no_valid_baseline"
	CodeNotComparable     = "not_comparable"
	CodeBehaviourUnknown  = "behaviour_inconclusive"
	CodeBehaviourChanged  = "behaviour_changed"
	CodeNoLoadRun         = "no_load_run"
	CodeNoFunctional      = "functional_result_missing"
	CodeResponsesDiffer   = "responses_differ"
	CodeResponsesEqual    = "responses_equal"
	CodeGateFailed        = "functional_gate_failed"
	CodeVerdictMismatch   = "verdict_mismatch"
	CodeLoadGateFailed    = "load_gate_failed"
	CodeLoadFailures      = "load_requests_failed"
	CodeNewErrors         = "new_errors"
	CodeErrorsMoved       = "errors_moved"
	CodeNotAllCompared    = "not_all_pairs_compared"
	CodeResponsesUnread   = "responses_unreadable"
	CodeBaselineUnsteady  = "baseline_answers_differ"
	CodeIntervals         = "quantile_intervals"
	CodeReplayPercentile  = "replay_percentile"
	CodeMean              = "mean_exact"
	CodeEndpoint          = "endpoint"
	CodeWithinNoise       = "within_noise"
	CodeNoiseFloor        = "noise_floor"
	CodeOneRunPerSide     = "one_run_per_side"
	CodeHistogramNotUsed  = "histogram_not_used"
	CodeTooFewRequests    = "too_few_requests"
	CodeQuantileMissing   = "quantile_not_reported"
	CodeNotOneRun         = "window_not_of_the_run"
	CodeForeignTraffic    = "foreign_traffic"
	CodeBasesDisagree     = "bases_disagree"
	CodeConsistent        = "p95_consistent"
	CodeOutsideServer     = "time_outside_server"
	CodeP95Inconsistent   = "p95_inconsistent"
	CodeWaitMoved         = "wait_moved"
	CodeCPUMoved          = "cpu_moved"
	CodeCPURuledOut       = "cpu_ruled_out"
	CodeWaitRuledOut      = "wait_ruled_out"
	CodeUnexplainedMoved  = "unexplained_moved"
	CodeQueryCount        = "query_count"
	CodeNothingMoved      = "nothing_moved"
	CodeNoMetrics         = "no_metrics"
	CodeWhereTimeGoes     = "where_time_goes"
	CodeLimit             = "limited_by"
	CodeWitnesses         = "two_witnesses"
	CodeWitnessesDisagree = "witnesses_disagree"
	CodeAllIgnored        = "every_body_field_ignored"
	CodeSourcesDisagree   = "sources_disagree"
	CodeMeanOpposes       = "mean_moved_the_other_way"
)

// Reason codes of null figures that only a comparison gives.
const (
	// ReasonNotCompared: nothing could be paired, so nothing was compared.
	ReasonNotCompared = "not_compared"
	// ReasonNotApplicable: the figure has no meaning for this object.
	ReasonNotApplicable = "not_applicable"
	// ReasonNotBounded: the basis gives a point but no bounds, or an interval is open above.
	ReasonNotBounded = "not_bounded"
	// ReasonNoChange: there is no provable change that could have a size.
	ReasonNoChange = "no_provable_change"
	// ReasonBasesDisagree: the histogram and the replay's own percentiles point in opposite directions.
	ReasonBasesDisagree = CodeBasesDisagree
	// ReasonWithheld: the sides are not comparable or answer differently.
	ReasonWithheld = "withheld"
	// ReasonWithinRounding: the figures are whole milliseconds and moved by at most one.
	ReasonWithinRounding = "within_rounding"
	// ReasonOneSideOnly: the thing exists on one side only.
	ReasonOneSideOnly = "one_side_only"
	// ReasonTooFewRuns: a test over runs needs more of them.
	ReasonTooFewRuns = "too_few_runs"
	// ReasonAllTied: every observation is in one bucket.
	ReasonAllTied = "all_tied"
)
