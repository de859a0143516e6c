import { CoreApp, DataSourceInstanceSettings, ScopedVars } from '@grafana/data';
import { DataSourceWithBackend, getTemplateSrv } from '@grafana/runtime';

import { ProblemError, toProblem } from '../api/problem';
import type { EvidenceSide, SidesResponse } from '../types/generated';
import { annotationSupport } from './annotations';
import { interpolate } from './interpolate';
import { describe } from './needs';
import { EvidenceQuery, EvidenceSettings, TEXT_FIELDS } from './types';
import { EvidenceVariables } from './variables';

/** Grafana's side of the data source. Queries, health and resources are answered by the backend. */
export class EvidenceDataSource extends DataSourceWithBackend<EvidenceQuery, EvidenceSettings> {
  constructor(settings: DataSourceInstanceSettings<EvidenceSettings>) {
    super(settings);
    this.variables = new EvidenceVariables(this);
    this.annotations = annotationSupport;
  }

  /** A comparison where the dashboard says of what, else the list of runs: it needs nothing to be chosen. */
  override getDefaultQuery(app: CoreApp): Partial<EvidenceQuery> {
    const names =
      app === CoreApp.Explore
        ? []
        : getTemplateSrv()
            .getVariables()
            .map(({ name }) => name);
    return names.includes('baseline') && names.includes('candidate')
      ? { queryType: 'comparison', baseline: '$baseline', candidate: '$candidate' }
      : { queryType: 'runs' };
  }

  override filterQuery(query: EvidenceQuery): boolean {
    return !query.hide && Boolean(query.queryType);
  }

  override applyTemplateVariables(query: EvidenceQuery, scopedVars: ScopedVars): EvidenceQuery {
    return interpolate(query, TEXT_FIELDS, scopedVars);
  }

  override getQueryDisplayText(query: EvidenceQuery): string {
    return describe(query);
  }

  /** Everything found below the roots of this data source. */
  getSides(): Promise<SidesResponse> {
    return this.ask('v1/sides');
  }

  /** One side measured. */
  getEvidence(side: string, profile?: string): Promise<EvidenceSide> {
    return this.ask('v1/evidence', { side, ...(profile && { profile }) });
  }

  private async ask<T>(path: string, params?: Record<string, string>): Promise<T> {
    try {
      return await this.getResource<T>(path, params, { showErrorAlert: false });
    } catch (error) {
      throw new ProblemError(toProblem(error));
    }
  }
}
