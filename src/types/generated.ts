// Generated from the Go structs by "npm run generate:types"; do not edit.

/**
 * API lists every document the resources answer with, so that one JSON Schema, and from it the TypeScript types, can be generated.
 */
export interface ReplayEvidenceAPI {
  sides: SidesResponse;
  evidence: EvidenceSide;
  comparison: Comparison;
  diff: DiffResponse;
  boundary: BoundaryResponse;
  metricNames: MetricNamesResponse;
  check: CheckResponse;
  settings: SettingsResponse;
  health: HealthDetails;
  problem: Problem;
}
/**
 * SidesResponse lists what was found below the roots.
 */
export interface SidesResponse {
  apiVersion: string;
  roots: RootState[];
  sides: SideRow[];
  profiles: ProfileRef[];
  problems: CatalogProblem[];
}
/**
 * RootState says whether a root can be read.
 */
export interface RootState {
  name: string;
  readable: boolean;
  /**
   * Message names what is wrong and what to do; empty when readable.
   */
  message: string;
  sides: number;
  runs: number;
}
/**
 * SideRow is one side of the Runs page.
 */
export interface SideRow {
  id: string;
  root: string;
  path: string;
  label: string;
  declared: CatalogSideFile | null;
  runs: RunRow[];
  problems: CatalogProblem[];
}
/**
 * SideFile is the optional side.json: what a person or a lab says of a side.
 */
export interface CatalogSideFile {
  label?: string;
  version?: string;
  commit?: string;
  /**
   * Changed says what changed in this side, in the person's words.
   */
  changed?: string;
  /**
   * Pools holds the size of each pool by name. It belongs here, not in the profile: it is what changes.
   */
  pools?: {
    [k: string]: number;
  };
  /**
   * Workload states what the replay was told to do; proxymock's results do not carry it.
   */
  workload?: CatalogWorkload;
  /**
   * Harness names the program that replayed, e.g. "proxymock 2.5.842" or "stand-in for proxymock".
   */
  harness?: CatalogHarness;
  /**
   * Dependency states how the dependency was answered.
   */
  dependency?: CatalogDependency;
  /**
   * Tables holds the number of rows of the database's tables before the load run, by table: what a run
   * finds there is part of its workload.
   */
  tables?: {
    [k: string]: number;
  };
}
/**
 * Workload is the declared work of a side's load run.
 */
export interface CatalogWorkload {
  users?: number;
  passes?: number;
  functionalPasses?: number;
  mode?: string;
  /**
   * Recording is the path of the recording, relative to the root or to a directory above the side.
   */
  recording?: string;
}
/**
 * Harness names the program that wrote the runs.
 */
export interface CatalogHarness {
  name: string;
  version?: string;
}
/**
 * Dependency says how the service's dependency was answered during the runs.
 */
export interface CatalogDependency {
  mocked: boolean;
  timing?: string;
}
/**
 * RunRow is one run with the replay's own figures.
 */
export interface RunRow {
  id: string;
  path: string;
  kind: string;
  window: CatalogWindow | null;
  requests: number | null;
  failed: number | null;
  matchPct: number | null;
  p95Ms: number | null;
  requestsPerSecond: number | null;
  activeSeconds: number | null;
  harnessBound: boolean | null;
  gateFailed: boolean;
  pairFiles: number;
  problems: CatalogProblem[];
  reasons?: EvidenceReasons;
}
/**
 * Window is the exact interval of one run.
 */
export interface CatalogWindow {
  start: string;
  end: string;
  query_start: string;
  query_end: string;
  window_seconds: number;
  source: string;
  /**
   * Uncertainty is how far start and end may be off, in seconds; 0 for stated instants.
   */
  uncertainty: number;
  /**
   * Derived names the fields that were computed because the file did not state them.
   */
  derived?: string[];
  /**
   * Notes are sentences for the reader, such as "inferred from the file time of summary.json".
   */
  notes?: string[];
}
/**
 * Problem is one thing that was wrong with a file, in words for a user.
 */
export interface CatalogProblem {
  /**
   * Path is relative to the root.
   */
  path: string;
  /**
   * Code is stable: incomplete, unreadable, unsupported, not_a_pair, too_large, limit, conflict, missing,
   * duplicate, and note for what is odd but harmless.
   */
  code: string;
  message: string;
}
/**
 * Reasons maps the name of a null figure to a stable code that says why it is null.
 */
export interface EvidenceReasons {
  [k: string]: string;
}
/**
 * ProfileRef names one profile.
 */
export interface ProfileRef {
  name: string;
  requestMetric: string;
  job: string;
  /**
   * Problem is empty when the profile can be used.
   */
  problem: string;
}
/**
 * Side is one side measured.
 */
