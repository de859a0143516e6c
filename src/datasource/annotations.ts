import { AnnotationSupport } from '@grafana/data';

import { AnnotationEditor } from './AnnotationEditor';
import { EvidenceQuery } from './types';

const WINDOWS: Omit<EvidenceQuery, 'refId'> = { queryType: 'windows' };

/**
 * Annotations are the windows of runs. The backend's frame has the columns time, timeEnd, title, text, tags and id,
 * which Grafana takes as regions by their names.
 */
export const annotationSupport: AnnotationSupport<EvidenceQuery> = {
  QueryEditor: AnnotationEditor,
  getDefaultQuery: () => WINDOWS,
  // Both sides are named even where none is chosen: into a query without fields of its own Grafana merges the default
  // query, and the windows of all runs would become those of the dashboard's two sides.
  prepareQuery: ({ target }) => ({
    refId: 'Anno',
    baseline: target?.baseline,
    candidate: target?.candidate,
    ...target,
    ...WINDOWS,
  }),
};
