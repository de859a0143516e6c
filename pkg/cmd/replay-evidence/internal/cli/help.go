package cli

// The texts of --help. Together they lead from a directory of results to a verdict; a test holds them to what
// the commands do.

const rootHelp = `replay-evidence compares two replays of the same recorded traffic, of a baseline and of a
candidate, and gives three answers, each with its proof: behaviour (unchanged, changed),
speed (improved, regressed, no provable change) and cause (wait, work, wait and work,
unexplained). Each may be inconclusive, and then says what would settle it. It reads
results and asks Prometheus; it changes neither.

Words: a root is a directory that holds results. A side is a directory below it, chosen as
baseline or candidate. A run is one replay or recording of a side, told apart by what it
contains: functional (responses scored), load (percentiles), recording, mock.

What is read of a side:
  baseline/functional/   summary.json, replay-verdict.json and the pairs, of a scored replay
  baseline/load/         summary.json of proxymock replay --load-test --output json
                         window.json {"start": "...", "end": "..."}, RFC 3339 in UTC, around
                         the replay; without it the window is taken from the pairs or
                         inferred, and that is said
  baseline/side.json     optional: label, version, pools {"name": size}, workload

From results to a verdict:
  1. runs            what lies below a root, and what is wrong with its files
  2. profile         how to write the questions for your service, to measure it with
                     Prometheus; profile check names every fault
  3. compare         the three answers; without --prometheus from the replay's own figures
  4. evidence, window, pairs   one side, one window, single requests, where an answer
                     raises a question

Exit status of every command: 0 done; 2 what was asked for could not be read or measured;
64 a flag, a root, a side, a run, a profile or an expression is wrong; 130 interrupted.
compare has more to say: 1 when the behaviour changed, a gate failed or a --fail-if held;
2 also when the sides are not comparable (see compare --help).`

const rootExample = `  replay-evidence runs    --root lab/out/proxymock/results
  replay-evidence compare --root lab/out/proxymock/results --baseline baseline --candidate candidate
  replay-evidence compare --root lab/out/proxymock/results --baseline baseline --candidate candidate \
      --prometheus http://127.0.0.1:9091 --profile lab/profiles/checkout.yaml`

const runsHelp = `List the sides below the roots and their runs, classified by what they contain, never by
the name of a directory. The first column is what the other commands take as a side;
"run" is the run's directory below the side ("." for the side's own).

  kind      functional (scored pairs), load (percentiles), recording, mock, unknown
  requests  the result's own count; without a result the number of pair files
  window    its start (UTC) and window_seconds, and from what it is known unless it is
            window.json: "pairs", or "summary", which is inferred from the file time
  notes     "gate failed" when the replay's own --fail-if tripped; "2 noted" when two things
            were found in its files, each a line on the error stream

Exit status: 0 listed, also when files have problems; 2 a root could not be listed;
64 usage.`

const runsExample = `  replay-evidence runs --root results
  replay-evidence runs --root lab=lab/out/proxymock/results --root ci=/srv/ci --format json`

const windowHelp = `Show the window of a side's load run, or of another of its runs (--kind); of several the
latest. query_end and window_seconds are what a query needs: evaluate at query_end, as an
instant query, with the range [<window_seconds>s]. They are passed on unchanged from
window.json where there is one. Times are UTC; uncertainty is how far start and end may be
off, in seconds; "derived" names what the file did not state. "source" is window.json,
pairs, or summary (inferred from the file time of the result); a note says when a
window.json was there and was rejected.

A side is named by its id (results/baseline), by its path below the root, or by an
unambiguous end of it (baseline). Directories joined with + make one side.

Exit status: 0 shown; 2 the run has no known window; 64 usage.`

const windowExample = `  replay-evidence window --root results baseline
  replay-evidence window --root results baseline --kind functional --format json`

const pairsHelp = `Show the pairs of one run, in the order of their time. Inbound pairs (IN) are requests to
the service, outbound pairs (OUT) the calls that it made. Each shows method, address,
status and duration, the time it was sent (UTC), its response body and its file. Bodies are
masked unless --show-bodies is given; well-known secrets in headers and addresses stay
masked. An outbound duration that the writer does not measure reads unknown, never 1 ms.

A run is named by its id, or by an unambiguous end of it: results/baseline/functional,
baseline/functional. "runs" lists side and run.

Exit status: 0 shown, also when no pair matches; 2 the run could not be read; 64 usage.`

const pairsExample = `  replay-evidence pairs --root results --in baseline/functional
  replay-evidence pairs --root results --in recording --direction out --query /v1/price --limit 5
  replay-evidence pairs --root results --in baseline/functional --method POST --show-bodies --format json`