export interface EvidenceSide {
  id: string;
  label: string;
  declared: CatalogSideFile | null;
  /**
   * Window is that of the load run, else of the functional run, else of the recording in a side that was not replayed.
   */
  window: CatalogWindow | null;
  load: EvidenceLoad | null;
  functional: EvidenceFunctional | null;
  metrics: EvidenceMetrics;
  saturation: EvidenceSaturation;
  gates: EvidenceGate[];
  queries: EvidenceQuery[];
  /**
   * Endpoints are the per-endpoint figures of the load run (of the functional run without one).
   */
  endpoints: EvidenceEndpoint[];
  /**
   * Statements is nil when the side holds no recording with statements; Statements.State explains.
   */
  statements: EvidenceStatements | null;
  mock: EvidenceMock | null;
  /**
   * Repeats are further load runs of the side, oldest first, the measured one included.
   */
  repeats: EvidenceLoad[];
  /**
   * Recording identifies what was replayed.
   */
  recording: EvidenceRecordingIdentity;
  /**
   * Frozen is true when Metrics were read from an evidence.json because the server no longer keeps
   * the window; FrozenFrom names the file.
   */
  frozen: boolean;
  frozenFrom?: string;
  problems: CatalogProblem[];
}
/**
 * Load holds the replay's own figures of a load run.
 */
export interface EvidenceLoad {
  runId: string;
  requests: number | null;
  failed: number | null;
  p50Ms: number | null;
  p90Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  avgMs: number | null;
  minMs: number | null;
  maxMs: number | null;
  requestsPerSecond: number | null;
  /**
   * ActiveSeconds is requests / requestsPerSecond: first request to last response.
   */
  activeSeconds: number | null;
  /**
   * PaddingSeconds is the window minus the active seconds: idle time inside the window.
   */
  paddingSeconds: number | null;
  /**
   * HarnessBound is proxymock's own mark that the harness, not the app, was the limit.
   */
  harnessBound: boolean | null;
  /**
   * HarnessNotes are proxymock's remarks, such as the quantisation note.
   */
  harnessNotes: string[];
  /**
   * GateFailed is true when the run's own --fail-if tripped.
   */
  gateFailed: boolean;
  reasons?: EvidenceReasons;
}
/**
 * Functional holds the scored run.
 */
export interface EvidenceFunctional {
  runId: string;
  requests: number | null;
  failed: number | null;
  matchPct: number | null;
  avgMs: number | null;
  /**
   * PairsCompared and StableDifferences are filled by the comparison: distinct recorded pairs whose
   * responses were compared, and the stable fields that differ. In the baseline they are null with
   * the reason comparison_source.
   */
  pairsCompared: number | null;
  stableDifferences: number | null;
  ignoredFields: EvidenceIgnoredField[];
  /**
   * VerdictMismatches is what replay-verdict.json says of this run against its recording.
   */
  verdictMismatches: number | null;
  /**
   * PairsRead is how many replayed pairs could be read; PairsExpected what the result states.
   */
  pairsRead: number;
  pairsExpected: number | null;
  gateFailed: boolean;
  reasons?: EvidenceReasons;
}
/**
 * IgnoredField is a response field left out of the comparison, with the reason.
 */
export interface EvidenceIgnoredField {
  /**
   * Field is "header Date" or "body .total.at" style: where it is.
   */
  field: string;
  /**
   * Reason is one of: fixed list, profile, differs among the baseline's repeats.
   */
  reason: string;
}
/**
 * Metrics is what Prometheus saw.
 */
export interface EvidenceMetrics {
  /**
   * State is ok when the exact figures could be measured; else why not, with Message and Next.
   */
  state: string;
  message?: string;
  next?: string;
  /**
   * Server names the Prometheus-compatible server and its version, without credentials.
   */
  server?: string;
  requestDuration: EvidenceHistogram;
  waits: EvidenceWait[];
  cpu: EvidenceCPU;
  errors: EvidenceErrors;
  reconciliation: EvidenceReconciliation;
  breakdown: EvidenceBreakdown;
  coverage: EvidenceCoverage;
  /**
   * Elapsed are the figures per scrape step over elapsed time since the start of the run.
   */
  elapsed: EvidenceElapsedPoint[];
  /**
   * Extra are the profile's own named queries.
   */
  extra: EvidenceExtra[];
}
/**
 * Histogram is one classic histogram measured over the run.
 */
