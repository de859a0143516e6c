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
  prepareQuery: ({ target }) => ({ refId: 'Anno', ...target, ...WINDOWS }),
};
