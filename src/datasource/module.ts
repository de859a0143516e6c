import { DataSourcePlugin } from '@grafana/data';

import type { Secrets } from './bridge';
import { ConfigEditor } from './ConfigEditor';
import { EvidenceDataSource } from './datasource';
import { QueryEditor } from './QueryEditor';
import type { EvidenceQuery, EvidenceSettings } from './types';

export const plugin = new DataSourcePlugin<EvidenceDataSource, EvidenceQuery, EvidenceSettings, Secrets>(
  EvidenceDataSource
)
  .setConfigEditor(ConfigEditor)
  .setQueryEditor(QueryEditor);
