import React from 'react';

import { Section } from '../../components/Section/Section';
import { formatCount, plural } from '../../format/number';
import { formatLocal, formatUtc } from '../../format/time';
import type { CatalogSideFile, EvidenceSide, SideRow } from '../../types/generated';
import { windowWords } from '../Runs/cells';
import { includes } from '../Runs/picks';
import { uncertainty } from '../wholeMs';
import { Fact, Facts } from './Facts';

function workload({ workload: work }: CatalogSideFile): string {
  if (!work) {
    return '';
  }
  return [
    work.users !== undefined && plural(work.users, 'user'),
    work.passes !== undefined && plural(work.passes, 'pass', 'passes'),
    work.mode && `mode ${work.mode}`,
  ]
    .filter(Boolean)
    .join(' × ')
    .replace(' × mode', ', mode');
}

function declaredFacts(declared: CatalogSideFile): Array<Fact | false> {
  const { version, commit, changed, pools, harness, dependency } = declared;
  const work = workload(declared);
  return [
    Boolean(changed) && { label: 'What changed', value: changed },
    Boolean(version) && { label: 'Version', value: version, note: commit && `commit ${commit}` },
    work !== '' && { label: 'Workload', value: work },
    pools !== undefined && {
      label: 'Pools',
      value: Object.entries(pools)
        .map(([name, size]) => `${name}: ${formatCount(size)}`)
        .join(', '),
    },
    harness !== undefined && { label: 'Replayed by', value: harness.name, note: harness.version },
    dependency !== undefined && {
      label: 'Dependency',
      value: dependency.mocked ? 'mocked' : 'real',
      note: dependency.timing && `timing ${dependency.timing}`,
    },
  ];
}

interface Props {
  side: EvidenceSide;
  /** Every side that is known, to find the window of a recording in. */
  listed: readonly SideRow[] | undefined;
}

/** What this side is: its window and how it is known, what was replayed, and what side.json says. */
export function Identity({ side, listed }: Props) {
  const { recording, declared } = side;
  // The evidence names the window of the replay, else of the recording with the statements.
  const runs = (listed ?? []).filter((row) => includes(side.id, row)).flatMap((row) => row.runs);
  const window = side.window ?? runs.find((run) => run.window)?.window ?? null;
  return (
    <Section title="What this is" subtitle={side.id}>
      <Facts
        wide
        facts={[
          {
            label: 'When',
            value: window ? (
              <span title={`${formatUtc(window.start)} to ${formatUtc(window.end)}`}>{formatLocal(window.start)}</span>
            ) : (
              'not known'
            ),
            note: window
              ? `until ${formatLocal(window.end)}`
              : 'No window.json, no timed pair and no summary was found.',
          },
          window && {
            label: 'Window',
            value: `${formatCount(window.window_seconds)} s from ${window.source}`,
            note: (
              <span title={windowWords(window)}>
                {window.uncertainty > 0 ? `start and end ${uncertainty(window.uncertainty)}` : 'start and end exact'}
              </span>
            ),
          },
          (recording.path || recording.digest || side.load || side.functional) && {
            label: 'Recording',
            value: recording.path || (recording.digest ? 'known by its pairs' : 'not known'),
            note: [
              recording.inboundPairs !== null && plural(recording.inboundPairs, 'inbound pair'),
              recording.digest && `digest ${recording.digest.slice(0, 12)}`,
            ]
              .filter(Boolean)
              .join(', '),
          },
          ...(declared ? declaredFacts(declared) : []),
        ]}
      />
    </Section>
  );
}