export interface EvidenceHistogram {
  metric: string;
  state: string;
  /**
   * Count is the exact number of observations.
   */
  count: number | null;
  sumSeconds: number | null;
  meanSeconds: number | null;
  /**
   * P95Seconds is the profile's quantile (0.95 unless the profile says otherwise; see Quantile).
   */
  p95Seconds: EvidenceQuantile;
  buckets: EvidenceBucket[];
  /**
   * QueryIDs name the entries of queries[] whose raw samples prove the exact figures.
   */
  queryIds?: string[];
  reasons?: EvidenceReasons;
}
/**
 * Quantile is a quantile as the histogram knows it: a bucket, not a number.
 */
export interface EvidenceQuantile {
  /**
   * Q is the level, 0.95 for p95.
   */
  q: number;
  /**
   * PromQL is what histogram_quantile over increase() interpolates; shown beside the bounds, never alone.
   */
  promql: number | null;
  /**
   * Lower and Upper are the bucket that holds the sample quantile: (lower, upper].
   */
  lower: number | null;
  upper: number | null;
  /**
   * CILower and CIUpper are the edges of the buckets of the 95 % order-statistic ranks.
   */
  ciLower: number | null;
  ciUpper: number | null;
  /**
   * Text reads like "150-200 ms", "above 2.5 s", "at most 10 ms".
   */
  text: string;
  ciText: string;
  /**
   * QueryID names the entry of queries[] that proves the PromQL figure.
   */
  queryId?: string;
  reasons?: EvidenceReasons;
}
/**
 * Bucket is one bucket of a histogram with its exact count over the run.
 */
export interface EvidenceBucket {
  lower: number;
  upper: number | null;
  count: number;
  /**
   * Share is Count / total, 0..1.
   */
  share: number;
  reasons?: EvidenceReasons;
}
/**
 * Wait is one wait histogram of the profile.
 */
export interface EvidenceWait {
  name: string;
  pool?: string;
  metric: string;
  state: string;
  /**
   * Count is the exact number of observations.
   */
  count: number | null;
  sumSeconds: number | null;
  meanSeconds: number | null;
  /**
   * P95Seconds is the profile's quantile (0.95 unless the profile says otherwise; see Quantile).
   */
  p95Seconds: EvidenceQuantile;
  buckets: EvidenceBucket[];
  /**
   * QueryIDs name the entries of queries[] whose raw samples prove the exact figures.
   */
  queryIds?: string[];
  reasons?: EvidenceReasons;
  /**
   * Share is sum(wait) / sum(duration), 0..1 (additive, exact from counters).
   */
  share: number | null;
  /**
   * ShareError is the standard error of Share from batches per scrape; null below 10 batches.
   */
  shareError: number | null;
  /**
   * SecondsPerRequest is sum(wait) / requests of the service (not per acquisition).
   */
  secondsPerRequest: number | null;
  /**
   * MeanWaiting is sum(wait) / active seconds: how many requests waited on average.
   */
  meanWaiting: number | null;
  /**
   * PerRequest is acquisitions per request.
   */
  perRequest: number | null;
}
/**
 * CPU is the process's CPU time.
 */
export interface EvidenceCPU {
  state: string;
  secondsPerRequest: number | null;
  /**
   * AverageCores is the guide's figure: increase() over the padded window.
   */
  averageCores: number | null;
  /**
   * ActiveCores is the exact delta over the replay's own active seconds.
   */
  activeCores: number | null;
  deltaSeconds: number | null;
  /**
   * Share is CPU seconds / sum(duration), 0..1.
   */
  share: number | null;
  /**
   * QueryID names the entry of queries[] that proves AverageCores, QueryIDs those of the exact figures.
   */
  queryId?: string;
  queryIds?: string[];
  reasons?: EvidenceReasons;
}
/**
 * Errors are the requests that match the profile's error selector.
 */
export interface EvidenceErrors {
  state: string;
  /**
   * Count is exact; 0 is stated only when the total is accounted for.
   */
  count: number | null;
  /**
   * PromQL is the extrapolated figure of the guide's fourth query; null when no error series exists.
   */
  promql: number | null;
  /**
   * UpperRate is the 95 % upper limit of the true error rate (rule of three at 0), 0..1.
   */
  upperRate: number | null;
  byCode: {
    [k: string]: number;
  };
  note?: string;
  /**
   * QueryID names the entry of queries[] that proves PromQL, QueryIDs those of Count and ByCode.
   */
  queryId?: string;
  queryIds?: string[];
  reasons?: EvidenceReasons;
}
/**
 * Reconciliation compares Prometheus' exact count with the replay's own.
 */
export interface EvidenceReconciliation {
  expected: number | null;
  seen: number | null;
  /**
   * State is reconciled, more, fewer, explained or unknown.
   */
  state: string;
  /**
   * Extrapolated is what increase() says, with Factor = Extrapolated / Seen.
   */
  extrapolated: number | null;
  factor: number | null;
  /**
   * Text reads "Prometheus saw 1,200 of 1,200 requests".
   */
  text: string;
  /**
   * QueryID names the entry of queries[] that proves Extrapolated, QueryIDs those of Seen.
   */
  queryId?: string;
  queryIds?: string[];
  reasons?: EvidenceReasons;
}
/**
 * Breakdown is where one request's time goes, in seconds per request.
 */
