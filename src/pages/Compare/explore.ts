import { locationUtil, urlUtil } from '@grafana/data';

import type { EvidenceQuery } from '../../types/generated';

/** One half of Explore. */
interface Pane {
  datasource: string;
  queries: Array<{
    refId: string;
    expr: string;
    instant: boolean;
    range: boolean;
    datasource: { type: string; uid: string };
  }>;
  range: { from: string; to: string };
}

type Question = Pick<EvidenceQuery, 'promql' | 'time' | 'rangeSeconds'>;

function pane(datasourceUid: string, { promql, time, rangeSeconds }: Question): Pane {
  const to = Date.parse(time);
  return {
    datasource: datasourceUid,
    // An instant query is evaluated at the end of the range: at exactly the time that was sent.
    queries: [
      { refId: 'A', expr: promql, instant: true, range: false, datasource: { type: 'prometheus', uid: datasourceUid } },
    ],
    range: { from: String(Math.floor(to - rangeSeconds * 1000)), to: String(to) },
  };
}

/**
 * The address that asks the same questions again in Explore, each over its own window; two stand side by side.
 *
 * @param datasourceUid of the data source that the plugin asks; without one there is nothing to open
 */
export function exploreUrl(datasourceUid: string, questions: readonly Question[]): string | undefined {
  if (!datasourceUid || questions.length === 0) {
    return undefined;
  }
  const panes = Object.fromEntries(questions.map((question, at) => [`p${at}`, pane(datasourceUid, question)]));
  return locationUtil.assureBaseUrl(urlUtil.renderUrl('/explore', { schemaVersion: 1, panes: JSON.stringify(panes) }));
}
