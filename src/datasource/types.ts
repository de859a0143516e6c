import type { DataSourceJsonData } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';

import type { AppSettings } from '../components/AppConfig/settings';

/** The questions that the backend answers; see pkg/plugin/query.go. */
export const QUERY_TYPES = [
  'runs',
  'measures',
  'comparison',
  'endpoints',
  'differences',
  'statements',
  'elapsed',
  'windows',
] as const;
export type QueryType = (typeof QUERY_TYPES)[number];

export const KINDS = ['functional', 'load', 'recording', 'mock'] as const;

export const ELAPSED_MEASURES = ['requestsPerSecond', 'p95', 'mean', 'waiting', 'cores'] as const;

/** The fields of a query that can hold dashboard variables. */
export const TEXT_FIELDS = ['root', 'kind', 'side', 'baseline', 'candidate', 'profile', 'measure'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export interface EvidenceQuery extends DataQuery {
  queryType?: QueryType;
  /** Narrow runs and windows; empty means all. */
  root?: string;
  kind?: string;
  /** The side of measures, and narrows runs and windows. */
  side?: string;
  baseline?: string;
  candidate?: string;
  /** Empty means the first profile of the data source. */
  profile?: string;
  /** The measure of elapsed; empty means requests per second. */
  measure?: string;
  /** "numbers" answers measures and comparison in a form that alert rules take; empty as a table for people. */
  format?: 'numbers';
}

export const VARIABLE_TYPES = ['sides', 'runs', 'endpoints'] as const;

/** What a dashboard variable asks for. */
export interface EvidenceVariableQuery extends DataQuery {
  queryType?: (typeof VARIABLE_TYPES)[number];
  root?: string;
  /** Runs of this kind; sides that have a run of this kind. Sides without a kind are those that can be compared. */
  kind?: string;
  /** The side whose runs or endpoints are asked for. */
  side?: string;
  /** A side to leave out: the candidate is never the baseline. */
  except?: string;
  profile?: string;
}

/** The same settings as the app's; see pkg/plugin/settings.go. */
export type EvidenceSettings = DataSourceJsonData & AppSettings;