const evidenceHelp = `Measure one side: the replay's own figures, what Prometheus saw in exactly the window of
its load run (without one, of its functional run), where one request's time went, what
limits the service, and the gates G1 to G9 that say whether the figures can be trusted.
Without --prometheus and --profile only the replay's own figures are shown.

A side is named by its id (results/baseline), by its path below the root, or by an
unambiguous end of it (baseline). Directories joined with + make one side.

Exit status: 0 measured, also when a gate failed (the text says so; compare judges);
2 a configured Prometheus could not be asked; 64 usage.`

const evidenceExample = `  replay-evidence evidence --root results baseline
  replay-evidence evidence --root results baseline --prometheus http://127.0.0.1:9090 --profile checkout.yaml`

const compareHelp = `Compare a candidate with a baseline: behaviour, speed and cause, each with its proof. The
answers go to the standard output; what is being waited for, and why the exit status is
not 0, to the error stream.

A side is named by its id (results/baseline), by its path below the root, or by an
unambiguous end of it (baseline). Directories joined with + make one side, such as a load
run and the recording that counts its statements: load-slow0+stmt-slow0.

Exit status: 0 compared, and the behaviour is unchanged (or inconclusive, as an annotation);
1 the behaviour changed, a gate failed, or a --fail-if held; 2 not comparable, a configured
Prometheus could not be asked, or a --fail-if could not be decided; 64 usage; 130
interrupted. A speed that regressed is 0 unless a --fail-if says otherwise.
A gate is the replay's own (its --fail-if tripped) or one of G1 to G9 of either side; one
that was not evaluated, or only noted, has not failed. A changed behaviour, a replay's own
gate and a --fail-if come before status 2; a failed G1 to G9 comes after what makes the
sides not comparable and after a Prometheus that could not be asked.

--fail-if takes an expression over evidence.json. Short names: behaviour, speed and cause
(the three answers), baseline and candidate (the two sides). Units are in the names: Ms is
milliseconds, Seconds seconds, Pct a percentage, share a part of 1. Some fields:
  behaviour.answer speed.answer cause.answer   words such as "changed", "regressed", "wait"
  candidate.load                               requests, failed, p50Ms, p95Ms, p99Ms, avgMs,
                                               requestsPerSecond, activeSeconds
  candidate.functional                         requests, failed, matchPct, stableDifferences
  candidate.metrics.requestDuration            count, meanSeconds, p95Seconds.lower and .upper
  candidate.metrics.waits[0]                   secondsPerRequest, share
  candidate.metrics.cpu                        secondsPerRequest, averageCores
  candidate.metrics.errors.count               errors that Prometheus counted
"--format json" shows them all. Wrong names, words and kinds are found before anything is
read (status 64). A figure that is null, or a division by zero, has no answer (status 2);
test it first: candidate.load.failed != nil && candidate.load.failed > 0.
Language: https://expr-lang.org/docs/language-definition`

const compareExample = `  replay-evidence compare --root results --baseline baseline --candidate candidate
  replay-evidence compare --root results --baseline baseline --candidate candidate \
      --prometheus http://127.0.0.1:9090 --profile checkout.yaml \
      --fail-if 'speed.answer == "regressed"' \
      --fail-if 'candidate.load.p95Ms > 1.2 * baseline.load.p95Ms' \
      --out evidence.json --out evidence.md`

const profileHelp = `A profile holds the questions for one service, as YAML:

` + profileExample + `

Metrics are named without _bucket, _count, _sum, rate or range; these are added. hold is how
long one acquisition holds the pool: a duration, the name of a histogram of seconds, or
remainder (the request's time without the wait, an upper bound). A pool's size belongs to a
side, because it is what changes: side.json beside its runs, {"pools": {"pricing": 2}}.
name, target.job and request.metric are needed; everything else may be left out.`

// profileExample is a whole profile: a test reads it.
const profileExample = `  name: checkout
  target:
    job: checkout-api              # as in up{job="checkout-api"}; instance: narrows it
  request:
    metric: checkout_request_duration_seconds   # histogram, in seconds
    matchers: route="/api/quote"   # narrows the series
    route: route                   # the label that holds the endpoint
    code: code                     # the label that holds the status code
  waits:
    - name: pricing connection
      metric: pricing_conn_wait_seconds         # histogram, in seconds
      pool: pricing
      hold: 40ms
  cpu: process_cpu_seconds_total   # counter, in seconds of CPU time
  errors: code!="200"              # which requests are errors
  ignore: [requested_at]           # response fields that may differ
  quantile: 0.95                   # 0.95 is the default
  tolerance:                       # of the replay's percentiles, both must be passed;
    percent: 10                    # 10 and 2 are the defaults
    milliseconds: 2
  extra:
    - name: goroutines
      unit: goroutines
      promql: max_over_time(go_goroutines[$window])`

const profileCheckHelp = `Check profiles and show the queries that they make, with a window of 29 s as an example;
a run's own window takes its place. Each fault is named with file, line and field. Nobody
is asked: whether a metric exists is known when a side is measured.

Exit status: 0 all are fine; 64 one is not, or could not be read.`