export interface EvidenceBreakdown {
  state: string;
  /**
   * TotalSeconds is the mean request duration.
   */
  totalSeconds: number | null;
  parts: EvidencePart[];
  /**
   * UnloadedSeconds is the functional run's mean in seconds (the unloaded floor), the second witness.
   */
  unloadedSeconds: number | null;
  /**
   * QueueingSeconds is the loaded mean minus the unloaded mean.
   */
  queueingSeconds: number | null;
  /**
   * Witness says whether the two witnesses for wait agree, in words.
   */
  witness: string;
  witnessAgrees: boolean | null;
  reasons?: EvidenceReasons;
}
/**
 * Part is one additive part of the mean.
 */
export interface EvidencePart {
  /**
   * Kind is wait, cpu or unexplained.
   */
  kind: string;
  /**
   * Name of the unexplained part lists every part that could not be measured, with its reason code.
   */
  name: string;
  seconds: number;
  share: number;
}
/**
 * Coverage says which scrapes carried the figures.
 */
export interface EvidenceCoverage {
  targets: EvidenceTarget[];
  /**
   * IntervalSeconds is the median gap between scrapes.
   */
  intervalSeconds: number | null;
  scrapesSeen: number;
  scrapesExpected: number;
  /**
   * ClockSkewSeconds is the server's clock minus ours.
   */
  clockSkewSeconds: number | null;
  /**
   * QueryIDs name the entries of queries[] that hold the scrapes and the process start times.
   */
  queryIds?: string[];
  reasons?: EvidenceReasons;
}
/**
 * Target is one scraped instance with the base and final scrape that were used.
 */
export interface EvidenceTarget {
  instance: string;
  base: string | null;
  final: string | null;
  scrapes: number;
  requests: number | null;
  restarted: boolean;
  reasons?: EvidenceReasons;
}
/**
 * ElapsedPoint is one scrape step: exact deltas between two scrapes, by seconds since the run's start.
 */
export interface EvidenceElapsedPoint {
  /**
   * Seconds is the end of the step since the start of the run.
   */
  seconds: number;
  stepSeconds: number;
  requestsPerSecond: number | null;
  /**
   * P95Lower and P95Upper bound the quantile of the step; P95 is interpolated for drawing only.
   */
  p95Lower: number | null;
  p95Upper: number | null;
  meanSeconds: number | null;
  /**
   * Waiting is the mean number of requests that waited during the step, summed over waits.
   */
  waiting: number | null;
  cores: number | null;
  reasons?: EvidenceReasons;
}
/**
 * Extra is the answer to one of the profile's own queries.
 */
export interface EvidenceExtra {
  name: string;
  unit?: string;
  state: string;
  value: number | null;
  queryId?: string;
  reasons?: EvidenceReasons;
}
/**
 * Saturation is arithmetic over the load run (Little's law; Denning and Buzen 1978).
 */
export interface EvidenceSaturation {
  /**
   * InFlight is throughput times mean duration: requests in the service on average.
   */
  inFlight: number | null;
  /**
   * Utilisation is that of the busiest pool, 0..1; see Pools.
   */
  utilisation: number | null;
  /**
   * LimitedBy is the sentence "what limits you now".
   */
  limitedBy: string;
  /**
   * Limit is pool, users, cpu or unknown.
   */
  limit: string;
  pools: EvidencePoolUtilisation[];
  /**
   * Users is the declared number of virtual users; UsersCeiling is users / (mean - wait).
   */
  users: number | null;
  usersCeiling: number | null;
  reasons?: EvidenceReasons;
}
/**
 * PoolUtilisation is one pool's arithmetic.
 */
export interface EvidencePoolUtilisation {
  name: string;
  /**
   * Size is declared in side.json, or inferred; SizeSource says which.
   */
  size: number | null;
  sizeSource: string;
  /**
   * HoldSeconds is how long one acquisition holds the pool; HoldSource is histogram, declared or remainder.
   */
  holdSeconds: number | null;
  holdSource: string;
  /**
   * InUse is acquisitions per second times HoldSeconds.
   */
  inUse: number | null;
  utilisation: number | null;
  /**
   * Ceiling is size / hold in acquisitions per second.
   */
  ceiling: number | null;
  /**
   * QueryIDs name the entries of queries[] whose raw samples prove the acquisitions and the holding time.
   */
  queryIds?: string[];
  reasons?: EvidenceReasons;
}
/**
 * Gate is one check that must pass before the figures that depend on it are used (G1 to G9).
 */
