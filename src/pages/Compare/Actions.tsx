import React, { useEffect, useState } from 'react';

import { locationUtil } from '@grafana/data';
import { Button, Dropdown, Menu, Stack, Tooltip } from '@grafana/ui';

import { queryString } from '../../api/client';
import { DASHBOARD_UID, hasDashboard } from '../../api/grafana';
import { Problem, toProblem } from '../../api/problem';
import { ComparisonOf, ExportFormat, getExport } from '../../api/resources';
import { useLoad } from '../../api/useLoad';
import { ExactLink } from '../../components/ExactLink/ExactLink';
import { SrOnly } from '../../components/SrOnly/SrOnly';
import { ProblemView } from '../../components/StateViews/StateViews';
import { copyText, download } from './transfer';

interface Props {
  of: ComparisonOf;
  /** When the two sides ran, for a dashboard that shows both; undefined while that is not known. */
  range?: TimeSpan;
  onRefresh: () => void;
  refreshing: boolean;
  exploreUrl?: string;
}

/** Two instants in milliseconds since 1970. */
export interface TimeSpan {
  from: number;
  to: number;
}

type Copied = 'link' | 'markdown' | null;

const FILES: Record<ExportFormat, { name: string; type: string }> = {
  json: { name: 'evidence.json', type: 'application/json' },
  markdown: { name: 'evidence.md', type: 'text/markdown' },
};

/** The provisioned dashboard "Replay evidence" with both sides chosen, over the time in which they ran. */
const dashboardHref = ({ baseline, candidate }: ComparisonOf, range?: TimeSpan): string =>
  locationUtil.assureBaseUrl(
    `/d/${DASHBOARD_UID}${queryString({ 'var-baseline': baseline, 'var-candidate': candidate, ...range })}`
  );

/** What one can do with a comparison as a whole: share, copy, export, look closer. */
export function Actions({ of, range, onRefresh, refreshing, exploreUrl }: Props) {
  const [copied, setCopied] = useState<Copied>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  // Where the dashboard is not provisioned, or cannot be asked for, there is no link to it.
  const dashboard = useLoad('dashboard', (signal) => hasDashboard(DASHBOARD_UID, signal));
  useEffect(() => {
    if (copied) {
      const timer = setTimeout(() => setCopied(null), 2000);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [copied]);

  const attempt = async (action: () => Promise<void>) => {
    setProblem(null);
    try {
      await action();
    } catch (error) {
      setProblem(toProblem(error));
    }
  };
  const copy = (what: Exclude<Copied, null>, text: () => Promise<string> | string) =>
    attempt(async () => {
      await copyText(await text());
      setCopied(what);
    });
  const save = (format: ExportFormat) =>
    attempt(async () => download(await getExport(of, format), FILES[format].name, FILES[format].type));

  return (
    <Stack direction="column" gap={1}>
      <Stack gap={1} wrap="wrap" alignItems="center">
        <Button
          size="sm"
          variant="secondary"
          icon={copied === 'link' ? 'check' : 'link'}
          onClick={() => copy('link', () => document.URL)}
        >
          {copied === 'link' ? 'Link copied' : 'Copy link'}
        </Button>
        <Button
          size="sm"
          variant="secondary"
          icon={copied === 'markdown' ? 'check' : 'copy'}
          onClick={() => copy('markdown', () => getExport(of, 'markdown'))}
        >
          {copied === 'markdown' ? 'Markdown copied' : 'Copy as Markdown'}
        </Button>
        <Dropdown
          overlay={
            <Menu>
              <Menu.Item icon="brackets-curly" label="JSON (evidence.json)" onClick={() => void save('json')} />
              <Menu.Item icon="file-alt" label="Markdown (evidence.md)" onClick={() => void save('markdown')} />
            </Menu>
          }
        >
          <Button size="sm" variant="secondary" icon="download-alt">
            Export
          </Button>
        </Dropdown>
        {dashboard.data && (
          <Tooltip content="The provisioned dashboard: the service's metrics beside this comparison">
            <span>
              <ExactLink href={dashboardHref(of, range)} look="button" icon="apps">
                Open the dashboard
              </ExactLink>
            </span>
          </Tooltip>
        )}
        {exploreUrl && (
          <Tooltip content="Both sides side by side, each over exactly its own window">
            <span>
              <ExactLink href={exploreUrl} look="button" icon="compass">
                Open in Explore
              </ExactLink>
            </span>
          </Tooltip>
        )}
        <Button size="sm" variant="secondary" icon="sync" onClick={onRefresh} disabled={refreshing}>
          Refresh
        </Button>
      </Stack>
      <SrOnly role="status">{copied && 'Copied to the clipboard'}</SrOnly>
      {problem && <ProblemView problem={problem} />}
    </Stack>
  );
}
