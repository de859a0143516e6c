import { from, Observable } from 'rxjs';

import { CustomVariableSupport, DataQueryRequest, DataQueryResponse, FieldType, MetricFindValue } from '@grafana/data';

import type { RunRow, SideRow } from '../types/generated';
import type { EvidenceDataSource } from './datasource';
import { interpolate } from './interpolate';
import { EvidenceVariableQuery } from './types';
import { VariableEditor } from './VariableEditor';

type Choices = MetricFindValue[];

/** A side can be compared when it holds a replay; recordings and mocks alone are not. */
const isReplay = ({ kind }: RunRow) => kind === 'functional' || kind === 'load';

const sidesOf = (sides: readonly SideRow[], { root, kind, except }: EvidenceVariableQuery): Choices =>
  sides
    .filter((side) => !root || side.root === root)
    .filter((side) => side.id !== except)
    .filter((side) => side.runs.some((run) => (kind ? run.kind === kind : isReplay(run))))
    .map((side) => ({ text: side.label === side.id ? side.id : `${side.label} (${side.id})`, value: side.id }));

const runsOf = (sides: readonly SideRow[], { root, kind, side: only }: EvidenceVariableQuery): Choices =>
  sides
    .filter((side) => (!root || side.root === root) && (!only || side.id === only))
    .flatMap((side) => side.runs.filter((run) => !kind || run.kind === kind))
    .map((run) => ({ text: run.id, value: run.id }));

/** Answers the query variables of a dashboard: sides, runs, endpoints. */
export class EvidenceVariables extends CustomVariableSupport<EvidenceDataSource, EvidenceVariableQuery> {
  editor = VariableEditor;

  constructor(private readonly source: EvidenceDataSource) {
    super();
  }

  query(request: DataQueryRequest<EvidenceVariableQuery>): Observable<DataQueryResponse> {
    return from(this.answer(request));
  }

  private async answer({ targets, scopedVars }: DataQueryRequest<EvidenceVariableQuery>): Promise<DataQueryResponse> {
    const target = targets[0];
    if (!target) {
      return { data: [] };
    }
    const query = interpolate(target, ['root', 'kind', 'side', 'except', 'profile'], scopedVars);
    return { data: [frameOf(await this.choices(query))] };
  }

  /** The values that a variable query offers. */
  async choices(query: EvidenceVariableQuery): Promise<Choices> {
    if (query.queryType === 'endpoints') {
      if (!query.side) {
        return [];
      }
      const { endpoints } = await this.source.getEvidence(query.side, query.profile);
      return endpoints.map(({ name }) => ({ text: name, value: name }));
    }
    const { sides } = await this.source.getSides();
    return query.queryType === 'runs' ? runsOf(sides, query) : sidesOf(sides, query);
  }
}

function frameOf(choices: Choices) {
  const field = (name: 'text' | 'value') => ({
    name,
    type: FieldType.string,
    config: {},
    values: choices.map((choice) => String(choice[name])),
  });
  return { fields: [field('text'), field('value')], length: choices.length };
}