export interface EvidenceGate {
  code: string;
  name: string;
  /**
   * State is passed, failed, noted or not evaluated.
   */
  state: string;
  detail: string;
  next?: string;
}
/**
 * Query is one question that was sent, with its exact time and range and what came back.
 */
export interface EvidenceQuery {
  id: string;
  name: string;
  /**
   * PromQL is the text as sent.
   */
  promql: string;
  time: string;
  /**
   * RangeSeconds is the range inside the text; 0 for none.
   */
  rangeSeconds: number;
  state: string;
  /**
   * Result is the scalar answer; null for raw samples (see Samples) and absent answers.
   */
  result: number | null;
  series: number;
  samples: number;
  warnings: string[];
  infos: string[];
  /**
   * Attempts is how often the identical question was sent.
   */
  attempts: number;
  error?: string;
  reasons?: EvidenceReasons;
}
/**
 * Endpoint is one endpoint of a run: the replay's own figures.
 */
export interface EvidenceEndpoint {
  /**
   * Name is the normalised join key, e.g. "GET /orders/{id}".
   */
  name: string;
  method: string;
  url: string;
  /**
   * Share is the endpoint's requests / all requests, 0..1.
   */
  share: number | null;
  requests: number | null;
  failed: number | null;
  avgMs: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  perSecond: number | null;
  /**
   * Tiny is true when there are too few requests for the p95 (below 20).
   */
  tiny: boolean;
  reasons?: EvidenceReasons;
}
/**
 * Statements is the statement inventory of a side's recording.
 */
export interface EvidenceStatements {
  state: string;
  message?: string;
  runId?: string;
  /**
   * Executions counts Query and Execute Prepared Statement pairs without transaction control.
   */
  executions: number | null;
  /**
   * Messages counts all SQL messages; detail only, never compared across drivers.
   */
  messages: number | null;
  reads: number | null;
  writes: number | null;
  errors: number | null;
  inventory: EvidenceStatement[];
  byEndpoint: EvidenceEndpointStatement[];
  /**
   * Linking says how statements were tied to requests: trace id, time containment, mixed or none.
   */
  linking: string;
  problems: CatalogProblem[];
  reasons?: EvidenceReasons;
}
/**
 * Statement is one fingerprint of a statement inventory.
 */
export interface EvidenceStatement {
  fingerprint: string;
  sql: string;
  verb: string;
  tables: string[];
  executions: number;
  rows: number;
  errors: number;
  /**
   * SpanSeconds is the time from the first message of each group to its end, summed; null if unknown.
   */
  spanSeconds: number | null;
  reasons?: EvidenceReasons;
}
/**
 * EndpointStatement is one fingerprint below one endpoint.
 */
export interface EvidenceEndpointStatement {
  endpoint: string;
  fingerprint: string;
  /**
   * Calls is the number of inbound requests of the endpoint in the recording.
   */
  calls: number;
  executions: number;
  perCall: number;
  maxPerCall: number;
  /**
   * GuessedExecutions were tied by time containment while requests overlapped.
   */
  guessedExecutions: number;
  /**
   * ParentFingerprint names the statement whose returned rows the executions grow with (N+1).
   */
  parentFingerprint?: string;
  rowsOfParent: number;
  spanSeconds: number | null;
  reasons?: EvidenceReasons;
}
/**
 * Mock is how faithfully the dependency was mocked.
 */
export interface EvidenceMock {
  state: string;
  source?: string;
  hits: number | null;
  misses: number | null;
  passthroughs: number | null;
  details: string[];
  reasons?: EvidenceReasons;
}
/**
 * RecordingIdentity says which recording a side replayed.
 */
export interface EvidenceRecordingIdentity {
  /**
   * Path is relative to the root when the recording could be found there.
   */
  path?: string;
  /**
   * Digest is a SHA-256 over the sorted uuids of the recorded inbound pairs.
   */
  digest?: string;
  /**
   * Source says where the identity comes from: recording, verdict, pairs or unknown.
   */
  source: string;
  inboundPairs: number | null;
  reasons?: EvidenceReasons;
}
/**
 * Comparison is the whole result: what evidence.json holds and what every front end shows.
 */
