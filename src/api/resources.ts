// The resources of the plugin's backend, one function each. The types are generated from the Go structs.
import type {
  BoundaryResponse,
  CheckResponse,
  Comparison,
  DiffResponse,
  EvidenceSide,
  MetricNamesResponse,
  SettingsResponse,
  SidesResponse,
} from '../types/generated';
import { callResource } from './client';

/** Two sides and the questions to compare them with. No profile means the first configured one. */
export interface ComparisonOf {
  baseline: string;
  candidate: string;
  profile?: string;
}

export type ExportFormat = 'json' | 'markdown';

/** Everything found below the roots. */
export const getSides = (signal?: AbortSignal) => callResource<SidesResponse>('v1/sides', { signal });

/** One side measured. */
export const getEvidence = (side: string, profile?: string, signal?: AbortSignal) =>
  callResource<EvidenceSide>('v1/evidence', { params: { side, profile }, signal });

export const getComparison = ({ baseline, candidate, profile }: ComparisonOf, signal?: AbortSignal) =>
  callResource<Comparison>('v1/compare', { params: { baseline, candidate, profile }, signal });

/**
 * One recorded pair's responses of both sides.
 *
 * @param reveal asks for the recorded values; the backend refuses that to Viewers
 */
export const getDiff = (
  { baseline, candidate, profile }: ComparisonOf,
  refUuid: string,
  reveal: boolean,
  signal?: AbortSignal
) =>
  callResource<DiffResponse>('v1/diff', {
    params: { baseline, candidate, profile, refUuid, show: reveal ? 'values' : undefined },
    signal,
  });

/**
 * The boundary of a recording: what came in and what went out.
 *
 * @param reveal asks for the recorded values; the backend refuses that to Viewers
 */
export const getBoundary = (run: string, reveal: boolean, signal?: AbortSignal) =>
  callResource<BoundaryResponse>('v1/boundary', { params: { run, show: reveal ? 'values' : undefined }, signal });

/** The comparison as the text of a file. */
export const getExport = ({ baseline, candidate, profile }: ComparisonOf, format: ExportFormat, signal?: AbortSignal) =>
  callResource<string>('v1/export', {
    params: { baseline, candidate, profile, format },
    responseType: 'text',
    signal,
  });

/** The effective configuration, without secrets. */
export const getSettings = (signal?: AbortSignal) => callResource<SettingsResponse>('v1/settings', { signal });

/** Metric names that contain a text; for administrators. */
export const getMetricNames = (contains: string, signal?: AbortSignal) =>
  callResource<MetricNamesResponse>('v1/metric-names', { params: { contains }, signal });

/** Checks a profile draft (YAML) against the newest load run; for administrators. */
export const checkProfile = (yaml: string, signal?: AbortSignal) =>
  callResource<CheckResponse>('v1/profile/check', { method: 'POST', data: yaml, signal });