export interface Comparison {
  schemaVersion: string;
  generatedAt: string;
  generator: Generator;
  profile: Profile;
  verdict: Verdict;
  /**
   * Comparable is false when an identity item breaks the comparison; speed is then withheld.
   */
  comparable: boolean;
  identity: IdentityItem[];
  /**
   * Table is the guide's evidence table, row for row, and the rows added to it.
   */
  table: Row[];
  responses: Responses;
  endpoints: EndpointChange[];
  statements: Statements | null;
  findings: Finding[];
  limitations: Limitation[];
  /**
   * Repeats is the noise floor over several runs per side; null with one run per side.
   */
  repeats: Repeats | null;
  /**
   * Tests are distribution tests: detail, never the verdict.
   */
  tests: Test[];
  sides: Sides;
}
/**
 * Generator names the program that made the comparison.
 */
export interface Generator {
  name: string;
  version: string;
}
/**
 * Profile is what the comparison was asked with.
 */
export interface Profile {
  name: string;
  quantile: number;
  tolerancePercent: number;
  toleranceMs: number;
  requestMetric: string;
  ignore: string[];
}
/**
 * Verdict is the three answers.
 */
export interface Verdict {
  behaviour: Judgement;
  speed: SpeedJudgement;
  cause: CauseJudgement;
}
/**
 * Judgement is one answer with its proof in words.
 */
export interface Judgement {
  answer: string;
  /**
   * Headline is one short sentence, such as "Improved, p95 lower by at least 100 ms".
   */
  headline: string;
  /**
   * Basis says what the answer rests on.
   */
  basis: string;
  reasons: Reason[];
  /**
   * Next is the next step; for inconclusive, what would settle it.
   */
  next: string;
}
/**
 * Reason is one sentence with a stable code.
 */
export interface Reason {
  code: string;
  text: string;
}
/**
 * SpeedJudgement adds the bounds of the change.
 */
export interface SpeedJudgement {
  answer: string;
  /**
   * Headline is one short sentence, such as "Improved, p95 lower by at least 100 ms".
   */
  headline: string;
  /**
   * Basis says what the answer rests on.
   */
  basis: string;
  reasons: Reason[];
  /**
   * Next is the next step; for inconclusive, what would settle it.
   */
  next: string;
  /**
   * AtLeastSeconds and AtMostSeconds bound the size of the change of the quantile between the two
   * intervals; null unless the answer is improved or regressed on a basis that bounds it.
   */
  atLeastSeconds: number | null;
  atMostSeconds: number | null;
  /**
   * RatioLower and RatioUpper bound candidate / baseline.
   */
  ratioLower: number | null;
  ratioUpper: number | null;
  /**
   * MeanChangeSeconds is candidate mean minus baseline mean, exact.
   */
  meanChangeSeconds: number | null;
  nullReasons?: EvidenceReasons;
}
/**
 * CauseJudgement adds the additive accounts of the change, in seconds per request.
 */
export interface CauseJudgement {
  answer: string;
  /**
   * Headline is one short sentence, such as "Improved, p95 lower by at least 100 ms".
   */
  headline: string;
  /**
   * Basis says what the answer rests on.
   */
  basis: string;
  reasons: Reason[];
  /**
   * Next is the next step; for inconclusive, what would settle it.
   */
  next: string;
  /**
   * Mechanism is pool, dependency, query count, cpu or empty.
   */
  mechanism: string;
  /**
   * Moved lists what moved per request, largest first; it includes what was ruled out.
   */
  moved: Moved[];
}
/**
 * Moved is one part of the mean in both sides, seconds per request.
 */
export interface Moved {
  kind: string;
  name: string;
  baseline: number | null;
  candidate: number | null;
  change: number | null;
  /**
   * RuledOut is true when the part did not move enough to explain the change.
   */
  ruledOut: boolean;
  text: string;
  reasons?: EvidenceReasons;
}
/**
 * IdentityItem is one line of the identity card.
 */
export interface IdentityItem {
  code: string;
  name: string;
  /**
   * State is same, differs or unknown.
   */
  state: string;
  baseline: string;
  candidate: string;
  /**
   * Breaks is true when this difference makes the sides not comparable.
   */
  breaks: boolean;
  text: string;
  next?: string;
}
/**
 * Row is one row of the evidence table, ready to show: no front end calculates.
 */
export interface Row {
  key: string;
  label: string;
  /**
   * Guide is true for the rows of the guide's own table.
   */
  guide: boolean;
  baseline: Cell;
  candidate: Cell;
  change: string;
  /**
   * Direction is better, worse, same or unknown; colour is never its only carrier.
   */
  direction: string;
  /**
   * Bounds are the bounds and the source in words.
   */
  bounds: string;
}
/**
 * Cell is one figure as text, with its value, bounds and proof.
 */
export interface Cell {
  text: string;
  value: number | null;
  /**
   * Unit is requests, s, ms, req/s, cores, ratio, percent or empty.
   */
  unit: string;
  /**
   * Guide is the figure as the guide's own query gives it, e.g. "190 ms"; empty when there is none.
   */
  guide: string;
  /**
   * QueryIDs name entries of the side's queries[].
   */
  queryIds: string[];
  reasons?: EvidenceReasons;
}
/**
 * Responses is the response diff of the two functional runs.
 */
export interface Responses {
  /**
   * State is compared, partly compared or not compared.
   */
  state: string;
  /**
   * Pairs is the number of distinct recorded pairs compared, Expected how many should have been.
   */
  pairs: number;
  expected: number | null;
  /**
   * Compared counts response comparisons over all repeats.
   */
  compared: number;
  /**
   * Unscored is the number of load requests nobody scored.
   */
  unscored: number | null;
  differences: ResponseDifference[];
  ignored: EvidenceIgnoredField[];
  /**
   * Truncated is the number of differences beyond the listed ones.
   */
  truncated: number;
  text: string;
  reasons?: EvidenceReasons;
}
/**
 * ResponseDifference is one stable field that differs.
 */
export interface ResponseDifference {
  refUuid: string;
  endpoint: string;
  /**
   * Field is where: "status", "header Content-Type", "body .total_cents".
   */
  field: string;
  /**
   * Kind is status_changed, value_changed, type_changed, field_added, field_removed, body_changed, header_*.
   */
  kind: string;
  baseline: string;
  candidate: string;
  masked: boolean;
  count: number;
  baselinePath: string;
  candidatePath: string;
}
/**
 * EndpointChange is one endpoint in both sides.
 */
export interface EndpointChange {
  name: string;
  /**
   * State is both, added (candidate only) or removed (baseline only).
   */
  state: string;
  baseline: EvidenceEndpoint | null;
  candidate: EvidenceEndpoint | null;
  /**
   * Answer is improved, regressed, no provable change or inconclusive; basis: replay percentiles.
   */
  answer: string;
  text: string;
  /**
   * MovedSecondsPerRequest is the change of the mean of this endpoint's requests, seconds.
   */
  movedSecondsPerRequest: number | null;
  /**
   * MovedSecondsTotal is that times the endpoint's requests: what it cost the whole run.
   */
  movedSecondsTotal: number | null;
  reasons?: EvidenceReasons;
}
/**
 * Statements compares two statement inventories.
 */
export interface Statements {
  state: string;
  /**
   * Totals of executions.
   */
  baselineExecutions: number | null;
  candidateExecutions: number | null;
  changes: StatementChange[];
  /**
   * PerEndpoint are all statements together per inbound call of each endpoint.
   */
  perEndpoint: StatementsPerCall[];
  /**
   * NPlusOne lists executions that grow with the rows another statement returned.
   */
  nPlusOne: NPlusOne[];
  text: string;
  reasons?: EvidenceReasons;
}
/**
 * StatementChange is one fingerprint in both sides, below one endpoint or over all.
 */
export interface StatementChange {
  fingerprint: string;
  sql: string;
  /**
   * Endpoint is empty for the totals.
   */
  endpoint: string;
  tables: string[];
  /**
   * State is both, only in baseline or only in candidate.
   */
  state: string;
  baseline: number | null;
  candidate: number | null;
  perCallBaseline: number | null;
  perCallCandidate: number | null;
  movedSecondsPerCall: number | null;
  text: string;
  reasons?: EvidenceReasons;
}
/**
 * StatementsPerCall is how many statements one inbound call of an endpoint executes on average.
 */
export interface StatementsPerCall {
  endpoint: string;
  baseline: number | null;
  candidate: number | null;
  reasons?: EvidenceReasons;
}
/**
 * NPlusOne is one N+1: a child statement executed once per row of its parent.
 */
export interface NPlusOne {
  /**
   * Side is baseline or candidate.
   */
  side: string;
  endpoint: string;
  parentFingerprint: string;
  parentSql: string;
  childFingerprint: string;
  childSql: string;
  parentPerCall: number;
  childPerCall: number;
  rowsPerCall: number;
  text: string;
}
/**
 * Finding is one ranked statement with its evidence.
 */
export interface Finding {
  rank: number;
  code: string;
  /**
   * Kind is moved, behaviour, identity, coverage, disagreement or ruled out.
   */
  kind: string;
  text: string;
  /**
   * SecondsPerRequest is what the ranking used first; null when it does not apply.
   */
  secondsPerRequest: number | null;
  count: number | null;
  /**
   * Proof names what proves it: table keys, query ids ("baseline:q3"), files.
   */
  proof: string[];
  reasons?: EvidenceReasons;
}
/**
 * Limitation is something the evidence does not show, present only where it applies.
 */
export interface Limitation {
  code: string;
  text: string;
}
/**
 * Repeats is the measured noise floor over several load runs per side.
 */
export interface Repeats {
  baseline: number[];
  candidate: number[];
  /**
   * Measure is what the lists hold, e.g. "load p95, ms".
   */
  measure: string;
  /**
   * NoiseFloor is the largest relative spread within one side, 0..1.
   */
  noiseFloor: number;
  /**
   * PValue is of an exact two-sided permutation test over runs; null when too few runs.
   */
  pValue: number | null;
  /**
   * SmallestP is the smallest p-value that this many runs can reach.
   */
  smallestP: number;
  text: string;
  reasons?: EvidenceReasons;
}
/**
 * Test is the result of one distribution test.
 */
export interface Test {
  name: string;
  statistic: number | null;
  pValue: number | null;
  effect: number | null;
  effectLow: number | null;
  effectHigh: number | null;
  text: string;
  reasons?: EvidenceReasons;
}
/**
 * Sides are the two measured sides.
 */
export interface Sides {
  baseline: EvidenceSide;
  candidate: EvidenceSide;
}
/**
 * DiffResponse shows one recorded pair's responses of both sides.
 */
export interface DiffResponse {
  apiVersion: string;
  refUuid: string;
  endpoint: string;
  masked: boolean;
  baseline: ResponseView | null;
  candidate: ResponseView | null;
  differences: ResponseDifference[];
  ignored: EvidenceIgnoredField[];
}
/**
 * ResponseView is one response as a person may see it.
 */
export interface ResponseView {
  path: string;
  status: number;
  headers: {
    [k: string]: string[];
  };
  /**
   * Body is pretty-printed JSON where it is JSON, else text; cut at 64 KiB.
   */
  body: string;
  truncated: boolean;
}
/**
 * BoundaryResponse is the boundary of a recording: what came in, what went out.
 */
export interface BoundaryResponse {
  apiVersion: string;
  runId: string;
  masked: boolean;
  inbound: BoundaryCall[];
  outbound: BoundaryCall[];
  total: number;
  problems: CatalogProblem[];
}
/**
 * BoundaryCall is one recorded call.
 */
export interface BoundaryCall {
  uuid: string;
  direction: string;
  protocol: string;
  /**
   * Operation is method and path, or the SQL statement.
   */
  operation: string;
  status: string;
  /**
   * DurationMs is null when unknown: the local recorder stores every outbound HTTP call as 1 ms.
   */
  durationMs: number | null;
  at: string;
  body: string;
  path: string;
  reasons?: EvidenceReasons;
}
/**
 * MetricNamesResponse suggests metric names for a profile.
 */
export interface MetricNamesResponse {
  apiVersion: string;
  names: string[];
  truncated: boolean;
}
/**
 * CheckResponse is the live check of a profile draft.
 */
export interface CheckResponse {
  apiVersion: string;
  valid: boolean;
  lines: CheckLine[];
}
/**
 * CheckLine is one sentence of a check, such as "this histogram exists, 14 buckets, 1 s scrape".
 */
export interface CheckLine {
  /**
   * Subject is the setting, e.g. "request.metric".
   */
  subject: string;
  /**
   * State is ok, warning or error.
   */
  state: string;
  text: string;
  next: string;
}
/**
 * SettingsResponse is the effective configuration, without secrets.
 */
export interface SettingsResponse {
  apiVersion: string;
  /**
   * OperatorRoots are the names the operator configured; only these can be picked.
   */
  operatorRoots: string[];
  roots: RootState[];
  prometheus: PromSettings;
  profiles: ProfileRef[];
  /**
   * Problems are bad settings, each named.
   */
  problems: SettingProblem[];
  /**
   * CanConfigure is true for admins.
   */
  canConfigure: boolean;
}
/**
 * PromSettings says how Prometheus is reached.
 */
export interface PromSettings {
  /**
   * Mode is datasource, url or none.
   */
  mode: string;
  datasourceUid: string;
  url: string;
  /**
   * Token is managed, configured or none.
   */
  token: string;
}
/**
 * SettingProblem is one bad setting.
 */
export interface SettingProblem {
  setting: string;
  message: string;
  next: string;
}
/**
 * HealthDetails is the JSON of the health check.
 */
export interface HealthDetails {
  apiVersion: string;
  /**
   * Prometheus is ok, not_configured, no_token, token_refused, not_allowed, datasource_missing,
   * prometheus_down, not_prometheus or failed.
   */
  prometheus: string;
  prometheusText: string;
  prometheusNext: string;
  roots: RootState[];
  runs: number;
  problems: SettingProblem[];
}
/**
 * Problem is a problem document (RFC 9457) with a cause a user can act on.
 */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  /**
   * Code is stable, for tests and translations.
   */
  code: string;
  /**
   * Next is what the user can do.
   */
  next: string;
}
